/**
 * Cards with buttons in the owner's chat: which question each shows, and the single effect of a tap (F-02). Must not decide: the
 * kernel does, and it writes the card's final text. Called by the place that holds the bot's token.
 */

import { closeCard, standingOf, type TapPorts, turnCard } from '../../../kernel/features/approvals/asking.ts'
import { DECIDED, YES_NO } from '../../../kernel/features/approvals/card.ts'
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { Delivery } from '../../../kernel/powers/ports.ts'
import type { Deciding } from '../../../kernel/runtime/shell-port.ts'
import { OWNER_PRINCIPAL } from '../../../kernel/task/principal.ts'
import { wordsFor } from '../../../kernel/wording/words.ts'
import { buttonData } from './button.ts'
import type { Called, KeptPort } from './kept.ts'

/** Most cards with working buttons: no more wait at once, and an older one is answered in words. */
const REMEMBERED = 50

interface ShownCard {
  readonly delivery: string
  /** Id of the question. */
  readonly approval: string
  readonly yes: string
  readonly no: string
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

/** Storage of one channel's cards. */
export interface CardShelf {
  readonly kept: KeptPort
  /** Name of the channel. */
  readonly channel: string
}

export interface Cards {
  /** Callback data of the buttons. Sending the same card again yields the same data. */
  buttonsOf(card: Pick<ShownCard, 'delivery' | 'approval' | 'chat'>): {
    readonly yes: string
    readonly no: string
    readonly more: string
  }
  /** Records the message in which the card stands. */
  shown(delivery: string, message: Called): void
}

/** Stores the buttons' ids before a card is sent, and its message id afterwards. */
export function createCardDesk(shelf: CardShelf, key: Uint8Array): Cards {
  return {
    buttonsOf({ delivery, approval, chat }) {
      const known = load(shelf).find((card) => card.delivery === delivery && card.approval === approval)
      const card = known ?? { delivery, approval, yes: newId(), no: newId(), chat, message: null }
      const { yes, no, more = newId() } = card
      save(shelf, { ...card, more })
      const data = (id: string): string => buttonData(key, { channel: shelf.channel, chat }, id)
      return { yes: data(yes), no: data(no), more: data(more) }
    },
    shown(delivery, message) {
      const card = load(shelf).find((one) => one.delivery === delivery)
      if (card !== undefined) save(shelf, { ...card, message })
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
    buttons: said = YES_NO,
  }: Pick<Delivery, 'id' | 'kind' | 'approval' | 'buttons'>,
  chat: Called,
): readonly (readonly Button[])[] | null {
  if (kind !== 'card' || approval === null) return null
  const { yes, no, more } = cards.buttonsOf({ delivery, approval, chat })
  const answers = [
    { text: said.yes, data: yes },
    { text: said.no, data: no },
  ]
  return said.more === undefined ? [answers] : [answers, [{ text: said.more, data: more }]]
}

/** A tap on a button whose MAC fits this chat. */
export interface CheckedTap {
  readonly button: string
  readonly chat: Called
  readonly message: Called
}

/** Effect of a tap, and the text shown to the owner: the decision just made, or how the question had ended before. */
export interface TapAnswer {
  readonly what: 'approve' | 'deny' | 'late' | 'page'
  readonly words: string
}

/**
 * Carries out the owner's tap once; afterwards the card shows the decision, and a further tap is told how the question ended.
 * Refusals: approval_unknown for a button that is no longer valid or stands in another message, and those of a decision.
 */
export async function settleTap(
  shelf: CardShelf,
  { powers, shell }: { readonly powers: TapPorts; readonly shell: Pick<Deciding, 'decide'> },
  { button, chat, message }: CheckedTap,
): Promise<Result<TapAnswer>> {
  const card = load(shelf).find(({ yes, no, more }) => [yes, no, more].includes(button))
  if (card === undefined || card.chat !== chat) return err('approval_unknown')
  // A tap may arrive before the service's response to sending the card. The card's message is then the tapped one.
  if (card.message !== null && card.message !== message) return err('approval_unknown')
  if (card.over === true) return late(powers, card)
  // Checked before anything is awaited: of two concurrent taps one counts.
  if (card.tapped !== undefined && card.tapped !== button) return err('approval_unknown')
  if (button === card.more) return turn(shelf, powers, { ...card, message })
  save(shelf, { ...card, message, tapped: button })
  const { approval, delivery } = card
  const decision = button === card.yes ? 'approve' : 'deny'
  const before = endedBefore(powers, approval)
  const { place } = powers
  const decided = await shell.decide({ approval, decision, principal: OWNER_PRINCIPAL, place }, true)
  if (card.message === null && !decided.ok && decided.reason.code === 'approval_unknown') {
    // The question is not stored yet, because its card is still being sent: a later tap must count.
    save(shelf, { ...card, message })
    return decided
  }
  const words = before ?? (decided.ok ? DECIDED[decision] : wordsFor(decided.reason.code))
  await closeCard(powers, { approval, delivery, words })
  save(shelf, { ...card, message, tapped: button, over: true })
  if (before !== null) return ok({ what: 'late', words })
  return decided.ok ? ok({ what: decision, words }) : decided
}

/** Shows the card's next page; if the question is over, how it ended. */
async function turn(shelf: CardShelf, powers: TapPorts, card: ShownCard): Promise<Result<TapAnswer>> {
  const { approval, delivery, page = 0 } = card
  const words = endedBefore(powers, approval)
  if (words !== null) {
    await closeCard(powers, { approval, delivery, words })
    save(shelf, { ...card, over: true })
    return ok({ what: 'late', words })
  }
  const turned = await turnCard(powers, { approval, delivery, page })
  if (!turned.ok) return turned
  save(shelf, { ...card, page: turned.value })
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

function load(shelf: CardShelf): readonly ShownCard[] {
  return shelf.kept.get<readonly ShownCard[]>(nameOf(shelf)) ?? []
}

function save(shelf: CardShelf, card: ShownCard): void {
  const others = load(shelf).filter(({ delivery }) => delivery !== card.delivery)
  shelf.kept.put(nameOf(shelf), [...others, card].slice(-REMEMBERED))
}

function nameOf({ channel }: CardShelf): string {
  return `${channel}-cards`
}

function newId(): string {
  return crypto.randomUUID().replaceAll('-', '').slice(0, 16)
}
