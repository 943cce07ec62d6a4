/**
 * Parses periods in the past: "last night", "in November", "since October", "the last two weeks"; English and German. A day
 * without a year is its last occurrence that has begun. Pure: today is an argument. Called by run.ts and phrases.ts.
 */

/** Dates, both inclusive. */
export interface Period {
  readonly from: string
  readonly to: string
}

/** Milliseconds. */
const DAY = 86_400_000
/** Maximum number of days of one question. */
export const MOST_DAYS = 3_660

const MONTHS: readonly string[] = [
  ...[
    'january|januar|jan',
    'february|februar|feb',
    'march|märz|mar',
    'april|apr',
    'may|mai',
    'june|juni|jun',
  ],
  ...['july|juli|jul', 'august|aug', 'september|sept|sep', 'october|oktober|oct|okt', 'november|nov'],
  'december|dezember|dec|dez',
]
const WEEKDAYS: readonly string[] = [
  ...['sunday|sonntag|sun', 'monday|montag|mon', 'tuesday|dienstag|tue', 'wednesday|mittwoch|wed'],
  ...['thursday|donnerstag|thu', 'friday|freitag|fri', 'saturday|samstag|sonnabend|sat'],
]
const NUMBERS: readonly string[] = [
  ...['one|a|ein|einen|einer|eine', 'two|zwei', 'three|drei', 'four|vier', 'five|fünf', 'six|sechs'],
  ...['seven|sieben', 'eight|acht', 'nine|neun', 'ten|zehn', 'eleven|elf', 'twelve|zwölf'],
]

const MONTH = `(?:${MONTHS.join('|')})`
const WEEKDAY = `(?:${WEEKDAYS.join('|')})`
const COUNT = `(?:\\d{1,3}|${NUMBERS.join('|')})`
const UNIT = '(?:days?|weeks?|months?|years?|tage?n?|wochen?|monate?n?|jahre?n?)'
const ISO = '\\d{4}-\\d\\d-\\d\\d'
const DATED = `(?:${ISO}|\\d{1,2}(?:st|nd|rd|th|\\.)? (?:of )?${MONTH}(?: \\d{4})?|${MONTH} \\d{1,2}(?:st|nd|rd|th)?(?:,? \\d{4})?)`
const SINGLE = `(?:${DATED}|${MONTH}(?: \\d{4})?|(?:last |letzten )?${WEEKDAY}|yesterday|gestern|last week|last month)`
const LAST = '(?:last|past|previous|letzten?|letztes|letzter|vergangenen?|vergangenes)'
const THIS = '(?:this|diese[nsrm]?)'
const LEAD = '(?:in|on|for|during|over|of|within|from|throughout|im|am|in den|in der|während|für|vom)'

/** Matches a period in a sentence; a pattern without named groups. */
export const PERIOD_PATTERN = `(?:${LEAD} )?(?:the |den |der |die |dem )?(?:${[
  ...['today', 'heute nacht', 'heute', 'yesterday', 'gestern', 'last night', 'tonight', 'letzte nacht'],
  `(?:since|seit) (?:the |dem )?${SINGLE}`,
  `${ISO} (?:to|until|bis) ${ISO}`,
  `${LAST} ${COUNT} ${UNIT}`,
  `${LAST} (?:week|month|year|woche|monat|jahr)`,
  `${THIS} (?:week|month|year|morning|woche|monat|jahr)`,
  SINGLE,
].join('|')})`

/** Null for text that names no days, or only days in the future. */
export function periodNamed(typed: string, today: string): Period | null {
  const text = bare(typed)
  const found =
    fixed(text, today) ?? counted(text, today) ?? since(text, today) ?? between(text) ?? single(text, today)
  if (found === null || found.from > today || found.to < found.from) return null
  const to = found.to > today ? today : found.to
  return daysIn({ from: found.from, to }) > MOST_DAYS ? null : { from: found.from, to }
}

export function daysIn({ from, to }: Period): number {
  return (Date.parse(to) - Date.parse(from)) / DAY + 1
}

export function shifted(day: string, by: number): string {
  return new Date(Date.parse(day) + by * DAY).toISOString().slice(0, 10)
}

function bare(typed: string): string {
  return typed
    .normalize('NFC')
    .toLowerCase()
    .replace(/[?!.,]+$/, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(new RegExp(`^${LEAD} (?=\\S)`), '')
    .replace(/^(?:the|den|der|die|dem) (?=\S)/, '')
}

function fixed(text: string, today: string): Period | null {
  const [year, month] = [Number(today.slice(0, 4)), Number(today.slice(5, 7))]
  const monday = shifted(today, -((new Date(today).getUTCDay() + 6) % 7))
  switch (true) {
    case /^(?:today|heute|last night|tonight|letzte nacht|heute nacht|this morning)$/.test(text):
      return { from: today, to: today }
    case /^(?:yesterday|gestern)$/.test(text):
      return { from: shifted(today, -1), to: shifted(today, -1) }
    case new RegExp(`^${THIS} (?:week|woche)$`).test(text):
      return { from: monday, to: today }
    case new RegExp(`^${LAST} (?:week|woche)$`).test(text):
      return { from: shifted(monday, -7), to: shifted(monday, -1) }
    case new RegExp(`^${THIS} (?:month|monat)$`).test(text):
      return monthOf(year, month)
    case new RegExp(`^${LAST} (?:month|monat)$`).test(text):
      return month === 1 ? monthOf(year - 1, 12) : monthOf(year, month - 1)
    case new RegExp(`^${THIS} (?:year|jahr)$`).test(text):
      return { from: `${year}-01-01`, to: today }
    case new RegExp(`^${LAST} (?:year|jahr)$`).test(text):
      return { from: `${year - 1}-01-01`, to: `${year - 1}-12-31` }
    default:
      return null
  }
}

/** "The last two weeks" end today. */
function counted(text: string, today: string): Period | null {
  const found = new RegExp(`^${LAST} (${COUNT}) (${UNIT})$`).exec(text)
  const [, number = '', unit = ''] = found ?? []
  const count = /^\d+$/.test(number) ? Number(number) : indexIn(NUMBERS, number) + 1
  if (found === null || count < 1) return null
  const days = /^(?:day|tag)/.test(unit)
    ? count
    : /^w/.test(unit)
      ? count * 7
      : /^mon/.test(unit)
        ? count * 30
        : count * 365
  return { from: shifted(today, 1 - days), to: today }
}

function since(text: string, today: string): Period | null {
  const found = /^(?:since|seit) (?:the |dem )?(.+)$/.exec(text)
  const begun = found === null ? null : (fixed(found[1] ?? '', today) ?? single(found[1] ?? '', today))
  return begun === null ? null : { from: begun.from, to: today }
}

function between(text: string): Period | null {
  const found = new RegExp(`^(${ISO}) (?:to|until|bis) (${ISO})$`).exec(text)
  const [from, to] = [dateOf(found?.[1] ?? ''), dateOf(found?.[2] ?? '')]
  return from === null || to === null ? null : { from, to }
}

function single(text: string, today: string): Period | null {
  const weekday = indexIn(WEEKDAYS, text.replace(/^(?:last|letzten) /, ''))
  if (weekday >= 0) {
    const back = (new Date(today).getUTCDay() - weekday + 7) % 7
    const day = shifted(today, -(back === 0 && /^(?:last|letzten) /.test(text) ? 7 : back))
    return { from: day, to: day }
  }
  const exact = dateOf(text)
  if (exact !== null) return { from: exact, to: exact }
  const [, first, name, second, year] =
    /^(?:(\d{1,2})(?:st|nd|rd|th|\.)? (?:of )?)?([a-zä]+)(?: (\d{1,2})(?:st|nd|rd|th)?,?)?(?: (\d{4}))?$/.exec(
      text,
    ) ?? []
  const month = indexIn(MONTHS, name ?? '') + 1
  if (month === 0) return null
  const day = first ?? second
  const years = year === undefined ? [0, 1].map((back) => Number(today.slice(0, 4)) - back) : [Number(year)]
  const made = years.flatMap((one) =>
    day === undefined ? [monthOf(one, month)] : dayIn(one, month, Number(day)),
  )
  return made.find(({ from }) => from <= today) ?? null
}

function dayIn(year: number, month: number, day: number): readonly Period[] {
  const date = dateOf(`${year}-${two(month)}-${two(day)}`)
  return date === null ? [] : [{ from: date, to: date }]
}

function monthOf(year: number, month: number): Period {
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate()
  return { from: `${year}-${two(month)}-01`, to: `${year}-${two(month)}-${two(last)}` }
}

/** Null for a date that does not exist. */
function dateOf(text: string): string | null {
  if (!new RegExp(`^${ISO}$`).test(text)) return null
  const at = Date.parse(text)
  return Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== text ? null : text
}

function indexIn(names: readonly string[], word: string): number {
  return word === '' ? -1 : names.findIndex((all) => all.split('|').includes(word))
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}
