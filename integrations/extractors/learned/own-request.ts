/**
 * Types and word lists shared by the readers of the owner's own reminders, tasks and facts. Data and types only. Called by
 * own-things.ts and own-facts.ts.
 */
import type { ReminderReading } from '../timed/reminder.ts'

/** A reading of a request about the owner's own things; `asks`: the code of the question to put to the owner instead. */
export type OwnRequest =
  | { readonly is: 'asks'; readonly why: string }
  | {
      readonly is: 'reminder'
      readonly topic: string
      readonly due: number
      readonly repeat: ReminderReading['repeat']
      readonly count: number | null
      readonly until?: string
    }
  | { readonly is: 'tasks'; readonly items: readonly string[] }
  | { readonly is: 'fact'; readonly fact: string }
  | { readonly is: 'done'; readonly words: string }

/** Matches the first word of a question. */
export const ASKS =
  /^(?:did|do|does|have|has|had|is|are|was|were|what|which|when|where|who|how|why|hast|habt|ist|sind|wann|wo|wer|wie|welche\p{L}*)(?!\p{L})/iu

/** Joining and courtesy words at the end of a text that precedes a request. */
export const LINKS_BEHIND =
  /(?:[\s,;:.!–-]+|(?<!\p{L})(?:and|und|so|also|then|dann|da|daher|please|bitte|pls|so pls|if you would|i need|ich brauche?))+$/iu
/** Maximum score of another kind of request up to which a text still counts as a statement. */
export const MOST_OTHER = 0.45
