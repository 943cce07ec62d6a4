/**
 * Parses a typed answer to a card: "yes", "no 3", "/approve 3". Looks at the form only; which card it means and whether it
 * counts depends on what the chat has shown. Pure. Called by runtime/typed-answer.ts, pipeline/own-commands.ts and the
 * terminal's chat.
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

/** The word and a number, nothing more. Only a command takes an id, so that "no thanks" stays a message. */
const SAID =
  /^(?:(?<plain>yes|y|no|n|approve|deny)(?: +(?<number>[1-9]\d{0,8}))?[.!]?|\/(?<command>approve|deny)(?:\s+(?<which>[\w.-]{1,80}))?)$/

/** Null for a message that contains anything else, such as "no, on Friday". */
export function answerSaid(text: string): AnswerSaid | null {
  const { plain, number, command, which } = SAID.exec(text.trim().toLowerCase())?.groups ?? {}
  const decision = WORDS[plain ?? command ?? '']
  // "approve" or "deny" without a number is an ordinary request.
  if (decision === undefined || (plain !== undefined && plain.length > 3 && number === undefined)) return null
  return { decision, which: number ?? which ?? '' }
}

/** Result of a typed answer at intake: ids and codes. */
export type TypedAnswer =
  /** `speaks`: a task continues because of it, and that task's answer is the reply. */
  | { readonly decided: string; readonly decision: AnswerSaid['decision']; readonly speaks: boolean }
  /** The question was already closed. */
  | { readonly ended: string }
  | { readonly refused: ReasonCode }
  /** The number belongs to a card of the other place. */
  | { readonly elsewhere: true }
  /** Nothing was decided: the owner is shown these cards, by name. */
  | { readonly listed: readonly string[] }
