/**
 * `npm run train`: trains the embedded planner, its tagger of parts and the sanitizer and writes their tables; with `--check`, only says whether the shipped
 * tables are those. Called by package.json.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { knownOf } from '../integrations/extractors/learned/table.ts'
import { isLearned, samples } from './train/directive-texts.ts'
import { trainedDirectives } from './train/directives.ts'
import { trainedParts } from './train/parts.ts'
import { trainedTables } from './train/table.ts'

const planner = trainedTables()
const TABLES = [
  ['integrations/extractors/learned/table.json', planner.table],
  ['integrations/extractors/learned/home-weights.json', planner.home],
  ['integrations/extractors/learned/tags.json', trainedParts(knownOf(JSON.parse(planner.table)).words)],
  ['kernel/prompt/directive/table.json', trainedDirectives(samples().filter(isLearned))],
] as const

for (const [file, table] of TABLES) {
  const path = join(import.meta.dirname, '..', file)
  if (!process.argv.includes('--check')) {
    writeFileSync(path, table)
    process.stdout.write(`${file}: ${table.length} bytes\n`)
  } else if (!existsSync(path) || readFileSync(path, 'utf8') !== table) {
    process.stderr.write(`${file} is not what its texts give: run npm run train\n`)
    process.exitCode = 1
  }
}
