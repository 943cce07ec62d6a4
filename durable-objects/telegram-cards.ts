/**
 * Cards with buttons in the owner's chat at Telegram: which question each shows, and what a tap on one does, once (F-02). Must not
 * decide: the kernel does, and it writes what the card says from then on. Called by telegram-line.ts and PrincipalObject.
 */
import { buttonData } from '../integrations/channels/telegram/button.ts'
import type { CardPort } from '../integrations/channels/telegram/sender.ts'
import { allowed, type Result, refused } from '../kernel/flow/verdict.ts'
import type { Powers } from '../kernel/powers/ports.ts'
import { closeCard } from '../kernel/runtime/asking.ts'
import type { Shell } from '../kernel/runtime/shell.ts'
import { OWNER_PRINCIPAL } from '../kernel/task/principal.ts'

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
}

/** Keeps what its buttons mean before a card is sent, and where it stands afterwards. */
export function createCards(kv: SyncKvStorage, key: Uint8Array): CardPort {
  return {
    buttonsFor({ delivery, approval, chat }) {
      const known = load(kv).find((card) => card.delivery === delivery && card.approval === approval)
      const card = known ?? { delivery, approval, yes: newId(), no: newId(), chat, message: null }
      save(kv, card)
      const button = (text: string, id: string) => ({ text, callback_data: buttonData(key, chat, id) })
      return { inline_keyboard: [[button('Yes', card.yes), button('No', card.no)]] }
    },
    shown(delivery, message) {
      const card = load(kv).find((one) => one.delivery === delivery)
      if (card !== undefined) save(kv, { ...card, message })
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
  { kv, powers, shell }: { readonly kv: SyncKvStorage; readonly powers: Powers; readonly shell: Shell },
  { button, chat, message }: CheckedTap,
): Promise<Result<'approve' | 'deny'>> {
  const card = load(kv).find(({ yes, no }) => [yes, no].includes(button))
  if (card === undefined || card.chat !== chat || card.message !== message) return refused('approval_unknown')
  // Before anything is waited for: of two taps at once one counts.
  kv.put(
    CARDS,
    load(kv).filter(({ yes }) => yes !== card.yes),
  )
  const { approval, delivery } = card
  const decision = button === card.yes ? 'approve' : 'deny'
  const decided = await shell.decide({ approval, decision, principal: OWNER_PRINCIPAL, place: 'edge' })
  await closeCard(powers, { approval, delivery, said: decided.ok ? decision : decided.reason.code })
  return decided.ok ? allowed(decision) : decided
}

function load(kv: SyncKvStorage): readonly ShownCard[] {
  return kv.get<readonly ShownCard[]>(CARDS) ?? []
}

function save(kv: SyncKvStorage, card: ShownCard): void {
  const others = load(kv).filter(({ delivery }) => delivery !== card.delivery)
  kv.put(CARDS, [...others, card].slice(-REMEMBERED))
}

function newId(): string {
  return crypto.randomUUID().replaceAll('-', '').slice(0, 16)
}
