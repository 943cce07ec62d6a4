/**
 * Values that a plan derives (DESIGN §10): what `extract` reads from the words that a model pointed at, and what
 * `compute` calculates. Pure. A value counts only if the source contains its words. Called by point.ts and compute.ts.
 */
import type { Json } from '../../flow/json.ts'
import { derive, type Labeled } from '../../flow/labeled.ts'
import { ok, type Result } from '../../flow/verdict.ts'
import { openTextOf, type SealedReading } from '../../powers/sealed.ts'
import type { ReadOut } from '../../task/plan.ts'
import type { SealedRef } from '../../task/task.ts'

/** A code: contains a digit and no character of a sentence. */
const CODE = /^(?=.*\d)[A-Za-z0-9+._/#:-]{2,64}$/
/** Maximum UTF-16 units of an extracted text: a name, a place, a title; never a passage. */
const MAX_TEXT = 200
/** UTF-16 units of the source that a card shows on each side of the value. */
const AROUND = 40

/** A type, not an interface, so that it is plain data: sealed as JSON. */
export type Found = {
  readonly value: Json
  /** The words of the value with their surroundings in the source; null for a computed value, and for the end of a period. */
  readonly around: string | null
}

/**
 * Reads the first time in words, when it begins or ends, as ISO 8601 with the offset of the owner's zone;
 * null if there is none.
 */
export type DateReader = (words: string, side: 'from' | 'to') => string | null

/**
 * The value that the words state. Null if the source does not contain them, or if they
 * do not state exactly one value of that kind.
 */
export function findValue(
  source: string,
  words: string,
  { kind, dateIn }: { readonly kind: ReadOut; readonly dateIn: DateReader },
): Found | null {
  const text = oneLine(source)
  const quote = oneLine(words).replace(/^["'“”‘’«»`]+|["'“”‘’«»`]+$/gu, '')
  if (quote === '') return null
  if (kind === 'number') return findNumber(text, quote)
  if (kind === 'email') return findOne(text, quote, EMAIL)
  if (kind === 'url') return findOne(text, quote, URL_IN_TEXT)
  const at = placeOf(text, quote)
  if (at === null) return null
  const found = text.slice(at.from, at.to)
  if (kind === 'text') return found.length <= MAX_TEXT ? foundAt(text, at, found) : null
  if (kind === 'id') {
    const code = found.replace(/ /g, '')
    return CODE.test(code) ? foundAt(text, at, code) : null
  }
  const date = dateIn(found, kind === 'end' ? 'to' : 'from')
  if (date === null) return null
  // The card shows the words of a period once, with its beginning.
  return kind === 'end' ? { value: date, around: null } : foundAt(text, at, date)
}

interface Span {
  readonly from: number
  readonly to: number
}

/** Position of the quote in the text, as whole words, ignoring case. */
function placeOf(text: string, quote: string): Span | null {
  const [hay, needle] = [text.toLowerCase(), quote.toLowerCase()]
  if (hay.length !== text.length) return null
  for (let from = hay.indexOf(needle); from !== -1; from = hay.indexOf(needle, from + 1)) {
    const to = from + needle.length
    if (!touchesWord(text, from, to)) return { from, to }
  }
  return null
}

/** Whether a word or number of the text continues beyond the span. */
function touchesWord(text: string, from: number, to: number): boolean {
  const [before, after] = [text.slice(Math.max(0, from - 2), from), text.slice(to, to + 2)]
  const opens = /^[\p{L}\p{N}]/u.test(text.slice(from, to))
  const closes = /[\p{L}\p{N}]$/u.test(text.slice(from, to))
  return (
    (opens && /(?:[\p{L}\p{N}]|\p{N}[.,])$/u.test(before)) ||
    (closes && /^(?:[\p{L}\p{N}]|[.,]\p{N})/u.test(after))
  )
}

const NUMBER =
  /(?<![\p{L}\p{N}]|\p{N}[.,])[-−]?\p{Nd}+(?:[.,'’\u00a0\u202f ]\p{Nd}{3}(?!\p{Nd}))*(?:[.,]\p{Nd}+)?(?![\p{L}\p{N}]|[.,]\p{N})/gu

/** The number in the quote. Compared by value, so that `4200` is found in "4,200 EUR". */
function findNumber(text: string, quote: string): Found | null {
  const [said, ...more] = numbersIn(quote)
  if (said === undefined || more.length > 0) return null
  const place = placeOf(text, quote)
  const here = numbersIn(text).find(
    ({ value, at }) =>
      value === said.value && (place === null || (at.from >= place.from && at.to <= place.to)),
  )
  return here === undefined ? null : foundAt(text, here.at, here.value)
}

/**
 * Numbers in digits, with their places. A unit that touches them, as in `20%` or `€20`, is no part of them.
 */
export function numbersIn(text: string): readonly { readonly value: number; readonly at: Span }[] {
  return [...text.matchAll(NUMBER)].flatMap(({ 0: token, index }) => {
    const value = numberOf(token)
    return value === null ? [] : [{ value, at: { from: index, to: index + token.length } }]
  })
}

/**
 * `1,234.50` and `1.234,50` are the same. The last mark is the decimal one, unless it separates exactly three
 * digits and occurs alone or more than once.
 */
function numberOf(token: string): number | null {
  const plain = token.replace('−', '-').replace(/['’\u00a0\u202f ]/gu, '')
  const marks = plain.match(/[.,]/g) ?? []
  const last = Math.max(plain.lastIndexOf('.'), plain.lastIndexOf(','))
  const isThousands =
    last === -1 || (new Set(marks).size === 1 && plain.length - last === 4 && !/^-?0/.test(plain))
  const whole = isThousands ? plain.replace(/[.,]/g, '') : plain.slice(0, last).replace(/[.,]/g, '')
  const value = Number(isThousands ? whole : `${whole}.${plain.slice(last + 1)}`)
  return Number.isFinite(value) ? value : null
}

const EMAIL = /[^\s\p{C}@<>"(),:;[\]\\]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252}[A-Za-z0-9])?/gu

const URL_IN_TEXT = /\bhttps?:\/\/[^\s\p{C}<>"'`\\^{|}]{1,2040}[^\s\p{C}<>"'`\\^{|}.,;:!?)\]]/giu

/** The only address of the quote, as the text spells it. */
function findOne(text: string, quote: string, pattern: RegExp): Found | null {
  const [said, ...more] = [...quote.matchAll(pattern)].map(([address]) => address)
  if (said === undefined || more.length > 0) return null
  const here = [...text.matchAll(pattern)].find(([address]) => address.toLowerCase() === said.toLowerCase())
  return here === undefined
    ? null
    : foundAt(text, { from: here.index, to: here.index + here[0].length }, here[0])
}

function foundAt(text: string, { from, to }: Span, value: Json): Found {
  const [start, end] = [Math.max(0, from - AROUND), Math.min(text.length, to + AROUND)]
  const before = `${start > 0 ? '…' : ''}${text.slice(start, from)}`
  const after = `${text.slice(to, end)}${end < text.length ? '…' : ''}`
  return { value, around: `${before}${text.slice(from, to)}${after}`.replace(/[\ud800-\udbff](?=…|$)/g, '') }
}

/** A text with its line breaks; any other value as one line. */
export function linesOf(value: Json): string {
  return typeof value === 'string' ? value : textOf(value)
}

/** A value as one line: `from 2026-11-27T13:00 to 2026-11-27T14:00 busy false`. */
export function textOf(value: Json): string {
  return oneLine(saidBy(value).join('\n'))
}

function saidBy(value: Json): readonly string[] {
  if (value === null) return []
  if (typeof value !== 'object') return [String(value)]
  if (Array.isArray(value)) return value.flatMap((item: Json) => saidBy(item))
  return Object.entries(value).map(([name, inner]) => `${name} ${saidBy(inner).join('\n')}`)
}

function oneLine(text: string): string {
  return text.normalize('NFC').replace(/\s+/gu, ' ').trim()
}

/** The stored result of `extract` or `compute`, with the provenance of everything that led to it. */
export async function openFound(powers: SealedReading, ref: SealedRef): Promise<Result<Labeled<Found>>> {
  const text = await openTextOf(powers, ref)
  return text.ok ? ok(derive(text.value, (json) => JSON.parse(json) as Found)) : text
}
