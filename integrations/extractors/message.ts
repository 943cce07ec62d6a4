/**
 * Phase 0 for a message (C-01, C-03, J-09): extracts the typed fields of MESSAGE_FIELDS. Deterministic and fast. Must not use a
 * model, the network or a clock. Both places pass it to the pipeline as a port.
 */
import { type Intent, TOOLLESS_INTENTS } from '../../kernel/powers/message-fields.ts'
import type { MessageExtractor } from '../../kernel/powers/ports.ts'
import { type DateReading, type Moment, readDates, type Span } from '../dates/read.ts'
import { createZone, DAY, MINUTE, type Zone } from '../dates/zone.ts'
import type { Phrases, Takes, WordLists } from '../tools/phrase.ts'
import { TOOL_PHRASES } from '../tools/registered.ts'
import { saysMore, unaccountedWords, wordsOf } from './message-coverage.ts'
import { type Core, coreAsTyped, coreOf, readRequest, TALKED } from './message-intent.ts'
import { itemsOf, type ReminderReading, readReminder } from './message-reminder.ts'
import { type NamedRequest, namedThings, unnamedRequest } from './message-requests.ts'
import { INTENT_HEAD, listPattern, mentions } from './message-sentence.ts'
import {
  factOf,
  findCount,
  findEmail,
  findPerson,
  findPosition,
  findSubject,
  findUrl,
  NTH,
  subjectOf,
  type Things,
  titleOf,
  wantsUnread,
} from './message-words.ts'

type Fields = Record<string, string | number | boolean>

/** Common words of English messages; used only to detect the language. */
const ENGLISH =
  /\b(?:the|my|is|are|what|when|who|with|and|on|at|me|you|i|to|for|read|check|book|any|hi|hello|thanks|help|please|remember|from|free|new|mail|summari[sz]e|do|can)\b/i
/** Days. */
const WEEK = 7
/** Maximum UTF-16 units of a subject that are searched for time words, to bound the time for a long text. */
const DATED_MAX = 2_000
/** Words that introduce a subject or a time and belong to neither. */
const ASIDE =
  /^(?:\s*\b(?:about|of|on|last|in|the|with|each other)\b)+|\b(?:on|last|in|at|during)\s*[?!.]*$/gi

interface Reading {
  readonly core: Core
  readonly rest: string | null
  readonly request: NamedRequest | null
  readonly email: string | null
  readonly dates: DateReading
  readonly things: Things
  readonly zone: Zone
  readonly now: number
}

/** `context.now` is epoch milliseconds, `timezone` an IANA name; an unknown zone counts as UTC. Never throws. */
export function createMessageExtractor(packages: readonly Phrases[] = TOOL_PHRASES): MessageExtractor {
  // Cached: building a zone costs more than reading a message, and an owner has one.
  let last = { timezone: 'UTC', zone: createZone('UTC') }
  return {
    extract: (text, { now, timezone }) => {
      if (timezone !== last.timezone) last = { timezone, zone: createZone(timezone) }
      return extract(text, packages, { now, zone: last.zone })
    },
  }
}

function extract(text: string, packages: readonly Phrases[], { now, zone }: Moment): Fields {
  const core = coreOf(text)
  const reminder = readReminder(coreAsTyped(text), { now, zone })
  if (reminder !== null) return reminderFields(text, reminder, zone)
  const { intent, rest, request, lead } = readRequest(core, packages)
  const email = findEmail(text)
  // The deciding text is the end of the message. Taking it from the original keeps the typed characters.
  const typed = rest === null ? null : text.trimEnd().slice(-rest.trimEnd().length)
  const takes = request?.phrase.takes
  const subject = takes?.topic !== undefined ? `${lead} ${typed ?? ''}` : core.text
  const namesTime = intent === 'other' || takes?.when !== undefined
  const dates = namesTime ? readDates(subject, { now, zone }) : NO_DATES
  const url = findUrl(text)
  const fields = fieldsOf(intent, {
    ...{ core, rest: typed, request, email, dates, things: namedThings(packages), zone, now },
  })
  return {
    intent,
    whole: isWhole({ intent, text, core, rest: typed, request, dates, fields, packages }),
    language: ENGLISH.test(core.text.slice(0, INTENT_HEAD)) ? 'en' : 'unknown',
    quoted: false,
    attachments: 0,
    ...(url === null ? {} : { url }),
    ...(email === null ? {} : { email }),
    ...fields,
  }
}

function reminderFields(
  text: string,
  { intent, topic, due, repeat, count }: ReminderReading,
  zone: Zone,
): Fields {
  // A list is whole if each of its items is one thing; anything else must not look like two requests.
  const isOne =
    topic === null || (intent === 'task_add' ? itemsOf(topic) : [topic]).every((one) => !saysMore(one))
  return {
    ...{ intent, whole: isOne, quoted: false, attachments: 0 },
    language: ENGLISH.test(text.slice(0, INTENT_HEAD)) ? 'en' : 'unknown',
    ...textField('topic', topic),
    ...(due !== null && isDate(due) && { from: zone.iso(due), to: zone.iso(due), wholeDay: false }),
    ...(repeat !== null && { repeat }),
    ...numberField('count', count),
  }
}

interface WholeReading extends Pick<Reading, 'core' | 'rest' | 'request' | 'dates'> {
  readonly intent: Intent
  readonly text: string
  readonly fields: Fields
  readonly packages: readonly Phrases[]
}

/** A position, once its number was read. */
const PLACES = new RegExp(`^(?:${NTH}|\\d+|number)$`, 'i')
/** Text of a topic, in words, that can be one thing: a title, a fact. */
const TOPIC_WORDS = 12

/** See `MESSAGE_FIELDS.whole`. A topic takes all words to the end, so it must not look like two requests. */
function isWhole(message: WholeReading): boolean {
  const { intent, text, core, rest, request, dates, fields, packages } = message
  if (TOOLLESS_INTENTS.includes(intent)) return true
  if (intent === 'other') {
    const found = unnamedRequest(packages, coreAsTyped(text))
    return found !== null && !Object.values(found.taken).some(saysMore)
  }
  if (request === null) return !saysMore(rest ?? '')
  const { takes } = request.phrase
  const taken = [fields['person'], fields['email'], fields['url'], findUrl(text)].flatMap((value) =>
    typeof value === 'string' ? [value] : [],
  )
  const { phrase, lists } = request
  if (takes?.topic !== undefined) {
    // What stands before it is the sentence itself.
    return !saysMore(dates.rest) && wordsOf(dates.rest).length <= TOPIC_WORDS
  }
  const said = takes?.when === undefined ? core.text : dates.rest
  const left = unaccountedWords(said, { phrase, lists, taken })
  const isPlace = takes?.count === 'place' && typeof fields['count'] === 'number'
  return left.filter((word) => !(isPlace && PLACES.test(word))).length === 0
}

const NO_DATES: DateReading = { span: null, impossible: false, minutes: null, rest: '' }

function fieldsOf(intent: Intent, reading: Reading): Fields {
  const { rest, dates } = reading
  switch (intent) {
    case 'memory_save':
      return textField('topic', factOf(rest))
    case 'memory_search':
      return TALKED.test(reading.core.text) ? talkFields(reading) : textField('topic', subjectOf(rest))
    case 'other':
      return { ...personOf(reading, ['from', 'with', 'to']), ...timeFields(dates.span, reading) }
    default:
      return requestFields(reading)
  }
}

/** Fields that the package says to take from a request. */
function requestFields(reading: Reading): Fields {
  const { dates, email, request } = reading
  if (request === null) return {}
  const { lists, phrase } = request
  const { who, when, topic, unread, count, minutes } = phrase.takes ?? {}
  const head = headOf(reading)
  const around = topic && {
    before: listPattern(topic.before, lists),
    behind: listPattern(topic.behind, lists),
  }
  return {
    ...(who !== undefined && personOf(reading, lists[who] ?? [])),
    ...(around !== undefined && textField('topic', titleOf(dates.rest, email, around))),
    ...(unread === true && wantsUnread(head) && { unread }),
    ...(count !== undefined &&
      numberField(
        'count',
        count === 'place' ? findPosition(head, reading.things) : findCount(head, reading.things),
      )),
    ...(minutes === true && numberField('minutes', dates.minutes)),
    ...(when !== undefined && timeFields(spanOf(when, lists, reading), reading)),
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

/** Argument and result are days since the epoch. */
function yearBefore(day: number): number {
  const date = new Date(day * DAY)
  date.setUTCFullYear(date.getUTCFullYear() - 1)
  return Math.floor(date.getTime() / DAY)
}

/** Conversation topics are in the past: "on Monday" means the last one. */
function talkFields(reading: Reading): Fields {
  const { rest, zone, now } = reading
  const { span, rest: about } = readDates(rest ?? '', { now, zone })
  const ahead = span === null ? 0 : span.from - now
  const back = (instant: number): number => {
    const day = zone.dayOf(instant)
    return zone.instantOf(ahead > WEEK * DAY ? yearBefore(day) : day - WEEK, 0)
  }
  const past = span === null || ahead <= 0 ? span : { ...span, from: back(span.from), to: back(span.to) }
  const topic = about.slice(0, DATED_MAX).replace(ASIDE, ' ').trim()
  return {
    ...textField('topic', subjectOf(topic)),
    ...timeFields(past, reading),
  }
}

function nextDays(days: number, { now, zone }: Reading): Span {
  const today = zone.dayOf(now)
  return { from: zone.instantOf(today, 0), to: zone.instantOf(today + days, 0), named: 'days' }
}

function timeFields(span: Span | null, { zone }: Reading): Fields {
  if (span === null || !isDate(span.from) || !isDate(span.to)) return {}
  return { from: zone.iso(span.from), to: zone.iso(span.to), wholeDay: span.named === 'days' }
}

/** Four-digit years, the only ones that the fields can hold. */
function isDate(instant: number): boolean {
  return Math.abs(instant) < 2_900 * 365 * DAY - MINUTE
}

function personOf(reading: Reading, prepositions: readonly string[]): Fields {
  const head = headOf(reading)
  return textField('person', findSubject(head) ?? findPerson(head, prepositions, reading.things))
}

function headOf({ core }: Reading): string {
  return core.text.slice(0, INTENT_HEAD)
}

function textField(name: string, value: string | null): Fields {
  return value === null ? {} : { [name]: value }
}

function numberField(name: string, value: number | null): Fields {
  return value === null ? {} : { [name]: value }
}
