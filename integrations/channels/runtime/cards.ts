/**
 * Cards with buttons in the owner's chat: which question each shows, and what a tap on one does, once (F-02). Must not
 * decide: the kernel does, and it writes what the card says from then on. Called by the place that holds the bot's token.
 */
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { Delivery } from '../../../kernel/powers/ports.ts'
import { closeCard, standingOf, type TapPorts, turnCard } from '../../../kernel/runtime/asking.ts'
import type { Deciding } from '../../../kernel/runtime/shell-port.ts'
import { OWNER_PRINCIPAL } from '../../../kernel/task/principal.ts'
import { DECIDED, YES_NO } from '../../../kernel/wording/card.ts'
import { wordsFor } from '../../../kernel/wording/words.ts'
import { buttonData } from './button.ts'
import type { Called, KeptPort } from './kept.ts'

/** Cards whose buttons count: more do not wait at once, and an old one is answered with words. */
const REMEMBERED = 50

interface ShownCard {
  readonly delivery: string
  /** Name of the question. */
  readonly approval: string
  readonly yes: string
  readonly no: string
  /** Turns the page; absent of a card that is shown whole. */
  readonly more?: string
  /** The page that stands there. */
  readonly page?: number
  readonly chat: Called
  /** Null until it was sent. */
  readonly message: Called | null
  /** The button that was tapped, once one was: a tap that a crash cut off counts when it is told again. */
  readonly tapped?: string
  /** It was answered, or had ended when it was tapped: another tap is told how. */
  readonly over?: true
}

/** Where a channel keeps its cards. */
export interface CardShelf {
  readonly kept: KeptPort
  /** Its name. */
  readonly channel: string
}

export interface Cards {
  /** What is sent with the buttons. The same card has the same ones, however often it is told. */
  buttonsOf(card: Pick<ShownCard, 'delivery' | 'approval' | 'chat'>): {
    readonly yes: string
    readonly no: string
    readonly more: string
  }
  /** Where the card stands now. */
  shown(delivery: string, message: Called): void
}

/** Keeps what its buttons mean before a card is sent, and where it stands afterwards. */
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

/** A button as people see it, and what is sent with it. */
export interface Button {
  readonly text: string
  readonly data: string
}

/** Rows of buttons under a question; null for what is none. */
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

/** A tap whose button was made for this chat. */
export interface CheckedTap {
  readonly button: string
  readonly chat: Called
  readonly message: Called
}

/** What a tap came to, and what its owner is told: that he said it just now, or how it ended before. */
export interface TapAnswer {
  readonly what: 'approve' | 'deny' | 'late' | 'page'
  readonly words: string
}

/**
 * What the owner's tap says, said once: the card then shows what was decided, and a tap on it is told how that ended. Refusals:
 * approval_unknown for a button that is nobody's any more or stands elsewhere, and those of a decision.
 */
export async function settleTap(
  shelf: CardShelf,
  { powers, shell }: { readonly powers: TapPorts; readonly shell: Pick<Deciding, 'decide'> },
  { button, chat, message }: CheckedTap,
): Promise<Result<TapAnswer>> {
  const card = load(shelf).find(({ yes, no, more }) => [yes, no, more].includes(button))
  if (card === undefined || card.chat !== chat) return err('approval_unknown')
  // A tap may overtake the service's word of where the card stands; afterwards it stands where he tapped.
  if (card.message !== null && card.message !== message) return err('approval_unknown')
  if (card.over === true) return late(powers, card)
  // Before anything is waited for: of two taps at once one counts.
  if (card.tapped !== undefined && card.tapped !== button) return err('approval_unknown')
  if (button === card.more) return turn(shelf, powers, { ...card, message })
  save(shelf, { ...card, message, tapped: button })
  const { approval, delivery } = card
  const decision = button === card.yes ? 'approve' : 'deny'
  const before = endedBefore(powers, approval)
  const { place } = powers
  const decided = await shell.decide({ approval, decision, principal: OWNER_PRINCIPAL, place }, true)
  if (card.message === null && !decided.ok && decided.reason.code === 'approval_unknown') {
    // The question is not written down yet, as its card is still being sent: another tap is to count.
    save(shelf, { ...card, message })
    return decided
  }
  const words = before ?? (decided.ok ? DECIDED[decision] : wordsFor(decided.reason.code))
  await closeCard(powers, { approval, delivery, words })
  save(shelf, { ...card, message, tapped: button, over: true })
  if (before !== null) return ok({ what: 'late', words })
  return decided.ok ? ok({ what: decision, words }) : decided
}

/** The same card with its next page; of a question that is over, how it ended. */
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

/** Of a question that was over before this tap: answered in another chat, by the clock, or with its message. */
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
