/**
 * Runs one target: draws recipes, judges what they make, and says how the first failure is made again. Called by
 * `fuzz.test.ts`, briefly, and by `worker.ts`, for as long as it is told.
 */
import fc from 'fast-check'
import { inputOf, type Recipe, recipesFor } from './inputs.ts'
import { judge } from './judge.ts'
import type { Target } from './target.ts'

export interface RunOptions {
  readonly seed: number
  readonly runs: number
  /** Milliseconds after which no further input is drawn; unbounded without. */
  readonly time?: number
  /** Of an earlier failure: only that input. */
  readonly path?: string
  /** Called before each input is judged: which one a hang is about. */
  readonly note?: (recipe: Recipe) => void
}

export interface Failure {
  readonly target: string
  readonly complaint: string
  readonly seed: number
  readonly path: string
  /** The input, shortest that still fails; cut. */
  readonly input: string
}

export interface Done {
  readonly runs: number
  readonly failure: Failure | null
}

/** Characters of an input that a failure shows. */
const MAX_SHOWN = 2_000

class Complaint extends Error {}

/** First the samples as they are: a fuzzer whose samples are refused tests nothing but the first check. */
export async function runTarget(target: Target, options: RunOptions): Promise<Done> {
  const fault = await sampleFault(target)
  const { seed, runs, time, path, note } = options
  const failing = { target: target.name, seed, path: '' }
  if (fault !== null) return { runs: 0, failure: { ...failing, ...fault } }
  const law = fc.asyncProperty(recipesFor(target), async (recipe) => {
    note?.(recipe)
    const complaint = await judge(target, inputOf(target, recipe))
    if (complaint !== null) throw new Complaint(complaint)
  })
  const bounded = time === undefined ? {} : { interruptAfterTimeLimit: time, markInterruptAsFailure: false }
  const details = await fc.check(law, {
    seed,
    numRuns: runs,
    ...bounded,
    ...(path === undefined ? {} : { path }),
  })
  if (!details.failed) return { runs: details.numRuns, failure: null }
  const [recipe] = details.counterexample ?? []
  const complaint = details.errorInstance instanceof Error ? details.errorInstance.message : 'unknown'
  const input = recipe === undefined ? '' : shown(inputOf(target, recipe))
  return {
    runs: details.numRuns,
    failure: { ...failing, path: details.counterexamplePath ?? '', complaint, input },
  }
}

async function sampleFault(target: Target): Promise<Pick<Failure, 'complaint' | 'input'> | null> {
  for (const sample of target.samples.keys()) {
    const input = inputOf(target, { sample, changes: [], edits: [] })
    const complaint = await judge(target, input)
    if (complaint !== null) return { complaint, input: shown(input) }
  }
  const first = await target.parse(inputOf(target, { sample: 0, changes: [], edits: [] }))
  return first.ok ? null : { complaint: 'a sample is refused', input: JSON.stringify(first.reason) }
}

/** Bytes as Latin-1, so that each is one character of the text. */
function shown(input: unknown): string {
  const text = input instanceof Uint8Array ? Buffer.from(input).toString('latin1') : input
  try {
    return JSON.stringify(text)?.slice(0, MAX_SHOWN) ?? String(text)
  } catch {
    return '(too deep to show)'
  }
}
