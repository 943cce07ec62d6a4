/**
 * Finds the one appointment of a letter: the words of its day and time, if there is exactly one. Nothing for
 * a letter with two times, a time without a day, another future day, or an unreadable day. Fixed rules, pure;
 * must not read a clock or judge the content. Called by moment-for.ts, at home.
 */
import { DAYS, isEitherWeek } from '../../dates/mentioned.ts'
import { type Moment, namesADay, readDates, type Span } from '../../dates/read.ts'
import { DAY, MINUTE } from '../../dates/zone.ts'
import { ownWords, sentencesIn } from '../own-words.ts'

/** UTF-16 units of one piece: what is longer is not searched for dates to its end. */
const LONGEST = 300
/**
 * Pieces of one letter, and times of one piece: each costs a parse. What has more is no short note about an
 * appointment.
 */
const MOST_PIECES = 80
const MOST_OF_ONE = 3

/** It comes again, and one time of it would be an answer to something else. */
const AGAIN =
  /(?<!\p{L})(?:every|each|weekly|biweekly|fortnightly|monthly|daily|jede[nrs]?|wöchentlich|monatlich|täglich|(?:mon|tues|wednes|thurs|fri|satur|sun)days|(?:mon|diens|donners|frei|sams|sonn)tags|mittwochs)(?!\p{L})/iu

interface Named {
  readonly span: Span
  /** As it stands in the letter. */
  readonly words: string
}

/** `written.now`: when the letter was written. Null where it says no single time. */
export function oneMomentIn(text: string, written: Moment): string | null {
  const pieces = sentencesIn(ownWords(text, '')).flatMap(piecesOf)
  if (pieces.length > MOST_PIECES || pieces.some((piece) => AGAIN.test(piece))) return null
  const named = pieces.map((piece) => timesIn(piece, written))
  if (named.some((one) => one === null)) return null
  const all = named.flatMap((one) => one ?? [])
  const [first, ...others] = all.filter(({ span }) => span.named === 'time')
  if (first === undefined || !isOne(first, written)) return null
  const { from, to } = first.span
  if (others.some(({ span }) => span.from !== from || span.to !== to)) return null
  return all.some((one) => isOtherDay(one, first, written)) ? null : first.words
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
  const found: Named[] = []
  let left = piece.replace(GREETING, (greeting) => ' '.repeat(greeting.length))
  while (found.length < MOST_OF_ONE) {
    const { span, rest, impossible } = readDates(left, written)
    if (impossible) return null
    const place = span === null ? null : changed(left, rest)
    if (span === null || place === null) return found
    const words = piece.slice(place.from, place.to)
    if (span.named === 'time' && !isOfItsYear(piece, span, written)) return null
    found.push({ span, words })
    left = rest
  }
  return null
}

/** Of no day, however it is read. */
const GREETING =
  /(?<!\p{L})(?:good (?:morning|afternoon|evening)|guten (?:morgen|tag|abend)|schönen (?:tag|abend)|gute nacht)(?!\p{L})/giu

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
function isOne({ span, words }: Named, written: Moment): boolean {
  const again = readDates(words, written).span
  const isWhole = again?.from === span.from && again.to === span.to && again.named === 'time'
  const { zone } = written
  const isAtMidnight = [span.from, span.to].some((at) => zone.instantOf(zone.dayOf(at), 0) === at)
  if (isEitherWeek(words, span.from, written)) return false
  return (
    isWhole &&
    namesADay(words) &&
    !namesSeveral(words) &&
    !isAtMidnight &&
    span.to - span.from <= DAY - MINUTE
  )
}

const EACH_DAY = new RegExp(DAYS.source, 'giu')
const JOINS = /(?<!\p{L})(?:to|until|till?|through|bis|and|und|or|oder)(?!\p{L})|[-–—/&+]/iu

/** "Monday to Friday at 9" is read as the first of them. */
function namesSeveral(words: string): boolean {
  const days = [...words.matchAll(EACH_DAY)].map(({ 0: day, index }) => ({
    from: index,
    to: index + day.length,
  }))
  return days.some(({ from }, at) => JOINS.test(words.slice(days[at - 1]?.to ?? from, from)))
}

/** "Are you free on Thursday? Else Friday at 3" is of two days. */
function isOtherDay({ span, words }: Named, meant: Named, written: Moment): boolean {
  const { zone, now } = written
  const isOver = span.to <= zone.instantOf(zone.dayOf(now) + 1, 0)
  if (span.named === 'time' || !DAYS.test(words) || isOver) return false
  return meant.span.from < span.from || meant.span.from >= span.to
}
