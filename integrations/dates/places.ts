/**
 * Finds the place whose clock a time refers to ("9am Tokyo time", "15 Uhr Londoner Zeit"), and words that
 * leave the place open ("9am for them"). Must not read the time itself. Called by read.ts, and by
 * message-open.ts for open places.
 */
import { zoneNamed } from './place-zones.ts'

export interface Place {
  /** An IANA name; null for the owner's own zone ("my time"). */
  readonly zone: string | null
  readonly start: number
  readonly end: number
}

/** UTF-16 units of a text that are searched, the same number as for dates. */
const HEAD = 400
/** Words of a place's name, at most: "central european". */
const MOST_WORDS = 3

const OF_A_CLOCK = /(?<!\p{L})(?:time(?: ?zone)?|(?:orts|lokal)?zeit(?:zone)?)(?!\p{L})/giu
/** Between a place and "time". */
const KIND = /(?:^|\s)(?:local|standard|daylight|summer|winter)\s+$/iu
const OWN = /^(?:my|our|meiner|unserer)(?: own)?$/iu
/** Words before the name of a place that belong to the place and not to a title. */
const LEADS = /(?:^|(?<=\s|[,(]))(?:in|by|nach|on|auf|to|the|-|–)\s+$/iu
const LOCAL = /(?:^|\s)local\s+$/iu

const HOURS =
  'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf'
const CLOCK =
  `(?:(?<![\\p{L}\\d])\\d{1,2}(?:(?:[:.]\\d\\d)? ?(?:[ap]\\.?m\\.?(?!\\p{L})|uhr(?: \\d\\d)?(?!\\p{L})|o['’]?clock)|[:.]\\d\\d)` +
  `|(?<!\\p{L})(?:at|um|gegen|ab|by|from|before|after|till|until|bis|vor|to) (?:\\d{1,2}|${HOURS})(?:(?::\\d\\d)| uhr)?(?![\\p{L}\\d:])` +
  `|(?<!\\p{L})(?:noon|midday|midnight|mittag|mittags|mitternacht)(?!\\p{L}))`
/** A time of day, with an end if it has one. */
const CLOCKS = new RegExp(
  `(?:\\d{1,2} ?[-–] ?)?${CLOCK}(?: ?(?:-|–|to|till|until|bis) ?(?:${CLOCK}|\\d{1,2}(?!\\d)))?`,
  'giu',
)
/** The name of a day, which may be between a time and its place. */
const DAY =
  '(?:[\\s,]+(?:on|am|this|next|nächsten?|kommenden?|(?:mon|tues|wednes|thurs|fri|satur|sun)day|today|tomorrow|heute|morgen|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch))*'
/** Must follow words that leave the place open: "for them" matches, "for her birthday" does not. */
const DONE =
  '(?=\\s*(?:[,.;:!?)]|$|(?:and|und|to|about|with|mit|on|am|für|for|please|bitte|ein|an|eine[nr]?)(?!\\p{L})))'
/** Must be the end of the phrase: "9 Uhr dort". */
const LAST = '(?=\\s*(?:[,.;:!?)]|$))'
const THEIR_CLOCK =
  '(?:in |by |on |at |nach |auf )?(?:the |der )?(?:their|his|her|its|that|other|ihre|deren|dessen|seine|dortige|lokale|örtliche|andere)[rn]?(?: own| local| other)? (?:time(?: ?zone)?|(?:orts|lokal)?zeit(?:zone)?)(?!\\p{L})|(?:at |in )?local(?: time)?(?!\\p{L})|(?:nach )?(?:orts|lokal)zeit(?!\\p{L})'
const OPEN = [
  THEIR_CLOCK,
  'over there(?!\\p{L})',
  `there${LAST}`,
  '(?:da |dort )?drüben(?!\\p{L})',
  `dort${LAST}`,
  `(?:for|bei|für) (?:them|him|her|ihnen|denen|ihm|ihr|ihn|sie)${DONE}`,
  `(?:on|at) their (?:side|end)(?!\\p{L})`,
]
const PART = '(?<!\\p{L})(?:morning|afternoon|evening|vormittags?|nachmittags?|abends?)(?!\\p{L})'
const OPEN_PLACE = [
  new RegExp(`${CLOCK}${DAY}[\\s,(]+(?<place>${OPEN.join('|')})`, 'iu'),
  new RegExp(`${PART}[\\s,(]+(?<place>${THEIR_CLOCK})`, 'iu'),
]
/** A capitalised name before "time" that is no known place. */
const STRANGE = new RegExp(
  `${CLOCK}[\\s,(]+(?<place>(?:in |nach )?(?<name>[\\p{L}.'’-]+ time|[\\p{L}.-]+er (?:Orts)?zeit)(?!\\p{L}))`,
  'iu',
)
/** Zones that need no "time" directly after the time of day. */
const ABBREVIATED = new RegExp(
  `${CLOCK}(?<lead>\\s*\\(?)(?<name>eastern|pacific|mountain|central|mez|mesz)(?=\\s*(?:[,.;!?)]|$|(?:on|for|to|am|today|tomorrow|heute|morgen)(?!\\p{L})))`,
  'iu',
)

/**
 * The first place that a text names as the clock of a time, or null. The caller checks whether the text has a
 * time.
 */
export function placeIn(text: string): Place | null {
  const head = text.slice(0, HEAD)
  for (const found of head.matchAll(OF_A_CLOCK)) {
    const place = before(head, found) ?? behind(head, found)
    if (place !== null) return place
  }
  const short = ABBREVIATED.exec(head)
  const { name = '' } = short?.groups ?? {}
  const zone = short === null ? null : zoneNamed(name)
  if (short === null || zone === null) return null
  const end = short.index + short[0].length
  return { zone, start: end - name.length, end }
}

/** "Tokyo time", "nach Londoner Zeit", "my time". */
function before(text: string, { index, 0: word }: RegExpExecArray): Place | null {
  const lead = text.slice(0, index)
  const named = lead.slice(0, lead.length - (KIND.exec(lead)?.[0].trimStart().length ?? 0))
  const [words = ''] = new RegExp(`(?:[\\p{L}][\\p{L}.'’-]*\\s+){1,${MOST_WORDS}}$`, 'u').exec(named) ?? []
  const parts = [...words.matchAll(/\S+/gu)].map(({ index: at }) => at)
  for (const at of parts) {
    const said = words.slice(at).trim()
    const zone = OWN.test(said) ? null : zoneNamed(said)
    if (zone === null && !OWN.test(said)) continue
    const from = named.length - words.length + at
    const start = from - (LEADS.exec(named.slice(0, from))?.[0].length ?? 0)
    return { zone, start, end: index + word.length }
  }
  return null
}

/** "Local time in Tokyo", "Ortszeit Tokio". */
function behind(text: string, { index, 0: word }: RegExpExecArray): Place | null {
  const local = LOCAL.exec(text.slice(0, index))
  if (local === null && !/^(?:orts|lokal)/i.test(word)) return null
  const rest = text.slice(index + word.length)
  const [lead = ''] = /^\s+(?:in |von |of )?/iu.exec(rest) ?? []
  const names = rest.slice(lead.length).match(/^\p{L}[\p{L}.'’-]*(?: \p{L}[\p{L}.'’-]*){0,2}/u)?.[0] ?? ''
  const words = names.split(' ')
  for (let count = words.length; count > 0; count -= 1) {
    const said = words.slice(0, count).join(' ')
    const zone = zoneNamed(said)
    const start = index - (local?.[0].trimStart().length ?? 0)
    if (zone !== null) return { zone, start, end: index + word.length + lead.length + said.length }
  }
  return null
}

/** The words that refer to a clock without naming it ("for them", "over there", "Ortszeit"), or null. */
export function openPlaceIn(text: string): string | null {
  const head = text.slice(0, HEAD)
  if (placeIn(head) !== null) return null
  const open = OPEN_PLACE.map((way) => way.exec(head)?.groups?.['place']).find(Boolean)
  const { place = null, name = '' } = STRANGE.exec(head)?.groups ?? {}
  return open ?? (/^\p{Lu}/u.test(name) ? place : null)
}

/** Number of times of day in a text. Start and end count as one. */
export function clocksIn(text: string): number {
  return [...text.slice(0, HEAD).matchAll(CLOCKS)].length
}

/** Whether a place is directly beside a time of day or its day, without a comma in between. */
export function isBesideClock(text: string, { start, end }: Place): boolean {
  const near = new RegExp(`${CLOCK}${DAY.replaceAll('[\\s,]', '\\s')}\\s*\\(?\\s*$`, 'iu')
  return near.test(text.slice(0, start)) || new RegExp(`^[\\s:]*(?:at )?${CLOCK}`, 'iu').test(text.slice(end))
}
