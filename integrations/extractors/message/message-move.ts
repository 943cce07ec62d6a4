/**
 * Reads a new time for something that has one: "move the dentist to 4pm", "make it an hour later", "move my
 * 3pm to Thursday". The thing is named by words, by its time, or by the conversation. Must not know which
 * things exist. Called by message.ts and message-taken.ts.
 */
import type { Move } from '../../../kernel/powers/message-fields.ts'
import { beginsAsCorrection, withoutOpeners } from '../../../kernel/task/answers/openers.ts'
import { type Moment, namesADay, numberIn, readDates, type Span } from '../../dates/read.ts'
import { DAY, MINUTE } from '../../dates/zone.ts'
import { isEarlyTyped } from '../timed/early.ts'
import { lastDay } from '../timed/last-day.ts'
import { saysAgain, saysMore } from './message-coverage.ts'

export interface MoveReading {
  /** Words of the thing, as typed; null: any thing at its time, or what was talked about. */
  readonly topic: string | null
  /** When it is now, where that is said. */
  readonly at: Span | null
  readonly move: Move
  /** Epoch milliseconds: the new time of day, the new day, or both. */
  readonly newTime: number | null
  /** Minutes or days, less than none for earlier or shorter. */
  readonly by: number | null
  /** All that comes again is meant, and not one time of it. */
  readonly series?: true
}

/** UTF-16 units: requests are short. */
const LONGEST = 200
export const MOVE_COUNT =
  'an?|half an|\\d{1,3}(?:\\.\\d)?|one|two|three|four|five|six|seven|eight|nine|ten|fifteen|twenty|thirty|forty-five|einen?|eine halbe'
export const MOVE_UNIT = 'hours?|hrs?|h|minutes?|mins?|days?|weeks?|stunden?|minuten?|tage?|wochen?'
const LENGTH = `(?<n>${MOVE_COUNT}) ?(?<unit>${MOVE_UNIT})(?<half> and a half)?`
const WHAT = '(?<what>\\S.{0,120}?)'
/** What becomes of the time: 1 for later or longer, -1 for earlier or shorter. */
type Change = readonly [pattern: RegExp, move: 'shift' | 'length', sign: 1 | -1]

const CHANGES: readonly Change[] = [
  [
    full(`(?:make|move|push|shift|start|put|set|reschedule|delay) ${WHAT} (?:by )?${LENGTH} (?:later|back)`),
    'shift',
    1,
  ],
  [
    full(
      `(?:make|move|shift|start|put|set|bring|pull) ${WHAT} (?:by )?${LENGTH} (?:earlier|sooner|forward|up)`,
    ),
    'shift',
    -1,
  ],
  [
    full(`(?:delay|postpone|push|push back|put back|move back) ${WHAT} (?:back )?(?:by|for) ${LENGTH}`),
    'shift',
    1,
  ],
  [full(`(?:push|move|put|shift) ${WHAT} back ${LENGTH}`), 'shift', 1],
  [full(`(?:prepone|(?:bring|move|pull) (?:forward|up)) ${WHAT} by ${LENGTH}`), 'shift', -1],
  [full(`(?:bring|move|pull) ${WHAT} (?:forward|up) by ${LENGTH}`), 'shift', -1],
  [
    full(`(?:verschiebe?|verlege?|schiebe?) ${WHAT} (?:um )?${LENGTH} (?:nach vorne?|früher|vor)`),
    'shift',
    -1,
  ],
  [
    full(`(?:verschiebe?|verlege?|schiebe?) ${WHAT} (?:um )?${LENGTH}(?: (?:nach hinten|später))?`),
    'shift',
    1,
  ],
  [full(`(?:make) ${WHAT} (?:by )?${LENGTH} longer`), 'length', 1],
  [full(`(?:make) ${WHAT} (?:by )?${LENGTH} shorter`), 'length', -1],
  [full(`(?:extend|lengthen|prolong) ${WHAT} by ${LENGTH}`), 'length', 1],
  [full(`(?:shorten|cut) ${WHAT} (?:short )?by ${LENGTH}`), 'length', -1],
]
/** The last "to" is the one before the time; that of "quarter to four" belongs to it. */
const TO = [
  full(
    '(?:move|reschedule|shift|push|postpone|prepone|delay|bring|pull|bump|change|switch|put)(?: (?:back|forward|up))? (?<what>\\S.{0,120}?)(?: (?:back|forward|up|over))? (?:to|until|till|for) (?<when>(?:(?:a )?quarter|five|ten|twenty|\\d{1,2}) to \\S{1,12}.{0,40})',
  ),
  full(
    '(?:move|reschedule|shift|push|postpone|prepone|delay|bring|pull|bump)(?: (?:back|forward|up))? (?<what>\\S.{0,120}?)(?: (?:back|forward|up|over))? (?:to|until|till|for) (?<when>(?:(?! (?:to|until|till|for) ).){1,80})',
  ),
  full(
    '(?:put|set|take) (?<what>\\S.{0,80}?) back (?:to|until|till) (?<when>\\D.{0,80}|\\d{1,2}(?:[:.]\\d\\d| ?[ap]\\.?m\\.?).{0,40})',
  ),
  // Much else is changed to a number.
  full(
    '(?:change|switch|put) (?<what>\\S.{0,120}) to (?<when>\\D.{0,80}|\\d{1,2}(?:[:.]\\d\\d| ?[ap]\\.?m\\.?).{0,40})',
  ),
  full('(?:make|set) (?<what>it|that|this)(?: (?:at|on|for|to))? (?<when>\\S.{0,80})'),
  // "Viertel nach vier" has one of these words itself.
  full(
    '(?:verschiebe?|verlege?|schiebe?) (?<what>\\S.{0,120}) auf (?<when>(?:viertel|fünf|zehn|zwanzig) (?:vor|nach) \\S.{0,80})',
  ),
  full('(?:verschiebe?|verlege?|schiebe?) (?<what>\\S.{0,120}) (?:auf|nach) (?<when>\\S.{0,80})'),
  full(
    '(?:mache?) aus (?<what>\\S.{0,120}?) (?:(?:mal|bitte|doch) )*(?<when>\\d{1,2}(?:[:.]\\d\\d)?(?: uhr)?)',
  ),
]

function full(source: string): RegExp {
  return new RegExp(`^(?:please )?(?:${source})(?: (?:instead|please))?$`, 'i')
}

/** Null for a message of another kind, and for one that says more than this. */
export function readMove(typed: string, moment: Moment): MoveReading | null {
  const text = typed
    .trim()
    .replace(/(?<![.!?\s])[.!?\s]+$/, '')
    .replace(/\s+/g, ' ')
  if (text.length > LONGEST || saysMore(text.replace(/ and a half\b/i, '')) || saysAgain(text)) return null
  return endOf(text, moment) ?? changeIn(text, moment) ?? newTimeIn(text, moment)
}

/** "Oh no, I meant Thursday", "ach nee, doch Freitag": the day or time alone, in place of that of what was talked about; null for any other message. */
export function timeMeant(typed: string, moment: Moment): string | null {
  if (typed.length > LONGEST || !beginsAsCorrection(typed)) return null
  const text = typed.trim().replace(/(?<![.!\s])[.!\s]+$/, '')
  const said = withoutOpeners(text).replace(OF_COURSE, '')
  return timeOf(said, moment) === null ? null : said
}

const OF_COURSE = /^(?:(?:of course|obviously|natürlich|selbstverständlich|on|for|at|am|an|auf|um),? )+/iu

const ENDS = [
  '(?:end|stop|finish) (?<what>(?:my|the|our) \\S.{0,80}?) (?:on|at|after|with|by) (?<when>\\S.{0,60})',
  'let (?<what>(?:my|the|our) \\S.{0,80}?) end (?:on|at|after|with|by) (?<when>\\S.{0,60})',
  '(?:extend|prolong|continue) (?<what>(?:my|the|our) \\S.{0,80}?) (?:until|till|to|through) (?<when>\\S.{0,60})',
  '(?:beende|lass) (?<what>(?:den|die|das|mein\\p{L}{0,2}|unser\\p{L}{0,2}) \\S.{0,80}?) (?:am |zum |im |mit |nach |(?=ende ))(?<when>\\S.{0,60}?)(?: (?:enden|aufhören|auslaufen))?',
  'verlängere? (?<what>(?:den|die|das|mein\\p{L}{0,2}|unser\\p{L}{0,2}) \\S.{0,80}?) bis (?:zum |zu )?(?<when>\\S.{0,60})',
].map((source) => new RegExp(`^(?:please |bitte )?${source}(?: please| bitte)?$`, 'iu'))

/**
 * Another last day, "end the choir at the end of June": a day alone, since what ends at a time of day is one
 * event.
 */
function endOf(text: string, moment: Moment): MoveReading | null {
  for (const pattern of ENDS) {
    const { what = '', when = '' } = pattern.exec(text)?.groups ?? {}
    const day = what === '' ? null : lastDay(when, moment)
    const thing = day === null ? null : thingOf(what, moment)
    if (day === null || thing === null || thing.at !== null) continue
    return { ...thing, move: 'ends', newTime: moment.zone.instantOf(day, 0), by: null, series: true }
  }
  return null
}

function changeIn(text: string, moment: Moment): MoveReading | null {
  for (const [pattern, kind, sign] of CHANGES) {
    const { what = '', n = '', unit = '', half } = pattern.exec(text)?.groups ?? {}
    const thing = what === '' ? null : thingOf(what, moment)
    if (thing === null) continue
    const by = moveBy({ n, unit, half: half !== undefined }, kind, sign)
    return by === null ? null : { ...thing, ...by }
  }
  return null
}

/** Null for what is no length of such a move: days longer, half a week. */
export function moveBy(
  { n, unit, half }: { readonly n: string; readonly unit: string; readonly half: boolean },
  kind: 'shift' | 'length',
  sign: 1 | -1,
): Pick<MoveReading, 'move' | 'newTime' | 'by'> | null {
  const count = countOf(n)
  const isDays = /^(?:day|week|tag|woche)/i.test(unit)
  if (Number.isNaN(count) || (isDays && (kind === 'length' || !Number.isInteger(count)))) return null
  if (isDays) return { move: 'days', newTime: null, by: sign * count * (/^w/i.test(unit) ? 7 : 1) }
  const minutes = (count + (half ? 0.5 : 0)) * (/^(?:h|st)/i.test(unit) ? 60 : 1)
  return { move: kind, newTime: null, by: sign * Math.round(minutes) }
}

function countOf(word: string): number {
  if (/^(?:half an|eine halbe)$/i.test(word)) return 0.5
  if (/^(?:an?|einen?)$/i.test(word)) return 1
  return /^\d/.test(word) ? Number(word) : numberIn(word)
}

/** Of a thing, the day or time that it is moved from. */
const FROM =
  /^(?<verb>move|reschedule|shift|push|change|switch) (?<what>\S.{0,80}?) from (?:the )?(?<at>\S.{0,40}?) to (?<when>\S.{0,60})$/i

function newTimeIn(typed: string, moment: Moment): MoveReading | null {
  const { verb, what: moved, at, when: to } = FROM.exec(typed)?.groups ?? {}
  const day = /^\d{1,2}(?:st|nd|rd|th)$/i.test(at ?? '') ? `on the ${at}` : `${at}`
  const text = verb === undefined ? typed : `${verb} ${moved} ${day} to ${to}`
  for (const pattern of TO) {
    const { what = '', when = '' } = pattern.exec(text)?.groups ?? {}
    const thing = what === '' ? null : thingOf(what, moment)
    if (thing === null) continue
    if (/^(?:the )?next week$/i.test(when)) return { ...thing, move: 'days', newTime: null, by: 7 }
    const time = timeOf(when, moment)
    if (time !== null) return { ...thing, ...time, by: null }
  }
  return null
}

/** Between a time and what belongs to it, or around it. */
const ASIDE = /^[\s,.'-]*(?:(?:at|on|to|from|in|the|around|instead|um|am|den|uhr|o'clock)[\s,.'-]*)*$/i
/** A span without a beginning of its own. */
const OPEN =
  /(?<!\b(?:half|quarter|five|ten|twenty|viertel|fünf|zehn|zwanzig) )\b(?:after|before|between|until|till|nach|vor|zwischen)\b/i

const SAME_TIME =
  /,? *(?:at |zur |um )?(?:the )?(?:same time|gleichen? (?:zeit|uhrzeit)|selben? (?:zeit|uhrzeit))[.!]?$/i

/** One time of day, one day, or both; nothing else may be said. */
function timeOf(typed: string, moment: Moment): Pick<MoveReading, 'move' | 'newTime'> | null {
  const said = typed.replace(SAME_TIME, '')
  if (OPEN.test(said)) return null
  const { span, rest, minutes } = readDates(clockOf(said), moment)
  return span === null || minutes !== null || !ASIDE.test(rest) ? null : moveTo(span, said)
}

/** The kind of a move to a time that was read in these words; null for what is no one time or day. */
export function moveTo(span: Span, said: string): Pick<MoveReading, 'move' | 'newTime'> | null {
  const length = span.to - span.from
  const isDay = namesADay(said)
  if (span.named === 'days') return length <= DAY + 60 * MINUTE ? { move: 'day', newTime: span.from } : null
  // An end of its own would be another length.
  if (span.named !== 'time' || length !== 60 * MINUTE) return null
  const isEither = span.eitherHalf === true || isEarlyTyped(said)
  if (isDay) return { move: isEither ? 'both_half' : 'both', newTime: span.from }
  return { move: isEither ? 'half' : 'time', newTime: span.from }
}

/** A bare number is a time of day, in words too. */
export function clockOf(said: string): string {
  const bare = said.trim().replace(/ o['’]?clock$/i, '')
  if (/^\d{1,2}(?:[:.]\d\d)?(?: ?[ap]\.?m\.?)?$/i.test(bare)) return `at ${bare}`
  const hour = /^\p{L}+$/u.test(bare) ? numberIn(bare) : Number.NaN
  if (hour >= 1 && hour <= 12) return `at ${hour}`
  return GERMAN_HOUR.test(bare) ? `um ${bare}` : said
}

const GERMAN_HOUR = /^(?:eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf)(?: uhr)?$/i

const PRONOUN =
  /^(?:it|that|this|that one|this one|the one|es|das|ihn|sie|(?:the|my|this|that) (?:event|appointment|meeting))$/i
/** What is said to whoever is asked, wherever it stands beside the thing. */
const COURTESY = 'please|pls|just|kindly|bitte|mal|doch|eben|einfach|mir|uns|for me'
const ASKED_KINDLY = new RegExp(
  `^(?:(?:${COURTESY})\\b[\\s,]*)+|(?:[\\s,]*\\b(?:${COURTESY}))+[\\s,]*$`,
  'gi',
)
/** Words that name no thing by themselves, such as those around its time. */
const AROUND =
  /^(?:(?:my|the|our|a|an|this|that|on|at|from|in|meinen?|meine|unseren?|unsere?|den|die|das|'s)\b|[\s,'-])+|(?<![\s,'-])(?:\b(?:on|at|from|in|for|am|um|vom|von)\b|[\s,'-])+$/gi
const KIND = /\b(?:meeting|appointment|event|call|termin|with|mit|at)\b/gi

const WHOLE = '(?:whole|entire|complete|full|ganzen?|gesamten?|komplette?n?)'
/** "The whole choir series", "the series of choir", "all of the choir times", "die ganze Chor-Serie". */
const SERIES = [
  new RegExp(
    `^(?:(?:my|the|our|die|meine|unsere) )?(?:${WHOLE} )?(?:series|serie)(?: (?:of|von|vom) (?<what>.+)| (?<after>.+))?$`,
    'iu',
  ),
  new RegExp(
    `^(?:(?:my|the|our|den|die|das|mein\\p{L}{0,2}|unser\\p{L}{0,2}) )?(?:${WHOLE} )?(?<what>.+?)[ -]?(?:series|serie)$`,
    'iu',
  ),
  /^all (?:of )?(?:my |the |our )?(?<what>.+?) (?:times|dates|sessions|lessons|classes)$/iu,
]

/** The words without those that say that all of a series is meant; the words themselves where none does. */
function withoutSeries(what: string): string {
  for (const pattern of SERIES) {
    const found = pattern.exec(what)
    if (found !== null) return (found.groups?.['what'] ?? found.groups?.['after'] ?? '').trim()
  }
  return what
}

function thingOf(said: string, moment: Moment): Pick<MoveReading, 'topic' | 'at' | 'series'> | null {
  const named = said.trim().replace(ASKED_KINDLY, '').trim()
  const what = withoutSeries(named)
  if (what === '' && named !== '') return { topic: null, at: null, series: true }
  if (PRONOUN.test(what)) return { topic: null, at: null }
  const { span, rest, impossible } = readDates(what, moment)
  if (impossible) return null
  const left = rest
    .replace(/(?<=\s|^)'s\b/g, ' ')
    .trim()
    .replace(ASKED_KINDLY, '')
    .replace(AROUND, '')
    .replace(/\s+/g, ' ')
    .trim()
  const words = left.replace(KIND, ' ').replace(/\s+/g, ' ').trim()
  const topic = words === '' ? left : words
  if (topic === '' || KIND_ONLY.test(left)) return span === null ? null : { topic: null, at: span }
  return { topic, at: span, ...(what !== named && { series: true as const }) }
}

const KIND_ONLY = /^(?:meeting|appointment|event|termin|one)$/i
