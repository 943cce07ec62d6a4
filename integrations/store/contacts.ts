/**
 * Rows of the owner's contacts: numbers and sealed references (DESIGN §9). Must not decide who is a contact. Called by
 * createStore.
 */
import { asc, eq } from 'drizzle-orm'
import type { ContactStore, StoredContact } from '../../kernel/features/contacts/port.ts'
import { readRef } from './database/columns.ts'
import type { StoreContext } from './database/database.ts'
import { contacts } from './schema/contact-schema.ts'

export function createContactStore({ db, malformed }: StoreContext): ContactStore {
  const read = ({
    ref: kept,
    before: last,
    ...row
  }: typeof contacts.$inferSelect): readonly StoredContact[] => {
    const report = (): void => malformed({ table: 'contacts', id: String(row.number) })
    const ref = readRef(kept, report)
    const before = last === null ? null : readRef(last, report)
    return ref === undefined || before === undefined ? [] : [{ ...row, ref, before }]
  }
  const written = ({ ref, before }: Pick<StoredContact, 'ref' | 'before'>) => ({
    ref: JSON.stringify(ref),
    before: before === null ? null : JSON.stringify(before),
  })
  return {
    addContact: (contact) =>
      db
        .insert(contacts)
        .values({ ...contact, ...written(contact) })
        .returning()
        .get().number,
    saveContact({ number, gone, at, ...refs }) {
      db.update(contacts)
        .set({ gone, at, ...written(refs) })
        .where(eq(contacts.number, number))
        .run()
    },
    dropContact(number) {
      db.delete(contacts).where(eq(contacts.number, number)).run()
    },
    contactRows: () => db.select().from(contacts).orderBy(asc(contacts.number)).all().flatMap(read),
  }
}
