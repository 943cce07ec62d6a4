/**
 * Deletes a message from its chat because a key was pasted into it (H-16, L-17). Stored with its task, so a crash loses none;
 * retried until the channel deletes it or refuses for good, then the person is asked to delete it. Must not keep the message
 * text. Called by shell.ts and tick.ts.
 */

import type { StoreOf, TaskStore } from '../../powers/stores.ts'
import { type DeliverPorts, deliverNotice, takeBack } from './deliver.ts'
import { isPassing } from './waiting-line.ts'
import type { Retraction, RetractionStore } from './waiting-port.ts'

/** Total attempts, over about seven hours; after that the person is asked to delete the message. */
export const MAX_RETRACTIONS = 8
/** Milliseconds before the second attempt; every later wait is `WAIT_GROWTH` times as long. */
const FIRST_RETRACTION_WAIT = 5_000
const WAIT_GROWTH = 4

/** Deletes what is due, of one principal. Deleting is idempotent, so nothing is recorded before the attempt. */
export async function retractDue(
  powers: DeliverPorts & StoreOf<TaskStore & RetractionStore>,
  principal: string,
): Promise<void> {
  const due = powers.store.retractions().filter((one) => one.due <= powers.now())
  for (const one of due) if (one.principal === principal) await retract(powers, one)
}

/** Principals with due rows, and when the next row is due; epoch milliseconds. */
export function nextRetraction({ store }: StoreOf<RetractionStore>): number | null {
  const moments = store.retractions().map(({ due }) => due)
  return moments.length === 0 ? null : Math.min(...moments)
}

async function retract(
  powers: DeliverPorts & StoreOf<TaskStore & RetractionStore>,
  one: Retraction,
): Promise<void> {
  const { store } = powers
  const { id, sink, attempts } = one
  const gone = await takeBack(powers, one)
  const code = gone.ok ? null : gone.reason.code
  // A message that no longer exists needs no deletion.
  if (code === null || code === 'nothing_found') return store.dropRetraction(id)
  if (isPassing(code) && attempts + 1 < MAX_RETRACTIONS) {
    const due = powers.now() + FIRST_RETRACTION_WAIT * WAIT_GROWTH ** attempts
    return store.saveRetraction({ ...one, attempts: attempts + 1, due })
  }
  await deliverNotice(powers, {
    id: `kept:${id}`,
    sink,
    principal: one.principal,
    code: 'message_not_deleted',
  })
  store.dropRetraction(id)
}
