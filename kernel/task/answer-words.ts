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

/** A no with a word of haste beside it, which leaves nothing open: "no, wait", "halt, nein". */
const HASTY =
  /^(?:(?:no|nope|nein|n[eö]e?)(?:,? +(?:wait|wait a (?:second|minute|moment)|hold on|stop|don[’']?t|warte|warte mal|halt|stopp?|moment(?: mal)?|lieber nicht|doch nicht|tu(?: das)? nicht))+|(?:wait|hold on|stop|warte|halt|stopp?|moment),? +(?:no|nein))[.!]*$/

const NUMBERS = '[1-9]\\d{0,8}(?:(?:,| and| und| &),? *[1-9]\\d{0,8})+'
const SEVERAL = new RegExp(
  `^(?<word>yes|y|ja|approve|no|n|nein|deny)[,:]? +(?:(?:to |zu |for )?(?:both|all|both of them|all of them|everything|all (?:two|three|four)|beiden?|allen?|alles|alle)|${NUMBERS})[.!]*$`,
)

/** A yes or a no that is said to several cards at once; null for any other message. */
export function severalInMessage(text: string): AnswerMessage['decision'] | null {
  const { word } = SEVERAL.exec(text.trim().toLowerCase())?.groups ?? {}
  return WORDS[word ?? ''] ?? null
}

const NUMBERED = /^(?:option |number |nummer |#)?(?<choice>[1-9])[.)!]?$/i

/** Number of an option, from 1, for a message that is nothing else. */
export function choiceInMessage(text: string): number | null {
  const choice = NUMBERED.exec(text.trim())?.groups?.['choice']
  return choice === undefined ? null : Number(choice)
}

/** Null for a message that contains anything else, such as "no, on Friday". */
export function answerInMessage(text: string): AnswerMessage | null {
  if (HASTY.test(text.trim().toLowerCase())) return { decision: 'deny', which: '' }
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
  /** Said to several at once, and so to none of these: each has a yes of its own. */
  | { readonly each: readonly string[]; readonly decision: AnswerMessage['decision'] }
  /** The question was already closed. */
  | { readonly ended: string }
  | { readonly refused: ReasonCode }
  /** The number belongs to a card of the other place. */
  | { readonly elsewhere: true }
  /** Nothing was decided: the owner is shown these cards, by name. */
  | { readonly listed: readonly string[] }
