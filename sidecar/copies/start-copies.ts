/**
 * Assembles the copy job; copies are off without an edge or a recovery phrase. Must not decide when a copy is made:
 * job.ts does. Called by home-jobs.ts.
 */
import type { ReasonFacts } from '../../kernel/flow/verdict.ts'
import type { HomeKeys } from '../keys/home-keys.ts'
import type { StateFolder } from '../store/state-folder.ts'
import { type CopyJob, startCopyJob } from './job.ts'
import { runCopy } from './run-copy.ts'

export interface CopiesInput {
  readonly folder: StateFolder
  readonly edge: string | null
  readonly keys: Pick<HomeKeys, 'ring' | 'custody'>
  readonly now: () => number
  readonly note: (facts: ReasonFacts) => void
  readonly fault: () => void
}

export function startCopies({ folder, edge, keys, now, note, fault }: CopiesInput): CopyJob {
  const { ring, custody } = keys
  const state = folder.path
  const off = whyOff(edge, custody)
  const run =
    edge === null || off !== null
      ? { off: off ?? '' }
      : (signal: AbortSignal) => runCopy({ state, edge, ring, now: now() }, signal)
  return startCopyJob({ folder, now, run, note, fault })
}

/** A copy without a recovery phrase could never be restored, only stolen. */
function whyOff(edge: string | null, custody: HomeKeys['custody']): string | null {
  if (edge === null) return 'no edge is configured'
  return custody === 'development' ? 'the development key has no recovery phrase: pfar key init' : null
}
