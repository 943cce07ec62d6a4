/**
 * Opens contacts for the address book of home and for display, and deletes those whose undo time has passed.
 * Must not add one. Called by contacts.ts, and by home when it starts.
 */
import { err, ok, type Result } from '../../flow/verdict.ts'
import { MEMORY_SINK } from '../../powers/effects.ts'
import type { AtPlace, Clock, Contact, ContactBooks, PolicySource, SecretScan } from '../../powers/ports.ts'
import { openTextOf, type SealedReading } from '../../powers/sealed.ts'
import type { SealedStore } from '../../powers/sealed-port.ts'
import type { StoreOf, Transactions } from '../../powers/stores.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import type { SealedRef } from '../../task/task.ts'
import { showTo } from '../deliveries/deliver.ts'
import { type Asking, BACK_WITHIN, type ContactStore, type StoredContact } from './port.ts'

export type OpenContactPorts = SealedReading &
  AtPlace &
  PolicySource &
  SecretScan &
  ContactBooks &
  StoreOf<Transactions & SealedStore & ContactStore>

/** Text that is sealed: name and address on two lines, and the groups, if any, on a third. */
export function sealedWords({ name, email, groups = [] }: Contact): string {
  return [name, email, ...(groups.length > 0 ? [groups.join(',')] : [])].join('\n')
}

/** Refusals: those of opening, and of the sink. */
export async function contactOf(
  powers: SealedReading & AtPlace & PolicySource & SecretScan,
  to: Asking,
  ref: SealedRef,
): Promise<Result<Contact>> {
  const text = await openTextOf(powers, ref)
  const open = text.ok ? showTo(powers, to, text.value) : text
  if (!open.ok) return open
  const [name = '', email = '', of = ''] = open.value.split('\n')
  const groups = of.split(',').filter((one) => one !== '')
  return name === '' || email === ''
    ? err('record_unreadable')
    : ok({ name, email, ...(groups.length > 0 && { groups }) })
}

/**
 * Puts the owner's contacts into the address book that planners, cards and checks read. A contact that cannot be opened is left
 * out.
 */
export async function holdContacts(powers: OpenContactPorts): Promise<void> {
  const own: Contact[] = []
  const to = { sink: MEMORY_SINK[powers.place], principal: OWNER_PRINCIPAL }
  for (const row of liveContacts(powers)) {
    const contact = await contactOf(powers, to, row.ref)
    if (contact.ok) own.push(contact.value)
  }
  powers.contactBook?.hold(own)
}

/** The owner's own contacts, and those of `config.toml` without an own contact of the same name and address. */
export function bookOf(own: readonly Contact[], configured: readonly Contact[]): readonly Contact[] {
  const keyOf = ({ name, email }: Contact): string => `${name}\n${email}`.toLowerCase()
  const known = new Set(own.map(keyOf))
  return [...own, ...configured.filter((one) => !known.has(keyOf(one)))]
}

export function liveContacts({ store }: StoreOf<ContactStore>): readonly StoredContact[] {
  return store.contactRows().filter(({ gone }) => gone === null)
}

/** Deletes contacts and earlier versions that can no longer be restored. */
export function tidyContacts({
  store,
  now,
}: Clock & StoreOf<Transactions & SealedStore & ContactStore>): void {
  const until = now() - BACK_WITHIN
  const old = store
    .contactRows()
    .filter(({ at, gone, before }) => at < until && (gone !== null || before !== null))
  if (old.length === 0) return
  store.transaction(() => {
    for (const row of old) {
      store.deleteSealed(
        [row.before, row.gone === null ? null : row.ref].flatMap((ref) => (ref === null ? [] : [ref.id])),
      )
      if (row.gone !== null) store.dropContact(row.number)
      else store.saveContact({ ...row, before: null })
    }
  })
}
