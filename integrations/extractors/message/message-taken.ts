/**
 * The fields that a package takes from a request: person, time, title, count. Must not decide what is asked for. Called by message.ts,
 * and by message-learned.ts for requests that the embedded planner read.
 */
import type { DateReading, Span } from '../../dates/read.ts'
import { DAY, MINUTE, type Zone } from '../../dates/zone.ts'
import type { Takes, WordLists } from '../../tools/phrase.ts'
import {
  findCount,
  findPerson,
  findPosition,
  findSubject,
  type Things,
  titleOf,
  wantsUnread,
} from './contents/message-words.ts'
import type { Core } from './message-intent.ts'
import { type MoveReading, readMove } from './message-move.ts'
import type { NamedRequest } from './message-requests.ts'
import { INTENT_HEAD, listPattern, mentions } from './message-sentence.ts'

export type Fields = Record<string, string | number | boolean | readonly string[] | readonly number[]>

export interface Reading {
  readonly core: Core
  readonly rest: string | null
  readonly request: Pick<NamedRequest, 'phrase' | 'lists'> | null
  readonly email: string | null
  readonly dates: DateReading
  readonly things: Things
  readonly zone: Zone
  readonly now: number
  /** Person and title, where they are known already. */
  readonly known?: { readonly person: string | null; readonly title: string | null }
}

/** Whom a visit is to says little alone: "Termin bei Frau Krüger". */
function atWhose(title: string | null, said: string): string | null {
  const [, termin, bei, name = ''] =
    /^(termin)(?!\p{L}).*?(?<!\p{L})(beim?) (\S.*)$/isu.exec(said.trim()) ?? []
  const isThat = title !== null && name.toLowerCase().startsWith(title.toLowerCase())
  return isThat && termin !== undefined ? `Termin ${bei} ${name.slice(0, title.length)}` : title
}

/** Fields that the package says to take from a request. */
export function requestFields(reading: Reading): Fields {
  const { dates, email, request, known } = reading
  if (request === null) return {}
  const { lists, phrase } = request
  const { who, when, topic, unread, count, minutes, moves } = phrase.takes ?? {}
  if (moves !== undefined) return moveFields(readMove(reading.core.text, reading), moves, reading)
  const head = headOf(reading)
  const takes = phrase.takes ?? {}
  const into = intoOf(dates.rest, takes, lists)
  const title =
    known === undefined ? into.rest : withoutName(intoOf(known.title ?? '', takes, lists).rest, into)
  const around = topic && {
    before: listPattern(topic.before, lists),
    behind: listPattern(topic.behind, lists),
  }
  return {
    ...(who !== undefined &&
      (known === undefined ? personOf(reading, lists[who] ?? []) : textField('person', known.person))),
    ...(around !== undefined &&
      textField(
        'topic',
        atWhose(titleOf(title.replace(OWN_CALENDAR, ' '), email, around), reading.core.text),
      )),
    ...(unread === true && wantsUnread(head) && { unread }),
    ...(count !== undefined &&
      numberField(
        'count',
        count === 'place' ? findPosition(head, reading.things) : findCount(head, reading.things),
      )),
    ...textField('into', into.named),
    ...(minutes === true && numberField('minutes', dates.minutes)),
    ...(when !== undefined && timeFields(spanOf(when, lists, reading), reading)),
  }
}

/** Where an event goes is no part of its title. */
const OWN_CALENDAR =
  /\b(?:(?:in|on|into|to) (?:the|my|our) (?:calendar|diary|agenda|schedule)|in (?:den|meinen|unseren) kalender|im kalender)\b/gi

/** What is said of an event before the calendar that it is for: "goes in", "it belongs in". */
const GOES =
  '(?:[,;–-]? {0,3}(?:(?:and|und|it|that|this|das|es|der|er) )*(?:(?:should |must |soll |muss )?(?:goes?|belongs?|gehört|kommt|kommen) )?)'
/** "In den Familienkalender". */
const GERMAN_INTO = new RegExp(
  `${GOES}(?<!\\p{L})(?:in|auf|im) (?:(?:den|meinen|unseren|seinen|ihren|dem|meinem|unserem) )?(?<one>\\p{Lu}\\p{L}{2,30}?-?kalender)(?!\\p{L})`,
  'u',
)
/** Behind all else, without a word that says "into": "dentist friday 3pm, family calendar please". */
const BEHIND =
  /[,;–-] {0,3}(?:(?:the|my|our) )?(?<name>[^\s,;]{1,40}) calendar(?:,? (?:please|pls|thanks))*[\s.!]*$/iu

/** The same, with what stands before it; null where no calendar stands behind all else. */
export function calendarBehind(text: string): { readonly named: string; readonly rest: string } | null {
  const found = BEHIND.exec(text)
  const { name } = found?.groups ?? {}
  return found === null || name === undefined ? null : { named: name, rest: text.slice(0, found.index) }
}

/** The name of the calendar that a request says something goes into; null where it says none. */
export function calendarIn(text: string): string | null {
  const { named } = intoOf(text, { into: 'diary' }, { diary: ['calendar', 'diary'] })
  return named
}

/** "In the family calendar": the words that name it, and the text without all of this. */
function intoOf(
  text: string,
  { into }: Takes,
  lists: WordLists,
): { readonly named: string | null; readonly rest: string } {
  if (into === undefined) return { named: null, rest: text }
  const pattern = new RegExp(
    `${GOES}\\b(?:in|on|to|into|onto|from|off) (?:the|my|our|his|her|their) (?<name>(?:[^\\s,]{1,40} ){1,3}?)(?:${listPattern(into, lists)})(?!\\w)`,
    'i',
  )
  const found =
    pattern.exec(text) ??
    (/[ck]alend[ae]r/i.test(text) ? (GERMAN_INTO.exec(text) ?? BEHIND.exec(text)) : null)
  if (found === null) return { named: null, rest: text }
  const { name, one } = found.groups ?? {}
  // "Trag X ein, kommt in …": the end of the verb.
  const lead = text.slice(0, found.index).replace(one === undefined ? /$/ : / ein$/, '')
  const rest = `${lead} ${text.slice(found.index + found[0].length)}`
  return { named: (one ?? name ?? '').trim(), rest }
}

/** A title that was taken with the name of the calendar behind it. */
function withoutName(title: string, { named }: { readonly named: string | null }): string {
  const isBehind = named !== null && title.toLowerCase().endsWith(` ${named.toLowerCase()}`)
  return isBehind ? title.slice(0, -named.length).trim() : title
}

/** Length of a date without a time. */
const DATE = 10

/** None for a request that says no new time. */
export function moveFields(
  read: MoveReading | null,
  { days }: NonNullable<Takes['moves']>,
  reading: Pick<Reading, 'zone' | 'now'>,
): Fields {
  if (read === null) return {}
  const { topic, at, move, newTime, by, series } = read
  const isNamed = topic !== null || at !== null
  // Of a time of day, what begins then.
  const looked = at?.named === 'time' ? { ...at, to: at.from + MINUTE } : at
  return {
    moved: move,
    ...(series === true && { series }),
    ...textField('topic', topic),
    ...(isNamed && timeFields(looked ?? nextDays(days, reading), reading)),
    ...(newTime !== null && {
      newTime: reading.zone.iso(newTime).slice(0, move === 'ends' ? DATE : undefined),
    }),
    ...numberField(move === 'days' ? 'count' : 'minutes', by),
  }
}

/** Where a time is required, whole days do not count and the person is asked, except for things that last whole days. */
function spanOf(
  { days, exact }: NonNullable<Takes['when']>,
  lists: WordLists,
  reading: Reading,
): Span | null {
  const { span, impossible } = reading.dates
  if (impossible) return null
  if (span === null) return days === undefined ? null : nextDays(days, reading)
  if (exact === undefined || span.named === 'time') return span
  return span.named === 'days' && mentions(reading.rest ?? '', exact, lists) ? span : null
}

function nextDays(days: number, { now, zone }: Pick<Reading, 'zone' | 'now'>): Span {
  const today = zone.dayOf(now)
  return { from: zone.instantOf(today, 0), to: zone.instantOf(today + days, 0), named: 'days' }
}

export function timeFields(span: Span | null, { zone }: Pick<Reading, 'zone'>): Fields {
  if (span === null || !isDate(span.from) || !isDate(span.to)) return {}
  return { from: zone.iso(span.from), to: zone.iso(span.to), wholeDay: span.named === 'days' }
}

/** Four-digit years, the only ones that the fields can hold. */
function isDate(instant: number): boolean {
  return Math.abs(instant) < 2_900 * 365 * DAY - MINUTE
}

/** Of a preposition before somebody, those of German. */
const GERMAN: Readonly<Record<string, readonly string[]>> = { from: ['von', 'vom'], with: ['mit'] }

export function personOf(reading: Reading, prepositions: readonly string[]): Fields {
  const head = headOf(reading)
  const all = prepositions.flatMap((word) => [word, ...(GERMAN[word] ?? [])])
  return textField('person', findSubject(head) ?? findPerson(head, all, reading.things))
}

/** Of a request that is not known, where any word may stand behind "to" and "with": only a name with a capital, as nobody writes a verb or a number. */
export function namedPersonOf(reading: Reading, prepositions: readonly string[]): Fields {
  const { person } = personOf(reading, prepositions)
  return typeof person === 'string' && NAMED.test(person) ? { person } : {}
}

/** No acronym: "to JFK" is a place. */
const NAMED = /^(?:\p{L}{2,4}\.? )?\p{Lu}(?!\p{Lu}+(?!\p{L}))/u

function headOf({ core }: Reading): string {
  return core.text.slice(0, INTENT_HEAD)
}

export function textField(name: string, value: string | null): Fields {
  return value === null ? {} : { [name]: value }
}

function numberField(name: string, value: number | null): Fields {
  return value === null ? {} : { [name]: value }
}

/** A day alone is no time of the night. One that has begun, or a part of it, stays a day: what is asked for is done at once. */
export function atNine(span: Span | null, now: number): Span | null {
  if (span === null || span.named === 'time') return span
  if (span.from <= now && now < span.to) return { ...span, named: 'days' }
  return span.named === 'days' ? { ...span, from: span.from + NINE, named: 'time' } : span
}

/** Milliseconds after midnight. */
const NINE = 9 * 3_600_000
