/**
 * An answer to a card, as the owner types it: "yes", "no 3", "/approve 3". By its form alone: what it is about, and whether it counts,
 * depends on what his chat has shown. Pure. Called by runtime/typed-answer.ts, pipeline/own-commands.ts and the terminal's chat.
 */
import type { ReasonCode } from '../reasons.ts'

export interface AnswerSaid {
  readonly decision: 'approve' | 'deny'
  /** Number or id of a card; empty for a bare yes or no. */
  readonly which: string
}

const WORDS: Readonly<Record<string, AnswerSaid['decision']>> = {
  yes: 'approve',
  y: 'approve',
  approve: 'approve',
  no: 'deny',
  n: 'deny',
  deny: 'deny',
}

/** Nothing but the word, and a number; only a command takes an id, so that "no thanks" stays a message. */
const SAID =
  /^(?:(?<plain>yes|y|no|n|approve|deny)(?: +(?<number>[1-9]\d{0,8}))?[.!]?|\/(?<command>approve|deny)(?:\s+(?<which>[\w.-]{1,80}))?)$/

/** Null for a message that is more, or something else: "no, on Friday". */
export function answerSaid(text: string): AnswerSaid | null {
  const { plain, number, command, which } = SAID.exec(text.trim().toLowerCase())?.groups ?? {}
  const decision = WORDS[plain ?? command ?? '']
  // The words alone are no answer: "approve" by itself is a request like any.
  if (decision === undefined || (plain !== undefined && plain.length > 3 && number === undefined)) return null
  return { decision, which: number ?? which ?? '' }
}

/** What came of such a message when it was taken in: ids and codes. */
export type TypedAnswer =
  /** `speaks`: a task goes on by it, whose answer is what is heard of it. */
  | { readonly decided: string; readonly decision: AnswerSaid['decision']; readonly speaks: boolean }
  /** That question was over before. */
  | { readonly ended: string }
  | { readonly refused: ReasonCode }
  /** Its number is one that the other place gives. */
  | { readonly elsewhere: true }
  /** Nothing was decided: he is shown these cards, by their names. */
  | { readonly listed: readonly string[] }
