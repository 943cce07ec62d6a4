/**
 * Classifies how a message of the owner is meant (P-27): deterministic, without a model, a clock or state. Must not decide
 * anything: the result only shapes the tone of an answer (P-31). Called where a prompt's dynamic blocks are made.
 */
import {
  ANALYSIS,
  COURTESY,
  DECIDE,
  DECIDED,
  EXPLANATION,
  FEELING,
  GO_AHEAD,
  GREETING,
  IMPERATIVE,
  INFORM,
  ISSUE,
  KEEP,
  LONG_WISH,
  LOOK_UP,
  OWN_MATTERS,
  PROMISE,
  QUESTION,
  SHORT_WISH,
  VERBS,
  WANTS,
  WANTS_PIECE,
} from './patterns.ts'
import type { Genre, Mode, Signal, SignalFormat, SignalType } from './signal.ts'

/** UTF-16 units of a message that are read: the request comes first, and a long message must not cost more. */
export const SIGNAL_HEAD = 1_000
const COURTESY_ROUNDS = 6

/** UTF-16 units: up to `LINE_MOST` a message is a line of chat; from `DOCUMENT_FROM` it is pasted text. */
const LINE_MOST = 80
const DOCUMENT_FROM = 1_200
const DOCUMENT_LINES = 12

/** A message, normalised once. */
interface Read {
  /** Lower case, straight apostrophes, single spaces. */
  readonly whole: string
  /** Without leading courtesy. */
  readonly core: string
  readonly asks: boolean
  readonly verb: Mode | null
}

export function classifySignal(text: string): Signal {
  const read = readWords(text)
  const genre = genreOf(read)
  const mode = modeOf(read, genre)
  return {
    mode,
    genre,
    type: typeOf(read, genre),
    format: formatOf(text),
    weight: weightOf(text, read, { mode, genre }),
  }
}

function readWords(text: string): Read {
  const whole = text.slice(0, SIGNAL_HEAD).toLowerCase().replaceAll('’', "'").replaceAll(/\s/g, ' ').trim()
  let core = whole
  for (let round = 0; round < COURTESY_ROUNDS; round++) {
    const courtesy = COURTESY.exec(core)
    if (courtesy === null) break
    core = core.slice(courtesy[0].length)
  }
  const verb = verbOf(core)
  // "Can you …?" is a request, "do you …?" a question.
  const asks = QUESTION.test(core) || (verb === null && core.endsWith('?'))
  return { whole, core, asks, verb }
}

function verbOf(core: string): Mode | null {
  if (WANTS_PIECE.test(core)) return 'build'
  const known = VERBS.find(([, pattern]) => pattern.test(core))
  if (known !== undefined) return known[0]
  if (QUESTION.test(core)) return null
  return WANTS.test(core) || IMPERATIVE.test(core) ? 'execute' : null
}

function genreOf({ whole, core, asks, verb }: Read): Genre {
  if (DECIDE.test(whole)) return 'decide'
  if (GO_AHEAD.test(core) || PROMISE.test(whole)) return 'commit'
  if (INFORM.test(core)) return 'inform'
  if (FEELING.test(whole) || (GREETING.test(whole) && verb === null && !asks)) return 'express'
  if (asks || verb !== null) return 'direct'
  // A statement, unless its second half asks for something ("the backup fails, please repair it").
  return /[,.;] (?:please|can you|could you)\b/.test(whole) ? 'direct' : 'inform'
}

function modeOf({ whole, core, asks, verb }: Read, genre: Genre): Mode {
  if (genre === 'express') return 'assist'
  if (genre === 'commit') return GO_AHEAD.test(core) ? 'execute' : 'assist'
  if (genre === 'decide') return DECIDED.test(whole) ? 'assist' : 'analyze'
  if (KEEP.test(core)) return 'execute'
  if (genre === 'inform') return ISSUE.test(whole) ? 'maintain' : 'assist'
  if (verb !== null && !QUESTION.test(core)) return verb
  if (ISSUE.test(whole)) return 'maintain'
  if (ANALYSIS.test(core)) return 'analyze'
  if (!asks || EXPLANATION.test(core)) return 'assist'
  return LOOK_UP.test(core) || OWN_MATTERS.test(core) ? 'execute' : 'assist'
}

function typeOf({ whole, asks }: Read, genre: Genre): SignalType {
  if (genre === 'express') return 'social'
  if (ISSUE.test(whole)) return 'issue'
  if (asks) return 'question'
  return genre === 'inform' || genre === 'decide' ? 'statement' : 'request'
}

function formatOf(text: string): SignalFormat {
  if (/^\s*\/[a-z]/i.test(text)) return 'command'
  const lines = text.trim().split('\n').length
  if (text.length >= DOCUMENT_FROM || lines >= DOCUMENT_LINES) return 'document'
  return lines === 1 && text.length <= LINE_MOST ? 'line' : 'message'
}

/** Number of words → weight of an answer; the first matching row counts. */
const WEIGHT_BY_WORDS: readonly (readonly [number, number])[] = Object.freeze([
  [3, 0.25],
  [12, 0.4],
  [40, 0.5],
  [120, 0.65],
])
const WEIGHT_OF_LONG = 0.75

function weightOf(
  text: string,
  { whole, core }: Read,
  { mode, genre }: { readonly mode: Mode; readonly genre: Genre },
): number {
  const count = text.trim().split(/\s+/).length
  const length = WEIGHT_BY_WORDS.find(([most]) => count <= most)?.[1] ?? WEIGHT_OF_LONG
  const work = mode === 'analyze' || mode === 'build' ? 0.2 : 0
  const talk = genre === 'express' || genre === 'commit' || genre === 'inform' ? -0.2 : 0
  const questions = whole.split('?').length > 2 ? 0.1 : 0
  const wish = (LONG_WISH.test(core) ? 0.45 : 0) - (SHORT_WISH.test(core) ? 0.45 : 0)
  const sum = length + work + talk + questions + wish
  return Math.round(Math.min(1, Math.max(0, sum)) * 100) / 100
}
