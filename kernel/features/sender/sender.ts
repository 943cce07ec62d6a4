/**
 * As whom the owner writes mail: the name, the addresses and the signature, and what each of them may be. Pure; must not store or send. Called by
 * the operations of this folder and by home; the mail tool is given it.
 */
import { parseFields } from '../../flow/field.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'

/** Addresses besides the account's own: more is no person's. */
export const MOST_ADDRESSES = 10
/** UTF-16 units of a name, and units and lines of a signature: what a card shows whole, in one piece. */
export const SENDER_TEXT = Object.freeze({ name: 80, signature: 1_000, lines: 8 })

/** What the owner has set. */
export interface Sender {
  /** Shown beside the address; null: none. */
  readonly name: string | null
  /** Addresses that the account may send as, besides its own. */
  readonly addresses: readonly string[]
  /** The one that is used where nothing says otherwise; null: the account's own. */
  readonly standard: string | null
  readonly signature: string | null
}

export const NO_SENDER: Sender = Object.freeze({ name: null, addresses: [], standard: null, signature: null })

/** What the owner is shown. `account`: the address of the mail account; null: there is none that sends as the owner says. */
export interface SenderView extends Sender {
  readonly account: string | null
}

export interface SenderPort {
  read(): Promise<SenderView>
  /** Keeps what was before, for `restore`. */
  change(change: Partial<Sender>): Promise<SenderView>
  /** Exchanges what is set with what was before. */
  restore(): Promise<SenderView>
}

/** What would end a header line, is not seen, or orders what is seen otherwise. */
const UNFIT_NAME = /[\p{C}\p{Zl}\p{Zp}<>"@\\]/u
const UNFIT_TEXT = /(?!\n)[\p{C}\p{Zl}\p{Zp}]/u

/** Refusal: sender_malformed. */
export function senderName(typed: string): Result<string> {
  const name = typed.trim().replace(/\s+/g, ' ')
  const fits = name !== '' && name.length <= SENDER_TEXT.name && !UNFIT_NAME.test(name)
  return fits ? ok(name) : err('sender_malformed', { path: 'name' })
}

/** Text, whatever it holds: markup stays what was typed. Refusal: sender_malformed. */
export function signatureText(typed: string): Result<string> {
  const text = typed
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trim()
  const fits =
    text !== '' &&
    text.length <= SENDER_TEXT.signature &&
    text.split('\n').length <= SENDER_TEXT.lines &&
    !UNFIT_TEXT.test(text)
  return fits ? ok(text) : err('sender_malformed', { path: 'signature' })
}

/** Refusal: sender_malformed. */
export function senderAddress(typed: string): Result<string> {
  const address = typed.trim()
  // Folded and quoted forms would look otherwise in a header than on a card.
  const read = /^[\x21-\x7e]{1,200}\.[A-Za-z0-9-]{2,60}$/.test(address)
    ? parseFields({ kind: 'email' }, address, 'refuse')
    : null
  return read?.ok === true ? ok(address) : err('sender_malformed', { path: 'address' })
}

export function isSameAddress(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

/** The account's own first. */
export function addressesOf({ account, addresses }: SenderView): readonly string[] {
  const own = account === null ? [] : [account]
  return [...own, ...addresses.filter((one) => account === null || !isSameAddress(one, account))]
}
