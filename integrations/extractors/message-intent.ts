/**
 * Determines the intent of a message: conversation and memory by the tables of message-patterns.ts, everything else by the
 * sentences of packages. A word for a write inside a longer question never wins. Must not read entities or know a tool. Called
 * by message.ts.
 */
import type { Intent } from '../../kernel/powers/message-fields.ts'
import type { Phrases } from '../tools/phrase.ts'
import { findDays } from './message-days.ts'
import { ASKS, FIRST_ROWS, QUESTION, SAVE, SEARCH, SEARCH_ASKED, TALKED } from './message-patterns.ts'
import { type NamedRequest, namedRequest } from './message-requests.ts'
import { INTENT_HEAD } from './message-sentence.ts'

export interface IntentReading {
  readonly intent: Intent
  /** The text after the deciding words, for intents whose topic it is. */
  readonly rest: string | null
  /** The package request that matched. */
  readonly request: NamedRequest | null
}

/**
 * Text before a request that is not part of it: greetings and politeness, in several rounds. "Would you remember" is a request;
 * "do you remember" does not begin with politeness.
 */
const PREAMBLE =
  /^(?:hi|hello|hey|good (?:morning|afternoon|evening)|please|pls|pfar|ok|okay|so|and|then|now|also|thanks|thank you|great|there|again|(?:can|could|would|will) you(?: please| kindly)?|i(?:'d| would) like you to|i want you to|i need you to|i'd like to|i want to|i need to|let's|just|kindly|quickly)[\s,.!:]+(?=\S)/i
const PREAMBLE_ROUNDS = 6

export interface Core {
  /** The request itself, as typed except for straight apostrophes. */
  readonly text: string
  /** True if it was a polite request, so that a question mark does not make it a question. */
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

/** Maximum characters of a time before a request: `On Friday, book …`. */
const LEAD_MAX = 60

export interface Request extends IntentReading {
  /** The time before the request, as typed, or empty. */
  readonly lead: string
}

/** Skips a leading time, only for requests that allow one. Elsewhere it may be part of the content. */
export function readRequest(core: Core, packages: readonly Phrases[]): Request {
  const reading = readIntent(core, packages)
  const found = reading.intent === 'other' ? findDays(core.text.slice(0, LEAD_MAX), 0) : null
  if (found === null || found.start !== 0) return { ...reading, lead: '' }
  const text = core.text.slice(found.end).replace(/^[\s,:]+/, '')
  const behind = readIntent(coreOf(text), packages)
  return behind.request?.phrase.takes?.whenFirst === true
    ? { ...behind, lead: core.text.slice(0, found.end) }
    : { ...reading, lead: '' }
}

function readIntent({ text: core, polite }: Core, packages: readonly Phrases[]): IntentReading {
  const head = core.slice(0, INTENT_HEAD)
  const bare = bareOf(head)
  const talked = TALKED.exec(core)
  if (talked !== null) return kernelIntent('memory_search', talked[1])
  for (const [intent, pattern] of FIRST_ROWS) if (pattern.test(bare)) return kernelIntent(intent)
  const memory = readMemory(core, head, polite)
  if (memory !== null) return memory
  const heard = { bare, whole: core }
  const addressed = namedRequest(packages, heard, 'address')
  if (addressed !== null) return requestOf(addressed)
  const asked = namedRequest(packages, heard, 'words')
  return asked === null ? kernelIntent('other') : requestOf(asked)
}

function kernelIntent(intent: Intent, rest: string | null = null): IntentReading {
  return { intent, rest, request: null }
}

function requestOf(request: NamedRequest): IntentReading {
  return { intent: request.intent, rest: request.taken['topic'] ?? null, request }
}

/** Tries searching first: a question about memory must not write to it. */
function readMemory(core: string, head: string, polite: boolean): IntentReading | null {
  for (const pattern of polite ? SEARCH : [...SEARCH, SEARCH_ASKED]) {
    const match = pattern.exec(core)
    if (match !== null) return kernelIntent('memory_search', match[1])
  }
  const saved = SAVE.exec(core)
  if (saved?.[1] === undefined) return null
  return ASKS.test(saved[1]) && QUESTION.test(head) ? null : kernelIntent('memory_save', saved[1])
}
