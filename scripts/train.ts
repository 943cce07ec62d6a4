/**
 * `npm run train`: trains the embedded planner, its tagger of parts beside it, and the sanitizer, and writes their tables; with `--check`, only says whether
 * the shipped tables are those. Called by package.json.
 */
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { isLearned, samples } from './train/directive-texts.ts'
import { trainedDirectives } from './train/directives.ts'
import { trainedTables } from './train/table.ts'

const tags = once(new Worker(new URL('./train/tags-worker.ts', import.meta.url)), 'message')
const planner = trainedTables()
const TABLES = [
  ['integrations/extractors/learned/table.json', planner.table],
  ['integrations/extractors/learned/home-weights.json', planner.home],
  ['integrations/extractors/learned/tags.json', String((await tags)[0])],
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
