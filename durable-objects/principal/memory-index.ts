/**
 * Indexes, in batches, the facts that an object stored before the word index existed (E-19). Must not delay a message: it runs
 * after the work, and the alarm starts the next batch. Called by PrincipalObject after each run.
 */
import { type FactFinding, indexFacts } from '../../kernel/features/memory/fact-index.ts'
import type { StoreOf, Transactions } from '../../kernel/powers/stores.ts'

/** Facts in one batch: some ten milliseconds of the object's time. */
const AT_ONCE = 50
/** Milliseconds between two batches, so that messages are processed in between. */
const PAUSE = 1_000

/** Returns when the next batch is due (epoch ms), or null. Never throws: a batch that failed is retried. */
export function createIndexing(powers: FactFinding & StoreOf<Transactions>): () => Promise<number | null> {
  // New facts are indexed when they are saved, so nothing else is left to do.
  let isDone = false
  return async () => {
    if (isDone) return null
    const left = await indexFacts(powers, AT_ONCE).catch(() => null)
    isDone = left === 0
    return isDone ? null : Date.now() + PAUSE
  }
}
