/**
 * `npm run new tool|channel|operation|job <name>`: copies the templates of scripts/new/<unit>/ into the tree, adds the unit
 * to its lists and prints the next commands. The result compiles; its contract test fails until no `WRITE:` mark of the
 * templates is left (new/unwritten.ts).
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { planChannel } from './new/channel.ts'
import { planJob } from './new/job.ts'
import { planOperation } from './new/operation.ts'
import { type Plan, Refused, type Tree } from './new/plan.ts'
import { planTool } from './new/tool.ts'

const ROOT = join(import.meta.dirname, '..')

const UNITS: Readonly<Record<string, (tree: Tree, name: string) => Plan>> = {
  tool: planTool,
  channel: planChannel,
  operation: planOperation,
  job: planJob,
}

/**
 * Writes the unit into the tree at `root`, all files or none. Throws `Refused` with a sentence for an unknown unit or
 * an invalid name.
 */
export function makeUnit(root: string, unit: string, name: string): Plan {
  const planned = Object.hasOwn(UNITS, unit) ? UNITS[unit] : undefined
  if (planned === undefined)
    throw new Refused(`there is no unit "${unit}": ${Object.keys(UNITS).join(', ')} can be made`)
  const tree: Tree = {
    has: (path) => existsSync(join(root, path)),
    read: (path) => readFileSync(join(root, path), 'utf8'),
    template: (path) => readFileSync(join(import.meta.dirname, 'new', `${path}.tmpl`), 'utf8'),
  }
  const plan = planned(tree, name)
  const files = plan.files.map(([path, text]) => [path, formatted(root, path, text)] as const)
  for (const [path, text] of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return plan
}

/** Formatted as by `npm run format`, because a longer name may break lines differently. */
function formatted(root: string, path: string, text: string): string {
  if (!path.endsWith('.ts')) return text
  const biome = join(ROOT, 'node_modules/@biomejs/biome/bin/biome')
  const args = [biome, 'check', '--write', `--stdin-file-path=${path}`]
  const run = spawnSync(process.execPath, args, { cwd: root, input: text, encoding: 'utf8' })
  if (run.status !== 0) throw new Error(`${path} could not be formatted: ${run.stderr}`)
  return run.stdout
}

function main([unit = '', name = '', ...more]: readonly string[]): void {
  try {
    if (name === '' || more.length > 0)
      throw new Refused('usage: npm run new tool|channel|operation|job <name>')
    const { files, next } = makeUnit(ROOT, unit, name)
    for (const [path] of files) console.log(path)
    console.log(`next: ${next.join('\n      ')}`)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    console.error(error.message)
    process.exitCode = 2
  }
}

if (import.meta.main) main(process.argv.slice(2))
