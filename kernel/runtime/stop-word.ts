/**
 * `/stop` in a chat: ends every earlier, unanswered request of that chat with what is done so far; the command itself
 * takes its turn in the lane (O-21). Counts only in the owner's own words, in the transaction that takes it in. Must
 * not stop requests of another chat. Called by intake.ts.
 */

import { closeAsked } from '../features/approvals/waiting.ts'
import type { Sent } from '../features/people/route.ts'
import { closeChoices } from '../features/places/home-wait.ts'
import type { ApprovalStore, StoreOf, TaskStore } from '../powers/stores.ts'
import type { Approval } from '../task/approval.ts'
import { STOP } from '../task/command.ts'
import type { TaskReports } from '../task/outcome.ts'
import { OWNER_PRINCIPAL } from '../task/principal.ts'

export interface Stopped {
  /** Number of tasks that it ended. */
  readonly ended: number
  /** Questions that ended with them. */
  readonly asked: readonly Approval[]
}

/** Null for every other message. */
export function recogniseStop(
  powers: StoreOf<TaskStore & ApprovalStore>,
  lane: TaskReports,
  { principal, event, chat }: Sent,
): (() => Stopped) | null {
  if (principal.id !== OWNER_PRINCIPAL || event.text.trim().toLowerCase() !== STOP) return null
  return () => {
    const open = powers.store.activeTasks(principal.id).filter(({ task }) => task.sink === chat.id)
    const ended = open.filter(({ task }) => lane.report(task.id, { got: 'stopped' }))
    closeChoices(powers)
    return { ended: ended.length, asked: closeAsked(powers) }
  }
}
