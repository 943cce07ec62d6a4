/**
 * Messages that go from their chat because a key was pasted into one (H-16, L-17): noted with the task that it became, so that
 * a crash loses none, and tried until the channel did it or says that it never will. Then the person is told to do it.
 * Must not keep what the message said. Called by intake.ts and the shell.
 */
import { type DeliverPorts, deliverNotice, takeBack } from '../../pipeline/deliver.ts'
import type { StoreOf, TaskStore } from '../../powers/stores.ts'
import type { Retraction, RetractionStore } from './retraction-port.ts'
import { isPassing } from './waiting-line.ts'

/** Attempts in all, over some seven hours: a chat that cannot be reached for longer is told of in words. */
export const MAX_RETRACTIONS = 8
/** Milliseconds before the second attempt; every later wait is `WAIT_GROWTH` times as long. */
export const FIRST_RETRACTION_WAIT = 5_000
const WAIT_GROWTH = 4

/** What is due now, of one principal. Deleting twice is deleting once, so nothing is noted before it is tried. */
export async function retractDue(
  powers: DeliverPorts & StoreOf<TaskStore & RetractionStore>,
  principal: string,
): Promise<void> {
  const due = powers.store.retractions().filter((one) => one.due <= powers.now())
  for (const one of due) if (one.principal === principal) await retract(powers, one)
}

/** Whose are due, and when the next one is; epoch milliseconds. */
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
  // One that is not there any more needs no deleting.
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
