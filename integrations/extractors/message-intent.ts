/**
 * What a message asks for, by the tables of message-patterns.ts: a word that writes, standing inside a longer
 * question, never wins. Must not read entities. Called by message.ts.
 */
import type { Intent } from '../../kernel/powers/message-fields.ts'
import { findDays } from './message-days.ts'
import {
  ASKS,
  BOOK,
  BOOKS_ALONE,
  FIRST_ROWS,
  LATER_ROWS,
  NAMES_ACTIVITY,
  OTHER_LIST,
  PAGE_WORDS,
  QUESTION,
  READ_PAGE,
  SAVE,
  SEARCH,
  SEARCH_ASKED,
  SERVICE,
  TALKED,
  URL,
  WITH,
} from './message-patterns.ts'

export interface IntentReading {
  readonly intent: Intent
  /** What follows the words that decided, for the intents whose topic it is. */
  readonly rest: string | null
}

/** How much of a message decides its intent, in characters: a request comes first. */
export const INTENT_HEAD = 1_000

/**
 * What stands before a request and is none: a greeting, politeness. Several rounds, since people pile them up.
 * "Would you remember" asks for something; "do you remember" does not begin with politeness.
 */
const PREAMBLE =
  /^(?:hi|hello|hey|good (?:morning|afternoon|evening)|please|pls|pfar|ok|okay|so|and|then|now|also|thanks|thank you|great|there|again|(?:can|could|would|will) you(?: please| kindly)?|i(?:'d| would) like you to|i want you to|i need you to|i'd like to|i want to|i need to|let's|just|kindly|quickly)[\s,.!:]+(?=\S)/i
const PREAMBLE_ROUNDS = 6

export interface Core {
  /** The request itself, as typed but for straight apostrophes. */
  readonly text: string
  /** It was asked of the assistant politely, so that a question mark does not make it a question. */
  readonly polite: boolean
}

export function coreOf(input: string): Core {
  let text = input.trim().replaceAll('’', "'")
  let polite = false
  for (let round = 0; round < PREAMBLE_ROUNDS; round++) {
    const match = PREAMBLE.exec(text)
    if (match === null || isWhole(text)) break
    polite ||= /\byou\b/i.test(match[0])
    text = text.slice(match[0].length)
  }
  return { text, polite }
}

/** `Good morning!`, `hi there`, `thank you so much`: nothing but courtesy. */
function isWhole(text: string): boolean {
  const bare = bareOf(text.slice(0, INTENT_HEAD))
  return FIRST_ROWS.some(([, pattern]) => pattern.test(bare))
}

function bareOf(head: string): string {
  return head
    .replace(/[\s!.?,]{1,20}$/, '')
    .replace(/ {0,1}(?:,? please|,? pls)$/i, '')
    .replaceAll(/\s{1,40}/g, ' ')
}

/** Longest time that may stand before a request: `On Friday, book …`. Characters. */
const LEAD_MAX = 60

export interface Request extends IntentReading {
  /** The time that stood before the request, as typed, or empty. */
  readonly lead: string
}

/** Reads past a leading time, for the calendar alone: anywhere else it may be part of what is said. */
export function readRequest(core: Core): Request {
  const reading = readIntent(core)
  const found = reading.intent === 'other' ? findDays(core.text.slice(0, LEAD_MAX), 0) : null
  if (found === null || found.start !== 0) return { ...reading, lead: '' }
  const text = core.text.slice(found.end).replace(/^[\s,:]+/, '')
  const behind = readIntent(coreOf(text))
  return behind.intent.startsWith('calendar_')
    ? { ...behind, lead: core.text.slice(0, found.end) }
    : { ...reading, lead: '' }
}

export function readIntent({ text: core, polite }: Core): IntentReading {
  const head = core.slice(0, INTENT_HEAD)
  const bare = bareOf(head)
  const talked = TALKED.exec(core)
  if (talked !== null) return { intent: 'memory_search', rest: talked[1] ?? null }
  for (const [intent, pattern] of FIRST_ROWS) if (pattern.test(bare)) return { intent, rest: null }
  const memory = readMemory(core, head, polite)
  if (memory !== null) return memory
  if (URL.test(head) && isPageRequest(head)) return { intent: 'web_read', rest: null }
  for (const [intent, pattern] of LATER_ROWS) if (pattern.test(bare)) return { intent, rest: null }
  const booking = BOOK.exec(core)
  if (booking?.[1] !== undefined && isBooking(head)) return { intent: 'calendar_book', rest: booking[1] }
  if (PAGE_WORDS.test(head)) return { intent: 'web_read', rest: null }
  return { intent: 'other', rest: null }
}

/** Searching is tried first: a question about memory must not write to it. */
function readMemory(core: string, head: string, polite: boolean): IntentReading | null {
  for (const pattern of polite ? SEARCH : [...SEARCH, SEARCH_ASKED]) {
    const match = pattern.exec(core)
    if (match !== null) return { intent: 'memory_search', rest: match[1] ?? null }
  }
  const saved = SAVE.exec(core)
  if (saved?.[1] === undefined) return null
  return ASKS.test(saved[1]) && QUESTION.test(head) ? null : { intent: 'memory_save', rest: saved[1] }
}

function isPageRequest(head: string): boolean {
  return (
    READ_PAGE.test(head) || /^\S{1,2048}$/.test(head.trim()) || /^https?:\/\/\S+(?:\s+\S+){0,6}$/i.test(head)
  )
}

function isBooking(head: string): boolean {
  if (OTHER_LIST.test(head) || (SERVICE.test(head) && !/\bcalendar\b/i.test(head))) return false
  return (
    NAMES_ACTIVITY.test(head) ||
    (BOOKS_ALONE.test(head) && (WITH.test(head) || /\d|day\b|tomorrow/i.test(head)))
  )
}
