/**
 * All attack suites over a corpus, and what they found as one result. With `stride` above one, a sample: each that many
 * pairs, tasks and tools. Called by main.ts and attacks.test.ts.
 */
import { type Prepared, prepare } from './case.ts'
import { type Corpus, pairsOf } from './corpus.ts'
import type { Violation, ViolationKind } from './oracle.ts'
import { compareContents } from './t1-integrity.ts'
import { attackPlanner } from './t2-planner.ts'
import { attackTokens } from './t2-tokens.ts'
import { attackAnswers } from './t3-synthesizer.ts'
import { attackFromExtractor, attackFromTool } from './t4-tools.ts'
import { attackSecrets } from './t5-secrets.ts'
import { attackValues } from './t6-values.ts'
import { type Served, serve } from './utility.ts'

export const SUITES = Object.freeze(['T1', 'T2', 'T3', 'T4', 'T5', 'T6'] as const)
export type SuiteName = (typeof SUITES)[number]

export interface SuiteResult {
  /** Runs that were judged: plans, answers, outcomes, pairs of worlds. */
  readonly tried: number
  readonly violations: readonly Violation[]
}

export interface Result {
  readonly violations: number
  readonly byKind: Partial<Record<ViolationKind, number>>
  /** What exactly, and how often; names only. */
  readonly details: Readonly<Record<string, number>>
  readonly pairs: number
  readonly suites: Readonly<Record<SuiteName, { readonly tried: number; readonly violations: number }>>
  /** Calls that the owner approved and that only the attacker wanted. */
  readonly approvedForAttacker: number
  /** Pairs of T1 in whose planner's input something differed that a planner may see. */
  readonly maskedPairs: number
  readonly utility: Readonly<
    Record<string, { readonly tasks: number; readonly done: number; readonly share: number }>
  >
  readonly approvalsPerTask: Readonly<Record<string, number>>
  /** Tasks that were not done, and why. */
  readonly undone: Readonly<Record<string, string>>
}

export interface RunOptions {
  /** Each that many; 1 is all. */
  readonly stride: number
  readonly suites: readonly SuiteName[]
  readonly utility: boolean
  /** Ends a suite with the first pair or tool that violated something: enough for a control. */
  readonly first?: boolean
  /** Told what runs, for somebody who waits. */
  readonly progress?: (line: string) => void
}

interface Tally {
  readonly suites: Record<SuiteName, { tried: number; violations: Violation[] }>
  approvedForAttacker: number
  maskedPairs: number
}

export async function runAttacks(corpus: Corpus, options: RunOptions): Promise<Result> {
  const prepared = prepare(corpus)
  const pairs = pairsOf(corpus, options.stride)
  const empty = (): SuiteResult & { tried: number; violations: Violation[] } => ({ tried: 0, violations: [] })
  const tally: Tally = {
    suites: { T1: empty(), T2: empty(), T3: empty(), T4: empty(), T5: empty(), T6: empty() },
    approvedForAttacker: 0,
    maskedPairs: 0,
  }
  for (const suite of options.suites) {
    options.progress?.(`${suite} …`)
    await RUNNERS[suite](prepared, tally, options)
  }
  const served = options.utility ? await utilityOf(prepared, options) : []
  return resultOf(tally, served, pairs.length)
}

const RUNNERS: Readonly<
  Record<SuiteName, (prepared: Prepared, tally: Tally, options: RunOptions) => Promise<void>>
> = {
  T1: async (prepared, tally, { stride, first }) => {
    for (const pair of pairsOf(prepared.corpus, stride)) {
      const compared = await compareContents(prepared, pair)
      add(tally, 'T1', { tried: 1, violations: compared.violations })
      if (compared.masked) tally.maskedPairs += 1
      if (first && isRed(tally, 'T1')) return
    }
  },
  T2: async (prepared, tally, { stride, first, progress }) => {
    for (const [name] of suitesOf(prepared)) {
      add(tally, 'T2', await attackTokens(prepared, name))
      if (first && isRed(tally, 'T2')) return
    }
    const pairs = pairsOf(prepared.corpus, stride)
    for (const [index, pair] of pairs.entries()) {
      const attacked = await attackPlanner(prepared, pair)
      add(tally, 'T2', attacked)
      tally.approvedForAttacker += attacked.approvedForAttacker
      if (first && isRed(tally, 'T2')) return
      if (index % 100 === 99) progress?.(`T2 ${index + 1} of ${pairs.length} pairs`)
    }
  },
  T3: async (prepared, tally, { stride, first }) => {
    for (const [name, { user_tasks }] of suitesOf(prepared)) {
      for (const user of every(user_tasks, Math.max(stride, 10)))
        add(tally, 'T3', await attackAnswers(prepared, name, user))
      if (first && isRed(tally, 'T3')) return
    }
  },
  T4: async (prepared, tally, { stride, first }) => {
    for (const [name, { manifest }] of prepared.declared) {
      for (const action of every(manifest.actions, Math.ceil(stride / 10)))
        add(tally, 'T4', await attackFromTool(prepared, name, action))
      if (first && isRed(tally, 'T4')) return
    }
    for (const pair of pairsOf(prepared.corpus, stride))
      add(tally, 'T4', await attackFromExtractor(prepared, pair))
  },
  T5: async (prepared, tally, { stride }) => {
    for (const [name] of every(suitesOf(prepared), stride > 1 ? 4 : 1))
      add(tally, 'T5', await attackSecrets(prepared, name))
  },
  T6: async (prepared, tally, { stride, first }) => {
    for (const pair of pairsOf(prepared.corpus, stride)) {
      const attacked = await attackValues(prepared, pair)
      add(tally, 'T6', attacked)
      tally.approvedForAttacker += attacked.approvedForAttacker
      if (first && isRed(tally, 'T6')) return
    }
  },
}

function isRed({ suites }: Tally, suite: SuiteName): boolean {
  return suites[suite].violations.length > 0
}

function suitesOf({ corpus }: Prepared): [string, Corpus['suites'][string]][] {
  return Object.entries(corpus.suites)
}

function every<T>(items: readonly T[], stride: number): readonly T[] {
  return items.filter((_, index) => index % stride === 0)
}

function add(tally: Tally, suite: SuiteName, { tried, violations }: SuiteResult): void {
  tally.suites[suite].tried += tried
  tally.suites[suite].violations.push(...violations)
}

async function utilityOf(prepared: Prepared, { stride, progress }: RunOptions): Promise<readonly Served[]> {
  progress?.('utility …')
  const served: Served[] = []
  for (const [name, { user_tasks }] of suitesOf(prepared)) {
    for (const user of every(user_tasks, Math.ceil(stride / 10)))
      served.push(await serve(prepared, name, user))
  }
  return served
}

function resultOf(
  { suites, approvedForAttacker, maskedPairs }: Tally,
  served: readonly Served[],
  pairs: number,
): Result {
  const all = [
    ...SUITES.flatMap((suite) => suites[suite].violations),
    ...served.flatMap(({ violations }) => violations),
  ]
  const names = [...new Set(served.map(({ suite }) => suite))]
  const byName = <T>(value: (own: readonly Served[]) => T): Readonly<Record<string, T>> =>
    Object.fromEntries(names.map((name) => [name, value(served.filter(({ suite }) => suite === name))]))
  return {
    violations: all.length,
    byKind: counted(all.map(({ kind }) => kind)),
    details: counted(all.map(({ kind, what }) => `${kind}: ${what}`)),
    pairs,
    suites: mapped(suites),
    ...{ approvedForAttacker, maskedPairs },
    utility: byName((own) => {
      const done = own.filter((one) => one.done).length
      return { tasks: own.length, done, share: round(done / own.length) }
    }),
    approvalsPerTask: byName((own) =>
      round(own.reduce((sum, { approvals }) => sum + approvals, 0) / own.length),
    ),
    undone: Object.fromEntries(
      served.flatMap(({ done, suite, task, why }) => (done ? [] : [[`${suite} ${task}`, why]])),
    ),
  }
}

function mapped(suites: Tally['suites']): Result['suites'] {
  const one = (name: SuiteName): { tried: number; violations: number } => ({
    tried: suites[name].tried,
    violations: suites[name].violations.length,
  })
  return { T1: one('T1'), T2: one('T2'), T3: one('T3'), T4: one('T4'), T5: one('T5'), T6: one('T6') }
}

function counted<K extends string>(keys: readonly K[]): Partial<Record<K, number>> & Record<string, number> {
  const counts: Record<string, number> = {}
  for (const key of keys) counts[key] = (counts[key] ?? 0) + 1
  return counts as Partial<Record<K, number>> & Record<string, number>
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
