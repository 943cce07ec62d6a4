/**
 * Particulars of a claim besides its kind: addresses, names, days, times, numbers, titles.
 * Each must occur in what is known of the deed, as the record spells it or as the owner's
 * calendar shows it. English and German, by closed lists. Pure; called by deeds.ts.
 */
import type { Json } from '../../flow/json.ts'
import { formatMinute, instantOf } from '../output.ts'

/** What is known of a deed and may be repeated. */
export interface Known {
  readonly words: ReadonlySet<string>
  readonly numbers: ReadonlySet<string>
  /** Start times and other named times, in minutes of the day. */
  readonly times: ReadonlySet<number>
  /** End times, in minutes of the day, if there is a start time too. */
  readonly ends: ReadonlySet<number>
  /** Weekdays `w0`–`w6`, months `m1`–`m12`, days of a month `8.12`, days from today `r-1`–`r2`. */
  readonly days: ReadonlySet<string>
}

/** Clock and time zone by which instants are read (epoch milliseconds). */
export interface Wall {
  readonly now: number
  readonly zone: string
}

const MINUTE = 60_000
const DAY = 1_440 * MINUTE

const WEEKDAYS =
  'sunday sun sonntag so|monday mon montag mo|tuesday tue tues dienstag di|wednesday wed mittwoch mi|thursday thu thur thurs donnerstag do|friday fri freitag fr|saturday sat samstag sonnabend sa'
const MONTHS =
  'january jan januar|february feb februar|march mar märz|april apr|may mai|june jun juni|july jul juli|august aug|september sep sept|october oct oktober okt|november nov|december dec dezember dez'
const RELATIVE: Readonly<Record<string, string>> = Object.freeze({
  ...{ yesterday: 'r-1', gestern: 'r-1', today: 'r0', tonight: 'r0', heute: 'r0' },
  ...{ tomorrow: 'r1', morgen: 'r1', übermorgen: 'r2' },
})
const COUNTS =
  'two zwei|three drei|four vier|five fünf|six sechs|seven sieben|eight acht|nine neun|ten zehn|eleven elf|twelve zwölf'

/** Names of days and months count only with a capital: "may", "so" and "do" are words of their own. */
const NAMED_DAYS = new Map([...tableOf(WEEKDAYS, (at) => `w${at}`), ...tableOf(MONTHS, (at) => `m${at + 1}`)])
const COUNTED = tableOf(COUNTS, (at) => String(at + 2))

function tableOf(rows: string, name: (at: number) => string): ReadonlyMap<string, string> {
  return new Map(
    rows.split('|').flatMap((row, at) => row.split(' ').map((word) => [word, name(at)] as const)),
  )
}

/** The day that a word names; null for any other word. */
export function dayNamed(token: string): string | null {
  const low = token.toLowerCase()
  if (Object.hasOwn(RELATIVE, low)) return low === 'morgen' && token !== low ? null : (RELATIVE[low] ?? null)
  const plural = low.length > 6 ? low.replace(/s$/, '') : low
  return token === low ? null : (NAMED_DAYS.get(low) ?? NAMED_DAYS.get(plural) ?? null)
}

/** The number that a word writes out, from two upwards, because "one" may be a pronoun. */
export function countNamed(token: string): string | null {
  return COUNTED.get(token.toLowerCase()) ?? null
}

/** A time of day: `13:00`, `9.30`, `4 pm`, `16 Uhr`. With a dot it needs a unit, because it could be a date or an amount. */
const TIME =
  /(?<![\p{L}\p{N}.:])(\d{1,2})(?:([:.])(\d\d))?\s?(am|pm|a\.m\.?|p\.m\.?|uhr|o['’]clock|h)?(?![\p{L}\p{N}]|[.:]\d)/giu

export interface TimeNamed {
  readonly start: number
  readonly end: number
  /** Minutes of the day that the time may mean. */
  readonly means: readonly number[]
}

export function timesIn(text: string): readonly TimeNamed[] {
  const found: TimeNamed[] = []
  for (const { 0: hit, 1: hour = '', 2: mark, 3: minute, 4: unit, index } of text.matchAll(TIME)) {
    const half = unit?.[0]?.toLowerCase()
    const isTime = (mark === ':' && minute !== undefined) || unit !== undefined
    const [hours, minutes] = [Number(hour), Number(minute ?? 0)]
    if (!isTime || hours > 24 || minutes > 59) continue
    const at = (hours % 24) * 60 + minutes
    const noon = hours % 12 === 0 ? minutes : (hours % 12) * 60 + minutes
    const means =
      half === 'p' ? [noon + 720] : half === 'a' ? [noon] : hours < 12 && half !== 'u' ? [at, at + 720] : [at]
    found.push({ start: index, end: index + hit.length, means })
  }
  return found
}

const MONTH = MONTHS.split(/[ |]/).join('|')
/** `8.12.`, `8. Dezember`, `3rd of December`, `December 3`. */
const DATE = new RegExp(
  `(?<![\\d.])(\\d{1,2})\\.\\s?(\\d{1,2})\\.|(?<![\\d:.])(\\d{1,2})(?:st|nd|rd|th|\\.)?\\s(?:of\\s)?(${MONTH})(?!\\p{L})|(?<!\\p{L})(${MONTH})\\s(?:the\\s)?(\\d{1,2})(?![\\d:])`,
  'giu',
)

/** Days of a month that a text names. */
export function datesIn(text: string): readonly string[] {
  return [...text.matchAll(DATE)].map(([, day, month, before, named, name, behind]) => {
    const said = NAMED_DAYS.get((named ?? name ?? '').toLowerCase())?.slice(1)
    return `${Number(day ?? before ?? behind)}.${Number(month ?? said)}`
  })
}

/** The word in lower case, without diacritics. */
export function folded(word: string): string {
  return word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

/** Names with a dot inside, such as those of files. */
export function dottedIn(text: string): readonly string[] {
  return folded(text).match(/(?<![\p{L}\p{N}@._-])[\p{L}\p{N}_-]{2,}(?:\.\p{L}[\p{L}\p{N}_-]+)+(?!@)/gu) ?? []
}

export function wordsOf(text: string): readonly string[] {
  return folded(text).match(/\p{L}+/gu) ?? []
}

/**
 * Collects what may be said of a deed. `values`: one entry per deed. `said`: other
 * text that may be repeated, such as the owner's own words.
 */
export function knownOf(values: readonly Json[], said: readonly Json[], wall: Wall): Known {
  const known = {
    ...{ words: new Set<string>(), numbers: new Set<string>(), days: new Set<string>() },
    ...{ times: new Set<number>(), ends: new Set<number>() },
  }
  for (const value of said) for (const text of leaves(value, known.numbers)) addText(text, known)
  for (const value of values) {
    const texts = leaves(value, known.numbers)
    const instants = [...new Set(texts.flatMap((text) => instantOf(text) ?? []))].toSorted((a, b) => a - b)
    for (const text of texts) if (instantOf(text) === null) addText(text, known)
    for (const [at, instant] of instants.entries())
      addInstant(instant, { known, wall, isEnd: at > 0 && at === instants.length - 1 })
    const [first, last] = [instants[0], instants.at(-1)]
    if (first === undefined || last === undefined) known.days.add('r0')
    else addLength((last - first) / MINUTE, known.numbers)
  }
  return known
}

type Gathered = {
  readonly [name in keyof Known]: Known[name] extends ReadonlySet<infer T> ? Set<T> : never
}

/** All texts inside a value. Adds its numbers and the lengths of its lists to `numbers`. */
function leaves(value: Json, numbers: Set<string>): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'number') numbers.add(String(value))
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) numbers.add(String(value.length))
  return Object.values(value).flatMap((inner: Json) => leaves(inner, numbers))
}

const PLAIN_DAY = /(?<!\d)(\d{4})-(\d\d)-(\d\d)(?!\d)/g

function addText(text: string, known: Gathered): void {
  for (const word of [...wordsOf(text), ...dottedIn(text)]) known.words.add(word)
  for (const run of text.match(/\d+/g) ?? []) known.numbers.add(String(Number(run)))
  for (const { means } of timesIn(text)) for (const at of means) known.times.add(at)
  for (const token of text.match(/\p{L}+/gu) ?? []) {
    // The owner also writes "friday" in lower case.
    const day = dayNamed(token) ?? (token.length > 2 ? dayNamed(capital(token)) : null)
    if (day !== null) known.days.add(day)
    const count = countNamed(token)
    if (count !== null) known.numbers.add(count)
  }
  for (const date of datesIn(text)) known.days.add(date)
  // The number of items listed in one text may be stated.
  const parts = text.split(/,\s|\n|(?<!\p{L})(?:and|und)(?!\p{L})/iu).length
  if (parts > 1) known.numbers.add(String(parts))
  for (const [day] of text.matchAll(PLAIN_DAY)) addDay(Date.parse(day), known)
}

function capital(token: string): string {
  return token.charAt(0).toUpperCase() + token.slice(1)
}

/** `day`: midnight of the day, as if it were UTC. */
function addDay(day: number, { days, numbers }: Gathered): void {
  const date = new Date(day)
  days.add(`w${date.getUTCDay()}`).add(`m${date.getUTCMonth() + 1}`)
  days.add(`${date.getUTCDate()}.${date.getUTCMonth() + 1}`)
  for (const part of [date.getUTCDate(), date.getUTCMonth() + 1, date.getUTCFullYear()])
    numbers.add(String(part))
}

function addInstant(
  at: number,
  { known, wall, isEnd }: { readonly known: Gathered; readonly wall: Wall; readonly isEnd: boolean },
): void {
  const local = Date.parse(`${formatMinute(at, wall.zone)}Z`)
  const today = Date.parse(`${formatMinute(wall.now, wall.zone)}Z`)
  addDay(local, known)
  known.days.add(`r${Math.floor(local / DAY) - Math.floor(today / DAY)}`)
  const minutes = Math.floor((local % DAY) / MINUTE)
  const into = isEnd ? known.ends : known.times
  into.add(minutes)
  // In "until 4" the hour has no unit.
  const hour = Math.floor(minutes / 60)
  for (const part of [hour, hour % 12 || 12, minutes % 60]) known.numbers.add(String(part))
  addLength(Math.round((at - wall.now) / MINUTE), known.numbers)
}

/** Adds a duration as people say it: in minutes, hours and days. */
function addLength(minutes: number, numbers: Set<string>): void {
  for (const unit of [1, 60, 1_440]) if (minutes >= unit) numbers.add(String(Math.round(minutes / unit)))
}

/** Whether the word is known, in another form, or as part of a compound. */
export function isKnown(word: string, { words }: Known): boolean {
  const low = folded(word)
  if (words.has(low)) return true
  for (const known of words) if (isFormOf(low, known)) return true
  return false
}

/** Minimum letters of a stem. */
const STEM = 4

function isFormOf(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  if (short.length < STEM) return false
  const stem = short.slice(0, Math.max(STEM, short.length - 2))
  return long.startsWith(stem) || long.endsWith(short)
}
