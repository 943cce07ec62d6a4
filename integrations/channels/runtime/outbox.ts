/**
 * The single outbox of all channels: sends a delivery as messages of its service, each once and in order. Every sent message is recorded, so that a
 * retry continues where it stopped and a changed text edits its messages (DESIGN §3). Does not wait: a refusal carries the service's retry delay, and
 * the machine waits (H-17). Must not look at labels: the egress step has released the text. Called through `SenderPort` only.
 */
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { Delivery, SenderPort } from '../../../kernel/powers/ports.ts'
import { type Button, buttonsUnder, type Cards } from './cards.ts'
import type { Called, KeptPort, SentShelf } from './kept.ts'
import { createTaskProgress, type Progress } from './progress.ts'

/** A service's operations on one message within its size limits. `Shown` is the whole content of a message. */
export interface ChatVerbs<Id extends Called, Shown> {
  /** Returns the new message's id. */
  post(chat: Id, shown: Shown): Promise<Result<Id>>
  /** Also succeeds when the message has this content already. */
  edit(chat: Id, message: Id, shown: Shown): Promise<Result<unknown>>
  remove(chat: Id, message: Id): Promise<Result<unknown>>
  /** Shows a typing indicator for some seconds, where the service has one. */
  typing?(chat: Id): Promise<unknown>
}

/** How a package renders deliveries. */
export interface ChatRender<Id extends Called, Shown> {
  /** Messages within the service's limits; `buttons` go under the last one. */
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
  readonly shelf: SentShelf<Id>
}

export interface OutboxInput<Id extends Called, Shown> {
  readonly verbs: ChatVerbs<Id, Shown>
  readonly render: ChatRender<Id, Shown>
  readonly shelf: SentShelf<Id>
  readonly cards: Cards
  /** Absent when no progress is shown. */
  readonly progress?: Progress<Id>
  /** The service's id of the chat behind a sink; null for a sink of another channel. */
  readonly chatOf: (sink: string) => Id | null
}

/** Refusals of `send`: sink_unknown, and those of the service. */
export function createOutbox<Id extends Called, Shown>(input: OutboxInput<Id, Shown>): SenderPort {
  const { verbs, render, chatOf, progress, shelf, cards } = input
  return {
    async send(delivery) {
      const chat = chatOf(delivery.sink)
      if (chat === null) return err('sink_unknown', { sink: delivery.sink })
      const buttons = buttonsUnder(cards, delivery, chat)
      const messages = render.messages(delivery, buttons)
      await progress?.becomes(delivery, chat)
      const file = render.asFile?.(delivery, messages) ?? null
      if (file !== null) return file({ delivery: delivery.id, chat, shelf })
      for (const [index, shown] of messages.entries()) {
        const sent = await put(input, { delivery: delivery.id, chat, index, shown })
        if (!sent.ok) return sent
        if (buttons !== null && index === messages.length - 1) cards.shown(delivery.id, sent.value)
      }
      return ok(true)
    },
    ...(progress && { work: progress }),
    acknowledges: () => true,
    // A service may not let a bot delete a person's message; the owner is then asked to.
    async retract({ sink, message }) {
      const chat = chatOf(sink)
      const at = render.messageIn(message)
      if (chat === null || at === null) return err('sink_unknown', { sink })
      const gone = await verbs.remove(chat, at)
      if (gone.ok) return ok(true)
      return isGone(gone) ? err('nothing_found') : gone
    },
  }
}

interface Putting<Id extends Called, Shown> {
  readonly delivery: string
  readonly chat: Id
  readonly index: number
  readonly shown: Shown
}

/** Posts or edits the message at `index` of its delivery, or leaves an unchanged one. Returns the message's id. */
async function put<Id extends Called, Shown>(
  { verbs, render, shelf }: OutboxInput<Id, Shown>,
  { delivery, chat, index, shown }: Putting<Id, Shown>,
): Promise<Result<Id>> {
  const said = render.digest(shown)
  const known = shelf.load(delivery)[index]
  if (known?.said === said) return ok(known.message)
  const made =
    known === undefined
      ? await verbs.post(chat, shown)
      : await change(verbs, { chat, shown, message: known.message })
  if (made.ok) shelf.save(delivery, shelf.load(delivery).toSpliced(index, 1, { message: made.value, said }))
  return made
}

/** A message that was deleted, or can no longer be edited, is posted again. */
async function change<Id extends Called, Shown>(
  verbs: ChatVerbs<Id, Shown>,
  { chat, shown, message }: { readonly chat: Id; readonly shown: Shown; readonly message: Id },
): Promise<Result<Id>> {
  const changed = await verbs.edit(chat, message, shown)
  if (changed.ok) return ok(message)
  return isGone(changed) ? verbs.post(chat, shown) : changed
}

function isGone(result: Result<unknown>): boolean {
  return !result.ok && result.reason.code === 'remote_rejected' && result.reason.facts['why'] === 'gone'
}

/** Shows a task's progress in a message, which later becomes the task's next delivery (C-32). */
export function createProgressOf<Id extends Called, Shown>(
  input: Pick<OutboxInput<Id, Shown>, 'verbs' | 'shelf' | 'chatOf'> & {
    readonly render: Pick<ChatRender<Id, Shown>, 'progress'>
    readonly kept: KeptPort
    readonly channel: string
  },
): Progress<Id> {
  const { verbs, render, kept, shelf, chatOf, channel } = input
  return createTaskProgress<Id>({
    ...{ kept, shelf, chatOf, channel },
    chats: {
      async say(chat, text) {
        const sent = await verbs.post(chat, render.progress(text))
        return sent.ok ? sent.value : null
      },
      change: (chat, message, text) => verbs.edit(chat, message, render.progress(text)),
      async take(chat, message) {
        const gone = await verbs.remove(chat, message)
        return gone.ok || gone.reason.code === 'remote_rejected'
      },
      ...(verbs.typing && { typing: (chat: Id) => verbs.typing?.(chat) ?? Promise.resolve() }),
    },
  })
}
