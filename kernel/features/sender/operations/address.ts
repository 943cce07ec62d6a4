/** One more address of the owner's among those that are known. Pure. Called by the operations that name one. */
import { err, ok, type Result } from '../../../flow/verdict.ts'
import { addressesOf, isSameAddress, MOST_ADDRESSES, type SenderView, senderAddress } from '../sender.ts'

/** The addresses besides the account's own, and the one that was named, as it is known. Refusals: sender_malformed, sender_full. */
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
