/**
 * Plain forms for requests that match no declared sentence: a tool's `forms.ts` gives, by label of the trained table, sentences
 * with places for the request's parts, which are then planned like any message. Types, and lists that several tools share. Must
 * not name a tool. Read at home only.
 */
import type { Language } from '../../kernel/wording/languages.ts'
import type { PartName } from '../extractors/learned/tags.ts'

export interface Form {
  /** Action that the plan must call; for an operation, its name. */
  readonly tool: string
  /** Least score of the label, 0 to 1. */
  readonly least: number
  /** Maximum number of words outside the parts that do not usually occur beside one. */
  readonly maxOtherWords: number
  /** The action shows a card first, so a lower score suffices if no other label is near. */
  readonly hasCard?: true
  /** The action changes nothing, so a question may ask for it. */
  readonly changesNothing?: true
  /** A read whose `{when}` is every time in the message, `{named}` what the message names, and `{whole}` the whole message. */
  readonly readsWholeMessage?: true
  /** If there are several of this part, each becomes a request of its own. */
  readonly each?: PartName
  /** There may be only one of this part. */
  readonly single?: PartName
  /** The action removes or moves one thing: a message with "any", "all" or "both" is a different request. */
  readonly isOfOne?: true
  /**
   * Must match outside the parts, so that a mere statement is no request. For `changesNothing`, must match anywhere: words that name what
   * is read.
   */
  readonly asksBy?: RegExp
  /** If it matches the message, this form does not apply. */
  readonly unless?: RegExp
  /** "No" and "not" may be part of the request. */
  readonly saysNo?: true
  /** With a single part, needs a word that usually occurs beside it: bare words are not enough. */
  readonly needsWords?: true
  /**
   * For reads: further places of the sentences, each with the pattern of its text in a message, such as a channel. A message has
   * one of each.
   */
  readonly shapes?: Readonly<Record<string, string>>
  /** For reads: the form if the message fills none of these places. */
  readonly otherwise?: Form
  /** Parts that may be left out of the sentence, because they do not affect the action. */
  readonly ignoredParts?: readonly PartName[]
  /**
   * Part → argument of the action: the sentence is that of another request about the same thing, whose last call is replaced by
   * this action.
   */
  readonly instead?: { readonly of: string; readonly takes: Readonly<Partial<Record<PartName, string>>> }
  /** Places that are filled by words of the message: for each, the pair whose pattern matches. */
  readonly by?: Readonly<Record<string, readonly (readonly [words: RegExp, said: string])[]>>
  /** `{part}` is required, `[… {part}]` optional; the first sentence with a place for every part is used. */
  readonly says: Readonly<Record<Language, readonly string[]>>
}

/** By label of the trained table. */
export type Forms = Readonly<Record<string, Form>>

/** Common values: reads, actions that show a card first, other reads, and actions that take effect at once. */
export const READ = { least: 0.5, maxOtherWords: 20, changesNothing: true, readsWholeMessage: true } as const
export const SHOWN = { least: 0.4, maxOtherWords: 7, hasCard: true } as const
export const LOOKS = { least: 0.4, maxOtherWords: 7, changesNothing: true } as const
export const AT_ONCE = { least: 0.5, maxOtherWords: 2 } as const

/** Words for lists: tasks and reminders are in no calendar and no mailbox. */
export const ON_LISTS =
  /(?<![\p{L}\p{N}])(?:reminders?|alarms?|timers?|tasks?|to-?dos?|(?:my|the|shopping|\p{L}+) list|liste|einkaufsliste|erinnerung(?:en)?|wecker|aufgaben?)(?![\p{L}\p{N}])/iu
