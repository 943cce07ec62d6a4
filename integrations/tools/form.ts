/**
 * How a request is said plainly where no sentence has its words: a tool's `forms.ts` gives, by the label of the trained table, sentences with places for the
 * request's parts, which the declared sentences then read. Types, and lists that several tools share. Must not name a tool. Read at home alone.
 */
import type { Language } from '../../kernel/wording/languages.ts'
import type { PartName } from '../extractors/learned/tags.ts'

export interface Form {
  /** The action that must come of it; of an operation, its name. */
  readonly tool: string
  /** How likely the message must be of it. */
  readonly least: number
  /** Words that are neither a part nor often beside one: how many there may be. */
  readonly aside: number
  /** A card shows it first: it may be less likely where nothing else is near. */
  readonly isShown?: true
  /** It changes nothing, so that a question may ask for it. */
  readonly looks?: true
  /** A look whose `{when}` is all that is a time in the message, `{named}` what it names, `{whole}` all of it. */
  readonly reads?: true
  /** Of several of these, each is a request of its own. */
  readonly each?: PartName
  /** Of this part there may be one alone. */
  readonly single?: PartName
  /** It takes away or moves one thing: a message about any, all or both asks for something else. */
  readonly isOfOne?: true
  /** Words that ask for it, outside of the parts: a statement alone does not. For a look, words anywhere that name what is looked at. */
  readonly asksBy?: RegExp
  /** Words of the message by which it is of something else. */
  readonly unless?: RegExp
  /** "No" and "not" are part of how it is asked for. */
  readonly saysNo?: true
  /** Bare words are not enough. */
  readonly needsWords?: true
  /** Of a look: further places of its sentences, each the pattern of what stands in a message as such, such as a channel. A message has one of each. */
  readonly shapes?: Readonly<Record<string, string>>
  /** Of a look that says none of its places: what is looked at then. */
  readonly otherwise?: Form
  /** Parts that say nothing of what is done. */
  readonly leaves?: readonly PartName[]
  /** Part → argument of the action: said as another request of the same thing, whose last call becomes this one. */
  readonly instead?: { readonly of: string; readonly takes: Readonly<Partial<Record<PartName, string>>> }
  /** Places of a sentence that words of the message fill: of each the one that is there. */
  readonly by?: Readonly<Record<string, readonly (readonly [words: RegExp, said: string])[]>>
  /** `{part}` must be there, `[… {part}]` may; the first that has a place for every part is taken. */
  readonly says: Readonly<Record<Language, readonly string[]>>
}

/** By the label of the trained table. */
export type Forms = Readonly<Record<string, Form>>

/** What only shows something, what a card shows first, and what is done at once. */
export const READ = { least: 0.5, aside: 20, looks: true, reads: true } as const
export const SHOWN = { least: 0.4, aside: 7, isShown: true } as const
export const LOOKS = { least: 0.4, aside: 7, looks: true } as const
export const AT_ONCE = { least: 0.5, aside: 2 } as const

/** Tasks and reminders are in no calendar and no mailbox. */
export const ON_LISTS =
  /(?<![\p{L}\p{N}])(?:reminders?|alarms?|timers?|tasks?|to-?dos?|(?:my|the|shopping|\p{L}+) list|liste|einkaufsliste|erinnerung(?:en)?|wecker|aufgaben?)(?![\p{L}\p{N}])/iu
