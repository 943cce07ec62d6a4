/**
 * The sender settings for the owner's mail: name, addresses and signature, and the checks of each. Pure; must not store or send.
 * Called by the operations of this folder and by home, which passes the settings to the mail tool.
 */
import { parseFields } from '../../flow/field.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'

/** Maximum addresses besides the account's own; no person has more. */
export const MOST_ADDRESSES = 10
/** Maximum UTF-16 units of a name; maximum units and lines of a signature: what a card shows whole, in one piece. */
export const SENDER_TEXT = Object.freeze({ name: 80, signature: 1_000, lines: 8 })

/** Settings of the owner. */
export interface Sender {
  /** Shown beside the address; null: none. */
  readonly name: string | null
  /** Addresses that the account may send as, besides its own. */
  readonly addresses: readonly string[]
  /** The address that is used by default; null: the account's own. */
  readonly standard: string | null
  readonly signature: string | null
}

export const NO_SENDER: Sender = Object.freeze({ name: null, addresses: [], standard: null, signature: null })

/** Settings as shown to the owner. `account`: the address of the mail account; null if no account sends with these settings. */
export interface SenderView extends Sender {
  readonly account: string | null
}

export interface SenderPort {
  read(): Promise<SenderView>
  /** Stores the former settings for `restore`. */
  change(change: Partial<Sender>): Promise<SenderView>
  /** Swaps the present settings with the former ones. */
  restore(): Promise<SenderView>
}

/** Characters that would end a header line, are invisible, or change the order in which text is displayed. */
const UNFIT_NAME = /[\p{C}\p{Zl}\p{Zp}<>"@\\]/u
const UNFIT_TEXT = /(?!\n)[\p{C}\p{Zl}\p{Zp}]/u

/** Refusal: sender_malformed. */
export function senderName(typed: string): Result<string> {
  const name = typed.trim().replace(/\s+/g, ' ')
  const fits = name !== '' && name.length <= SENDER_TEXT.name && !UNFIT_NAME.test(name)
  return fits ? ok(name) : err('sender_malformed', { path: 'name' })
}

/** The signature as plain text: markup stays as it was typed. Refusal: sender_malformed. */
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
  // Folded and quoted forms are refused, because a header would show them differently from a card.
  const read = /^[\x21-\x7e]{1,200}\.[A-Za-z0-9-]{2,60}$/.test(address)
    ? parseFields({ kind: 'email' }, address, 'refuse')
    : null
  return read?.ok === true ? ok(address) : err('sender_malformed', { path: 'address' })
}

export function isSameAddress(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

/** All addresses, the account's own first. */
export function addressesOf({ account, addresses }: SenderView): readonly string[] {
  const own = account === null ? [] : [account]
  return [...own, ...addresses.filter((one) => account === null || !isSameAddress(one, account))]
}
