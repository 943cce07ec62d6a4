/**
 * Cards with buttons in the owner's chat at Telegram: which question each shows, and what a tap on one does, once (F-02). Must not
 * decide: the kernel does, and it writes what the card says from then on. Called by the place that holds the bot's token.
 */
import { allowed, type Result, refused } from '../../../kernel/flow/verdict.ts'
import type { Powers } from '../../../kernel/powers/ports.ts'
import { closeCard } from '../../../kernel/runtime/asking.ts'
import type { Shell } from '../../../kernel/runtime/shell.ts'
import { OWNER_PRINCIPAL } from '../../../kernel/task/principal.ts'
import { buttonData } from './button.ts'
import type { KeptPort } from './kept.ts'
import type { CardPort } from './sender.ts'

const CARDS = 'telegram-cards'
/** Cards whose buttons count: more do not wait at once, and an old one is answered with words. */
const REMEMBERED = 50

interface ShownCard {
  readonly delivery: string
  /** Name of the question. */
  readonly approval: string
  readonly yes: string
  readonly no: string
  readonly chat: number
  /** Null until it was sent. */
  readonly message: number | null
  /** The button that was tapped, once one was: a tap that a crash cut off counts when it is told again. */
  readonly tapped?: string
}

/** Keeps what its buttons mean before a card is sent, and where it stands afterwards. */
export function createCards(kept: KeptPort, key: Uint8Array): CardPort {
  return {
    buttonsFor({ delivery, approval, chat, buttons: said = { yes: 'Yes', no: 'No' } }) {
      const known = load(kept).find((card) => card.delivery === delivery && card.approval === approval)
      const card = known ?? { delivery, approval, yes: newId(), no: newId(), chat, message: null }
      save(kept, card)
      const button = (text: string, id: string) => ({ text, callback_data: buttonData(key, chat, id) })
      return { inline_keyboard: [[button(said.yes, card.yes), button(said.no, card.no)]] }
    },
    shown(delivery, message) {
      const card = load(kept).find((one) => one.delivery === delivery)
      if (card !== undefined) save(kept, { ...card, message })
    },
  }
}

/** A tap whose button was made for this chat. */
export interface CheckedTap {
  readonly button: string
  readonly chat: number
  readonly message: number
}

/**
 * What the owner's tap says, said once: the card then shows what was decided. Refusals: approval_unknown for a button that is over
 * or stands elsewhere, and those of a decision.
 */
export async function settleTap(
  { kept, powers, shell }: { readonly kept: KeptPort; readonly powers: Powers; readonly shell: Shell },
  { button, chat, message }: CheckedTap,
): Promise<Result<'approve' | 'deny'>> {
  const card = load(kept).find(({ yes, no }) => [yes, no].includes(button))
  if (card === undefined || card.chat !== chat) return refused('approval_unknown')
  // A tap may overtake Telegram's word of where the card stands; afterwards it stands where he tapped.
  if (card.message !== null && card.message !== message) return refused('approval_unknown')
  // Before anything is waited for: of two taps at once one counts.
  if (card.tapped !== undefined && card.tapped !== button) return refused('approval_unknown')
  save(kept, { ...card, message, tapped: button })
  const { approval, delivery } = card
  const decision = button === card.yes ? 'approve' : 'deny'
  const { place } = powers
  const decided = await shell.decide({ approval, decision, principal: OWNER_PRINCIPAL, place })
  if (card.message === null && !decided.ok && decided.reason.code === 'approval_unknown') {
    // The question is not written down yet, as its card is still being sent: another tap is to count.
    save(kept, { ...card, message })
    return decided
  }
  await closeCard(powers, { approval, delivery, said: decided.ok ? decision : decided.reason.code })
  drop(kept, card)
  return decided.ok ? allowed(decision) : decided
}

function drop(kept: KeptPort, { yes }: ShownCard): void {
  const others = load(kept).filter((one) => one.yes !== yes)
  kept.put(CARDS, others)
}

function load(kept: KeptPort): readonly ShownCard[] {
  return kept.get<readonly ShownCard[]>(CARDS) ?? []
}

function save(kept: KeptPort, card: ShownCard): void {
  const others = load(kept).filter(({ delivery }) => delivery !== card.delivery)
  kept.put(CARDS, [...others, card].slice(-REMEMBERED))
}

function newId(): string {
  return crypto.randomUUID().replaceAll('-', '').slice(0, 16)
}
