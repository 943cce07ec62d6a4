/**
 * How a tool package says what people ask of it (DESIGN §9): sentences, what is taken out of a request, and the plan that it stands for. Types of
 * plain data, and how a list of words is written. Must not name a tool. Read by the extractor and by the rules planner.
 */
import type { Json } from '../../kernel/flow/json.ts'
import type { Intent } from '../../kernel/powers/message-fields.ts'

/** Lists of words that mean one thing, by the name that `<name>` says in a sentence; each row is a part of a sentence itself. */
export type WordLists = Readonly<Record<string, readonly string[]>>

/** A list as it is written: items between slashes, over as many lines as it takes. */
export function words(list: string): readonly string[] {
  return list
    .split(/[/\n]/)
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

/** What is taken out of a request beside its sentence, by recognisers that know no tool. Where words decide, it is the name of a list. */
export interface Takes {
  /** A person behind one of the words of a list (`from Sarah`), or whose mail it is. */
  readonly who?: string
  /** A span of time. `days`: so many from today, where none is named. `exact`: days are none, but for what lasts whole days. */
  readonly when?: { readonly days?: number; readonly exact?: string }
  /** The time may stand before all else: `On Friday, …`. */
  readonly whenFirst?: true
  /** What remains of `{topic}` without the time, and without the words of these lists at its beginning and end. */
  readonly topic?: { readonly before: string; readonly behind: string }
  /** Only what is new. */
  readonly unread?: true
  /** `the last three`, or `the third`. */
  readonly count?: 'many' | 'place'
  /** How long it takes. */
  readonly minutes?: true
}

/** What a request may need: in plans `{who}`, `{what}`, `{address}`, `{mail}`, `{unread}`, `{count}`, `{when.from}` and `{when.to}`. */
export type SlotName = 'who' | 'what' | 'when' | 'address' | 'mail'

/**
 * One of the rows that an action lists, in the plan `{one}`: of the list that was shown last, or of one that is fetched before, by who it is
 * of or by its place. `first`: the field of a row that puts it at the top.
 */
export interface Among {
  readonly tool: string
  readonly list: string
  readonly first: string
  /** Reason why there is no plan where nothing says which one. */
  readonly unknown: string
}

/**
 * Sentences that stand for one plan, by language, as people type them (their grammar: extractors/message-sentence.ts). In the plan a slot that
 * a sentence took is its text; of what was understood of the message it is a reference, left out where nothing was said.
 */
export interface Phrase {
  readonly says: Readonly<Record<string, readonly string[]>>
  /** Name by which templates and directives know the request; the sentences of one without are the whole message. */
  readonly intent?: Intent
  readonly takes?: Takes
  /** Reasons why there is no plan where something was not said, in the order in which it is asked for. */
  readonly needs?: Readonly<Partial<Record<SlotName, string>>>
  readonly among?: Among
  readonly plan: readonly { readonly [key: string]: Json }[]
}

export interface Phrases {
  /** Words that mean one thing, by language and name. */
  readonly lists?: Readonly<Record<string, WordLists>>
  /** Lists of what people have, get and count, for one and for many: `Sarah's letter`, `the last letter`, `three letters`. */
  readonly things?: { readonly one: string; readonly many: string }
  readonly asks: readonly Phrase[]
}
