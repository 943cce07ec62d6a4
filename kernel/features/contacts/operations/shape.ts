/** How a contact is shown: as data and in words. Pure. Called by the operations on them. */
import { oneLine } from '../../../operations/lines.ts'
import type { Facts, Telling } from '../../../operations/operation.ts'
import { list, maybe, number, oneOf, record, text, type ValueOf } from '../../../operations/shape.ts'

const FIELDS = {
  number: maybe(number('internal')),
  name: text('sensitive'),
  email: text('sensitive'),
  source: oneOf(['typed', 'confirmed', 'config'], 'internal'),
} as const

export const CONTACT = record(FIELDS)
/** The contact that was changed; or, with nothing changed, all that the words fit. */
export const FOUND = record({ done: maybe({ ...CONTACT, optional: true }), several: list(CONTACT) })

type Row = ValueOf<typeof CONTACT>

/** A group after a change; or, with nothing changed, the reason. */
export const GROUPED = record({
  done: maybe({
    ...record({ group: text('sensitive'), members: list(CONTACT), changed: list(number('internal')) }),
    optional: true,
  }),
  several: list(CONTACT),
  missing: maybe(text('sensitive')),
})

export function groupWords({ done, several, missing }: ValueOf<typeof GROUPED>, view: Telling): string {
  if (missing !== null) return view.tell('contacts.group_missing', { name: oneLine(missing) })
  if (done === null || done === undefined)
    return [view.tell('contacts.which'), ...several.map((row) => contactLine(row, view))].join('\n')
  const group = oneLine(done.group)
  if (done.members.length === 0) return view.tell('contacts.group_empty', { group })
  return [view.tell('contacts.group', { group }), ...done.members.map((row) => contactLine(row, view))].join(
    '\n',
  )
}

/** The call that undoes a change of a group, by numbers, which an audit row may hold; null if nobody joined or left. */
export function groupBack({ done }: ValueOf<typeof GROUPED>) {
  return done === null || done === undefined || done.changed.length === 0
    ? null
    : { operation: 'contacts.regroup', args: { numbers: done.changed.join(' ') } }
}

/** The number is never reused, so a number seen earlier still means the same contact. */
export function contactLine({ number: count, name, email, source }: Row, { tell }: Telling): string {
  const where = source === 'config' ? ` ${tell('contacts.configured')}` : ''
  return `${count === null ? '•' : `${count}.`} ${oneLine(name)}: ${oneLine(email)}${where}`
}

/** The change in words; or the question which contact is meant. */
export function foundWords(
  { done, several }: ValueOf<typeof FOUND>,
  view: Telling,
  said: 'contacts.changed' | 'contacts.removed',
): string {
  if (done !== null) return view.tell(said, { name: oneLine(done.name), email: oneLine(done.email) })
  return [view.tell('contacts.which'), ...several.map((row) => contactLine(row, view))].join('\n')
}

/** Facts for the audit row: how many contacts, and the highest number. Which one was changed is in the undo call. */
export function contactFacts(contacts: readonly Pick<Row, 'number'>[]): Facts {
  const numbers = contacts.flatMap(({ number: count }) => count ?? [])
  return { contacts: numbers.length, newest: Math.max(0, ...numbers) }
}

/** The call that undoes a change, by number, which an audit row may hold. */
export function takenBack({ done }: ValueOf<typeof FOUND>) {
  return done === null || done.number === null
    ? null
    : { operation: 'contacts.restore', args: { number: done.number } }
}
