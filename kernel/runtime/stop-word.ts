/**
 * `/stop`, said in a chat: what was asked for there before it and is not answered yet ends with what is done so far, while the
 * word itself waits for its turn in the lane as any message (O-21). Counts in the owner's own words alone, in the transaction that takes
 * it in. Must not stop what was asked for in another chat. Called by the shell's intake.
 */

import { closeChoices } from '../features/places/home-wait.ts'
import { closeAsked } from '../features/plan-mode/plan-questions.ts'
import type { Sent } from '../pipeline/route.ts'
import type { ApprovalStore, StoreOf, TaskStore } from '../powers/stores.ts'
import type { Approval } from '../task/approval.ts'
import { STOP } from '../task/command.ts'
import type { TaskReports } from '../task/outcome.ts'
import { OWNER_PRINCIPAL } from '../task/principal.ts'

export interface Stopped {
  /** Tasks that it ended. */
  readonly ended: number
  /** Questions that are asked no more with them. */
  readonly asked: readonly Approval[]
}

/** Null for every other message. */
export function hearStop(
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
