/**
 * Finds a clause of a message that asks for a change, as "ping tom that I am late" does behind a question. Must not plan it. For
 * home, whose table is large enough. Called by message-at-home.ts and by the rules planner.
 */
import type { Moment } from '../../dates/read.ts'
import { breaksIn, TELLS } from '../message/second-request.ts'
import { CANNOT, WRITES } from './classes.ts'
import { likelyAtHome } from './likely-home.ts'
import { isBareLook, REMARK } from './remark.ts'

/** Least score of a clause for all actions together that change something, or that PFAR does not have. */
const LEAST = 0.4
/** Words of a clause; fewer are a greeting or an address. */
const FEWEST = 3
const ELSE = 'else:'
/** Says which one is meant. */
const DESCRIBES = /^(?:the|this|that|an?|one|eine?\p{L}?) /iu

/** Somebody else is to hear of something: "let dad know we landed". */
const TO_SOMEBODY =
  /^(?:please |bitte |can you |could you |kannst du |könntest du )*(?:tell|ask|text|ping|message|nudge|warn|inform|let(?= \p{L}+ know)|sage?|schreibe?|frage?|gib(?= \p{L}+ bescheid)|warne?|informiere?)(?: (?:my|the|meine?[mnr]?|dem|der|den))? (?!me(?!\p{L})|us(?!\p{L})|mir(?!\p{L})|mich(?!\p{L})|uns(?!\p{L}))\p{L}+ \S/iu

interface Span {
  readonly from: number
  readonly to: number
}

/** Each clause of a message, and what is left of the message without it. */
export function sidesOf(request: string): readonly (readonly [clause: Span, rest: Span])[] {
  return breaksIn(request).flatMap(({ from, to }) => {
    const [before, behind] = [
      { from: 0, to: from },
      { from: to, to: request.length },
    ]
    return [
      [before, behind],
      [behind, before],
    ] as const
  })
}

/** Whether a clause is for somebody else, or the trained table takes it for a request to change something; what only tells or asks something is none. */
export function asksBesides(clause: string, moment: Moment): boolean {
  const text = clause.trim()
  if (text.split(/\s+/).length < FEWEST || text.includes('?')) return false
  if (TELLS.test(text) || REMARK.test(text) || DESCRIBES.test(text) || isBareLook(text)) return false
  if (TO_SOMEBODY.test(text)) return true
  const writes = likelyAtHome(text, moment).filter(({ label }) => isChange(label))
  return writes.reduce((sum, { score }) => sum + score, 0) >= LEAST
}

function isChange(label: string): boolean {
  return label.startsWith(CANNOT) || WRITES.has(label.replace(ELSE, '').replace(/#\d+$/, ''))
}
