/**
 * What a short message says to a card: yes or no, a number, or the number of an option; and what became of it at intake. Pure. Must not
 * decide. Called by intake.ts, the features that answer cards, and the terminal.
 */
import type { ReasonCode } from '../reasons.ts'

export interface AnswerMessage {
  readonly decision: 'approve' | 'deny'
  /** Number or id of a card; empty for a bare yes or no. */
  readonly which: string
}

const WORDS: Readonly<Record<string, AnswerMessage['decision']>> = {
  yes: 'approve',
  y: 'approve',
  ja: 'approve',
  approve: 'approve',
  no: 'deny',
  n: 'deny',
  nein: 'deny',
  deny: 'deny',
}

/** Words that say nothing by themselves. */
const COMMANDS = { approve: true, deny: true } as const

/** The word and a number, nothing more. Only a command takes an id, so that "no thanks" stays a message. */
const SAID =
  /^(?:(?<plain>yes|y|ja|no|n|nein|approve|deny)(?: +(?<number>[1-9]\d{0,8}))?[.!]?|\/(?<command>approve|deny)(?:\s+(?<which>[\w.-]{1,80}))?)$/

const NUMBERED = /^(?:option |number |nummer |#)?(?<choice>[1-9])[.)!]?$/i

/** Number of an option, from 1, for a message that is nothing else. */
export function choiceInMessage(text: string): number | null {
  const choice = NUMBERED.exec(text.trim())?.groups?.['choice']
  return choice === undefined ? null : Number(choice)
}

/** Null for a message that contains anything else, such as "no, on Friday". */
export function answerInMessage(text: string): AnswerMessage | null {
  const { plain, number, command, which } = SAID.exec(text.trim().toLowerCase())?.groups ?? {}
  const decision = WORDS[plain ?? command ?? '']
  // "approve" or "deny" without a number is an ordinary request.
  if (decision === undefined || (plain !== undefined && plain in COMMANDS && number === undefined))
    return null
  return { decision, which: number ?? which ?? '' }
}

/** Result of a typed answer at intake: ids and codes. */
export type TypedAnswer =
  /** `speaks`: a task continues because of it, and that task's answer is the reply. */
  | { readonly decided: string; readonly decision: AnswerMessage['decision']; readonly speaks: boolean }
  /** Rows were left out of it; a card without them follows. */
  | { readonly replaced: string }
  /** The owner's words were not put on a card, so it is as it was; which card, where one is meant. */
  | { readonly unchanged: ReasonCode; readonly of?: string }
  /** The question was already closed. */
  | { readonly ended: string }
  | { readonly refused: ReasonCode }
  /** The number belongs to a card of the other place. */
  | { readonly elsewhere: true }
  /** Nothing was decided: the owner is shown these cards, by name. */
  | { readonly listed: readonly string[] }
