/**
 * Digest of everything that training reads and of the tables that it wrote. As long as it equals the recorded digest, a new
 * training would give the same tables. Called by train.ts and test/language/learned.test.ts.
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

/** True if neither the inputs of training nor the tables have changed since the last training. */
export function isAsTrained(): boolean {
  return existsSync(RECORD) && readFileSync(RECORD, 'utf8').trim() === digestOfTraining()
}

export function recordTraining(): void {
  writeFileSync(RECORD, `${digestOfTraining()}\n`)
}

/** Paths of the code that trains. Tools' declarations count by the classes made of them, so their own code is left out. */
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
