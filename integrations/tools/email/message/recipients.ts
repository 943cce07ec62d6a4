/**
 * Recipients of mails, from their address headers only. A display name that is no plain name is replaced by one derived from the
 * address. Pure. Called by summaries.ts.
 */
import { calledAs, plainName } from '../../../extractors/person-name.ts'
import { type JsonRecord, recordOf } from '../../reading.ts'
import { MAX_PEOPLE } from '../manifest.ts'
import { mailboxesIn } from './mailbox.ts'
import { headersOf } from './mime.ts'

export interface Recipient {
  readonly name: string
  readonly email: string
  /** Number of mails to them. */
  readonly sent: number
}

/** Those written to most come first. */
export function peopleOf(messages: readonly JsonRecord[]): readonly Recipient[] {
  const people = new Map<string, { name: string; email: string; sent: number }>()
  for (const message of messages) {
    const payload = recordOf(message, 'payload')
    const boxes = mailboxesIn(['to', 'cc'].flatMap((name) => headersOf(payload, name)))
    const counted = new Set<string>()
    for (const { address, name } of boxes) {
      const key = address.toLowerCase()
      const known = people.get(key) ?? { name: '', email: address, sent: 0 }
      const sent = known.sent + (counted.has(key) ? 0 : 1)
      people.set(key, { ...known, name: known.name || plainName(name), sent })
      counted.add(key)
    }
  }
  return [...people.values()]
    .map((one) => ({ ...one, name: one.name || calledAs(one.email) }))
    .filter(({ name }) => name !== '')
    .sort((one, other) => other.sent - one.sent)
    .slice(0, MAX_PEOPLE)
}
