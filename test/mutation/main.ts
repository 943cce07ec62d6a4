/**
 * `npm run mutate`: runs the mutants of frozen.json that the tests of the four folders killed when they were frozen; each must be killed
 * today. `--all` runs the others too, which take most of the time. `--part K/N` runs every Nth line from the Kth on; `--report file`
 * writes each result. Exit code 1 below the floor.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Stryker } from '@stryker-mutator/core'
import { collapsed, type FrozenMutant, locate, mutantsOf } from './mutants.ts'

type MutantResult = Awaited<ReturnType<Stryker['runMutationTest']>>[number]

const ROOT = join(import.meta.dirname, '../..')
/** Code may move anywhere in the kernel; its tests may not get fewer. */
const MUTATED = 'kernel/**/*.ts'

interface Frozen {
  readonly commit: string
  readonly mutants: readonly (FrozenMutant & { readonly killed: boolean })[]
}

const { values } = parseArgs({
  options: {
    part: { type: 'string', default: '1/1' },
    report: { type: 'string' },
    all: { type: 'boolean', default: false },
    concurrency: { type: 'string', default: '2' },
  },
})
const frozen: Frozen = JSON.parse(readFileSync(join(import.meta.dirname, 'frozen.json'), 'utf8'))
const [part = 1, parts = 1] = values.part.split('/').map(Number)
// What begins on one line stays together: Stryker makes all mutants of a range, asked for or not.
const lines = [...new Set(frozen.mutants.map(({ file, line }) => `${file}:${line}`))]
const isAsked = ({ file, line, killed }: Frozen['mutants'][number]): boolean =>
  (killed || values.all) && lines.indexOf(`${file}:${line}`) % parts === part - 1
// All are looked for, so that equal ones keep their order; then those that are asked for are run.
const all = locate(frozen.mutants, await mutantsOf(ROOT, MUTATED))
const stay = frozen.mutants.filter((mutant) => !all.gone.includes(mutant))
const asked = stay.flatMap((mutant, index) => {
  const place = all.found[index]
  return place !== undefined && isAsked(mutant) ? [{ place, was: mutant.killed }] : []
})
const gone = frozen.mutants.filter((mutant) => isAsked(mutant) && all.gone.includes(mutant))

// Everything that does not change from run to run stands in stryker.config.json.
const results = await new Stryker({
  mutate: asked.map(({ place }) => place.range),
  concurrency: Number(values.concurrency),
}).runMutationTest()

const outcomes = new Map(results.map((result) => [keyOfResult(result), result.status]))
const rows = asked.map(({ place, was }) => {
  const { range, mutator, replacement } = place
  const status = outcomes.get(JSON.stringify([range, mutator, replacement])) ?? 'Ignored'
  return { ...place, was, status, now: isKilled(status) }
})

if (values.report !== undefined) writeFileSync(values.report, `${JSON.stringify({ rows, gone }, null, 1)}\n`)
const floor = rows.filter(({ was }) => was).length
const killed = rows.filter(({ now }) => now).length
for (const { file, line } of gone) say(`gone      ${file}:${line} of ${frozen.commit}`)
for (const row of rows)
  if (row.was && !row.now)
    say(`survived  ${row.range}  ${row.mutator}: ${row.original} -> ${row.replacement} (${row.status})`)
say(
  `${killed} of ${rows.length} killed; floor ${floor}; ${gone.length} gone (of ${asked.length + gone.length} asked)`,
)
process.exitCode = killed < floor ? 1 : 0

/** A result by its range (lines from 1 and columns from 0, as it was asked for) and its change. */
function keyOfResult({ fileName, location, mutatorName, replacement }: MutantResult): string {
  const file = fileName.startsWith(ROOT) ? fileName.slice(ROOT.length + 1) : fileName
  const { start, end } = location
  const range = `${file}:${start.line}:${start.column - 1}-${end.line}:${end.column - 1}`
  return JSON.stringify([range, mutatorName, collapsed(replacement ?? '')])
}

/** Whether a test noticed: by failing, or by running without end. */
function isKilled(status: string): boolean {
  return status === 'Killed' || status === 'Timeout'
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
