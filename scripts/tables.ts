/**
 * `npm run tables`: generates every table that is collected from many files: tool packages, words of operations, texts of
 * templates, translations. `npm run check` only compares them (`staleTables`).
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { featureTables } from './tables/features.ts'
import { languageTables } from './tables/languages.ts'
import { plannableTable } from './tables/plannable.ts'
import { textTables } from './tables/texts.ts'
import { toolTables } from './tables/tools.ts'

const ROOT = join(import.meta.dirname, '..')

/** Paths of the tables that differ from what their sources give. */
export async function staleTables(): Promise<readonly string[]> {
  const made = await tables()
  return made
    .filter(
      ([path, wanted]) => !existsSync(join(ROOT, path)) || readFileSync(join(ROOT, path), 'utf8') !== wanted,
    )
    .map(([path]) => path)
}

async function tables(): Promise<readonly (readonly [path: string, text: string])[]> {
  const own = [...(await toolTables()), ...featureTables(), ...plannableTable(), ...textTables()]
  const made = [...own, ...(await languageTables())]
  return made.map(([path, source]) => [path, formatted(path, source)])
}

/** Formats like `npm run format`: order of imports, quotes and line breaks. Leaves a page as it is. */
function formatted(path: string, source: string): string {
  if (path.endsWith('.md')) return source
  const biome = join(ROOT, 'node_modules/@biomejs/biome/bin/biome')
  const args = [biome, 'check', '--write', `--stdin-file-path=${path}`]
  const run = spawnSync(process.execPath, args, { cwd: ROOT, input: `${source}\n`, encoding: 'utf8' })
  if (run.status !== 0) throw new Error(`${path} could not be formatted: ${run.stderr}`)
  return run.stdout
}

if (import.meta.main) {
  // Written first: the list of operations, from which other tables are made, imports these.
  for (const [path, source] of featureTables()) writeFileSync(join(ROOT, path), formatted(path, source))
  for (const [path, source] of await tables()) writeFileSync(join(ROOT, path), source)
}
