/**
 * Which connected services a message names as a place: "in Notion", "search github for …" (J-11). By a list of names that it is given, which is data. Must not
 * know a service. Called by message.ts.
 */
import { SERVICES_MAX } from '../../../kernel/powers/message-fields.ts'
import type { ServiceName } from '../../../kernel/tool/service-names.ts'
import type { Phrases } from '../../tools/phrase.ts'
import { INTENT_HEAD } from './message-sentence.ts'
import type { Fields } from './message-taken.ts'

/** What stands before a place; behind "from" may stand who wrote. */
const INTO = '(?:in|into|inside|on|onto|at|to|within|auf|bei|nach|an)'
const OWN = '(?:(?:my|our|the|mein|meine|meinem|meinen|meiner|unser|unserem|das|dem) )?'
const EDGE = '(?![\\p{L}\\d-]|\\.\\p{L})'
/** "Search github for …", "please check notion": the word behind the verb that a message begins with. */
const ASKED = '^(?:(?:please|can you|could you|bitte|kannst du) ){0,2}\\p{L}{3,12} '

interface Places {
  readonly known: readonly ServiceName[]
  readonly packages: readonly Phrases[]
}

/** The fields with the services that are named; a request that is of another place than the one named is none that is known. */
export function placedFields(
  text: string,
  fields: Fields,
  { known, packages }: Places,
): Readonly<Record<string, unknown>> {
  const services = servicesIn(text, known)
  if (services.length === 0) return fields
  const { intent, topic: _, ...others } = fields
  const isSaved = intent === 'memory_save' && isPutThere(text, known)
  return isSaved || liesElsewhere(packages, intent, services)
    ? { ...others, intent: 'other', whole: false, services }
    : { ...fields, services }
}

/** "Show me unread messages in notion" is none of a request for things of another tool, such as mails. */
function liesElsewhere(packages: readonly Phrases[], intent: unknown, services: readonly string[]): boolean {
  return packages.some(({ things, asks }) =>
    asks.some((phrase) => {
      const tools = phrase.plan.flatMap(({ tool }) => (typeof tool === 'string' ? [tool] : []))
      const isOfThings = things !== undefined && phrase.intent !== undefined && phrase.intent === intent
      return isOfThings && !tools.some((tool) => services.includes(tool.split('.')[0] ?? ''))
    }),
  )
}

/** Ids of the services, in the order of the list; at most `SERVICES_MAX`. */
function servicesIn(text: string, services: readonly ServiceName[]): readonly string[] {
  const head = plain(text)
  return services
    .filter(({ called }) => called.some((name) => head.includes(name)))
    .filter(({ called }) => called.some((name) => isPlace(head, name)))
    .map(({ id }) => id)
    .slice(0, SERVICES_MAX)
}

/** "Save this in Notion" asks for a page there; it is no fact to remember. */
function isPutThere(text: string, services: readonly ServiceName[]): boolean {
  const head = plain(text).replace(/(?<![.!?])[.!?]+$/, '')
  return services.some(({ called }) =>
    called.some(
      (name) =>
        head.endsWith(name) &&
        new RegExp(
          `(?<!\\p{L})(?:this|that|it|these|those|das|dies|es) ${INTO} ${OWN}${escaped(name)}$`,
          'u',
        ).test(head),
    ),
  )
}

function isPlace(head: string, name: string): boolean {
  const said = `${escaped(name)}${EDGE}`
  return (
    new RegExp(`(?<!\\p{L})${INTO} ${OWN}${said}`, 'u').test(head) ||
    new RegExp(`${ASKED}${OWN}${said}`, 'u').test(head)
  )
}

function plain(text: string): string {
  return text.slice(0, INTENT_HEAD).toLowerCase().replace(/\s+/g, ' ').trim()
}

function escaped(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
