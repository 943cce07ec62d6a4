/**
 * The words of a message as the learned planner reads them: lower case, known typos mended, times, addresses and numbers marked. The
 * characters as typed stay findable. Must not decide what is meant. Called by read.ts and by training.
 */
import { type DateReading, type Moment, readDates } from '../../dates/read.ts'

export type TokenKind = 'word' | 'unknown' | 'when' | 'address' | 'mail' | 'number'

export interface Token {
  readonly kind: TokenKind
  /** Lower case, without apostrophes, typos mended. */
  readonly norm: string
  /** Position in the message as typed. */
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
/** Short forms that people type for words that a reader of dates, or a sentence, knows. */
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
/** Words of times, which typos are mended to. */
const TIMES =
  'today tomorrow tonight monday tuesday wednesday thursday friday saturday sunday january february august september october november december morning afternoon evening weekend'.split(
    ' ',
  )

export function normOf(word: string): string {
  return word.toLowerCase().replaceAll(/['’]/g, '')
}

/** `known`: the words of all sentences. */
export function tokensOf(text: string, known: ReadonlySet<string>, moment: Moment): Reading {
  const found = [...text.matchAll(TOKEN)].map((match) => ({ raw: match[0], start: match.index }))
  const typed = readDates(text, moment)
  let plain = ''
  let last = 0
  const placed = found.map(({ raw, start }) => {
    // A word of a time that is read as it was typed is no typo of another language's.
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

/** One letter too many, too few or swapped, and in longer words another one; the first letter stands. */
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

/** What a classifier sees: times, numbers and addresses are one mark each, and so is a question. */
export function marksOf({
  tokens,
  text,
}: Pick<Reading, 'tokens'> & { readonly text: string }): readonly string[] {
  const marks = tokens.map(({ kind, norm }) => (kind === 'word' || kind === 'unknown' ? norm : `{${kind}}`))
  const all = text.includes('?') ? [...marks, '?'] : marks
  return all.filter((mark, at) => !mark.startsWith('{') || mark !== all[at - 1])
}
