/**
 * The moment that words name by which something is put off: a time of day, a day, or a length. Pure but for its ports. Called where a reminder is put
 * off, and where something holds until then.
 */
import type { Clock, Extraction, OwnerFacts } from '../../powers/ports.ts'
import { typedFields } from '../../powers/typed-fields.ts'
import { instantOf } from '../../wording/output.ts'
import { tell } from '../../wording/words.ts'

/** Epoch milliseconds; null for words that name none. */
export function laterIn(powers: Clock & OwnerFacts & Extraction, when: string): number | null {
  const { timezone } = powers.profile()
  const asked = tell('reminders.put_off_asked', { when: asRead(when) })
  return instantOf(typedFields(powers, asked, { now: powers.now(), timezone })['from'])
}

const COUNTS: Readonly<Record<string, string>> = {
  ...{ ein: '1', eine: '1', einer: '1', einem: '1', zwei: '2', drei: '3', vier: '4', fünf: '5', sechs: '6' },
  ...{ zehn: '10', fünfzehn: '15', zwanzig: '20', dreißig: '30' },
}
const GERMAN_LENGTH = /^(?<count>\d{1,3}|\p{L}+) (?:(?<minutes>minuten?)|(?<hours>stunden?)|tage?n?)$/iu

/** "2 Stunden" as it is read where the time of a message is: the frame around it is English. Other words stay. */
export function asRead(when: string): string {
  const { count = '', minutes, hours } = GERMAN_LENGTH.exec(when.trim())?.groups ?? {}
  const number = /^\d/.test(count) ? count : COUNTS[count.toLowerCase()]
  if (number === undefined) return when
  return `${number} ${minutes !== undefined ? 'minutes' : hours !== undefined ? 'hours' : 'days'}`
}
