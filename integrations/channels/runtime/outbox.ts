/**
 * The single outbox of all channels: sends a delivery as messages of its service, each once and in order. Every message is recorded before and after
 * it is sent, so that a retry continues where it stopped, a changed text edits its messages (DESIGN §3), and one that was perhaps sent says so when it
 * is sent again: no service knows ids of deliveries. Does not wait: a refusal carries the service's retry delay, and
 * the machine waits (H-17). Must not look at labels: the egress step has released the text. Called through `SenderPort` only.
 */
import { err, ok, type Refusal, type Result } from '../../../kernel/flow/verdict.ts'
import type { Delivery, SenderPort } from '../../../kernel/powers/ports.ts'
import type { ReasonCode } from '../../../kernel/reasons.ts'
import { tell } from '../../../kernel/wording/words.ts'
import { buttonsUnder, type Cards, createCardService } from './cards.ts'
import {
  type Called,
  type ChannelState,
  createShelf,
  type SentPart,
  type SentStore,
} from './channel-state.ts'
import type { ChatService, SentFile } from './chat-service.ts'
import { createTaskProgress, type Progress } from './progress.ts'

export interface OutboxInput<Id extends Called, Shown> {
  readonly service: ChatService<Id, Shown>
  readonly shelf: SentStore<Id>
  readonly cards: Cards
  /** Absent when no progress is shown. */
  readonly progress?: Progress<Id>
  /** The service's id of the chat behind a sink; null for a sink of another channel. */
  readonly chatOf: (sink: string) => Id | null
}

/** The outbox of a place that stores its state in `kept`, with cards and progress. `key`: key of the buttons' MAC. */
export function createSender<Id extends Called, Shown>(
  service: ChatService<Id, Shown>,
  {
    kept,
    key,
    chatOf,
  }: { readonly kept: ChannelState; readonly key: Uint8Array } & Pick<OutboxInput<Id, Shown>, 'chatOf'>,
): SenderPort {
  const { channel } = service
  const shelf = createShelf<Id>(kept, channel)
  const progress = createTaskProgress({ service, kept, shelf, chatOf })
  return createOutbox({ service, shelf, cards: createCardService({ kept, channel }, key), progress, chatOf })
}

/** Refusals of `send`: sink_unknown, and those of the service. */
export function createOutbox<Id extends Called, Shown>(input: OutboxInput<Id, Shown>): SenderPort {
  const { service, chatOf, progress, shelf, cards } = input
  return {
    async send(delivery) {
      const chat = chatOf(delivery.sink)
      if (chat === null) return err('sink_unknown', { sink: delivery.sink })
      const buttons = buttonsUnder(cards, delivery, chat)
      const again = isAgain(shelf.load(delivery.id))
      const messages = service.messages(again ? saidAgain(delivery) : delivery, buttons)
      await progress?.becomes(delivery, chat)
      const file = service.asFile?.(delivery, messages) ?? null
      if (file !== null) return putFile({ shelf, delivery: delivery.id }, file, chat)
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
      const at = service.messageIn(message)
      if (chat === null || at === null) return err('sink_unknown', { sink })
      const gone = await service.remove(chat, at)
      if (gone.ok) return ok(true)
      return isGone(gone) ? err('nothing_found') : gone
    },
  }
}

/** Whether a message of it was perhaps sent before. Its words are told with it, whichever of its messages that is. */
function isAgain(parts: readonly SentPart<Called>[]): boolean {
  return parts.some(({ message, again }) => message === null || again === true)
}

function saidAgain<T extends Pick<Delivery, 'text'>>(delivery: T): T {
  return { ...delivery, text: `${tell('deliveries.again')}\n\n${delivery.text}` }
}

interface Putting<Id extends Called, Shown> {
  readonly delivery: string
  readonly chat: Id
  readonly index: number
  readonly shown: Shown
}

/** Posts or edits the message at `index` of its delivery, or leaves an unchanged one. Returns the message's id. */
async function put<Id extends Called, Shown>(
  { service, shelf }: OutboxInput<Id, Shown>,
  { delivery, chat, index, shown }: Putting<Id, Shown>,
): Promise<Result<Id>> {
  const said = service.digest(shown)
  const place = { shelf, delivery, index }
  const known = shelf.load(delivery)[index]
  if (known === undefined || known.message === null)
    return sendMarked(place, said, () => service.post(chat, shown))
  const { message } = known
  if (known.said === said) return ok(message)
  const changed = await service.edit(chat, message, shown)
  if (changed.ok) return noted(place, { ...known, said }, message)
  // A message that was deleted, or can no longer be edited, is posted again.
  return isGone(changed) ? sendMarked(place, said, () => service.post(chat, shown)) : changed
}

/** Sends it once, as a file; a changed one replaces the former. */
async function putFile<Id extends Called>(
  { shelf, delivery }: Omit<Place<Id>, 'index'>,
  { said, post, remove }: SentFile<Id>,
  chat: Id,
): Promise<Result<true>> {
  const [known] = shelf.load(delivery)
  if (known !== undefined && known.message !== null && known.said === said) return ok(true)
  const sent = await sendMarked({ shelf, delivery, index: 0 }, said, () => post(chat))
  if (!sent.ok) return sent
  // A file cannot be edited: the former one is deleted. If that fails, both remain.
  if (known !== undefined && known.message !== null) await remove(chat, known.message)
  return ok(true)
}

/** Where a message is recorded. */
interface Place<Id extends Called> {
  readonly shelf: SentStore<Id>
  readonly delivery: string
  readonly index: number
}

function noted<Id extends Called>(
  { shelf, delivery, index }: Place<Id>,
  part: SentPart<Id>,
  message: Id,
): Result<Id> {
  shelf.save(delivery, shelf.load(delivery).toSpliced(index, 1, { ...part, message }))
  return ok(message)
}

/**
 * Marks the message as being sent, durably, then sends it. The mark becomes the message's id, goes when it was certainly not sent, and stays
 * when nobody can tell.
 */
async function sendMarked<Id extends Called>(
  place: Place<Id>,
  said: string,
  post: () => Promise<Result<Id>>,
): Promise<Result<Id>> {
  const { shelf, delivery, index } = place
  const before = shelf.load(delivery)
  const known = before[index]
  const isMarked = known !== undefined && known.message === null
  const part = { message: null, said, ...((isMarked || known?.again === true) && { again: true as const }) }
  shelf.save(delivery, before.toSpliced(index, 1, part))
  const sent = await post()
  if (sent.ok) return noted(place, part, sent.value)
  if (!isMarked && isUnsent(sent.reason)) shelf.save(delivery, before)
  return sent
}

/** Refusals after which nobody can tell whether the service has shown the message. */
const UNCLEAR: readonly ReasonCode[] = [
  'response_timeout',
  'response_too_large',
  'remote_unavailable',
  'network_failed',
  'internal_fault',
]

function isUnsent({ code, facts }: Refusal): boolean {
  if (facts['rule'] === 'connect') return true
  return !UNCLEAR.includes(code) && facts['why'] !== 'answer'
}

function isGone(result: Result<unknown>): boolean {
  return !result.ok && result.reason.code === 'remote_rejected' && result.reason.facts['why'] === 'gone'
}
