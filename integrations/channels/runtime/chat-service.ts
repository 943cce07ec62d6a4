/**
 * A chat service as outbox and progress use it: operations on one message, and how its content is rendered within the service's
 * limits. Types only. Implemented by sender.ts of the packages.
 */
import type { Result } from '../../../kernel/flow/verdict.ts'
import type { Delivery } from '../../../kernel/powers/ports.ts'
import type { Button } from './cards.ts'
import type { Called, SentStore } from './channel-state.ts'

/** `Shown` is the whole content of a message: an edit without buttons removes them. */
export interface ChatService<Id extends Called, Shown> {
  /** Name of the channel. */
  readonly channel: string
  /** Returns the new message's id. */
  post(chat: Id, shown: Shown): Promise<Result<Id>>
  /** Also succeeds when the message has this content already. */
  edit(chat: Id, message: Id, shown: Shown): Promise<Result<unknown>>
  remove(chat: Id, message: Id): Promise<Result<unknown>>
  /** Shows a typing indicator for some seconds, where the service has one. */
  typing?(chat: Id): Promise<unknown>
  /** Messages of a delivery; `buttons` go under the last one. */
  messages(delivery: Delivery, buttons: readonly (readonly Button[])[] | null): readonly Shown[]
  /** Digest of a message's whole content. */
  digest(shown: Shown): string
  /** Message with a task's progress. */
  progress(text: string): Shown
  /** Message id from the text form in an event source; null for any other text. */
  messageIn(text: string): Id | null
  /** Sends as one file what would be too many messages; null for what is sent as messages. */
  asFile?(
    delivery: Delivery,
    messages: readonly Shown[],
  ): ((place: FilePlace<Id>) => Promise<Result<true>>) | null
}

export interface FilePlace<Id extends Called> {
  readonly delivery: string
  readonly chat: Id
  readonly sentStore: SentStore<Id>
}
