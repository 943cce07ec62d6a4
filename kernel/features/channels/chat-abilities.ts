/**
 * What the channels of this place can do, as the sender says of itself. Must not send or show anything: deliver.ts alone does. Called by
 * deliver.ts, draft.ts and the runtime, before something is said.
 */
import type { Outgoing } from '../../powers/ports.ts'
import type { Task } from '../../task/task.ts'

/** A card in a chat that is read by asking is one that nobody may see: it can be answered there, and waits for its own chat all the same. */
export function isRead({ sender }: Outgoing, sink: string): boolean {
  return sender.acknowledges?.(sink) !== false || sender.drafts?.watched(sink) === true
}

/** Whether a draft of this task's answer would be seen by anybody. */
export function watchesDrafts({ sender }: Outgoing, { sink }: Task): boolean {
  return sender.drafts?.watched(sink) === true
}

/** Whether a chat has what is sent to it at once, as a messenger's does; of any other nobody knows when it is read. */
export function hasAtOnce({ sender }: Outgoing, sink: string): boolean {
  return sender.acknowledges?.(sink) === true
}

/** Whether any channel here can delete what was written in it. */
export function canTakeBack({ sender }: Outgoing): boolean {
  return sender.retract !== undefined
}
