/**
 * The single outbox of all channels: sends a delivery as messages of its service, each once and in order. Every sent message is recorded, so that a
 * retry continues where it stopped and a changed text edits its messages (DESIGN §3). Does not wait: a refusal carries the service's retry delay, and
 * the machine waits (H-17). Must not look at labels: the egress step has released the text. Called through `SenderPort` only.
 */
import { err, ok, type Refusal, type Result } from '../../../kernel/flow/verdict.ts'
import type { Delivery, SenderPort } from '../../../kernel/powers/ports.ts'
import { buttonsUnder, type Cards, createCardService } from './cards.ts'
import { type Called, type ChannelState, createSentStore, type SentStore } from './channel-state.ts'
import type { ChatService } from './chat-service.ts'
import { createTaskProgress, type Progress } from './progress.ts'

export interface OutboxInput<Id extends Called, Shown> {
  readonly service: ChatService<Id, Shown>
  readonly sentStore: SentStore<Id>
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
  const sentStore = createSentStore<Id>(kept, channel)
  const progress = createTaskProgress({ service, kept, sentStore, chatOf })
  return createOutbox({
    service,
    sentStore,
    cards: createCardService({ kept, channel }, key),
    progress,
    chatOf,
  })
}

/**
 * Maximum number of deliveries whose last attempt is known to have sent nothing. Beyond it the list is cleared, and a reader may
 * be warned without need.
 */
const MOST_REFUSED = 200

/** Refusals of `send`: sink_unknown, and those of the service. */
export function createOutbox<Id extends Called, Shown>(input: OutboxInput<Id, Shown>): SenderPort {
  const { service, chatOf, progress, sentStore, cards } = input
  const refused = new Set<string>()
  /**
   * Records whether a failed attempt is known to have sent nothing. An attempt without an answer, or with a lost connection, may
   * have sent its message.
   */
  const noted = <T extends Result<unknown>>(delivery: string, sent: T): T => {
    if (refused.size >= MOST_REFUSED) refused.clear()
    if (sent.ok || isUnknown(sent.reason)) refused.delete(delivery)
    else refused.add(delivery)
    return sent
  }
  /** After a crash, parts may have been sent that are not recorded here: the reader is told so first. */
  const warned = async ({ id, again }: Delivery, chat: Id, parts: number): Promise<Result<unknown>> =>
    again === undefined || refused.has(id) || sentStore.load(id).length >= parts
      ? ok(true)
      : service.post(chat, service.progress(again))
  const sendNow = async (delivery: Delivery, chat: Id): Promise<Result<true>> => {
    const buttons = buttonsUnder(cards, delivery, chat)
    const messages = service.messages(delivery, buttons)
    await progress?.becomes(delivery, chat)
    const file = service.asFile?.(delivery, messages) ?? null
    const warning = await warned(delivery, chat, file === null ? messages.length : 1)
    if (!warning.ok) return warning
    if (file !== null) return noted(delivery.id, await file({ delivery: delivery.id, chat, sentStore }))
    for (const [index, shown] of messages.entries()) {
      const sent = noted(delivery.id, await put(input, { delivery: delivery.id, chat, index, shown }))
      if (!sent.ok) return sent
      if (buttons !== null && index === messages.length - 1) cards.shown(delivery.id, sent.value)
    }
    return ok(true)
  }
  const sends = new Map<string, Promise<unknown>>()
  return {
    /**
     * Sends of one delivery are serialised: a card may be answered before the service has returned its message id, and its update
     * needs that id.
     */
    async send(delivery) {
      const { id, sink } = delivery
      const chat = chatOf(sink)
      if (chat === null) return err('sink_unknown', { sink })
      const sent = Promise.resolve(sends.get(id)).then(() => sendNow(delivery, chat))
      const settled = sent.catch(() => undefined)
      sends.set(id, settled)
      await settled
      if (sends.get(id) === settled) sends.delete(id)
      return sent
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

/** Whether it is unknown that the message arrived. */
function isUnknown({ code, facts }: Refusal): boolean {
  return code === 'response_timeout' || facts['sent'] === 'perhaps'
}

interface Putting<Id extends Called, Shown> {
  readonly delivery: string
  readonly chat: Id
  readonly index: number
  readonly shown: Shown
}

/** Posts or edits the message at `index` of its delivery, or leaves an unchanged one. Returns the message's id. */
async function put<Id extends Called, Shown>(
  { service, sentStore }: OutboxInput<Id, Shown>,
  { delivery, chat, index, shown }: Putting<Id, Shown>,
): Promise<Result<Id>> {
  const said = service.digest(shown)
  const known = sentStore.load(delivery)[index]
  if (known?.said === said) return ok(known.message)
  const made =
    known === undefined
      ? await service.post(chat, shown)
      : await change(service, { chat, shown, message: known.message })
  if (made.ok)
    sentStore.save(delivery, sentStore.load(delivery).toSpliced(index, 1, { message: made.value, said }))
  return made
}

/** A message that was deleted, or can no longer be edited, is posted again. */
async function change<Id extends Called, Shown>(
  service: ChatService<Id, Shown>,
  { chat, shown, message }: { readonly chat: Id; readonly shown: Shown; readonly message: Id },
): Promise<Result<Id>> {
  const changed = await service.edit(chat, message, shown)
  if (changed.ok) return ok(message)
  return isGone(changed) ? service.post(chat, shown) : changed
}

function isGone(result: Result<unknown>): boolean {
  return !result.ok && result.reason.code === 'remote_rejected' && result.reason.facts['why'] === 'gone'
}
