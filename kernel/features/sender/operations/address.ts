/** Adds an address to those that the owner may write from. Pure. Called by the operations that name one. */
import { err, ok, type Result } from '../../../flow/verdict.ts'
import { addressesOf, isSameAddress, MOST_ADDRESSES, type SenderView, senderAddress } from '../sender.ts'

/**
 * The addresses besides the account's own, with the named one, and the named one in its known spelling. Refusals:
 * sender_malformed, sender_full.
 */
export function withAddress(
  view: SenderView,
  typed: string,
): Result<{ readonly addresses: readonly string[]; readonly address: string }> {
  const address = senderAddress(typed)
  if (!address.ok) return address
  const { addresses } = view
  const known = addressesOf(view).find((one) => isSameAddress(one, address.value))
  if (known !== undefined) return ok({ addresses, address: known })
  if (addresses.length >= MOST_ADDRESSES) return err('sender_full', { max: MOST_ADDRESSES })
  return ok({ addresses: [...addresses, address.value], address: address.value })
}
