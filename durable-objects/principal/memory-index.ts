/**
 * Indexes, batch by batch, the facts that one object holds from before there was an index of their words (E-19). Must not hold up a
 * message: it runs after the work, and the alarm brings the next batch. Called by PrincipalObject after each run.
 */
import { type FactFinding, indexFacts } from '../../kernel/features/memory/fact-index.ts'
import type { StoreOf, Transactions } from '../../kernel/powers/stores.ts'

/** Facts in one batch: some ten milliseconds of the object's time. */
const AT_ONCE = 50
/** Milliseconds between two batches, in which messages are taken. */
const PAUSE = 1_000

/** Returns when the next batch is due (epoch ms), or null. Never throws: a batch that failed is due again. */
export function createIndexing(powers: FactFinding & StoreOf<Transactions>): () => Promise<number | null> {
  // Whatever is saved from now on is indexed as it is saved.
  let isDone = false
  return async () => {
    if (isDone) return null
    const left = await indexFacts(powers, AT_ONCE).catch(() => null)
    isDone = left === 0
    return isDone ? null : Date.now() + PAUSE
  }
}
