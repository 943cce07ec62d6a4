/**
 * `npm run train`: trains the embedded planner, its tagger of parts and the sanitizer, and writes their tables. With `--check`
 * it writes nothing and fails if the shipped tables differ. Run by hand, and by test/language/learned.test.ts with `--check`.
 */
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { isLearned, samples } from './train/directive-texts.ts'
import { trainedDirectives } from './train/directives.ts'
import { recordTraining, TABLES } from './train/inputs.ts'
import { trainedTables } from './train/table.ts'

const tags = once(new Worker(new URL('./train/tags-worker.ts', import.meta.url)), 'message')
const planner = trainedTables()
const made: Record<keyof typeof TABLES, string> = {
  planner: planner.table,
  home: planner.home,
  tags: String((await tags)[0]),
  directives: trainedDirectives(samples().filter(isLearned)),
}
const isCheck = process.argv.includes('--check')

for (const [name, file] of Object.entries(TABLES)) {
  const path = join(import.meta.dirname, '..', file)
  const table = made[name as keyof typeof TABLES]
  if (!isCheck) {
    writeFileSync(path, table)
    process.stdout.write(`${file}: ${table.length} bytes\n`)
  } else if (!existsSync(path) || readFileSync(path, 'utf8') !== table) {
    process.stderr.write(`${file} is not what its texts give: run npm run train\n`)
    process.exitCode = 1
  }
}
if (!isCheck) recordTraining()
