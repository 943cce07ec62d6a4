/**
 * Cards with buttons in the owner's chat: which question each shows, and the single effect of a tap (F-02). A button carries an opaque
 * id and a MAC for its chat, so that a tap from another chat or an invented id is refused before anything wakes. Must not decide: the
 * kernel does, and it writes the card's final text. Called by the place that holds the bot's token.
 */

import { equalBytes } from '@noble/ciphers/utils.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import {
  answeredWords,
  closeCard,
  isAskableAgain,
  standingOf,
  type TapPorts,
  turnCard,
} from '../../../kernel/features/approvals/asking.ts'
import { yesNo } from '../../../kernel/features/approvals/card/card.ts'
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { Delivery } from '../../../kernel/powers/ports.ts'
import type { Choosing, Deciding } from '../../../kernel/runtime/shell-port.ts'
import type { DecisionInput } from '../../../kernel/task/approval.ts'
import { OWNER_PRINCIPAL } from '../../../kernel/task/principal.ts'
import { tell, wordsFor } from '../../../kernel/wording/words.ts'
import type { Called, ChannelState } from './channel-state.ts'

/** Maximum number of cards with working buttons: no more are pending at once. A tap on an older one is answered in words. */
const REMEMBERED = 50
/** Maximum number of reminders with working buttons. A tap on an older one is answered in words. */
const OFFERS_REMEMBERED = 50

interface ShownCard {
  readonly delivery: string
  /** Id of the question. */
  readonly approval: string
  readonly yes: string
  readonly no: string
  /** Ids of the numbered buttons of a question with options, which then has no yes. */
  readonly options?: readonly string[]
  /** Ids of the buttons that leave a row out, in their order. */
  readonly rows?: readonly string[]
  /** Id of the button that turns the page; absent on a card without pages. */
  readonly more?: string
  /** Page shown now. */
  readonly page?: number
  readonly chat: Called
  /** Null until the card was sent. */
  readonly message: Called | null
  /** The tapped button. Stored before the decision, so that a tap interrupted by a crash counts when it is delivered again. */
  readonly tapped?: string
  /** The question was answered, or had ended when it was tapped: a later tap is told how. */
  readonly over?: true
}

/** Buttons under a delivery that is no question, such as a reminder. */
interface ShownOffers extends Pick<ShownCard, 'delivery' | 'chat' | 'message'> {
  /** Id of each button, by what it does. */
  readonly ids: Readonly<Record<string, string>>
}

/** Operations that a tap may call. */
type Tapping = Pick<Deciding, 'decide' | 'again' | 'leaveOut'> & Pick<Choosing, 'choose'>

/** Storage of one channel's cards. */
export interface CardStore {
  readonly kept: ChannelState
  /** Name of the channel. */
  readonly channel: string
}

export interface Cards {
  /** Callback data of the buttons. Sending the same card again yields the same data. `options` and `rows`: how many are numbered. */
  buttonsOf(
    card: Pick<ShownCard, 'delivery' | 'approval' | 'chat'>,
    options: number,
    rows?: number,
  ): {
    readonly yes: string
    readonly no: string
    readonly more: string
    readonly options: readonly string[]
    readonly rows: readonly string[]
  }
  /** As `buttonsOf`, for the choices under a delivery that is no question. */
  offersOf(
    card: Pick<ShownCard, 'delivery' | 'chat'>,
    offers: NonNullable<Delivery['offers']>,
  ): readonly Button[]
  /** Records the message in which the card stands. */
  shown(delivery: string, message: Called): void
}

/** Stores the buttons' ids before a card is sent, and its message id afterwards. */
export function createCardService(store: CardStore, secret: Uint8Array): Cards {
  return {
    buttonsOf({ delivery, approval, chat }, count, rowCount = 0) {
      const known = load(store).find((card) => card.delivery === delivery && card.approval === approval)
      const card = known ?? { delivery, approval, yes: newId(), no: newId(), chat, message: null }
      const { yes, no, more = newId(), options = Array.from({ length: count }, newId) } = card
      const { rows = Array.from({ length: rowCount }, newId) } = card
      save(store, { ...card, more, ...(count > 0 && { options }), ...(rowCount > 0 && { rows }) })
      const data = (id: string): string => buttonData(secret, { channel: store.channel, chat }, id)
      return {
        yes: data(yes),
        no: data(no),
        more: data(more),
        options: options.map(data),
        rows: rows.map(data),
      }
    },
    offersOf({ delivery, chat }, offers) {
      const known = loadOffers(store).find((one) => one.delivery === delivery)
      const ids = known?.ids ?? Object.fromEntries(offers.map(({ key }) => [key, newId()]))
      saveOffers(store, { delivery, chat, message: null, ...known, ids })
      return offers.flatMap(({ key, label }) => {
        const id = ids[key]
        return id === undefined
          ? []
          : [{ text: label, data: buttonData(secret, { channel: store.channel, chat }, id) }]
      })
    },
    shown(delivery, message) {
      const card = load(store).find((one) => one.delivery === delivery)
      if (card !== undefined) save(store, { ...card, message })
      const offers = loadOffers(store).find((one) => one.delivery === delivery)
      if (offers !== undefined) saveOffers(store, { ...offers, message })
    },
  }
}

/** A button's label, and its callback data. */
export interface Button {
  readonly text: string
  readonly data: string
}

/** Rows of buttons under a question; null for any other delivery. */
export function buttonsUnder(
  cards: Cards,
  {
    id: delivery,
    kind,
    approval,
    buttons: said = yesNo(),
    offers = [],
  }: Pick<Delivery, 'id' | 'kind' | 'approval' | 'buttons' | 'offers'>,
  chat: Called,
): readonly (readonly Button[])[] | null {
  if (offers.length > 0) return [cards.offersOf({ delivery, chat }, offers)]
  if (approval === null) return null
  if (said.again !== undefined)
    return [[{ text: said.again, data: cards.buttonsOf({ delivery, approval, chat }, 0).yes }]]
  if (kind !== 'card') return null
  const { yes, no, more, options, rows } = cards.buttonsOf(
    { delivery, approval, chat },
    ...([said.options ?? 0, said.rows ?? 0] as const),
  )
  const refusal = { text: said.no, data: no }
  const answers: Button[][] =
    options.length === 0
      ? [[{ text: said.yes, data: yes }, refusal]]
      : [options.map((data, at) => ({ text: String(at + 1), data })), [refusal]]
  answers.push(
    ...inLines(rows.map((data, at) => ({ text: tell('approvals.leave_row', { row: at + 1 }), data }))),
  )
  return said.more === undefined ? answers : [...answers, [{ text: said.more, data: more }]]
}

/** Buttons beside each other: five short ones fit on a phone. */
const A_LINE = 5

function inLines(buttons: readonly Button[]): readonly Button[][] {
  const lines = Math.ceil(buttons.length / A_LINE)
  return Array.from({ length: lines }, (_, at) => buttons.slice(at * A_LINE, (at + 1) * A_LINE))
}

/** A tap on a button whose MAC fits this chat. */
export interface CheckedTap {
  readonly button: string
  readonly chat: Called
  readonly message: Called
}

/** Effect of a tap, and the text shown to the owner: the decision just made, or how the question had ended before. */
export interface TapAnswer {
  readonly what: 'approve' | 'deny' | 'late' | 'page' | 'again' | 'chosen' | 'left'
  readonly words: string
}

/**
 * Carries out the owner's tap once; afterwards the card shows the decision, and a further tap is told how the question ended.
 * Refusals: approval_unknown for a button that is no longer valid or stands in another message, and those of a decision.
 */
export async function settleTap(
  store: CardStore,
  { powers, shell }: { readonly powers: TapPorts; readonly shell: Tapping },
  { button, chat, message }: CheckedTap,
): Promise<Result<TapAnswer>> {
  const offered = loadOffers(store).find(({ ids }) => Object.values(ids).includes(button))
  if (offered !== undefined) return choose(store, shell, { offered, button, chat, message })
  const card = load(store).find(({ yes, no, more, options = [], rows = [] }) =>
    [yes, no, more, ...options, ...rows].includes(button),
  )
  if (card === undefined || card.chat !== chat) return err('approval_unknown')
  // A tap may arrive before the service's response to sending the card. The card's message is then the tapped one.
  if (card.message !== null && card.message !== message) return err('approval_unknown')
  if (card.over === true) return late(powers, card)
  if (button === card.yes && isAskableAgain(powers, card.approval))
    return askAgain(store, { powers, shell }, { ...card, message })
  // Checked before anything is awaited: of two concurrent taps one counts.
  if (card.tapped !== undefined && card.tapped !== button) return err('approval_unknown')
  if (button === card.more) return turn(store, powers, { ...card, message })
  save(store, { ...card, message, tapped: button })
  if (card.rows?.includes(button)) return leaveOut(store, { powers, shell }, { ...card, message }, button)
  const { approval, delivery } = card
  const option = (card.options ?? []).indexOf(button) + 1
  const decision = button === card.yes || option > 0 ? 'approve' : 'deny'
  const before = endedBefore(powers, approval)
  const { place } = powers
  const named = option > 0 ? `${approval}.${option}` : approval
  // A tap on a card that was shown is a message of its own: it cannot be the one that asked for the card (F-17).
  const input = {
    approval: named,
    decision,
    principal: OWNER_PRINCIPAL,
    place,
    message: `tap:${delivery}`,
  } as const
  const decided = await shell.decide(input, true)
  if (card.message === null && !decided.ok && decided.reason.code === 'approval_unknown') {
    // The question is not stored yet, because its card is still being sent: a later tap must count.
    save(store, { ...card, message })
    return decided
  }
  const words = before ?? (decided.ok ? saidWords(powers, input, option) : wordsFor(decided.reason.code))
  await closeCard(powers, { approval, delivery, words })
  save(store, { ...card, message, tapped: button, over: true })
  if (before !== null) return ok({ what: 'late', words })
  return decided.ok ? ok({ what: decision, words }) : decided
}

/** The remaining rows get a new card, on which their numbers differ. */
async function leaveOut(
  store: CardStore,
  { powers, shell }: { readonly powers: TapPorts; readonly shell: Pick<Deciding, 'leaveOut'> },
  card: ShownCard,
  button: string,
): Promise<Result<TapAnswer>> {
  const { approval, delivery, tapped: _, ...kept } = card
  const before = endedBefore(powers, approval)
  const row = (card.rows ?? []).indexOf(button) + 1
  const by = { approval, principal: OWNER_PRINCIPAL, place: powers.place, rows: String(row) } as const
  const left = before === null ? await shell.leaveOut(by, true) : null
  const ended = left?.ok === false ? endedBefore(powers, approval) : before
  // The card stays pending unchanged, and accepts another tap.
  if (left?.ok === false && ended === null) {
    save(store, { ...kept, approval, delivery })
    return left
  }
  const words = ended ?? tell('approvals.ended_replaced', { when: '' })
  await closeCard(powers, { approval, delivery, words })
  save(store, { ...card, tapped: button, over: true })
  return ok({ what: ended === null ? 'left' : 'late', words })
}

interface OfferTap extends CheckedTap {
  readonly offered: ShownOffers
}

/** The kernel decides what a choice does; it knows what was chosen before, so a repeated tap has one effect. */
async function choose(
  store: CardStore,
  shell: Pick<Choosing, 'choose'>,
  { offered, button, chat, message }: OfferTap,
): Promise<Result<TapAnswer>> {
  if (offered.chat !== chat || (offered.message !== null && offered.message !== message))
    return err('approval_unknown')
  saveOffers(store, { ...offered, message })
  const choice = Object.keys(offered.ids).find((key) => offered.ids[key] === button) ?? ''
  const done = await shell.choose({ delivery: offered.delivery, choice })
  if (!done.ok) return done
  return ok({ what: done.value.late ? 'late' : 'chosen', words: done.value.words })
}

/** One tap under a card that expired unanswered repeats the request, which creates a new card. */
async function askAgain(
  store: CardStore,
  { powers, shell }: { readonly powers: TapPorts; readonly shell: Pick<Deciding, 'again'> },
  card: ShownCard,
): Promise<Result<TapAnswer>> {
  const { approval, delivery } = card
  const asked = await shell.again(approval)
  const words = asked.ok ? tell('approvals.asked_again') : wordsFor(asked.reason.code)
  await closeCard(powers, { approval, delivery, words, again: false })
  save(store, { ...card, over: true })
  return asked.ok ? ok({ what: 'again', words }) : asked
}

function saidWords(powers: TapPorts, input: DecisionInput, option: number): string {
  return option > 0 ? tell('approvals.you_chose', { option }) : answeredWords(powers, input)
}

/** Shows the card's next page; if the question is over, how it ended. */
async function turn(store: CardStore, powers: TapPorts, card: ShownCard): Promise<Result<TapAnswer>> {
  const { approval, delivery, page = 0 } = card
  const words = endedBefore(powers, approval)
  if (words !== null) {
    await closeCard(powers, { approval, delivery, words })
    save(store, { ...card, over: true })
    return ok({ what: 'late', words })
  }
  const turned = await turnCard(powers, { approval, delivery, page })
  if (!turned.ok) return turned
  save(store, { ...card, page: turned.value })
  return ok({ what: 'page', words: '' })
}

/** How a question ended before this tap: answered in another chat, expired, or ended with its message. Null while it is open. */
function endedBefore(powers: TapPorts, approval: string): string | null {
  const standing = standingOf(powers, approval)
  return standing?.isOver === true ? standing.words : null
}

function late(powers: TapPorts, { approval }: ShownCard): Result<TapAnswer> {
  const standing = standingOf(powers, approval)
  return standing === null ? err('approval_unknown') : ok({ what: 'late', words: standing.words })
}

function load(store: CardStore): readonly ShownCard[] {
  return store.kept.get<readonly ShownCard[]>(nameOf(store)) ?? []
}

function save(store: CardStore, card: ShownCard): void {
  const others = load(store).filter(({ delivery }) => delivery !== card.delivery)
  store.kept.put(nameOf(store), [...others, card].slice(-REMEMBERED))
}

/** Stored separately from cards, so that reminders do not displace a question. */
function loadOffers({ kept, channel }: CardStore): readonly ShownOffers[] {
  return kept.get<readonly ShownOffers[]>(`${channel}-offers`) ?? []
}

function saveOffers(store: CardStore, offers: ShownOffers): void {
  const others = loadOffers(store).filter(({ delivery }) => delivery !== offers.delivery)
  store.kept.put(`${store.channel}-offers`, [...others, offers].slice(-OFFERS_REMEMBERED))
}

function nameOf({ channel }: CardStore): string {
  return `${channel}-cards`
}

function newId(): string {
  return crypto.randomUUID().replaceAll('-', '').slice(0, 16)
}

/** Hex digits of an id (64 bits) and of its MAC (96 bits): 41 characters with the dot, within the strictest service's 64 bytes. */
const ID = /^[0-9a-f]{16}$/
const PROOF_BYTES = 12
const DATA = /^([0-9a-f]{16})\.([0-9a-f]{24})$/

export interface ButtonChat {
  /** Name of the channel. */
  readonly channel: string
  readonly chat: Called
}

/** Callback data of a button. `id`: 16 hex digits, unguessable. Throws on any other. */
export function buttonData(key: Uint8Array, place: ButtonChat, id: string): string {
  if (!ID.test(id)) throw new TypeError('no id of a button')
  return `${id}.${bytesToHex(proofOf(key, place, id))}`
}

/** The id of a tapped button in this chat; null when the button was not made for this chat. */
export function buttonIdIn(key: Uint8Array, place: ButtonChat, data: string): string | null {
  const [, id = '', proof = ''] = DATA.exec(data) ?? []
  return id !== '' && equalBytes(hexToBytes(proof), proofOf(key, place, id)) ? id : null
}

function proofOf(key: Uint8Array, { channel, chat }: ButtonChat, id: string): Uint8Array {
  return hmac(sha256, key, utf8ToBytes(`${channel}-button|${chat}|${id}`)).slice(0, PROOF_BYTES)
}
