/**
 * Tokens of a message as the classifier reads them: lower case, known typos corrected; times, addresses and numbers marked.
 * Keeps the position of each word as typed. Must not interpret the message. Called by the readers beside it,
 * message-spelling.ts, the rules model and training.
 */
import { type DateReading, type Moment, readDates } from '../../dates/read.ts'

export type TokenKind = 'word' | 'unknown' | 'when' | 'address' | 'mail' | 'number'

export interface Token {
  readonly kind: TokenKind
  /** Normal form: lower case, without apostrophes, typos corrected. */
  readonly norm: string
  /** Position in the message as typed, in UTF-16 code units; `end` is exclusive. */
  readonly start: number
  readonly end: number
}

export interface Reading {
  readonly tokens: readonly Token[]
  readonly dates: DateReading
  readonly asks: boolean
}

const TOKEN =
  /https?:\/\/[^\s<>]+|[^\s@<>,;:]+@[^\s@<>,;:]+\.[\p{L}]+|[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}]|['’.:-](?=[\p{L}\p{N}]))*/gu
/** Abbreviations, replaced by words that the date reader or a sentence knows. */
const SHORT: Readonly<Record<string, string>> = {
  ...{
    tmrw: 'tomorrow',
    tmr: 'tomorrow',
    tomo: 'tomorrow',
    '2moro': 'tomorrow',
    tdy: 'today',
    u: 'you',
    ur: 'your',
  },
  ...{
    wat: 'what',
    wats: 'whats',
    pls: 'please',
    plz: 'please',
    r: 'are',
    gimme: 'give me',
    cal: 'calendar',
    ...{
      nxt: 'next',
      wknd: 'weekend',
      tomoz: 'tomorrow',
      abt: 'about',
      appt: 'appointment',
      mtg: 'meeting',
      bday: 'birthday',
      w: 'with',
    },
    ...{
      ppl: 'people',
      msg: 'message',
      ya: 'you',
      heut: 'heute',
      regnets: 'regnet es',
      gibts: 'gibt es',
      gehts: 'geht es',
      is: 'is',
    },
  },
}
/** Time words, to which typos are corrected. */
const TIMES =
  'today tomorrow tonight monday tuesday wednesday thursday friday saturday sunday january february august september october november december morning afternoon evening weekend'.split(
    ' ',
  )

export function normOf(word: string): string {
  return word.toLowerCase().replaceAll(/['’]/g, '')
}

/** `known`: words of all declared sentences; any other is of kind `unknown`. */
export function tokensOf(text: string, known: ReadonlySet<string>, moment: Moment): Reading {
  const found = [...text.matchAll(TOKEN)].map((match) => ({ raw: match[0], start: match.index }))
  const typed = readDates(text, moment)
  let plain = ''
  let last = 0
  const placed = found.map(({ raw, start }) => {
    // A word that the date reader understands as typed is not corrected, as it may be a word of another language.
    const isRead = isTimeAt(typed, start, start + raw.length)
    const norm = isRead ? normOf(raw) : mended(normOf(raw), known)
    plain += text.slice(last, start)
    const at = plain.length
    plain += norm === normOf(raw) ? raw : norm
    last = start + raw.length
    return { raw, norm, start, end: last, at, to: plain.length }
  })
  plain += text.slice(last)
  const dates = readDates(plain, moment)
  const tokens = placed.map(({ raw, norm, start, end, at, to }): Token => {
    return { kind: kindOf(raw, norm, isTimeAt(dates, at, to), known), norm, start, end }
  })
  return { tokens, dates, asks: /\?\s*$/.test(text) }
}

function isTimeAt({ rest, span, minutes, impossible }: DateReading, from: number, to: number): boolean {
  const left = rest.slice(from, to).replace(/['’]s$/, '')
  return left.trim() === '' && (span !== null || minutes !== null || impossible)
}

function kindOf(raw: string, norm: string, isTime: boolean, known: ReadonlySet<string>): TokenKind {
  if (/^https?:/i.test(raw)) return 'address'
  if (raw.includes('@')) return 'mail'
  if (isTime) return 'when'
  if (/^\d+$/.test(raw)) return 'number'
  return known.has(norm) ? 'word' : 'unknown'
}

function mended(norm: string, known: ReadonlySet<string>): string {
  const short = Object.hasOwn(SHORT, norm) ? SHORT[norm] : undefined
  if (short !== undefined) return short
  const spelt = norm.replaceAll('ae', 'ä').replaceAll('oe', 'ö').replaceAll('ue', 'ü')
  if (!known.has(norm) && known.has(spelt)) return spelt
  if (known.has(norm) || norm.length < 4 || !/^\p{L}+$/u.test(norm) || TIMES.includes(norm)) return norm
  return TIMES.find((word) => isTypo(norm, word)) ?? [...known].find((word) => isTypo(norm, word)) ?? norm
}

/** True for one letter too many, too few or swapped, and in longer words one replaced; the first letter must match. */
export function isTypo(typed: string, word: string): boolean {
  const gap = word.length - typed.length
  if (Math.abs(gap) > 1 || word.length < 5 || typed[0] !== word[0]) return false
  let at = 0
  while (at < typed.length && typed[at] === word[at]) at += 1
  if (gap === 1) return typed.slice(at) === word.slice(at + 1)
  if (gap === -1)
    return (
      typed.length >= 6 &&
      typed.slice(at + 1) === word.slice(at) &&
      !word.endsWith('s') &&
      !typed.endsWith('s')
    )
  const isSwapped = typed[at] === word[at + 1] && typed[at + 1] === word[at]
  if (isSwapped && typed.slice(at + 2) === word.slice(at + 2)) return true
  return typed.length >= 7 && typed.slice(at + 1) === word.slice(at + 1)
}

/** The classifier's input: each run of times, numbers or addresses as one mark, and a mark for a question. */
export function marksOf({
  tokens,
  text,
}: Pick<Reading, 'tokens'> & { readonly text: string }): readonly string[] {
  const marks = tokens.map(({ kind, norm }) => (kind === 'word' || kind === 'unknown' ? norm : `{${kind}}`))
  const all = text.includes('?') ? [...marks, '?'] : marks
  return all.filter((mark, at) => !mark.startsWith('{') || mark !== all[at - 1])
}
