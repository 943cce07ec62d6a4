/**
 * Finds encoded runs and decodes them: Base64, Base32, hexadecimal, binary, character codes, percent, quoted and backslash
 * escapes (N-20). A run that does not decode to readable text is ignored. Must not judge the decoded text. Pure and linear;
 * called by sanitize-fold.ts.
 */
import type { Span } from '../wording/guard/spans.ts'

export interface Decoded extends Span {
  readonly says: string
}

/** Minimum UTF-16 units: a shorter run cannot spell a directive. */
const LEAST = 8
/** Minimum share of letters and spaces for a text to count as readable. */
const READABLE = 0.8

type Form = readonly [pattern: RegExp, decode: (run: string) => string | null]

const FORMS: readonly Form[] = [
  [/(?:\\u(?:\{[0-9a-f]{1,6}\}|[0-9a-f]{4}) ?){4,}/gi, (run) => fromPoints(run, /[0-9a-f]{2,6}/gi, 16)],
  [/(?:(?:\\x|0x)[0-9a-f]{2}[ ,]{0,2}){6,}/gi, (run) => fromBytes(hexPairs(run.replace(/\\x|0x/gi, '')))],
  [/(?:%[0-9a-f]{2}[\w.+-]{0,12}){3,}/gi, fromPercent],
  [/(?:=[0-9a-f]{2}[\w ]{0,12}){6,}/gi, (run) => fromPercent(run.replaceAll('=', '%'))],
  [/(?<![01])(?:[01]{8}[ ,]?){6,}/g, (run) => fromPoints(run, /[01]{8}/g, 2)],
  [/(?<!\d)(?:1?\d{2}[ ,;]{1,2}){11,}1?\d{2}(?!\d)/g, (run) => fromPoints(run, /\d{2,3}/g, 10)],
  [/(?<![0-9a-z])(?:[0-9a-f]{2}[ :-]?){8,}(?![0-9a-z])/gi, (run) => fromBytes(hexPairs(run))],
  [/(?<![A-Za-z0-9])[A-Z2-7]{16,}={0,6}(?![A-Za-z0-9])/g, (run) => fromBytes(digitsOf(run, BASE32, 5))],
  [/(?<![\w+/-])[\w+/-]{16,}(?:\n[\w+/-]{16,})*(?:\n?[\w+/-]{1,16}(?==))?={0,2}/g, fromBase64],
]

/** In order, without overlap: of two overlapping runs the one that begins first. */
export function encodedRuns(text: string): readonly Decoded[] {
  const found: Decoded[] = []
  for (const [pattern, decode] of FORMS)
    for (const { 0: run, index } of text.matchAll(pattern)) {
      const says = decode(run)
      if (says !== null && isReadable(says)) found.push({ start: index, end: index + run.length, says })
    }
  let end = 0
  return found
    .toSorted((a, b) => a.start - b.start || b.end - a.end)
    .filter((run) => {
      if (run.start < end) return false
      end = run.end
      return true
    })
}

function isReadable(says: string): boolean {
  if (says.length < LEAST) return false
  const letters = says.match(/[\p{L}\p{M} ]/gu)?.length ?? 0
  return letters / [...says].length >= READABLE && !/[\p{Cc}\ufffd]/u.test(says.replace(/[\n\r\t]/g, ' '))
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

function fromBase64(run: string): string | null {
  const plain = run.replaceAll('-', '+').replaceAll('_', '/')
  return fromBytes(digitsOf(plain, BASE64, 6))
}

/** Bytes of a text whose characters are digits of `bits` bits each. Skips line breaks and padding. */
function digitsOf(run: string, alphabet: string, bits: number): readonly number[] {
  const bytes: number[] = []
  let held = 0
  let count = 0
  for (const character of run) {
    const digit = alphabet.indexOf(character)
    if (digit < 0) continue
    held = ((held << bits) | digit) & 0xfff
    count += bits
    if (count < 8) continue
    count -= 8
    bytes.push((held >> count) & 0xff)
  }
  return bytes
}

function hexPairs(run: string): readonly number[] {
  const digits = run.replace(/[^0-9a-f]/gi, '')
  return (digits.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16))
}

/** Decoded as UTF-8; null if invalid. */
function fromBytes(bytes: readonly number[]): string | null {
  return fromPercent(bytes.map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''))
}

function fromPercent(run: string): string | null {
  try {
    return decodeURIComponent(run.replaceAll('+', ' '))
  } catch {
    return null
  }
}

function fromPoints(run: string, digits: RegExp, base: number): string | null {
  const points = (run.match(digits) ?? []).map((part) => Number.parseInt(part, base))
  return points.every((point) => point >= 9 && point <= 0x10ffff) ? String.fromCodePoint(...points) : null
}
