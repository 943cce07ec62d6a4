/**
 * Builds a language's grammar: chrono's parsers and refiners, own parsers for phrases that chrono lacks, and refiners that remove
 * its wrong readings. Called by english.ts and german.ts.
 */
import { Chrono, type ParsedResult, type Parser, type ParsingResult, type Refiner } from 'chrono-node/en'
import { type Days, dateOf, dayNumber, exists, LEAP_CYCLE, upcoming } from './civil.ts'
import { DAY } from './zone.ts'

/** Meaning of a phrase: days, a part of a day by its tag, or clock times in minutes after midnight. */
export interface Meaning {
  readonly days?: Days
  /** A date without a year is the next one that exists. */
  readonly date?: { readonly month: number; readonly day: number; readonly year?: number }
  readonly part?: Part
  readonly from?: number
  readonly to?: number
  /** The phrase is a time only together with a named day: `9-11`. */
  readonly besideDay?: true
  /** The phrase names a day that does not exist, such as "Tuesday the 14th" if none comes soon. */
  readonly impossible?: true
}

export type ParsedComponents = ParsedResult['start']
type ParsingContext = Parameters<Parser['pattern']>[0]

/** Matched groups and the current civil day → meaning, or null if there is none. */
export type Phrase = readonly [RegExp, (match: RegExpMatchArray, today: number) => Meaning | null]

export interface Language {
  /** Common words that identify the language of a text. */
  readonly words: RegExp
  /** Groups: a number word, `minutes` or `hours`. `in 20 minutes`; `for 90 minutes`, where a third group adds half an hour. */
  readonly delay: RegExp
  readonly length: RegExp
  readonly isHours: RegExp
  readonly count: (word: string) => number
  /** Replaces some words that chrono does not know, at the same length: `from 2 to 4`. */
  readonly plain: (text: string) => string
  /** Before a time: it opens a span towards the end of the day, or towards its start. */
  readonly after: RegExp
  readonly before: RegExp
  /** Words for things in the evening or in the morning, for hours without `am` and `pm`. */
  readonly late: RegExp
  readonly early: RegExp
  readonly chrono: (monthFirst: boolean) => Chrono
}

/** Hours of the parts of a day; the keys are tags of chrono and of the own phrases. */
export const PARTS = {
  'casualReference/morning': [8, 12],
  'part/forenoon': [8, 12],
  'part/lunchtime': [12, 14],
  'casualReference/afternoon': [12, 18],
  'casualReference/evening': [18, 23],
  'casualReference/tonight': [18, 24],
} as const satisfies Readonly<Record<string, readonly [number, number]>>

export type Part = keyof typeof PARTS

/** Tag of a day that exists in no year, such as 31 February. */
export const IMPOSSIBLE = 'pfar/impossible'
export const BESIDE_DAY = 'pfar/beside-day'

/** Only together with a named day: elsewhere `2-4` is no time. */
export const HOURS: Phrase = [
  /(?<![\d/.:-])(\d{1,2}) ?[-–] ?(\d{1,2})(?![\d/.:-])(?! ?[ap]m)/i,
  ([, from, to]) =>
    Number(from) > 24 || Number(to) > 24
      ? null
      : { from: Number(from) * 60, to: Number(to) * 60, besideDay: true },
]

/** `27.11.`, `27.11.2026`, `27/11`; with dots, the day comes first in every country. */
function numeric(monthFirst: boolean): Phrase {
  return [
    /(?<![\d./-]|\b(?:at|um) )(\d{1,2})(?:\.(\d{1,2})\.(\d{4}|\d{2})?|\/(\d{1,2})(?:\/(\d{4}|\d{2}))?)(?![\d./-])/i,
    ([, first, dotted, dottedYear, slashed, slashedYear]) => {
      const [one, two] = [Number(first), Number(dotted ?? slashed)]
      // "10.30" is a time.
      if (two > 12 && dotted !== undefined && dottedYear === undefined) return null
      const isSwapped = two > 12 || (monthFirst && dotted === undefined && one <= 12)
      const [day, month] = isSwapped ? [two, one] : [one, two]
      if (day < 1 || day > 31 || month < 1 || month > 12) return null
      const year = Number(dottedYear ?? slashedYear ?? 0)
      return { date: { day, month, ...(year > 0 && { year: year < 100 ? 2000 + year : year }) } }
    },
  ]
}

interface Parts {
  readonly library: { readonly parsers: readonly Parser[]; readonly refiners: readonly Refiner[] }
  readonly phrases: readonly Phrase[]
  readonly monthFirst: boolean
  /** A weekday with a modifier, `next Friday`, keeps the day that chrono computes. */
  readonly modifier: RegExp
  /** Between two weekdays of a range. */
  readonly to: RegExp
  /** Articles and prepositions that belong to a date. */
  readonly lead: RegExp
  /** Whether a reading is plausible: `sun`, `march on` and `may` are also words. */
  readonly isLikely: (result: ParsingResult, before: string, after: string) => boolean
}

/** "All day" after a day adds nothing; "all day meeting" is a thing. */
const WHOLE_DAY =
  /^,? (?:(?:for |the )*(?:all|whole)[- ]day|ganzt(?:ägig|ags)|de[nr] ganzen? tag)(?!\p{L}|[- ](?:event|thing|meeting|trip))/iu

export function chronoOf({ library, monthFirst, phrases, modifier, to, lead, isLikely }: Parts): Chrono {
  const filter = (isKept: (result: ParsingResult, text: string) => boolean): Refiner => ({
    refine: ({ text }, results) => results.filter((result) => isKept(result, text)),
  })
  const each = (change: (result: ParsingResult, context: ParsingContext) => void): Refiner => ({
    refine: (context, results) => {
      for (const result of results) change(result, context)
      return results
    },
  })
  const weekdays = (result: ParsingResult, context: ParsingContext): void => {
    const weekday = result.start.get('weekday')
    if (weekday === null || !result.start.isOnlyWeekdayComponent() || modifier.test(result.text)) return
    implyDay(result, upcoming(todayOf(context), weekday))
  }
  const leads = (result: ParsingResult, { text }: ParsingContext): void => {
    const isTime = result.start.isCertain('hour') && !namesDay(result)
    const found = isTime ? '' : (lead.exec(text.slice(0, result.index))?.[0] ?? '')
    const { index, text: own, start } = result
    const behind = start.isCertain('hour') ? '' : (WHOLE_DAY.exec(text.slice(index + own.length))?.[0] ?? '')
    result.index -= found.length
    result.text = found + own + behind
  }
  return new Chrono({
    parsers: [
      ...[numeric(monthFirst), ...phrases].map(parserOf),
      ...library.parsers.filter((parser) => !isOfUnits(parser)),
    ],
    refiners: [
      filter(standsAlone),
      filter((result, text) =>
        isLikely(result, text.slice(0, result.index), text.slice(result.index + result.text.length)),
      ),
      each(weekdays),
      each(nextYear),
      each(noon),
      { refine: (context, results) => partsJoined(context.text, joined(context.text, results, to)) },
      ...library.refiners,
      each(leads),
    ],
  })
}

/** Builds each grammar once, on first use: compiling its patterns takes longer than many readings. */
export function built(build: (monthFirst: boolean) => Chrono): (monthFirst: boolean) => Chrono {
  const known = new Map<boolean, Chrono>()
  return (monthFirst) => {
    const chrono = known.get(monthFirst) ?? build(monthFirst)
    known.set(monthFirst, chrono)
    return chrono
  }
}

/** Civil day of the reference, which holds local time as if it were UTC. */
export function todayOf({ refDate }: ParsingContext): number {
  return Math.floor(refDate.getTime() / DAY)
}

export function namesDay({ start }: { readonly start: ParsedComponents }): boolean {
  return start.isCertain('day') || start.isCertain('weekday') || start.isCertain('month')
}

/**
 * Excludes chrono's grammar of time units, which takes quadratic time on repetitions and half a second to compile; own phrases
 * replace it.
 */
function isOfUnits(parser: Parser): boolean {
  // The pattern depends on the options only; none are set here.
  const context = { option: {} } as ParsingContext
  return parser.pattern(context).source.toLowerCase().includes('minute')
}

function parserOf([pattern, read]: Phrase): Parser {
  return {
    pattern: () => pattern,
    extract: (context, match) => {
      const meaning = read(match, todayOf(context))
      const index = match.index ?? 0
      if (meaning === null) return null
      const { days, date, part, from, to, besideDay, impossible } = meaning
      const result = context.createParsingResult(
        index,
        match[0],
        { ...(days && dateOf(days.first)), ...date, ...clock(from) },
        days !== undefined && days.last !== days.first ? dateOf(days.last) : clock(to),
      )
      if (part !== undefined) result.addTag(part)
      if (besideDay === true) result.addTag(BESIDE_DAY)
      if (impossible === true) result.addTag(IMPOSSIBLE)
      return result
    },
  }
}

function clock(minutes: number | undefined): { readonly hour: number; readonly minute: number } | undefined {
  return minutes === undefined ? undefined : { hour: Math.floor(minutes / 60), minute: minutes % 60 }
}

/**
 * Whether the reading is not part of a longer word or number. chrono searches the rest of the text again after each reading, so a
 * pattern may begin within a word or a number, and some patterns consume the spaces and commas after a word.
 */
function standsAlone(result: ParsingResult, text: string): boolean {
  result.text = result.text.replace(/[\s,]+$/, '')
  const { index, text: own } = result
  const isGlued = (before: string, after: string): boolean =>
    /[\p{L}\p{N}]$/u.test(before) && /^[\p{L}\p{N}]/u.test(after)
  if (isGlued(text.slice(0, index), own) || isGlued(own, text.slice(index + own.length))) return false
  return !(/\d[/.]$/.test(text.slice(0, index)) && /^\d/.test(own))
}

function implyDay({ start }: ParsingResult, day: number): void {
  const { year, month, day: ofMonth } = dateOf(day)
  start.imply('year', year).imply('month', month).imply('day', ofMonth)
}

/** Moves a date without a year to its next occurrence, and a month to the current or next one. */
function nextYear(result: ParsingResult, context: ParsingContext): void {
  const { start, end } = result
  const today = todayOf(context)
  const [month, day] = [start.get('month'), start.get('day')]
  if (month === null || day === null || !start.isCertain('month')) return
  const hasDay = start.isCertain('day')
  const stated = start.isCertain('year') ? start.get('year') : null
  const { year: thisYear } = dateOf(today)
  const years = stated === null ? Array.from({ length: LEAP_CYCLE + 1 }, (_, at) => thisYear + at) : [stated]
  const year = years.find(
    (candidate) =>
      (!hasDay || exists({ year: candidate, month, day })) &&
      (stated !== null || dayNumber(candidate, hasDay ? month : month + 1, hasDay ? day : 0) >= today),
  )
  if (year === undefined) {
    start.delete(['day', 'month', 'year', 'weekday'])
    start.imply('year', thisYear).imply('month', 1).imply('day', 1)
    result.addTag(IMPOSSIBLE)
    return
  }
  if (stated !== null) return
  start.imply('year', year)
  if (end === undefined || end === null || end.isCertain('year')) return
  end.imply(
    'year',
    dayNumber(year, end.get('month') ?? month, end.get('day') ?? day) < dayNumber(year, month, day)
      ? year + 1
      : year,
  )
}

/** For German noon and midnight, chrono marks the hour only as implied. */
function noon(result: ParsingResult): void {
  const hour = result.tags().has('casualReference/noon')
    ? 12
    : result.tags().has('casualReference/midnight')
      ? 0
      : null
  if (hour !== null && !result.start.isCertain('hour')) result.start.assign('hour', hour).assign('minute', 0)
  // Otherwise `tonight` would move the 1 of `from 22:00 to 1:00` to the afternoon.
  if (!result.start.isCertain('hour')) result.start.delete('meridiem')
}

/** Runs before chrono applies a time to the second weekday: `Monday to Friday at 9`. */
function joined(text: string, results: ParsingResult[], to: RegExp): ParsingResult[] {
  const found: ParsingResult[] = []
  for (const result of results) {
    const before = found.at(-1)
    const between = before === undefined ? '' : text.slice(before.index + before.text.length, result.index)
    if (before?.start.isOnlyWeekdayComponent() && result.start.isOnlyWeekdayComponent() && to.test(between)) {
      before.end = result.start
      before.text += between + result.text
    } else {
      found.push(result)
    }
  }
  return found
}

/** Runs before chrono merges a part of the day with the following day and loses the day: "morning next week". */
function partsJoined(text: string, results: ParsingResult[]): ParsingResult[] {
  const found: ParsingResult[] = []
  for (const result of results) {
    const before = found.at(-1)
    const between = before === undefined ? '' : text.slice(before.index + before.text.length, result.index)
    const part = before === undefined || namesDay(before) ? undefined : partTag(before)
    const isDay = namesDay(result) && !result.start.isCertain('hour') && partTag(result) === undefined
    if (
      before !== undefined &&
      part !== undefined &&
      isDay &&
      /^ (?:on |of |in )?(?:the )?$/i.test(between)
    ) {
      result.addTag(part)
      result.text = before.text + between + result.text
      result.index = before.index
      found.pop()
    }
    found.push(result)
  }
  return found
}

function partTag(result: ParsingResult): string | undefined {
  return Object.keys(PARTS).find((tag) => result.tags().has(tag) && !result.start.isCertain('hour'))
}
