/**
 * Lists, adds, changes and removes contacts in the owner's own words. An address that the owner typed is a
 * known destination (DESIGN §9). Addresses from mail are added by suggested.ts, which asks. Called by the
 * operations on contacts.
 */

import { parseFields } from '../../flow/field.ts'
import { combine, type Labeled } from '../../flow/labeled.ts'
import { ownerWords, receive } from '../../flow/provenance.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import { type Auditing, audit } from '../../powers/audit.ts'
import type { Contact } from '../../powers/ports.ts'
import { openTextOf, type SealedKeeping, sealForLater } from '../../powers/sealed.ts'
import { showUnseen } from '../../wording/visible.ts'
import { namingWords } from '../memory/telling-words.ts'
import { groupAfter, membersOf } from './groups.ts'
import {
  contactOf,
  holdContacts,
  liveContacts,
  type OpenContactPorts,
  sealedWords,
  tidyContacts,
} from './opened.ts'
import {
  type Asking,
  type ContactSource,
  type Contacts,
  type ContactView,
  type Found,
  type GroupChange,
  type GroupFound,
  MOST_CONTACTS_KEPT,
  NAME_MAX,
  type StoredContact,
} from './port.ts'

export type ContactPorts = Auditing & SealedKeeping & OpenContactPorts

export function createContacts(powers: ContactPorts): Contacts {
  return {
    list: (asking) => viewsOf(powers, asking),
    find: async (asking, who) => meant(who, await viewsOf(powers, asking)),
    add: (asking, contact) => addContact(powers, asking, { ...contact, source: 'typed' }),
    change: (asking, who, email) => edited(powers, asking, { who, change: { email } }),
    rename: (asking, who, name) => edited(powers, asking, { who, change: { name } }),
    remove: (asking, who) => remove(powers, asking, who),
    restore: (asking, number) => restore(powers, asking, number),
    members: async (asking, group) => membersOf(await viewsOf(powers, asking), group),
    regroup: (asking, change) => regroup(powers, asking, change),
  }
}

async function viewsOf(powers: ContactPorts, asking: Asking): Promise<readonly ContactView[]> {
  const own: ContactView[] = []
  for (const row of liveContacts(powers)) {
    const view = await viewOf(powers, asking, row)
    if (view.ok) own.push(view.value)
  }
  const known = new Set(own.map(({ email }) => email.toLowerCase()))
  const configured = (powers.contactBook?.configured ?? []).filter(
    ({ email }) => !known.has(email.toLowerCase()),
  )
  const all = [...own, ...configured.map((one) => ({ ...one, number: null, source: 'config' as const }))]
  return all.toSorted((one, other) => one.name.localeCompare(other.name))
}

async function viewOf(
  powers: ContactPorts,
  asking: Asking,
  { number, ref, source }: StoredContact,
): Promise<Result<ContactView>> {
  const contact = await contactOf(powers, asking, ref)
  return contact.ok ? ok({ ...contact.value, number, source }) : contact
}

/** Matches by number, address or whole name; otherwise by a name that contains all the words. */
export function meant<
  One extends { readonly number: number | null; readonly name: string; readonly email: string },
>(said: string, all: readonly One[]): readonly One[] {
  const who = plainName(said)
  const number = /^(?:contact |number |#)?(\d{1,9})$/i.exec(who)?.[1]
  if (number !== undefined) return all.filter((one) => one.number === Number(number))
  const whole = all.filter(({ name, email }) => [name, email].some((own) => same(own, who)))
  if (whole.length > 0) return whole
  const wanted = [...namingWords(who)]
  return all.filter(({ name }) => {
    const own = namingWords(name)
    return wanted.length > 0 && wanted.every((word) => own.has(word))
  })
}

/** Whether `said` is this contact's name, by the same comparison as in `addContact`. */
export function isName(said: unknown, { name }: Pick<Contact, 'name'>): boolean {
  return typeof said === 'string' && same(name, plainName(said))
}

function same(one: string, other: string): boolean {
  return one.localeCompare(other, undefined, { sensitivity: 'accent' }) === 0
}

/** One line, without a leading "my", enclosing quotation marks and invisible characters. */
function plainName(said: string): string {
  const words = showUnseen(said.replace(/\s+/g, ' ').trim())
  return words
    .replace(/^(?:my|the|our|mein|meine|meinen|meinem|meiner) (?=\S)/i, '')
    .replace(/^["“'](.*)["”']$/, '$1')
}

/**
 * `words`: name and address with label and taint of their own, on two lines. Refusals: contact_malformed;
 * contact_exists; contacts_full.
 */
export async function addContact(
  powers: ContactPorts,
  asking: Asking,
  asked: Contact & { readonly source: ContactSource; readonly words?: Labeled<string> },
): Promise<Result<ContactView>> {
  tidyContacts(powers)
  const { source } = asked
  const contact = checked(asked)
  if (!contact.ok) return contact
  const all = await viewsOf(powers, asking)
  const { name, email } = contact.value
  const [there] = all.filter((one) => same(one.name, name))
  if (there !== undefined) return same(there.email, email) ? ok(there) : err('contact_exists')
  if (powers.store.contactRows().length >= MOST_CONTACTS_KEPT)
    return err('contacts_full', { max: MOST_CONTACTS_KEPT })
  const { words } = asked
  if (words !== undefined && (name !== asked.name || email !== asked.email)) return err('contact_malformed')
  const sealed =
    words === undefined
      ? await seal(powers, asking, contact.value)
      : ok(await sealForLater(powers, { principal: asking.principal, store: 'memory', until: null }, words))
  if (!sealed.ok) return sealed
  const number = powers.store.transaction(() => {
    sealed.value.put()
    const row = { ref: sealed.value.ref, before: null, source, gone: null, at: powers.now() }
    return powers.store.addContact(row)
  })
  await changed(powers, asking, { did: 'added', number })
  return ok({ name, email, number, source })
}

async function edited(
  powers: ContactPorts,
  asking: Asking,
  { who, change }: { readonly who: string; readonly change: Partial<Contact> },
): Promise<Result<Found>> {
  tidyContacts(powers)
  const all = await viewsOf(powers, asking)
  const found = one(powers, meant(who, all))
  if (!found.ok) return found
  if (found.value.row === null) return ok(found.value.found)
  const { row, view } = found.value
  const contact = checked({ ...view, ...change })
  if (!contact.ok) return contact
  const { name, email } = contact.value
  if (all.some((other) => other.number !== row.number && same(other.name, name))) return err('contact_exists')
  const { groups } = view
  const sealed = await seal(powers, asking, { ...contact.value, ...(groups !== undefined && { groups }) })
  if (!sealed.ok) return sealed
  powers.store.transaction(() => {
    sealed.value.put()
    if (row.before !== null) powers.store.deleteSealed([row.before.id])
    powers.store.saveContact({ ...row, ref: sealed.value.ref, before: row.ref, at: powers.now() })
  })
  await changed(powers, asking, { did: 'changed', number: row.number })
  return ok({ done: { ...view, name, email }, several: [] })
}

/**
 * Copies contacts of `config.toml` into the owner's own contacts, because groups are stored with each contact. Refusals:
 * contacts_full, sink_unknown.
 */
async function keepConfigured(
  powers: ContactPorts,
  asking: Asking,
  configured: readonly ContactView[],
): Promise<Result<null>> {
  for (const { name, email } of new Map(configured.map((one) => [one.email.toLowerCase(), one])).values()) {
    if (powers.store.contactRows().length >= MOST_CONTACTS_KEPT)
      return err('contacts_full', { max: MOST_CONTACTS_KEPT })
    const sealed = await seal(powers, asking, { name, email })
    if (!sealed.ok) return sealed
    const number = powers.store.transaction(() => {
      sealed.value.put()
      const row = {
        ref: sealed.value.ref,
        before: null,
        source: 'typed',
        gone: null,
        at: powers.now(),
      } as const
      return powers.store.addContact(row)
    })
    await changed(powers, asking, { did: 'added', number })
  }
  return ok(null)
}

/** Changes only the groups, which are the owner's words; name and address stay sealed with their label and taint. */
async function regroup(
  powers: ContactPorts,
  asking: Asking,
  change: GroupChange,
): Promise<Result<GroupFound>> {
  tidyContacts(powers)
  const views = await viewsOf(powers, asking)
  const after = groupAfter(change, views, (said) => meant(said, views))
  if (!after.ok) return after
  const { of, configured, ...found } = after.value
  if (configured.length > 0) {
    const kept = await keepConfigured(powers, asking, configured)
    return kept.ok ? regroup(powers, asking, change) : kept
  }
  const rows = liveContacts(powers).filter(({ number }) => of.has(number))
  const line = powers.policy().sinks.find(({ id }) => id === asking.sink)
  if (line === undefined) return err('sink_unknown')
  const { principal } = asking
  const made: {
    readonly row: StoredContact
    readonly ref: StoredContact['ref']
    readonly put: () => void
  }[] = []
  for (const row of rows) {
    const text = await openTextOf(powers, row.ref)
    if (!text.ok) return text
    const groups = receive((of.get(row.number) ?? []).join(','), ownerWords(asking.sink, line.level))
    const words = combine([text.value, groups], ([known = '', own = '']) => {
      const [name = '', email = ''] = known.split('\n')
      return sealedWords({ name, email, groups: own.split(',').filter((one) => one !== '') })
    })
    made.push({ row, ...(await sealForLater(powers, { principal, store: 'memory', until: null }, words)) })
  }
  powers.store.transaction(() => {
    for (const { row, ref, put } of made) {
      put()
      if (row.before !== null) powers.store.deleteSealed([row.before.id])
      powers.store.saveContact({ ...row, ref, before: row.ref, at: powers.now() })
    }
  })
  for (const { row } of made) await changed(powers, asking, { did: 'changed', number: row.number })
  return ok(found)
}

async function remove(powers: ContactPorts, asking: Asking, who: string): Promise<Result<Found>> {
  tidyContacts(powers)
  const found = one(powers, meant(who, await viewsOf(powers, asking)))
  if (!found.ok) return found
  if (found.value.row === null) return ok(found.value.found)
  const { row, view } = found.value
  powers.store.saveContact({ ...row, gone: powers.now(), at: powers.now() })
  await changed(powers, asking, { did: 'removed', number: row.number })
  return ok({ done: view, several: [] })
}

async function restore(powers: ContactPorts, asking: Asking, number: number): Promise<Result<ContactView>> {
  tidyContacts(powers)
  const row = powers.store.contactRows().find((one) => one.number === number)
  if (row === undefined || (row.gone === null && row.before === null)) return err('contact_unknown')
  const back = row.gone !== null || row.before === null ? row.ref : row.before
  const before = row.gone !== null ? row.before : row.ref
  powers.store.saveContact({ ...row, ref: back, before, gone: null, at: powers.now() })
  await changed(powers, asking, { did: 'restored', number })
  return viewOf(powers, asking, { ...row, ref: back })
}

type Only =
  | { readonly row: StoredContact; readonly view: ContactView }
  | { readonly row: null; readonly found: Found }

/**
 * The row of the only match. Refusals: contact_unknown; contact_configured for a contact that only the configuration file
 * changes.
 */
function one(powers: ContactPorts, views: readonly ContactView[]): Result<Only> {
  const [view, ...others] = views
  if (view === undefined) return err('contact_unknown')
  if (others.length > 0) return ok({ row: null, found: { done: null, several: views } })
  if (view.number === null) return err('contact_configured')
  const row = liveContacts(powers).find(({ number }) => number === view.number)
  return row === undefined ? err('contact_unknown') : ok({ row, view })
}

/** Refusal: contact_malformed. */
function checked({ name: said, email: typed }: Contact): Result<Contact> {
  const name = plainName(said)
  const email = typed.trim()
  const read = parseFields({ kind: 'email' }, email, 'refuse')
  return name === '' || name.length > NAME_MAX || !read.ok ? err('contact_malformed') : ok({ name, email })
}

/** Seals a contact as the owner's words, at the level of the chat in which it was typed. */
async function seal(powers: ContactPorts, { principal, sink }: Asking, contact: Contact) {
  const line = powers.policy().sinks.find(({ id }) => id === sink)
  if (line === undefined) return err('sink_unknown')
  const words = receive(sealedWords(contact), ownerWords(sink, line.level))
  return ok(await sealForLater(powers, { principal, store: 'memory', until: null }, words))
}

async function changed(
  powers: ContactPorts,
  { principal }: Asking,
  facts: { readonly did: string; readonly number: number },
): Promise<void> {
  audit(powers, 'memory_changed', null, { what: 'contact', ...facts, principal })
  await holdContacts(powers)
}
