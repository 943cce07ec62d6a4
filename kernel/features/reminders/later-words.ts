/**
 * The moment that words name by which something is put off: a time of day, a day, or a length. Pure but for its ports. Called where a reminder is put
 * off, and where something holds until then.
 */
import type { Clock, Extraction, OwnerFacts } from '../../powers/ports.ts'
import { instantOf } from '../../wording/output.ts'
import { tell } from '../../wording/words.ts'

/** Epoch milliseconds; null for words that name none. */
export function laterIn(
  { extractor, now, profile }: Clock & OwnerFacts & Extraction,
  when: string,
): number | null {
  const { timezone } = profile()
  const read = extractor.extract(tell('reminders.put_off_asked', { when }), { now: now(), timezone })
  if (typeof read !== 'object' || read === null) return null
  return instantOf((read as Readonly<Record<string, unknown>>)['from'])
}
