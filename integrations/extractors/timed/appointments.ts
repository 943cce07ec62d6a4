/**
 * Finds the appointments of a letter: each time with its day, and each whole day, with its sentence and its
 * place. A time without a day is of the one day of the letter. Nothing for a letter with a time of no day, an unreadable day, a series, or too many. Fixed
 * rules, pure; must not read a clock or judge the content. Called by the mail tool, at home.
 */
import { DAYS, isEitherWeek } from '../../dates/mentioned.ts'
import { type Moment, namesADay, readDates, type Span } from '../../dates/read.ts'
import { DAY, MINUTE } from '../../dates/zone.ts'
import { ownWords, sentencesIn } from '../own-words.ts'
import { labelledPlace, placeBeside } from './place-in.ts'

/** UTF-16 units of one piece: what is longer is not searched for dates to its end. */
const LONGEST = 300
/**
 * Pieces of one letter, and times of one piece: each costs a parse. What has more is no short note about an
 * appointment.
 */
const MOST_PIECES = 80
const MOST_OF_ONE = 6

/** It comes again, and one time of it would be an answer to something else. */
const AGAIN =
  /(?<!\p{L})(?:every|each|weekly|biweekly|fortnightly|monthly|daily|jede[nrs]?|wöchentlich|monatlich|täglich|(?:mon|tues|wednes|thurs|fri|satur|sun)days|(?:mon|diens|donners|frei|sams|sonn)tags|mittwochs)(?!\p{L})/iu

export interface Appointment {
  readonly span: Span
  /** The sentence that says it, as it stands in the letter. */
  readonly sentence: string
  /** Where it is, as the letter says it; null where it does not. */
  readonly place: string | null
}

interface Named {
  readonly span: Span
  /** As it stands in the letter. */
  readonly words: string
  readonly sentence: string
  /** The sentence without any of its times, of the same length. */
  readonly rest: string
  /** Where the words stand in the sentence. */
  readonly at: { readonly from: number; readonly to: number }
  /** Its day stands elsewhere in the letter. */
  readonly isMoved?: boolean
}

/** Appointments of one letter: as many as a person compares at a glance. */
const MOST_APPOINTMENTS = 8

/** `written.now`: when the letter was written. Each once, in the order of the text; empty where code cannot be sure. */
export function appointmentsIn(text: string, written: Moment): readonly Appointment[] {
  const own = ownWords(text, '')
  const pieces = sentencesIn(own).flatMap(piecesOf)
  if (pieces.length > MOST_PIECES || pieces.some((piece) => AGAIN.test(piece))) return []
  const read = pieces.map((piece) => timesIn(piece, written))
  if (read.some((one) => one === null)) return []
  const named = onTheirDay(
    read.flatMap((one) => one ?? []),
    written,
  )
  const timed = named.filter(({ span }) => span.named === 'time')
  if (!timed.every((one) => isOne(one, written))) return []
  const others = named.filter((one) => one.span.named !== 'time' && isOtherDay(one, timed, written))
  if (!others.every((one) => isWholeDay(one, written))) return []
  const days = others.filter((one) => !isDeadline(one))
  const meant =
    timed.length + days.length > 0 ? named.filter((one) => timed.includes(one) || days.includes(one)) : others
  const found = [...new Map(meant.map((one) => [`${one.span.from} ${one.span.to}`, one])).values()]
  if (found.length > MOST_APPOINTMENTS) return []
  const labelled = labelledPlace(own)
  return found.map(({ span, sentence, rest, at }) => ({
    ...{ span, sentence },
    place: placeBeside(rest, at) ?? (found.length === 1 ? labelled : null),
  }))
}

/**
 * "On 10 December at 17:30 … children at 17:00": a time without a day is of the one day that the times before it are on, so that the owner can be asked
 * which. Where the letter names another day as well, or none before it, it stays without one, and says nothing for sure.
 */
function onTheirDay(named: readonly Named[], written: Moment): readonly Named[] {
  const { zone } = written
  const isBare = ({ span, words }: Named): boolean =>
    span.named === 'time' && !namesADay(words) && !DAYS.test(words) && !namesSeveral(words)
  const dayOf = ({ span }: Named): number => zone.dayOf(span.from)
  const days = new Set(named.filter((one) => !isBare(one)).map(dayOf))
  const [day, ...others] = days
  if (day === undefined || others.length > 0 || named.slice(0, 1).some(isBare)) return named
  const dated = named.find((one) => !isBare(one) && one.span.named === 'time')
  if (dated === undefined) return named
  return named.map((one) => {
    if (!isBare(one)) return one
    const from = zone.instantOf(day, (one.span.from - zone.instantOf(dayOf(one), 0)) / MINUTE)
    return { ...one, span: { ...one.span, from, to: from + (one.span.to - one.span.from) }, isMoved: true }
  })
}

/** Cut between words: what is cut apart by it is two, and so nothing. */
function piecesOf(sentence: string): readonly string[] {
  if (sentence.length <= LONGEST) return [sentence]
  const cut = sentence.lastIndexOf(' ', LONGEST)
  const at = cut > 0 ? cut : LONGEST
  return [sentence.slice(0, at), ...piecesOf(sentence.slice(at).trim())]
}

/** Null where a piece names a day that is none, or one so far off that only its time would be read. */
function timesIn(piece: string, written: Moment): readonly Named[] | null {
  const found: Omit<Named, 'rest'>[] = []
  let left = piece.replace(NO_TIME, (words) => ' '.repeat(words.length))
  while (found.length < MOST_OF_ONE) {
    const { span, rest, impossible } = readDates(left, written)
    if (impossible) return null
    const place = span === null ? null : changed(left, rest)
    if (span === null || place === null) return found.map((one) => ({ ...one, rest: left }))
    const words = piece.slice(place.from, place.to)
    if (span.named === 'time' && !isOfItsYear(piece, span, written)) return null
    found.push({ span, words, sentence: piece, at: place })
    left = rest
  }
  return null
}

/** Of no day, however it is read: greetings, and sums with thousands, whose beginning looks like an hour ("up from 1,500"). */
const NO_TIME =
  /(?<![\p{L}\d.,])\d{1,3}(?:[.,]\d{3})+(?:[.,]\d{1,2})?(?![\d.,]*\d)|(?<!\p{L})(?:good (?:morning|afternoon|evening)|guten (?:morgen|tag|abend)|schönen (?:tag|abend)|gute nacht)(?!\p{L})/giu

/** Where a reading took its words from; null if from nowhere. */
function changed(before: string, after: string): { readonly from: number; readonly to: number } | null {
  const places = [...Array(before.length).keys()]
  const taken = places.filter((at) => before[at] !== after[at])
  const [from] = taken
  const to = taken.at(-1)
  return from === undefined || to === undefined ? null : { from, to: to + 1 }
}

const YEARS =
  /(?<![\d.,:])(?:\d{1,2}[./-]\d{1,2}[./-])?(?<year>(?:19|2\d)\d{2})(?![\d:]|[.,]\d)|(?<!\d)\d{1,2}[./-]\d{1,2}[./-](?<short>\d{2})(?!\d)/gu

/** A day whose year is not believed is left out by the reading, and its time would be one of today. */
function isOfItsYear(piece: string, { from }: Span, { zone }: Moment): boolean {
  const year = zone.iso(from).slice(0, 4)
  return [...piece.matchAll(YEARS)].every(({ groups }) =>
    year.endsWith(groups?.['year'] ?? groups?.['short'] ?? year),
  )
}

/** Has its day with it, begins and ends at a time, and says the same read by itself. */
function isOne({ span, words, isMoved = false }: Named, written: Moment): boolean {
  const again = readDates(words, written).span
  const isSame = isMoved || (again?.from === span.from && again.to === span.to)
  const isWhole = isSame && again?.named === 'time'
  const { zone } = written
  const isAtMidnight = [span.from, span.to].some((at) => zone.instantOf(zone.dayOf(at), 0) === at)
  if (isEitherWeek(words, span.from, written)) return false
  return (
    isWhole &&
    (isMoved || namesADay(words)) &&
    !namesSeveral(words) &&
    !isAtMidnight &&
    span.to - span.from <= DAY - MINUTE
  )
}

const EACH_DAY = new RegExp(DAYS.source, 'giu')
const JOINS = /(?<!\p{L})(?:to|until|till?|through|bis|and|und|or|oder)(?!\p{L})|[-–—/&+]/iu
/** Two days, and not those between them. */
const APART = /(?<!\p{L})(?:and|und|or|oder)(?!\p{L})|[/&+]/iu

/** "Monday to Friday at 9" is read as the first of them. */
function namesSeveral(words: string, joins = JOINS): boolean {
  const days = [...words.matchAll(EACH_DAY)].map(({ 0: day, index }) => ({
    from: index,
    to: index + day.length,
  }))
  return days.some(({ from }, at) => joins.test(words.slice(days[at - 1]?.to ?? from, from)))
}

/** A day of the month with its month in digits, which is one day everywhere. */
const IN_DIGITS = /(?<!\d)(?:\d{1,2}\.\s?\d{1,2}\.|\d{4}-\d{2}-\d{2}(?!\d))/u

/** Says a day to come that no time of the letter is on. */
function isOtherDay({ span, words }: Named, timed: readonly Named[], { zone, now }: Moment): boolean {
  const isOver = span.to <= zone.instantOf(zone.dayOf(now) + 1, 0)
  if (isOver || !(DAYS.test(words) || IN_DIGITS.test(words))) return false
  return !timed.some((one) => one.span.from >= span.from && one.span.from < span.to)
}

/** Days of one event: a fair, a holiday. */
const MOST_DAYS = 31

/** One day, or from one to another; an afternoon is neither that nor a time. */
function isWholeDay({ span, words }: Named, written: Moment): boolean {
  if (span.named !== 'days' || span.to - span.from > MOST_DAYS * DAY) return false
  return !namesSeveral(words, APART) && !isEitherWeek(words, span.from, written)
}

const UNTIL =
  /(?<!\p{L})(?:by|before|until|till|bis|vor|spätestens|latest|deadline|due|frist)(?: (?:zum|am|on|the|dem))?[\s:]*$/iu

/** "Please answer by Thursday" is an appointment only where nothing else is. */
function isDeadline({ sentence, at, words }: Named): boolean {
  return UNTIL.test(sentence.slice(0, at.from)) || /^(?:by|until|till|bis|before|vor)(?!\p{L})/iu.test(words)
}
