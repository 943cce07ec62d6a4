/**
 * Reads exceptions of a repetition: "except in August", "but not on 24 and 31 December", "außer am 3. Mai".
 * Ignores bare weekdays, which recur themselves. Pure. Called by repeated-event.ts.
 */
import { type Moment, readDates } from '../../dates/read.ts'
import { DAY } from '../../dates/zone.ts'

/** Words of an exception behind the one that begins it, and exceptions of one message. */
const WINDOW = 12
const MOST = 8

/** Days since 1970-01-01, both included. */
export interface LeftOut {
  readonly from: number
  readonly to: number
}

const BEGINS =
  /(?<!\p{L})(?:,? ?(?:but |and |aber |und )?(?:except(?: for)?|excluding|apart from|besides|skipping|not|außer|ausser|ausgenommen|nicht|ohne))(?!\p{L})\s+(?<rest>\S.*)$/iu
const AND = /\s*(?:,|(?<!\p{L})(?:and|und|or|oder|&)(?!\p{L}))\s*/u
const PREPOSITION = /^(?:(?:on|in|during|over|for|the|all of|am|im|an|den|dem|der|in der|in den)\s+)+/iu
const WEEKDAY =
  /^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:mon|diens|donners|frei|sams|sonn)tags?|mittwochs?|weekends?|weekdays?|wochenenden?)$/iu

/** The text without its exceptions; null where one is named that is not understood. */
export function leftOutIn(
  text: string,
  moment: Moment,
): { readonly text: string; readonly days: readonly LeftOut[] } | null {
  const begins = BEGINS.exec(text)
  const rest = begins?.groups?.['rest'] ?? ''
  if (begins === null) return { text, days: [] }
  const words = rest.split(' ')
  for (let size = Math.min(WINDOW, words.length); size > 0; size -= 1) {
    const part = words.slice(0, size).join(' ')
    const days = daysIn(part.replace(/[.,!]+$/, ''), moment)
    if (days !== null) return { text: `${text.slice(0, begins.index)} ${rest.slice(part.length)}`, days }
  }
  return null
}

function daysIn(part: string, moment: Moment): readonly LeftOut[] | null {
  const pieces = part.split(AND)
  if (pieces.length > MOST) return null
  const month = /\d\.?\s+(\p{L}{3,})(?: \d{4})?$/u.exec(part)?.[1] ?? ''
  const found: LeftOut[] = []
  for (const piece of pieces) {
    const bare = piece.replace(PREPOSITION, '').trim()
    if (bare === '' || WEEKDAY.test(bare)) return null
    // "24 and 31 December": the month is said once.
    const isNumber = /^\d{1,2}(?:\.|st|nd|rd|th)?$/.test(bare)
    const one = dayOf(isNumber ? `${bare} ${month}` : bare, moment)
    if (one === null) return null
    found.push(one)
  }
  return found
}

function dayOf(text: string, moment: Moment): LeftOut | null {
  const { zone, now } = moment
  for (const said of [text, `on ${text}`, `am ${text}`, `in ${text}`, `im ${text}`]) {
    const { span, rest, impossible } = readDates(said, moment)
    if (impossible) return null
    if (span === null || span.named !== 'days' || rest.trim() !== '' || span.to <= now - DAY) continue
    return { from: zone.dayOf(span.from), to: zone.dayOf(span.to - 1) }
  }
  return null
}
