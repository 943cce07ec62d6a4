/**
 * A digest of all that training reads and of the tables that it wrote. While it is the recorded one, training anew would write the same. Called by
 * train.ts and by the test of the tables.
 */
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CLASSES } from '../../integrations/extractors/learned/classes.ts'
import { importedBy } from '../test/changed.ts'
import { isLearned, samples } from './directive-texts.ts'
import { saidMessages } from './said.ts'

const ROOT = join(import.meta.dirname, '../..')
const ENTRIES = ['scripts/train.ts', 'scripts/train/tags-worker.ts']
const RECORD = join(import.meta.dirname, 'trained.sha256')

export const TABLES = {
  planner: 'integrations/extractors/learned/table.json',
  home: 'integrations/extractors/learned/home-weights.json',
  tags: 'integrations/extractors/learned/tags.json',
  directives: 'kernel/prompt/directive/table.json',
} as const

function digestOfTraining(): string {
  const hash = createHash('sha256')
  const add = (name: string, text: string): unknown => hash.update(`${name} ${text.length}\n${text}\n`)
  add('classes', JSON.stringify(CLASSES, withPatterns))
  add('said', JSON.stringify(saidMessages()))
  add('directives', JSON.stringify(samples().filter(isLearned)))
  for (const path of code()) add(path, readFileSync(join(ROOT, path), 'utf8'))
  for (const path of Object.values(TABLES)) add(path, readFileSync(join(ROOT, path), 'utf8'))
  return hash.digest('hex')
}

/** Whether nothing that training reads, and no table, has changed since it wrote them. */
export function isAsTrained(): boolean {
  return existsSync(RECORD) && readFileSync(RECORD, 'utf8').trim() === digestOfTraining()
}

export function recordTraining(): void {
  writeFileSync(RECORD, `${digestOfTraining()}\n`)
}

/** The code that trains. What tools declare is read as the classes that come of it, so that their own code is none of it. */
function code(): readonly string[] {
  const paths = globSync(['scripts/**/*.ts', 'integrations/**/*.ts', 'kernel/**/*.ts'], { cwd: ROOT })
  const sources = new Map(paths.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]))
  const trains = importedBy(sources, ENTRIES)
  return [...trains].filter((path) => path.endsWith('.ts') && !IS_DECLARED.test(path)).sort()
}

const IS_DECLARED = /^integrations\/tools\/|\/reasons\.ts$/

function withPatterns(_: string, value: unknown): unknown {
  return value instanceof RegExp ? String(value) : value
}
