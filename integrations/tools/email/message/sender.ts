/**
 * Sender and signature of a mail, from the owner's settings. A mail can only choose among the owner's own addresses, by the one
 * that it was sent to. Pure. Called by run.ts and enclosed.ts.
 */
import type { Sender } from '../../../../kernel/features/sender/sender.ts'
import { err, ok, type Result } from '../../../../kernel/flow/verdict.ts'
import type { ToolCall } from '../../../../kernel/tool/manifest.ts'
import { type JsonRecord, recordOf } from '../../reading.ts'
import type { Letter } from '../mailbox-port.ts'
import { addressesIn } from './mailbox.ts'
import { headersOf } from './mime.ts'

/** Line between the text and the signature (RFC 3676 §4.3). */
const SIGNATURE_MARK = '-- '

export const NO_SENDER: Sender = Object.freeze({ name: null, addresses: [], standard: null, signature: null })

export interface WrittenAs {
  readonly from: NonNullable<Letter['from']> | null
  readonly signature: string | null
  /** The owner has set nothing, and chose nothing for this mail: the account itself is the sender. */
  readonly plain: boolean
}

/**
 * `account`: the account's address; null if its service fills it in. `named`: it is one of several, so that every card names it.
 * Refusal: mail_identity_unknown.
 */
export function writtenAs(
  sender: Sender,
  account: string | null,
  {
    args,
    answered,
    named = false,
  }: {
    readonly args: ToolCall['args']
    readonly answered: JsonRecord | null
    readonly named?: boolean | undefined
  },
): Result<WrittenAs> {
  const wanted = typeof args['from'] === 'string' ? args['from'] : null
  const payload = answered === null ? null : recordOf(answered, 'payload')
  const writtenTo =
    payload === null
      ? []
      : [...addressesIn(headersOf(payload, 'to')), ...addressesIn(headersOf(payload, 'cc'))]
  const address = fromAddress(sender, account, { wanted, writtenTo })
  if (!address.ok) return address
  const { name, signature, addresses } = sender
  const from = address.value === null ? null : { address: address.value, name }
  const isUsual = name === null && addresses.length === 0 && !named
  const plain = signature === null && (from === null || isUsual)
  return ok({ from, signature, plain })
}

/**
 * The requested address, otherwise the one that the answered mail was sent to, otherwise the usual one. Null if the service fills
 * it in. Always one of the owner's addresses.
 */
function fromAddress(
  { addresses, standard }: Sender,
  account: string | null,
  { wanted, writtenTo }: { readonly wanted: string | null; readonly writtenTo: readonly string[] },
): Result<string | null> {
  if (account === null) return wanted === null ? ok(null) : err('mail_identity_unknown')
  const ownLike = (address: string): string | undefined =>
    [account, ...addresses].find((one) => one.toLowerCase() === address.toLowerCase())
  if (wanted !== null) {
    const found = ownLike(wanted)
    return found === undefined ? err('mail_identity_unknown') : ok(found)
  }
  const [answered] = writtenTo.flatMap((address) => ownLike(address) ?? [])
  return ok(answered ?? (standard === null ? undefined : ownLike(standard)) ?? account)
}

/** The owner's text with the signature below it. */
export function signed(text: string, signature: string | null): string {
  if (signature === null) return text
  return `${text === '' ? '' : `${text}\n\n`}${SIGNATURE_MARK}\n${signature}`
}

/** The sender as shown on a card. */
export function fromLine({ name, address }: NonNullable<WrittenAs['from']>): string {
  return name === null ? address : `${name} <${address}>`
}
