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
   * A time span. `days`: default number of days from today. `exact`: a time of day is required, except for
   * things that last whole days.
   */
  readonly when?: { readonly days?: number; readonly exact?: string }
  /** The time may come first: `On Friday, …`. */
  readonly whenFirst?: true
  /** The rest of `{topic}` without the time, and without words of these lists at its beginning and end. */
  readonly topic?: { readonly before: string; readonly behind: string }
  /** Only new items. */
  readonly unread?: true
  /** `many`: `the last three`. `place`: `the third`. */
  readonly count?: 'many' | 'place'
  /** A duration. */
  readonly minutes?: true
  /** Into which of several it goes, before the words of this list: `in the family calendar`. */
  readonly into?: string
  /** Whether others are told of it, by words at its end: `and tell them`. */
  readonly tell?: true
  /** A new time for a thing; its days ahead in which a thing is looked for, if nobody says when it is now. */
  readonly moves?: { readonly days: number }
}

/**
 * Parts that a request may need. Names in plans: `{who}`, `{what}`, `{address}`, `{mail}`, `{unread}`,
 * `{count}`, `{when.from}` and `{when.to}`.
 */
export type SlotName = 'who' | 'what' | 'when' | 'address' | 'mail' | 'move' | 'into' | 'tell' | 'series'

/**
 * One of the rows that an action lists, `{one}` in the plan: from the list shown last, if words of the
 * request stand in one of its rows or the request names a position; else from one that is fetched first.
 * `first`: the field of a row that moves it to the top.
 */
export interface Among {
  readonly tool: string
  /** Other actions that show such rows. */
  readonly shows?: readonly string[]
  readonly list: string
  readonly first: string
  /** Rows that are looked at for words of the message; absent: as many as the action lists by itself. */
  readonly count?: number
  /** Reason code if nothing says which row. */
  readonly unknown: string
}

/**
 * The one thing that the request means, `{one}` in the plan. By its words or its time, it is looked up by
 * `tool` and picked, and where several fit, the owner is asked. Without either it is what was last talked
 * about.
 */
export interface Picks {
  readonly tool: string
  readonly list: string
  /**
   * Actions whose newest result is what was talked about; by the field with its rows, of which there is only
   * one, or null.
   */
  readonly talked: Readonly<Record<string, string | null>>
  /** Reason code if nothing says which, and if it may be what a question that waits is about. */
  readonly unknown: string
  readonly waiting: string
}

/**
 * The row that the conversation has just shown, `{one}` in the plan: the one at a place of the newest list
 * (`the second one`, in the slot `{thing}`) or with the words of the slot (`the one from Tom`), else what was
 * last read or listed by itself. What another package showed since is another thing.
 */
export interface Shown {
  /** Actions that show a list, and the field with its rows. */
  readonly lists: readonly string[]
  readonly list: string
  /** The field of a row that moves it to the top. */
  readonly first: string
  /** Actions whose result is the one, or holds it as its only row. */
  readonly one: readonly string[]
  readonly only: readonly string[]
  /** Call that lists rows anew, where words name one and none that was shown has them. */
  readonly lookUp?: { readonly tool: string; readonly args: { readonly [name: string]: Json } }
  /** What a row must also be that is meant by its words, which are then looked up anew: what was shown may hold none. */
  readonly where?: { readonly field: string; readonly equals: boolean }
  /** Actions since which it is not sure any more that it is meant: a pronoun may be of whoever was written to. */
  readonly ends?: readonly string[]
  /** Of these, actions that answer whoever the row is of: right behind it they leave it sure. */
  readonly answers?: readonly string[]
  /** Fields without which a result of `one` is none: an event that was gone already had no time. */
  readonly needs?: readonly string[]
  /** Reason code if nothing says which. */
  readonly unknown: string
}

/**
 * What the conversation did last by one of these actions, to be taken back: `{back.id}` in the plan is that
 * field of each of its rows, as far as it has it. `by`: the action that takes it back, once; where it is one
 * of these actions itself, taking back is taken back as well.
 */
export interface Back {
  readonly of: readonly string[]
  readonly by: string
  /** Field with the rows; absent: the result is the one. */
  readonly list?: string
  /** Fields without which nothing says what it was before. */
  readonly needs?: readonly string[]
  /** Reason code if there is nothing to take back. */
  readonly unknown: string
}

/** A call of this action that waits: people are added to this argument, and the others stay. */
export interface Waits {
  readonly tool: string
  readonly argument: string
  readonly keeps: readonly string[]
}

/**
 * Sentences for one plan, by language, as people type them (grammar: extractors/message/message-sentence.ts).
 * In the plan, a slot of the sentence becomes its text, and an extracted field becomes a reference; both are
 * omitted if not mentioned. `{whom}` becomes a list of addresses: those typed, and those of contacts by name.
 * `{topic.whole}` begins with a capital, as a text of any slot; `{topic.head}` are its first words.
 */
export interface Phrase {
  readonly says: Readonly<Record<string, readonly string[]>>
  /** Name of the request for templates and directives. Sentences without one must match the whole message. */
  readonly intent?: Intent
  readonly takes?: Takes
  /** Reason codes for missing parts, in the order in which they are asked for. */
  readonly needs?: Readonly<Partial<Record<SlotName, string>>>
  readonly among?: Among
  readonly back?: Back
  readonly shown?: Shown
  /**
   * It is of all rows of the list that was shown last, `{every}` in the plan, and of none by its place. `last`: only while nothing of it was shown alone
   * since, as "die" and "them" are of one or of many by what was seen last.
   */
  readonly every?: true | 'last'
  readonly picks?: Picks
  /** It is added to such a call that waits for a yes, before it is of anything that was shown. */
  readonly waits?: Waits
  /** Its times are over: a month or a weekday is the last one. */
  readonly past?: true
  /**
   * What it asks for is done at its time, which stands before its text: the times in the text are the text's.
   * A day alone means nine o'clock. This is the plan where that day has begun: it is done at once.
   */
  readonly later?: Phrase['plan']
  /** The plan where nothing was shown that it could mean, instead of asking which (`shown`). */
  readonly otherwise?: Phrase['plan']
  /**
   * It is the next part of what was shown last, whichever action showed it, and this is the reason code where there is none (`pages` of its declaration). What
   * is asked for stays as it was; the plan only says whose sentences these are.
   */
  readonly onward?: string
  /**
   * Its words may mean the things of other packages: their sentences come first, unless the owner has set nothing up there, and it is read by its own
   * sentences alone.
   */
  readonly yields?: true
  /** Pattern of what such a request does not have, with its time as WHEN_MARK. */
  readonly unlike?: string
  /** What it names by an address is the tool's own, such as behind its sign-in: no page of the web. */
  readonly addressed?: true
  /** What else is looked up is decided with each request, so that no template has its plan. */
  readonly varies?: true
  /** Reason code of what the sentence leaves out and nothing can be planned without. */
  readonly lacks?: string
  /** A step with `for` is only in the plan of these kinds of move. */
  readonly plan: readonly { readonly [key: string]: Json }[]
}

export interface SlotShape {
  readonly pattern: string
  readonly example: string
  /**
   * Its words are ordinary ones: the embedded planner finds them too, and takes what is of this shape behind
   * an article of this pattern, or none.
   */
  readonly learned?: string
}

/**
 * A subject whose tasks have a template of their own: the requests of a package about it, and questions that
 * a model has to read. Patterns, whatever the case.
 */
export interface MatterSpec {
  readonly name: Matter
  /** What every message about it has. */
  readonly mentions: string
  /** A question about it in words that no sentence has, and what such a question does not have. */
  readonly asks: string
  readonly but: string
}

/** What the owner can be reminded of after it was shown. */
export interface ShownThing extends Shown {
  /** Pattern of the words for one, whatever the case. */
  readonly called: string
  /**
   * Fields with the name and the address of who wrote it, and the search for what somebody wrote: where a
   * name is no contact's and was shown, the newest with it gives the address, which then stands on a card.
   */
  readonly writer?: {
    readonly named: string
    readonly address: string
    readonly tool: string
    readonly argument: string
  }
  /** Plan that shows `{one}` whole: what is meant where a message only refers to a row, "the second one". */
  readonly opens?: Phrase['plan']
}

export interface Phrases {
  readonly matter?: MatterSpec
  /** Of each list that it shows. */
  readonly thing?: ShownThing | readonly ShownThing[]
  /** Word lists, by language and name. */
  readonly lists?: Readonly<Record<string, WordLists>>
  /**
   * Word lists for things that people own, receive and count, in singular and plural: `Sarah's letter`, `the
   * last letter`, `three letters`.
   */
  readonly things?: { readonly one: string; readonly many: string }
  /**
   * Slots that are no ordinary words, by name: a pattern without groups, and what somebody may type. A colon
   * may follow: `in acme/site: …`.
   */
  readonly shapes?: Readonly<Record<string, SlotShape>>
  /**
   * Sentences in which `{name}` is one of the names that the owner gave to this action (`called` in its
   * declaration), for whoever plans without a model.
   */
  readonly called?: { readonly tool: string; readonly says: Phrase['says'] }
  readonly asks: readonly Phrase[]
  /**
   * Where things are kept that people ask for by what they say, in any order: a pattern of its names without
   * groups, and the search there for `{these}`, the other words of a question that no sentence fits.
   */
  readonly sought?: { readonly names: string; readonly plan: Phrase['plan'] }
  /**
   * More ways to type a request, which the embedded planner is trained on: by the tool of its plan's last
   * step (`tool#2`: the second phrase of that tool), then by language. Slots: `{who}`, `{whose}`, `{what}`,
   * `{when}`, `{place}` and those of the phrase.
   */
  readonly typed?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>
}

/** What all of these packages show. */
export function shownThings(packages: readonly Phrases[]): readonly ShownThing[] {
  return packages.flatMap(({ thing = [] }) => thing)
}
