/**
 * `npm run train`: trains the embedded planner from the sentences of all packages and writes its table; with `--check`, only says whether the
 * shipped table is that one. Called by package.json.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { trainedTable } from './train/table.ts'

const FILE = 'integrations/extractors/learned/table.json'
const path = join(import.meta.dirname, '..', FILE)
const table = trainedTable()

if (process.argv.includes('--check')) {
  if (readFileSync(path, 'utf8') !== table) {
    process.stderr.write(`${FILE} is not what the sentences give: run npm run train\n`)
    process.exitCode = 1
  }
} else {
  writeFileSync(path, table)
  process.stdout.write(`${FILE}: ${table.length} bytes\n`)
}
