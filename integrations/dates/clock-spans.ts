/**
 * Finds clock spans in words, or with a part of the day: "between seven and eleven in the evening", "von sieben bis elf abends",
 * and rewrites them as 24-hour figures of the same length, because chrono reads neither form. Leaves ambiguous numbers unchanged.
 * Called by the grammars.
 */

/** Half of the day; `night` covers hours of both halves. */
export type Half = 'am' | 'morning' | 'pm' | 'evening' | 'night'

export interface ClockWords {
  /** Words before a span whose second time follows `and`, and words before any other span. */
  readonly between: string
  readonly from: string
  readonly and: string
  readonly to: string
  /** Replacement for these words, in a form that chrono reads. */
  readonly plain: { readonly from: string; readonly to: string }
  /** Words of one time: minutes added to its hour, then the hour, and the word for a clock. */
  readonly minutes: Readonly<Record<string, number>>
  /** The index is the hour; index 0 is unused. */
  readonly hours: readonly string[]
  readonly clock: string
  /** Parts of the day after a time, and marks such as `pm`. After figures, chrono reads the marks itself. */
  readonly parts: Readonly<Record<string, Half>>
  readonly marks: Readonly<Record<string, Half>>
  /** Names of days, before or after a span without `from`. */
  readonly day: string
  /** Words after a span in words. After anything else the span may be a count of things. */
  readonly behind: string
  /** Words of a first time that belong to the second if there is no `from`: "ten to five". */
  readonly spoken: string
}

const HOUR = 60
const HALF_DAY = 12 * HOUR
const DAY = 24 * HOUR

/** Hours that may equally be in the morning or in the evening. */
const EITHER = Object.freeze({ from: 7 * HOUR, to: 12 * HOUR })

/** Rewrites such spans as figures; the text keeps its length. */
export function withClockFigures(words: ClockWords): (text: string) => string {
  const pattern = patternOf(words)
  const isSure = surely(words)
  return (text) =>
    text.replace(pattern, (whole: string, ...found: readonly unknown[]) => {
      const groups = found.at(-1) as Groups
      const at = found.at(-3) as number
      const [one, two] = [timeIn(words, groups, '1'), timeIn(words, groups, '2')]
      const around = { text, before: text.slice(0, at), after: text.slice(at + whole.length) }
      if (one === null || two === null || !isSure([one, two], groups, around)) return whole
      const isOpen = one.half === null && two.half === null
      const span = isOpen ? ([one.minutes, two.minutes] as const) : spanOf(one, two)
      if (span === null) return whole
      const [first, last] = isOpen ? [typed(span[0]), typed(span[1])] : [figures(span[0]), figures(span[1])]
      const lead = groups['lead'] === undefined ? '' : words.plain.from.padEnd(groups['lead'].length)
      const room = whole.length - lead.length - first.length - last.length
      const to = ` ${words.plain.to} `
      return room < 1 ? whole : `${lead}${first}${(room < to.length ? '-' : to).padEnd(room)}${last}`
    })
}

interface Around {
  readonly text: string
  readonly before: string
  readonly after: string
}

/** Whether this is certainly a clock span that chrono does not read, with a known half of the day. */
function surely(
  words: ClockWords,
): (times: readonly [Time, Time], groups: Groups, around: Around) => boolean {
  const day = `(?:${words.day})(?!\\p{L})`
  const parts = Object.keys(words.parts).join('|')
  const namesDay = new RegExp(`(?<!\\p{L})${day}`, 'iu')
  const fitsBehind = new RegExp(`^(?:\\s*(?:[.,;:!?)]|$)|\\s+(?:(?:${words.behind})(?!\\p{L})|${day}))`, 'iu')
  const isDayBehind = new RegExp(`^,?\\s+(?:(?:on|this|next|am)\\s+)?${day}`, 'iu')
  const isDayBefore = new RegExp(`(?<!\\p{L})${day}(?:,?\\s+(?:${parts}))?,?\\s+$`, 'iu')
  const isBetween = new RegExp(`^(?:${words.between})`, 'iu')
  const isAnd = new RegExp(`^(?:${words.and})$`, 'iu')
  const isSpoken = new RegExp(`^(?:${words.spoken})$`, 'iu')
  return ([one, two], { lead, and = '', h1 = '' }, { text, before, after }) => {
    if (!one.isWord && !two.isWord && !one.isPart && !two.isPart) return false
    // "Two and four" are two times.
    if (isAnd.test(and) !== (lead !== undefined && isBetween.test(lead))) return false
    const isHalf = one.half !== null || two.half !== null
    const isEither = [one, two].some(({ minutes }) => minutes >= EITHER.from && minutes < EITHER.to)
    if (!isHalf && isEither && !namesDay.test(text)) return false
    if (lead !== undefined) return isHalf || one.isClock || two.isClock || fitsBehind.test(after)
    return !isSpoken.test(h1) && (isHalf || isDayBefore.test(before) || isDayBehind.test(after))
  }
}

type Groups = Readonly<Record<string, string | undefined>>

function patternOf(words: ClockWords): RegExp {
  const alternatives = (texts: readonly string[]): string =>
    texts.toSorted((a, b) => b.length - a.length).join('|')
  const half = alternatives([...Object.keys(words.parts), ...Object.keys(words.marks)])
  const time = (which: string): string =>
    `(?:(?<m${which}>${alternatives(Object.keys(words.minutes))})\\s+)?(?<h${which}>\\d{1,2}(?::[0-5]\\d)?|${alternatives(words.hours.slice(1))})(?<c${which}>\\s?(?:${words.clock})(?!\\p{L}))?(?:\\s?(?<p${which}>${half})(?!\\p{L}))?`
  const [first, second] = [time('1'), time('2')]
  const lead = `(?<lead>(?:${words.between}|${words.from})\\s+)?`
  return new RegExp(
    `(?<![\\p{L}\\p{N}.:/-])${lead}${first}\\s*(?<!\\p{L}(?=\\p{L}))(?<and>${words.and}|${words.to}|[-–])(?!\\p{L})\\s*${second}(?![\\p{L}\\p{N}]|[.:/-]\\d)`,
    'giu',
  )
}

interface Time {
  /** Minutes after midnight, as spoken. */
  readonly minutes: number
  readonly half: Half | null
  readonly isWord: boolean
  readonly isPart: boolean
  readonly isClock: boolean
}

/** Null for a time that no clock shows. */
function timeIn(words: ClockWords, groups: Groups, which: '1' | '2'): Time | null {
  const [added, hour = '', part] = [groups[`m${which}`], groups[`h${which}`], groups[`p${which}`]]
  const isFigure = /\d/.test(hour)
  const [hours = -1, minutes = 0] = isFigure ? hour.split(':').map(Number) : [indexOf(words.hours, hour)]
  const said = hours * HOUR + minutes + (added === undefined ? 0 : (saidBy(words.minutes, added) ?? 0))
  if (hours < 0 || said < 0 || said > DAY) return null
  const named = part === undefined ? null : saidBy(words.parts, part)
  return {
    minutes: said,
    half: named ?? (part === undefined ? null : saidBy(words.marks, part)),
    isWord: !isFigure || added !== undefined,
    isPart: named !== null,
    isClock: groups[`c${which}`] !== undefined,
  }
}

function indexOf(hours: readonly string[], hour: string): number {
  return hours.findIndex((word) => word !== '' && new RegExp(`^(?:${word})$`, 'iu').test(hour))
}

function saidBy<T>(values: Readonly<Record<string, T>>, text: string): T | null {
  return Object.entries(values).find(([word]) => new RegExp(`^(?:${word})$`, 'iu').test(text))?.[1] ?? null
}

/** The nearest readings of both times in sequence, given the half of the day of one or both; null for none. */
function spanOf(one: Time, two: Time): readonly [number, number] | null {
  const [from, to] = [one.minutes, two.minutes]
  if (one.half !== null) {
    const start = inHalf(from, one.half)
    const ends =
      two.half === null ? [to, to + HALF_DAY, to + DAY] : [inHalf(to, two.half), inHalf(to, two.half) + DAY]
    const end = ends.find((minutes) => minutes > start)
    return end === undefined ? null : [start, end]
  }
  if (two.half === null) return null
  const end = inHalf(to, two.half)
  const starts = from > HALF_DAY ? [from] : [from, from + HALF_DAY]
  const start = starts.findLast((minutes) => minutes < end)
  if (start !== undefined) return [start, end]
  const last = starts.at(-1)
  return last === undefined ? null : [last, end + DAY]
}

function inHalf(minutes: number, half: Half): number {
  if (minutes > HALF_DAY + HOUR) return minutes
  const isTwelve = minutes >= HALF_DAY
  switch (half) {
    case 'am':
      return isTwelve ? minutes - HALF_DAY : minutes
    case 'morning':
      return minutes
    case 'pm':
      return isTwelve ? minutes : minutes + HALF_DAY
    case 'evening':
      return minutes + HALF_DAY
    case 'night':
      return minutes < 6 * HOUR ? minutes : minutes + HALF_DAY
  }
}

/** 24-hour figures. */
function figures(minutes: number): string {
  const [hour, minute] = [Math.floor((minutes % DAY) / HOUR), minutes % HOUR]
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
}

/** 12-hour figures, so that the half of the day stays open. */
function typed(minutes: number): string {
  const minute = minutes % HOUR
  return `${Math.floor(minutes / HOUR)}${minute === 0 ? '' : `:${String(minute).padStart(2, '0')}`}`
}
