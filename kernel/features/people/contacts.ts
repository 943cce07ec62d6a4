/**
 * The owner's contacts that a message names, as a record to which plans refer (`contacts.people[0].email`), so that a person can
 * be invited or written to without first reading an address from a mail. Called by drive.ts before the first plan.
 */
import type { Json } from '../../flow/json.ts'
import { combine, type Labeled, test } from '../../flow/labeled.ts'
import { kernelWords } from '../../flow/provenance.ts'
import { createRecord } from '../../flow/record.ts'
import { CLEAN } from '../../flow/taint.ts'
import { fitsTask } from '../../model-call/read-through.ts'
import { CONTACTS, MOST_CONTACTS, shapeOf } from '../../powers/effects.ts'
import type { Actions, Contact, Ids, OwnerFacts, PolicySource } from '../../powers/ports.ts'
import {
  keepRecord,
  openTextOf,
  RAW_LIFETIME,
  type SealedKeeping,
  type SealedReading,
} from '../../powers/sealed.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import type { SealedRef, Task } from '../../task/task.ts'
import { groupsNamed, isIn } from '../contacts/groups.ts'
import { namingWords } from '../memory/telling-words.ts'

/** Null when the owner names no contact, or the chat may not show them. */
export async function namedContacts(
  powers: SealedReading & SealedKeeping & OwnerFacts & Actions & PolicySource & Ids,
  task: Task,
): Promise<SealedRef | null> {
  if (task.principal !== OWNER_PRINCIPAL || task.words.taint.level !== 'clean') return null
  const words = await openTextOf(powers, task.words)
  if (!words.ok) return null
  const { contacts } = powers.profile()
  const named = contacts.filter((contact) => isNamed(words.value, contact))
  const grouped = inNamedGroups(words.value, contacts)
  const all = [...new Set([...named, ...grouped])]
  const shape = shapeOf(powers.registry, CONTACTS)
  // For a larger group there is no record, because some of its members would be left out unnoticed.
  if (all.length === 0 || (grouped.length > 0 && all.length > MOST_CONTACTS) || !shape.ok) return null
  const { label } = kernelWords()
  const people = all.slice(0, MOST_CONTACTS).map(({ name, email }) => ({ name, email }))
  const record = createRecord({ ...shape.value, inputs: { label, taint: CLEAN } }, { people })
  if (!record.ok || !fitsTask(powers, task)(record.value.label)) return null
  const until = powers.now() + RAW_LIFETIME
  const keeping = { principal: task.principal, store: 'sessions', until, action: CONTACTS } as const
  return keepRecord(powers, keeping, record.value)
}

/** All contacts that belong to a group which the owner names. */
function inNamedGroups(words: Labeled<string>, contacts: readonly Contact[]): readonly Contact[] {
  return contacts.filter((contact) => {
    const isMeant = combine<Json, boolean>([words], ([text]) => {
      const meant = groupsNamed(namingWords(String(text)), [contact], namingWords)
      return [...meant].some((group) => isIn(contact, group))
    })
    return test(isMeant, (is) => is)
  })
}

function isNamed(words: Labeled<string>, { name, email }: Contact): boolean {
  const own = [...namingWords(name), ...namingWords(email.split('@')[0] ?? '')]
  const said = combine<Json, boolean>([words], ([text]) => {
    const all = namingWords(String(text))
    return own.some((word) => all.has(word))
  })
  return test(said, (is) => is)
}
