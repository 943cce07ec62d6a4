/**
 * What the channels of this place can do, as the sender declares. Must not send or show anything; deliver.ts does.
 * Called by deliver.ts, draft.ts and the runtime before a delivery.
 */
import type { Outgoing } from '../../powers/ports.ts'
import type { Task } from '../../task/task.ts'

/**
 * Whether the chat is polled. A card there may go unseen, so it can be answered there and still also waits for its
 * own chat.
 */
export function isRead({ sender }: Outgoing, sink: string): boolean {
  return sender.acknowledges?.(sink) !== false || sender.drafts?.watched(sink) === true
}

/** Whether anybody would see a draft of this task's answer. */
export function watchesDrafts({ sender }: Outgoing, { sink }: Task): boolean {
  return sender.drafts?.watched(sink) === true
}

/** Whether the chat receives messages immediately, as a messenger does. For any other it is unknown when they are read. */
export function hasAtOnce({ sender }: Outgoing, sink: string): boolean {
  return sender.acknowledges?.(sink) === true
}

/** Whether any channel here can delete messages in its chats. */
export function canTakeBack({ sender }: Outgoing): boolean {
  return sender.retract !== undefined
}
