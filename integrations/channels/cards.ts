/**
 * Cards with buttons in the owner's chat: which question each shows, and what a tap on one does, once (F-02). Must not
 * decide: the kernel does, and it writes what the card says from then on. Called by the place that holds the bot's token.
 */
import { allowed, type Result, refused } from '../../kernel/flow/verdict.ts'
import type { Powers } from '../../kernel/powers/ports.ts'
import { closeCard } from '../../kernel/runtime/asking.ts'
import type { Shell } from '../../kernel/runtime/shell.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import { buttonData } from './button.ts'
import type { Called, ChannelName, KeptPort } from './kept.ts'

/** Cards whose buttons count: more do not wait at once, and an old one is answered with words. */
const REMEMBERED = 50

interface ShownCard {
  readonly delivery: string
  /** Name of the question. */
  readonly approval: string
  readonly yes: string
  readonly no: string
  readonly chat: Called
  /** Null until it was sent. */
  readonly message: Called | null
  /** The button that was tapped, once one was: a tap that a crash cut off counts when it is told again. */
  readonly tapped?: string
}

/** Where a channel keeps its cards. */
export interface CardShelf {
  readonly kept: KeptPort
  readonly channel: ChannelName
}

export interface Cards {
  /** What is sent with the two buttons. The same card has the same ones, however often it is told. */
  buttonsOf(card: Pick<ShownCard, 'delivery' | 'approval' | 'chat'>): {
    readonly yes: string
    readonly no: string
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
      save(shelf, card)
      const place = { channel: shelf.channel, chat }
      return { yes: buttonData(key, place, card.yes), no: buttonData(key, place, card.no) }
    },
    shown(delivery, message) {
      const card = load(shelf).find((one) => one.delivery === delivery)
      if (card !== undefined) save(shelf, { ...card, message })
    },
  }
}

/** A tap whose button was made for this chat. */
export interface CheckedTap {
  readonly button: string
  readonly chat: Called
  readonly message: Called
}

/**
 * What the owner's tap says, said once: the card then shows what was decided. Refusals: approval_unknown for a button that is over
 * or stands elsewhere, and those of a decision.
 */
export async function settleTap(
  shelf: CardShelf,
  { powers, shell }: { readonly powers: Powers; readonly shell: Shell },
  { button, chat, message }: CheckedTap,
): Promise<Result<'approve' | 'deny'>> {
  const card = load(shelf).find(({ yes, no }) => [yes, no].includes(button))
  if (card === undefined || card.chat !== chat) return refused('approval_unknown')
  // A tap may overtake the service's word of where the card stands; afterwards it stands where he tapped.
  if (card.message !== null && card.message !== message) return refused('approval_unknown')
  // Before anything is waited for: of two taps at once one counts.
  if (card.tapped !== undefined && card.tapped !== button) return refused('approval_unknown')
  save(shelf, { ...card, message, tapped: button })
  const { approval, delivery } = card
  const decision = button === card.yes ? 'approve' : 'deny'
  const { place } = powers
  const decided = await shell.decide({ approval, decision, principal: OWNER_PRINCIPAL, place })
  if (card.message === null && !decided.ok && decided.reason.code === 'approval_unknown') {
    // The question is not written down yet, as its card is still being sent: another tap is to count.
    save(shelf, { ...card, message })
    return decided
  }
  await closeCard(powers, { approval, delivery, said: decided.ok ? decision : decided.reason.code })
  drop(shelf, card)
  return decided.ok ? allowed(decision) : decided
}

function drop(shelf: CardShelf, { yes }: ShownCard): void {
  const others = load(shelf).filter((one) => one.yes !== yes)
  shelf.kept.put(nameOf(shelf), others)
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
