/**
 * Reads a repeating event: "add gym every Tuesday at 7am until Christmas", "jeden Montag um 18 Uhr Chor". The
 * reminder rules read the repetition, which is replaced by one day so that the rest reads as a single event.
 * An unread word about the repetition rejects the message. Called by message.ts.
 */
import {
  daysIn,
  firstDays,
  MOST_EXCEPT,
  type Series,
  type SeriesKind,
  WEEK,
} from '../../../kernel/tool/series.ts'
import { type Moment, readDates } from '../../dates/read.ts'
import { DAY, MINUTE, type Zone } from '../../dates/zone.ts'
import type { Fields } from '../message/message-taken.ts'
import { afterDays, type End, endIn } from './ends.ts'
import { type LeftOut, leftOutIn } from './left-out.ts'
import { readWhen, type When } from './reminder.ts'
import { whenInEnglish } from './reminder-german.ts'
import { isAsked } from './repeat-rules.ts'
import { saysMoreAgain } from './repeat-words.ts'

/** UTF-16 units and words: requests are short. */
const LONGEST = 300
const MOST_WORDS = 40
/** Words of a repetition: "every month on the second Friday". */
const WINDOW = 8

interface RepeatedEvent {
  /** The message as that of one event; without a verb also as it would be asked for. */
  readonly said: readonly string[]
  readonly kind: SeriesKind
  readonly every: number
  /** A bit each, Monday's is 1; 0 for those of no week. */
  readonly days: number
  /** Days since 1970-01-01: the earliest, and where the words name one, the first. */
  readonly from: number
  readonly named: number | null
  /** The one that stands in `said`; null where it has the message's own. */
  readonly placed: number | null
  readonly end: End
  readonly left: readonly LeftOut[]
}

/**
 * The fields of the event and how often it comes again; null for any other message, and where not all of it
 * is understood. `extract`: reads a message of one event.
 */
export function repeatedIn(typed: string, moment: Moment, extract: (said: string) => Fields): Fields | null {
  const read = readRepeated(typed, moment)
  if (read === null) return null
  const placed = read.said.map(withoutPlace)
  const all = [
    ...read.said.map((said) => ({ said, place: '' })),
    ...placed.filter(({ place }) => place !== ''),
  ]
  for (const [at, { said, place }] of all.entries()) {
    const { topic, ...others } = extract(said)
    const one: Fields = topic === undefined ? others : { ...others, topic: `${String(topic)}${place}` }
    const isSure = one['whole'] === true || one['learned'] === true
    if (one['intent'] !== 'calendar_book' || !isSure || one['topic'] === undefined) continue
    const fields = repeatedFields(read, one, moment)
    if (fields === null) return null
    // What names no event is less sure to be one.
    return at === 0 && one['whole'] === true ? fields : { ...fields, whole: false, learned: true }
  }
  return null
}

/** "Yoga im Studio Süd": by its title alone it is read where it is not with its place, which goes back into the title. */
const PLACE_LAST =
  /(?<place>\s+(?:im|in (?:der|dem|den)|beim?|auf (?:der|dem)|an der) (?!\d)[\p{L}][\p{L}\d.'-]*(?: [\p{L}\d.'-]+){0,3}?)(?<ein>\s+ein)?$/iu

function withoutPlace(said: string): { readonly said: string; readonly place: string } {
  const found = PLACE_LAST.exec(said)
  const { place = '', ein = '' } = found?.groups ?? {}
  return found === null ? { said, place: '' } : { said: `${said.slice(0, found.index)}${ein}`, place }
}

/** Null for any other message, also where something about its repetition is not understood. */
function readRepeated(typed: string, moment: Moment): RepeatedEvent | null {
  if (typed.length > LONGEST || !HINT.test(typed)) return null
  const ended = endIn(typed, moment)
  if (ended === null) return null
  const without = leftOutIn(ended.text.replace(SPAN, 'from $<from> to '), moment)
  if (without === null) return null
  const started = startIn(without.text, moment)
  const yearly = YEARLY.exec(started.text)
  const today = moment.zone.dayOf(moment.now)
  const from = Math.max(started.from ?? today, today)
  const again =
    yearly === null
      ? windowIn(started.text, moment, from)
      : {
          ...({ kind: 'yearly', every: 1, days: 0, named: null, placed: null } as const),
          text: `${started.text.slice(0, yearly.index)} ${started.text.slice(yearly.index + yearly[0].length)}`,
        }
  if (again === null) return null
  const { text, ...rest } = again
  const said = text
    .replace(/\s+/g, ' ')
    .replace(/\s+(?=[,.!])/g, '')
    .trim()
  // An exception, a second repetition, an end that nobody knows: never one event of it.
  if (saysMoreAgain(said) || EXCEPT.test(said)) return null
  return { ...rest, said: [said, ...verbless(said)], from, end: ended.end, left: without.days }
}

/** "7:30pm till 9" is a span of the day, and "till" elsewhere an end. */
const SPAN = /(?<!from )(?<![\d:.])(?<from>\d{1,2}(?:[:.]\d\d)?(?: ?[ap]m)?) (?:until|till?) (?=\d)/iu
const HINT =
  /(?<!\p{L})(?:every|each|daily|weekly|monthly|yearly|annually|fortnightly|once an?|(?:mon|tues|wednes|thurs|fri|satur|sun)days|weekdays|weekends|jede[nrsm]?|alle|täglich|wöchentlich|monatlich|jährlich|werktags|(?:mon|diens|donners|frei|sams|sonn)tags|mittwochs|immer|jeweils)(?!\p{L})/iu
const YEARLY =
  /(?<!\p{L})(?:(?:every|each) year|yearly|annually|once (?:a|every|each) year|jedes jahr|jährlich|einmal im jahr)(?!\p{L}),?/iu
const EXCEPT =
  /(?<!\p{L})(?:except|but|not|no|skip|without|unless|if|außer|ausser|aber|nicht|ohne|wenn|falls|until|till|til|ab|starting|beginning)(?!\p{L})/iu
/** What asks, tells or is told each time is no event. */
const NO_EVENT =
  /\?|(?<!\p{L})(?:me|my|mine|us|our|mir|mich|uns|meine?[nmrs]?|unsere?|mails?|emails?|calendar|kalender|agenda|diary|what|whats|which|who|when|if|tell|send|show|give|check|read|remind\p{L}*|erinner\p{L}*|schick\p{L}*|zeig\p{L}*|sag|gib|was|wer|wie|wann|welche\p{L}*|cancel|delete|move|stop|skip|streich\p{L}*|lösch\p{L}*|verschieb\p{L}*|sag|absagen|löschen|and|und|is|are|was|were|ist|sind|war|i|ich|we|wir|you|du|he|she|they|er|sie)(?!\p{L})/iu
/** It is asked for already. */
const VERB =
  /^(?:please |bitte )?(?:add|book|put|schedule|create|set|make|plan|arrange|block|enter|pencil|trage?|buche?|plane?|setze?|mache?|notiere?|leg|stell)(?!\p{L})/iu
/** Words of a title, beside those of its day and time. */
const MOST_TITLE = 6

/** "Jeden Montag um 18 Uhr Chor": asked for as an event, where nothing else is said. */
function verbless(said: string): readonly string[] {
  const words = said
    .replace(/[\d:.,–-]+/g, ' ')
    .trim()
    .split(/\s+/)
  if (NO_EVENT.test(said) || VERB.test(said) || words.length > MOST_TITLE + WINDOW) return []
  return GERMAN.test(said) ? [`trag ${said} ein`] : [`add ${said}`]
}

const GERMAN = /(?<!\p{L})(?:am \d|um \d|uhr|von \d)(?!\p{L})/iu

interface Window {
  readonly kind: SeriesKind
  readonly every: number
  readonly days: number
  readonly named: number | null
  readonly placed: number | null
  readonly text: string
}

/** The longest run of words that is a repetition and nothing else, as the one day that begins it. */
function windowIn(text: string, moment: Moment, from: number): Window | null {
  const words = [...text.matchAll(/\S+/g)]
  if (words.length > MOST_WORDS) return null
  for (let size = Math.min(WINDOW, words.length); size > 0; size -= 1)
    for (let at = 0; at + size <= words.length; at += 1) {
      const [first, last] = [words[at], words[at + size - 1]]
      if (first === undefined || last === undefined) continue
      const end = last.index + last[0].replace(/[,.;:!]+$/, '').length
      const part = text.slice(first.index, end)
      // Its time stays in the message, with its end or its length.
      const isHour = /\d$/.test(part) && /^\s*(?:uhr|h)(?!\p{L})/iu.test(text.slice(end))
      if (isHour || CLOCK.test(part) || !HINT.test(part)) continue
      const read = readWhen(whenInEnglish(part), moment)
      const rule = read === null ? null : ruleOf(read, moment.zone)
      if (rule === null) continue
      if (rule === 'two_ways') return null
      const day = rule.days === 0 ? (rule.named ?? from) : firstOf(rule.days, from)
      const isGerman = GERMAN_AGAIN.test(part)
      const replaced = ` ${dayText(day, isGerman)}${partOf(part)} `
      return { ...rule, placed: day, text: `${text.slice(0, first.index)}${replaced}${text.slice(end)}` }
    }
  return null
}

const CLOCK =
  /\d[:.]\d|\d ?(?:[ap]\.?m\b|uhr)|(?<!\p{L})(?:at|um|from|von|noon|midnight|half|halb|viertel|quarter)(?!\p{L})|\d\s*[-–]\s*\d/iu
const GERMAN_AGAIN =
  /(?<!\p{L})(?:jede[nrsm]?|alle|\p{L}+tags|mittwochs|\p{L}*täg\p{L}*|\p{L}+lich|immer|jeweils)(?!\p{L})/iu

function partOf(part: string): string {
  const named = /(?<!\p{L})(morning|afternoon|evening|night|morgen|vormittag|nachmittag|abend)(?!\p{L})/iu
  const [, word = ''] = named.exec(part) ?? []
  if (word === '') return ''
  return /^(?:morning|afternoon|evening|night)$/i.test(word) ? ` in the ${word}` : ` ${word.toLowerCase()}s`
}

/** Null for what does not say on which days. */
function ruleOf(
  { repeat, every, first }: When,
  zone: Zone,
): Omit<Window, 'text' | 'placed'> | 'two_ways' | null {
  if (repeat === 'two_ways') return repeat
  if (repeat === null || isAsked(repeat) || first === null || every === null) return null
  const named = zone.dayOf(first)
  switch (repeat) {
    case 'on_days':
      return { kind: 'weekly', every: 1, days: every, named: null }
    case 'weekly':
      return { kind: repeat, every, days: bitOn(named), named: null }
    case 'weekdays':
      return { kind: repeat, every: 1, days: MON_TO_FRI, named: null }
    case 'daily':
      return { kind: repeat, every, days: 0, named: null }
    case 'month_end':
    case 'last_weekday':
      return null
    default:
      return { kind: repeat, every, days: 0, named }
  }
}

const MON_TO_FRI = 31

/** 1970-01-01 was a Thursday. */
function bitOn(day: number): number {
  return 1 << ((day + 3) % 7)
}

function firstOf(days: number, from: number): number {
  let day = from
  while ((bitOn(day) & days) === 0) day += 1
  return day
}

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
)

function dayText(day: number, isGerman: boolean): string {
  const at = new Date(day * DAY)
  if (isGerman) return `am ${at.getUTCDate()}.${at.getUTCMonth() + 1}.${at.getUTCFullYear()}`
  return `on ${at.getUTCDate()} ${MONTHS[at.getUTCMonth()]} ${at.getUTCFullYear()}`
}

const START =
  /(?<!\p{L})(?:,? ?(?:starting|beginning|as of)(?: on| from| in)?|,? ?ab)(?!\p{L})\s+(?<rest>\S.*)$/iu

function startIn(text: string, moment: Moment): { readonly text: string; readonly from: number | null } {
  const start = START.exec(text)
  const rest = start?.groups?.['rest'] ?? ''
  const words = rest.split(' ')
  for (let size = Math.min(WINDOW, words.length); start !== null && size > 0; size -= 1) {
    const part = words.slice(0, size).join(' ')
    const { span, rest: left } = readDates(part.replace(/[.,!]+$/, ''), moment)
    if (span?.named === 'days' && left.trim() === '')
      return {
        text: `${text.slice(0, start.index)} ${rest.slice(part.length)}`,
        from: moment.zone.dayOf(span.from),
      }
  }
  return { text, from: null }
}

/**
 * The fields of the one event, with its first time and how it comes again; null where its time cannot be the
 * first.
 */
function repeatedFields(
  { kind, every, days, from, end, named, placed, left }: RepeatedEvent,
  fields: Fields,
  { now, zone }: Moment,
): Fields | null {
  const [begin, stop] = [Date.parse(String(fields['from'])), Date.parse(String(fields['to']))]
  if (Number.isNaN(begin) || Number.isNaN(stop)) return null
  // Another day was read than the one that stands there.
  if (placed !== null && zone.dayOf(begin) !== placed) return null
  const minutes = (zone.wallOf(begin) % DAY) / MINUTE
  const isOn = (day: number): boolean => days === 0 || (bitOn(day) & days) !== 0
  const isAhead = (day: number): boolean => fields['wholeDay'] === true || zone.instantOf(day, minutes) > now
  const isFixed = kind === 'yearly' || named !== null
  let first = isFixed ? zone.dayOf(begin) : from
  // One that has passed today begins with the next.
  const isLeft = (day: number): boolean => left.some((one) => one.from <= day && day <= one.to)
  const most = Math.max(first, ...left.map(({ to }) => to)) + 7
  while (!isFixed && first <= most && !(isOn(first) && isAhead(first) && !isLeft(first))) first += 1
  if (!isAhead(first) || isLeft(first) || first > most) return null
  const start = zone.instantOf(first, minutes)
  const isDay = fields['wholeDay'] === true
  const span = isDay
    ? { from: dateText(first), to: dateText(first + 1) }
    : { from: zone.iso(start), to: zone.iso(start + (stop - begin)) }
  const last = lastOf(end, { kind, every, days, first })
  if (last !== null && last < first) return null
  const except = exceptOf(left, { kind, every, days, first, last })
  if (except === null) return null
  const names = WEEK.filter((_, at) => (days & (1 << at)) !== 0)
  const isOneDay = days === bitOn(first)
  return {
    ...fields,
    ...{ ...span, repeat: kind },
    ...(every > 1 && { count: every }),
    ...(kind === 'weekly' && !isOneDay && { days: names }),
    ...(last !== null && { until: dateText(last) }),
    ...(except.length > 0 && { except: except.map(dateText) }),
  }
}

/** Days of it that are left out; null where an exception is none of them. */
function exceptOf(
  left: readonly LeftOut[],
  one: Pick<Series, 'kind' | 'every' | 'days' | 'first' | 'last'>,
): readonly number[] | null {
  const series = { ...one, except: [], allDay: true, clock: 0, length: DAY }
  const most = Math.max(one.first, ...left.map(({ to }) => to))
  const found = new Set<number>()
  const hit = new Set<LeftOut>()
  for (const day of daysIn(series)) {
    if (day > most) break
    for (const span of left.filter(({ from, to }) => from <= day && day <= to)) {
      found.add(day)
      hit.add(span)
    }
  }
  return hit.size === left.length && found.size <= MOST_EXCEPT ? [...found] : null
}

function dateText(day: number): string {
  return new Date(day * DAY).toISOString().slice(0, 10)
}

/** Where the last time of several is, and no day in a year of five digits. */
const LATEST = Date.UTC(2999, 11, 31) / DAY

function lastOf(
  end: End,
  one: Pick<RepeatedEvent, 'kind' | 'every' | 'days'> & { readonly first: number },
): number | null {
  const { first } = one
  if (end.is === 'times') {
    const series = { ...one, last: LATEST, except: [], allDay: true, clock: 0, length: DAY }
    return firstDays(series, end.times).at(-1) ?? null
  }
  if (end.is === 'day') return end.day
  if (end.is !== 'after') return null
  return afterDays(end, first)
}
