/**
 * How a tool package declares requests (DESIGN §9): sentences, the parts that are taken out of a request, and
 * its plan. Types of plain data, and the notation of word lists. Must not name a tool. Read by the extractor
 * and by the rules planner.
 */
import type { Json } from '../../kernel/flow/json.ts'
import type { Intent, Matter } from '../../kernel/powers/message-fields.ts'

/**
 * Lists of words with the same meaning, by the name that `<name>` refers to in a sentence. Each row is a part
 * of a sentence itself.
 */
export type WordLists = Readonly<Record<string, readonly string[]>>

/** Parses a word list: items between slashes, over any number of lines. */
export function words(list: string): readonly string[] {
  return list
    .split(/[/\n]/)
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

/** A name of up to four words, an address, or several of them with "and" between. */
export const PERSON =
  '(?:[^\\s,;.!?:@]{1,40}(?:\\s[^\\s,;.!?:@]{1,40}){0,3}?|[^\\s,;:@]{1,64}@[^\\s,;:@]{1,250}[^\\s,;:@.!?])'
export const WHOM = `${PERSON}(?:(?:,\\s|\\s(?:and|und|&)\\s)${PERSON}){0,4}?`

/**
 * What is taken from a request besides its sentence, by recognisers that know no tool. A string value is the
 * name of a word list.
 */
export interface Takes {
  /** A person after one of the list's words (`from Sarah`), or the owner of an item. */
  readonly who?: string
  /**
   * A time span. `days`: default number of days from today. `exact`: a time of day is required, except for things that last whole
   * days.
   */
  readonly when?: { readonly days?: number; readonly exact?: string }
  /** The time may come first: `On Friday, …`. */
  readonly whenFirst?: true
  /** The rest of `{topic}` without the time, and without words of these lists at its start and end. */
  readonly topic?: { readonly before: string; readonly behind: string }
  /** Only new items. */
  readonly unread?: true
  /** `many`: `the last three`. `place`: `the third`. */
  readonly count?: 'many' | 'place'
  /** A duration. */
  readonly minutes?: true
  /** Which of several it goes into, before the words of this list: `in the family calendar`. */
  readonly into?: string
  /** Whether others are notified, by words at the end: `and tell them`. */
  readonly tell?: true
  /** A new time for a thing. `days`: number of days ahead in which the thing is searched if its present time is not given. */
  readonly moves?: { readonly days: number }
}

/**
 * Parts that a request may need. Names in plans: `{who}`, `{what}`, `{address}`, `{mail}`, `{unread}`,
 * `{count}`, `{when.from}` and `{when.to}`.
 */
export type SlotName = 'who' | 'what' | 'when' | 'address' | 'mail' | 'move' | 'into' | 'tell' | 'series'

/**
 * One of the rows that an action lists, `{one}` in the plan: from the list shown last, if words of the request occur in one of
 * its rows or the request names a position; otherwise from a list that is fetched first. `first`: the field of a row that moves
 * it to the top.
 */
export interface Among {
  readonly tool: string
  /** Other actions that show such rows. */
  readonly shows?: readonly string[]
  readonly list: string
  readonly first: string
  /** Number of rows that are searched for words of the message; absent: as many as the action lists by default. */
  readonly count?: number
  /** Reason code if nothing says which row. */
  readonly unknown: string
}

/**
 * The one thing that the request refers to, `{one}` in the plan. Given words or a time, it is looked up by `tool` and selected;
 * if several match, the owner is asked. Otherwise it is the thing that was last talked about.
 */
export interface Picks {
  readonly tool: string
  readonly list: string
  /**
   * Actions whose newest result counts as what was talked about, with the field of its rows (there must be only one row), or
   * null.
   */
  readonly talked: Readonly<Record<string, string | null>>
  /** Reason codes if nothing determines which, and if a pending question may be about it. */
  readonly unknown: string
  readonly waiting: string
}

/**
 * The row that the conversation has just shown, `{one}` in the plan: the one at a position of the newest list (`the second one`,
 * in the slot `{thing}`), or with the words of the slot (`the one from Tom`), otherwise the one that was last read or listed
 * alone. Nothing applies after another package has shown something.
 */
export interface Shown {
  /** Actions that show a list, and the field with its rows. */
  readonly lists: readonly string[]
  readonly list: string
  /** The field of a row that moves it to the top. */
  readonly first: string
  /** Actions whose result is the row itself, or contains it as its only row. */
  readonly one: readonly string[]
  readonly only: readonly string[]
  /** Call that lists rows again, if words name a row and none that was shown contains them. */
  readonly lookUp?: { readonly tool: string; readonly args: { readonly [name: string]: Json } }
  /**
   * Further condition for a row that is named by words. It is then looked up again, because the list that was shown may contain
   * none.
   */
  readonly where?: { readonly field: string; readonly equals: boolean }
  /** Actions after which it is uncertain that this row is meant: a pronoun may refer to the person who was written to. */
  readonly unsureAfter?: readonly string[]
  /** Those of `unsureAfter` that answer the sender of the row: directly after one, the row stays certain. */
  readonly stillSureAfter?: readonly string[]
  /** Fields that a result of `one` must have: a deleted event that no longer existed had no time. */
  readonly needs?: readonly string[]
  /** Reason code if nothing says which. */
  readonly unknown: string
}

/**
 * What the conversation did last by one of these actions, for undo: `{back.id}` in the plan is that field of each of its rows
 * that has it. `by`: the action that undoes it, once; if it is one of these actions itself, an undo can be undone as well.
 */
export interface Undo {
  readonly of: readonly string[]
  readonly by: string
  /** Field with the rows; absent: the result itself. */
  readonly list?: string
  /** Fields that the result must have, because they hold the former values. */
  readonly needs?: readonly string[]
  /** Reason code if there is nothing to undo. */
  readonly unknown: string
}

/** A call of this action that waits for an approval: people are added to this argument, and the others stay. */
export interface Waits {
  readonly tool: string
  readonly argument: string
  readonly keeps: readonly string[]
}

/**
 * Sentences for one plan, by language, as people type them (grammar: extractors/message/message-sentence.ts). In the plan, a slot
 * of the sentence becomes its text, and an extracted field becomes a reference; both are omitted if not mentioned. `{whom}`
 * becomes a list of addresses: those typed, and those of contacts by name. `{topic.whole}` begins with a capital, like the text
 * of a slot; `{topic.head}` is its first words.
 */
export interface Phrase {
  readonly says: Readonly<Record<string, readonly string[]>>
  /** Name of the request for templates and directives. Sentences without one must match the whole message. */
  readonly intent?: Intent
  readonly takes?: Takes
  /** Reason codes for missing parts, in the order in which they are asked for. */
  readonly needs?: Readonly<Partial<Record<SlotName, string>>>
  readonly among?: Among
  readonly back?: Undo
  readonly shown?: Shown
  /**
   * The request is about all rows of the list that was shown last, `{every}` in the plan, not about one by its position. `last`:
   * only if no single row was shown since, because "die" and "them" refer to one or to many depending on what was shown last.
   */
  readonly every?: true | 'last'
  readonly picks?: Picks
  /** If such a call waits for an approval, the request adds to it, before it refers to anything that was shown. */
  readonly waits?: Waits
  /** Times are in the past: a month or a weekday means the last one. */
  readonly past?: true
  /**
   * Set for a request with a time before its text: it is executed at that time, and times within the text belong to the text. A
   * day without a time means nine o'clock. This plan is used if that day has already begun, and executes the request at once.
   */
  readonly later?: Phrase['plan']
  /** Plan if nothing was shown that the request could refer to, instead of asking which (`shown`). */
  readonly otherwise?: Phrase['plan']
  /**
   * The request is for the next part of what was shown last, by whatever action (`pages` in its declaration); the value is the
   * reason code if there is none. The arguments of that read stay the same; the plan only identifies the package of these
   * sentences.
   */
  readonly onward?: string
  /**
   * The words may also refer to things of other packages: their sentences take precedence, unless the owner has connected nothing
   * there. Only this phrase's own sentences read the request.
   */
  readonly yields?: true
  /** Pattern that such a request must not contain; its time stands as WHEN_MARK. */
  readonly unlike?: string
  /** An address in the request belongs to the tool, such as one behind its sign-in, and is not a page to read. */
  readonly addressed?: true
  /** Further look-ups depend on the request, so no template contains its plan. */
  readonly varies?: true
  /** Reason code: the sentence lacks something without which nothing can be planned. */
  readonly lacks?: string
  /** A step with `for` is included only for these kinds of move. */
  readonly plan: readonly { readonly [key: string]: Json }[]
}

export interface SlotShape {
  readonly pattern: string
  readonly example: string
  /**
   * For slots of ordinary words: the embedded planner finds them too, and takes text of this shape after an article that matches
   * this pattern, or without one.
   */
  readonly learned?: string
}

/**
 * A subject whose tasks have a template of their own: a package's requests about it, and questions that a model has to read.
 * Patterns are case-insensitive.
 */
export interface MatterSpec {
  readonly name: Matter
  /** Must match every message about it. */
  readonly mentions: string
  /** Matches a question about it in words that no sentence has; and what such a question does not contain. */
  readonly asks: string
  readonly but: string
}

/** A thing that the owner can be reminded of after it was shown. */
export interface ShownThing extends Shown {
  /** Pattern of the words for one, case-insensitive. */
  readonly called: string
  /**
   * Fields with the author's name and address, and the search for texts by an author. If a name is no contact's but was shown,
   * the newest item with it gives the address, which is then shown on a card.
   */
  readonly writer?: {
    readonly named: string
    readonly address: string
    readonly tool: string
    readonly argument: string
  }
  /** Plan that shows `{one}` in full, for a message that only refers to a row: "the second one". */
  readonly opens?: Phrase['plan']
}

export interface Phrases {
  readonly matter?: MatterSpec
  /** For each list that the package shows. */
  readonly thing?: ShownThing | readonly ShownThing[]
  /** Word lists, by language and name. */
  readonly lists?: Readonly<Record<string, WordLists>>
  /**
   * Word lists for things that people own, receive and count, in singular and plural: `Sarah's letter`, `the
   * last letter`, `three letters`.
   */
  readonly things?: { readonly one: string; readonly many: string }
  /**
   * Slots that are not ordinary words, by name: a pattern without groups, and an example of what may be typed. A colon may
   * follow: `in acme/site: …`.
   */
  readonly shapes?: Readonly<Record<string, SlotShape>>
  /**
   * Sentences in which `{name}` is one of the names that the owner gave to this action (`called` in its declaration), for
   * planning without a model.
   */
  readonly called?: { readonly tool: string; readonly says: Phrase['says'] }
  readonly asks: readonly Phrase[]
  /**
   * For places that are searched by content: a pattern of their names without groups, and the search with `{these}`, the other
   * words of a question that matches no sentence.
   */
  readonly sought?: { readonly names: string; readonly plan: Phrase['plan'] }
  /**
   * More ways to type a request, which the embedded planner is trained on: by the tool of its plan's last
   * step (`tool#2`: the second phrase of that tool), then by language. Slots: `{who}`, `{whose}`, `{what}`,
   * `{when}`, `{place}` and those of the phrase.
   */
  readonly typed?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>
}

/** The things that all of these packages show. */
export function shownThings(packages: readonly Phrases[]): readonly ShownThing[] {
  return packages.flatMap(({ thing = [] }) => thing)
}
