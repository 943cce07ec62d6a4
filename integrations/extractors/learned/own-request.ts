/**
 * Types and word lists shared by the readers of the owner's own reminders, tasks and facts. Data and types
 * only. Called by own-things.ts, own-facts.ts and the rules planner.
 */
import type { ReminderReading } from '../timed/reminder.ts'

/** A thing that is asked for by a code, or what is to be done with what was said of it. */
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

/** Begins a question. */
export const ASKS =
  /^(?:did|do|does|have|has|had|is|are|was|were|what|which|when|where|who|how|why|hast|habt|ist|sind|wann|wo|wer|wie|welche\p{L}*)(?!\p{L})/iu

/** Joins what stands before to what is asked. */
export const LINKS_BEHIND =
  /(?:[\s,;:.!–-]+|(?<!\p{L})(?:and|und|so|also|then|dann|da|daher|please|bitte|pls|so pls|if you would|i need|ich brauche?))+$/iu
/** How likely something may be of a request of another kind. */
export const MOST_OTHER = 0.45
