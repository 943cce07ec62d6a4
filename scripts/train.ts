/**
 * `npm run train`: trains the embedded planner and the sanitizer and writes their tables; with `--check`, only says whether the shipped
 * tables are those. Called by package.json.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isLearned, samples } from './train/directive-texts.ts'
import { trainedDirectives } from './train/directives.ts'
import { trainedTable } from './train/table.ts'

const TABLES = [
  {
    file: 'integrations/extractors/learned/table.json',
    trained: () => trainedTable(),
  },
  {
    file: 'kernel/prompt/directive/table.json',
    trained: () => trainedDirectives(samples().filter(isLearned)),
  },
]

for (const { file, trained } of TABLES) {
  const path = join(import.meta.dirname, '..', file)
  const table = trained()
  if (!process.argv.includes('--check')) {
    writeFileSync(path, table)
    process.stdout.write(`${file}: ${table.length} bytes\n`)
  } else if (!existsSync(path) || readFileSync(path, 'utf8') !== table) {
    process.stderr.write(`${file} is not what its texts give: run npm run train\n`)
    process.exitCode = 1
  }
}
