/**
 * Phase 0 for a message (C-01, C-03, J-09): its words become the typed fields of MESSAGE_FIELDS. Deterministic and
 * quick; never a model, the network or a clock. Both places hand it to the pipeline as a power.
 */
import type { Intent } from '../../kernel/powers/message-fields.ts'
import type { MessageExtractor } from '../../kernel/powers/ports.ts'
import type { Phrases } from '../tools/phrase.ts'
import { TOOL_PHRASES } from '../tools/registered.ts'
import { type DateReading, type Moment, readDates, type Span } from './message-dates.ts'
import { type Core, coreOf, readRequest } from './message-intent.ts'
import { TALKED } from './message-patterns.ts'
import type { NamedRequest } from './message-requests.ts'
import { INTENT_HEAD } from './message-sentence.ts'
import { factOf, subjectOf, titleOf } from './message-topic.ts'
import {
  findCount,
  findEmail,
  findPerson,
  findPosition,
  findSubject,
  findUrl,
  wantsUnread,
} from './message-words.ts'
import { createZone, DAY, MINUTE, type Zone } from './message-zone.ts'

type Fields = Record<string, string | number | boolean>

/** Days that "when am I free" means when none is named, today included. */
const FREE_DAYS = 7
/** Appointments that fill days; others need a time before they can be booked. */
const FILLS_DAYS =
  /\b(?:all[- ]day|whole day|day off|days off|holidays?|vacation|birthday|anniversary|trip|conference|festival|off work|leave)\b/i
/** Words that people write in English messages; enough to say which language it is, no more. */
const ENGLISH =
  /\b(?:the|my|is|are|what|when|who|with|and|on|at|me|you|i|to|for|read|check|book|any|hi|hello|thanks|help|please|remember|from|free|new|mail|summari[sz]e|do|can)\b/i
const NAMES_TIME: ReadonlySet<Intent> = new Set(['calendar_list', 'calendar_free', 'calendar_book', 'other'])

/** Days. */
const WEEK = 7
/** UTF-16 units of a subject in which such words are looked for: a long text must not take long to read. */
const DATED_MAX = 2_000
/** Words that lead to a subject or a time and are neither. */
const ASIDE =
  /^(?:\s*\b(?:about|of|on|last|in|the|with|each other)\b)+|\b(?:on|last|in|at|during)\s*[?!.]*$/gi

interface Reading {
  readonly core: Core
  readonly rest: string | null
  readonly request: NamedRequest | null
  readonly email: string | null
  readonly dates: DateReading
  readonly zone: Zone
  readonly now: number
}

/** `context.now` is epoch milliseconds, `timezone` an IANA name; an unknown zone counts as UTC. Never throws. */
export function createMessageExtractor(packages: readonly Phrases[] = TOOL_PHRASES): MessageExtractor {
  // Building a zone costs more than reading a message, and an owner has one.
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
  const { intent, rest, request, lead } = readRequest(core, packages)
  const email = findEmail(text)
  // What was decided on is the end of the text; taken from there, it keeps the characters that were typed.
  const typed = rest === null ? null : text.trimEnd().slice(-rest.trimEnd().length)
  const subject = intent === 'calendar_book' ? `${lead} ${typed ?? ''}` : core.text
  const namesTime = NAMES_TIME.has(intent) || request?.phrase.takes?.when !== undefined
  const dates = namesTime ? readDates(subject, { now, zone }) : NO_DATES
  const url = findUrl(text)
  return {
    intent,
    language: ENGLISH.test(core.text.slice(0, INTENT_HEAD)) ? 'en' : 'unknown',
    quoted: false,
    attachments: 0,
    ...(url === null ? {} : { url }),
    ...(email === null ? {} : { email }),
    ...fieldsOf(intent, { core, rest: typed, request, email, dates, zone, now }),
  }
}

const NO_DATES: DateReading = { span: null, minutes: null, rest: '' }

function fieldsOf(intent: Intent, reading: Reading): Fields {
  const { rest, dates } = reading
  switch (intent) {
    case 'calendar_list':
      return { ...personOf(reading, ['with']), ...timeFields(dates.span ?? nextDays(1, reading), reading) }
    case 'calendar_free':
      return { ...personOf(reading, ['with']), ...freeFields(reading) }
    case 'calendar_book':
      return bookingFields(reading)
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

/** What its package says is to be taken out of a request. */
function requestFields(reading: Reading): Fields {
  const { dates, request } = reading
  if (request === null) return {}
  const { who, when, unread, count } = request.phrase.takes ?? {}
  const head = headOf(reading)
  const many = count === 'many' ? findCount(head) : null
  return {
    ...(who === undefined ? {} : personOf(reading, request.lists[who] ?? [])),
    ...(unread === true && wantsUnread(head) ? { unread: true } : {}),
    ...numberField('count', count === 'place' ? findPosition(head) : many),
    ...(when === undefined ? {} : timeFields(dates.span, reading)),
  }
}

/** Days since the epoch, both. */
function yearBefore(day: number): number {
  const date = new Date(day * DAY)
  date.setUTCFullYear(date.getUTCFullYear() - 1)
  return Math.floor(date.getTime() / DAY)
}

/** What was said lies behind: "on Monday" is the last one. */
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

/** Without a time, an appointment is no span: the person is asked for one. */
function bookingFields(reading: Reading): Fields {
  const { dates, rest, email } = reading
  const whole = dates.span?.named === 'days' && FILLS_DAYS.test(rest ?? '')
  const span = dates.span?.named === 'time' || whole ? dates.span : null
  return {
    ...personOf(reading, ['with']),
    ...textField('topic', titleOf(dates.rest, email)),
    ...numberField('minutes', dates.minutes),
    ...timeFields(span, reading),
  }
}

function freeFields(reading: Reading): Fields {
  const { dates } = reading
  return {
    ...numberField('minutes', dates.minutes),
    ...timeFields(dates.span ?? nextDays(FREE_DAYS, reading), reading),
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

/** Years of four digits, the only ones that the fields can hold. */
function isDate(instant: number): boolean {
  return Math.abs(instant) < 2_900 * 365 * DAY - MINUTE
}

function personOf(reading: Reading, prepositions: readonly string[]): Fields {
  const head = headOf(reading)
  return textField('person', findSubject(head) ?? findPerson(head, prepositions))
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
