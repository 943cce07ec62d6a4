/**
 * Every value of the canary test, by name: those that may be nowhere but at home (sensitive, the place of an event, which
 * is regulated, and a stored secret), and those that the edge may hold sealed. Made anew for each day. Called by canary-day.ts and canary-world.ts.
 */
import { canaryText } from './canary-search.ts'

const OF_A_MAIL = ['body', 'odd', 'snippet', 'name', 'sender', 'to', 'subject', 'attachment'] as const
const MAILS = ['m1', 'm2'] as const
const OF_AN_EVENT = ['title', 'description', 'location', 'attendee', 'guest'] as const

type MailValue = `${(typeof MAILS)[number]} ${(typeof OF_A_MAIL)[number]}`
type EventValue = `event ${(typeof OF_AN_EVENT)[number]}`

/** What the owner says on the private line. */
const SAID = ['fact', 'booking', 'refused booking', 'guest', 'small talk', 'late fact', 'own page'] as const
/** What stands behind busy times and is none of the edge's business. */
const BUSY = ['busy title', 'busy description', 'busy owner'] as const
/** What the edge may know, and may not keep in plain. */
export const OPEN = ['open fact', 'open words', 'stranger', 'page'] as const

export type PrivateName =
  | MailValue
  | EventValue
  | (typeof SAID)[number]
  | (typeof BUSY)[number]
  | 'credential'
export type Named = Readonly<Record<PrivateName | (typeof OPEN)[number], string>>

export const PRIVATE: readonly PrivateName[] = [
  ...MAILS.flatMap((mail) => OF_A_MAIL.map((part) => `${mail} ${part}` as const)),
  ...OF_AN_EVENT.map((part) => `event ${part}` as const),
  ...SAID,
  ...BUSY,
  'credential',
]

/** Letters that every escaping changes, between letters that none does. */
function odd(): string {
  return `${canaryText()} "€&ß" ${canaryText()}`
}

export function makeValues(): Named {
  const rows = [...PRIVATE, ...OPEN].map((name) => [name, name.endsWith(' odd') ? odd() : canaryText()])
  return Object.fromEntries(rows) as Named
}
