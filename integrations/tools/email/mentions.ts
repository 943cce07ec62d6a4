/**
 * Extracts what a mail mentions, by fixed rules: dates written out in full, links, and its request from a closed set (J-01,
 * J-04). Pure. Must not judge whether it is true. Called by shape.ts.
 */
import { toLink } from '../../extractors/page-clean.ts'
import { EMAIL_REQUESTS, type EmailRequest, MAX_DATES, MAX_LINKS } from './manifest.ts'

const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
)
const MONTH = '(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\\.?'
const ISO_DAY = /\b(\d{4})-(\d{2})-(\d{2})(?!\d)/g
const DAY_MONTH_YEAR = new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?(?: of)? ${MONTH},? (\\d{4})\\b`, 'gi')
const MONTH_DAY_YEAR = new RegExp(`\\b${MONTH} (\\d{1,2})(?:st|nd|rd|th)?,? (\\d{4})\\b`, 'gi')
const LINK = /\bhttps?:\/\/[^\s<>"'`\\^{|}]{1,2000}/gi
/** Punctuation that ends a sentence and is not part of the link. */
const LINK_TAIL = /[.,;:!?)\]]+$/

const REQUEST_WORDS: Readonly<Record<EmailRequest, RegExp>> = {
  reply:
    /\b(?:please (?:reply|respond|answer|let me know|get back)|let (?:me|us) know|rsvp|awaiting your (?:reply|answer))\b/i,
  meeting: /\b(?:meet(?:ing)?|calendar invite|schedule a call|are you (?:free|available)|book a time)\b/i,
  payment: /\b(?:invoice|payment (?:due|required)|amount due|please pay|overdue|wire transfer)\b/i,
  signature: /\b(?:please sign|signature required|e-?sign|docusign)\b/i,
  confirmation: /\b(?:please confirm|confirm your|verify your)\b/i,
  deadline: /\b(?:deadline|due (?:by|on|date)|no later than|by end of (?:day|week)|expires on)\b/i,
}

/** Dates with a year, in text order, as `2026-11-22`. Never "tomorrow", which means another day later. */
export function datesIn(text: string): readonly string[] {
  const found = [
    ...matches(ISO_DAY, text, ([year, month, day]) => toDay(Number(year), Number(month), Number(day))),
    ...matches(DAY_MONTH_YEAR, text, ([day, month, year]) =>
      toDay(Number(year), monthOf(month), Number(day)),
    ),
    ...matches(MONTH_DAY_YEAR, text, ([month, day, year]) =>
      toDay(Number(year), monthOf(month), Number(day)),
    ),
  ]
  const inOrder = found.sort((a, b) => a.at - b.at).map(({ value }) => value)
  return [...new Set(inOrder)].slice(0, MAX_DATES)
}

export function linksIn(text: string): readonly string[] {
  const found = [...text.matchAll(LINK)].flatMap(([link]) => toLink(link.replace(LINK_TAIL, '')) ?? [])
  return [...new Set(found)].slice(0, MAX_LINKS)
}

export function requestsIn(text: string): readonly EmailRequest[] {
  return EMAIL_REQUESTS.filter((request) => REQUEST_WORDS[request].test(text))
}

interface Found {
  readonly at: number
  readonly value: string
}

function matches(
  pattern: RegExp,
  text: string,
  toValue: (groups: readonly string[]) => string | null,
): readonly Found[] {
  return [...text.matchAll(pattern)].flatMap((match) => {
    const value = toValue(match.slice(1))
    return value === null ? [] : [{ at: match.index, value }]
  })
}

function monthOf(name: string | undefined): number {
  const short = (name ?? '').slice(0, 3).toLowerCase()
  return MONTHS.findIndex((month) => month.startsWith(short)) + 1
}

/** Null for a date that does not exist, such as 31 February. */
function toDay(year: number, month: number, day: number): string | null {
  const at = new Date(Date.UTC(year, month - 1, day))
  const exists = at.getUTCFullYear() === year && at.getUTCMonth() === month - 1 && at.getUTCDate() === day
  return exists ? at.toISOString().slice(0, 10) : null
}
