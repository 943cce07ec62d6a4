/** How the sender settings of the owner are shown: as data and in words. Pure. Called by the operations on them. */
import type { Undo } from '../../../operations/caller.ts'
import type { Facts, Telling } from '../../../operations/operation.ts'
import { list, maybe, record, text, type ValueOf } from '../../../operations/shape.ts'
import { showUnseen } from '../../../wording/visible.ts'
import { addressesOf, MOST_ADDRESSES, type SenderView } from '../sender.ts'

export const SENDER = record({
  account: maybe(text('sensitive')),
  name: maybe(text('sensitive')),
  addresses: list(text('sensitive'), MOST_ADDRESSES),
  standard: maybe(text('sensitive')),
  signature: maybe(text('sensitive')),
})

/** Name, addresses and signature, one line each. */
export function senderWords(sender: ValueOf<typeof SENDER>, { tell }: Telling): string {
  const { account, name, standard, signature } = sender
  const own = addressesOf(sender satisfies SenderView)
  const usual = standard ?? account
  const lines = own.map((address) =>
    tell(own.length > 1 && address === usual ? 'sender.address_usual' : 'sender.address', { address }),
  )
  return [
    name === null ? tell('sender.no_name') : tell('sender.name', { name: showUnseen(name) }),
    ...(lines.length === 0 ? [tell('sender.no_account')] : lines),
    ...(signature === null
      ? [tell('sender.no_signature')]
      : [tell('sender.signature'), ...signature.split('\n').map((line) => `    | ${showUnseen(line)}`)]),
  ].join('\n')
}

/** Facts for the audit row: which settings exist and how many, never a name, an address or a signature. */
export function senderFacts({ name, addresses, standard, signature }: SenderView): Facts {
  const usual = standard === null ? null : addresses.indexOf(standard)
  return { name: name !== null, addresses: addresses.length, usual, signature: signature?.length ?? null }
}

/** Undo call without arguments: an audit row holds no words, so home stores the settings from before. */
export const BEFORE: Undo = Object.freeze({ operation: 'sender.restore', args: {} })
