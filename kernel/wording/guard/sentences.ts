/**
 * Splits a text into sentences and finds those by others: visibly quoted, or word for word in what was read. Rules
 * about the assistant's own voice check only the rest. Pure and linear; called by claims.ts and identity.ts.
 */
import type { Span } from './spans.ts'

const ENDS = '.!?…'
const WIDE_ENDS = '。！？\n'

/** A sentence ends at a line end, or at a mark followed by a space. A dot inside an address ends nothing. */
export function sentencesOf(text: string): readonly Span[] {
  const found: Span[] = []
  let start = 0
  for (let i = 0; i < text.length; i += 1) {
    const mark = text[i] ?? ''
    if (!WIDE_ENDS.includes(mark) && !(ENDS.includes(mark) && isSpace(text[i + 1]))) continue
    if (mark === '.' && isOrdinal(text, i)) continue
    found.push({ start, end: i + 1 })
    start = i + 1
  }
  return start < text.length ? [...found, { start, end: text.length }] : found
}

const DAY_BEFORE = /[^\n\d.]\d{1,2}$/
const GOES_ON = /^ (?:\p{Ll}|(?:Jan|Feb|März|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez))/u

/** Whether the dot belongs to a day number ("am 8. Dezember", "am 8.12. um neun") and not to a list number. */
function isOrdinal(text: string, at: number): boolean {
  return (
    DAY_BEFORE.test(text.slice(Math.max(0, at - 6), at).replace(/\d\.(?=\d)/, ' ')) &&
    GOES_ON.test(text.slice(at + 1, at + 8))
  )
}

function isSpace(unit: string | undefined): boolean {
  return unit === undefined || unit.trim() === ''
}

/** Texts by others, for comparing sentences. */
export interface Others {
  said(sentence: string): boolean
}

/** Minimum words for a sentence to be attributed to somebody. */
const LEAST_WORDS = 2

export function othersOf(texts: () => readonly string[]): Others {
  let spoken: string | null = null
  return {
    said(sentence) {
      const wanted = folded(sentence)
      if (wanted.split(' ').length < LEAST_WORDS) return false
      spoken ??= ` ${texts().map(folded).join(' | ')} `
      return spoken.includes(` ${wanted} `)
    },
  }
}

function folded(text: string): string {
  const words = text
    .toLowerCase()
    .replace(/['’ʼ`]/g, '')
    .match(/[\p{L}\p{N}]+/gu)
  return (words ?? []).join(' ')
}

const OPENING_MARK = /["“„«‹「『]/g

/** After `>`, or between quotation marks: the reader sees that it is a quotation. */
export function isQuotation(text: string, at: number): boolean {
  const before = text.slice(text.lastIndexOf('\n', at - 1) + 1, at)
  if (/^\s*>/.test(before)) return true
  const marks = before.match(/["“”„«»‹›「」『』]/g) ?? []
  const last = marks.at(-1)
  if (last === undefined) return false
  const straight = marks.filter((mark) => mark === '"').length
  return last === '"' ? straight % 2 === 1 : last.search(OPENING_MARK) === 0
}
