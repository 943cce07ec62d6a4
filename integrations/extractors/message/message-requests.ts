/**
 * Matches a message against the sentences that packages declare, and gives access to their word lists. Must not know a tool or
 * read entities. Called by message-intent.ts and by the rules planner.
 */
import { stringsIn } from '../../../kernel/flow/json.ts'
import type { Intent } from '../../../kernel/powers/message-fields.ts'
import { findDay } from '../../dates/read.ts'
import type { Phrase, Phrases, WordLists } from '../../tools/phrase.ts'
import { type Things, thingsOf } from './contents/message-words.ts'
import { heldOf, listPattern, type Sentence, sentenceOf, type Taken, WHEN_MARK } from './message-sentence.ts'

export interface Request {
  readonly phrase: Phrase
  readonly lists: WordLists
  readonly taken: Taken
  /** Names of slots that have a shape of their own. */
  readonly shaped?: readonly string[]
}

/** A request with an intent name. */
export interface NamedRequest extends Request {
  readonly intent: Intent
}

interface Row extends Pick<Request, 'phrase' | 'lists' | 'shaped'> {
  readonly sentence: Sentence
}

/** The texts of one message in which sentences are searched. */
export interface Heard {
  /** Its beginning, with single spaces and without surrounding courtesies. */
  readonly bare: string
  /** The whole text, as typed. */
  readonly whole: string
}

interface Rows {
  readonly named: readonly Row[]
  readonly unnamed: readonly Row[]
}

/** Cached: building patterns takes longer than matching, and a process's packages never change. */
const made = new WeakMap<readonly Phrases[], Rows>()

/** Sentences with an address come first; among others the first row wins. */
export function namedRequest(packages: readonly Phrases[], { bare, whole }: Heard): NamedRequest | null {
  const [ofWhole, ofBare] = [heldOf(whole), heldOf(bare)]
  const rows = rowsOf(packages).named
  const first = (hasAddress: boolean): NamedRequest | null => {
    for (const { phrase, lists, sentence } of rows) {
      const { intent } = phrase
      if (intent === undefined || sentence.hasAddress !== hasAddress) continue
      const taken = sentence.hasTopic ? sentence.match(whole, ofWhole) : sentence.match(bare, ofBare)
      if (taken !== null) return { phrase, intent, lists, taken }
    }
    return null
  }
  return first(true) ?? first(false)
}

/**
 * Words for others that are told about and not given: "reply to Sarah that both numbers are fine". Where a model plans, it puts them as a letter says them;
 * what stands behind a colon or in quotes is the text itself.
 */
export function isRetold(request: { readonly phrase: Phrase; readonly quoted?: boolean } | null): boolean {
  return (
    request?.quoted === false &&
    request.phrase.plan.some(({ args }) => stringsIn(args ?? null).some((one) => WHOLE.test(one)))
  )
}

/** A text to its end, as a slot gives it to a plan. */
const WHOLE = /^\{(?:topic|news|news_de)\.(?:whole|main)\}$/

/** Most words of a message: requests are short. One that holds a text is as long as the text. */
const MOST_WORDS = 40
const MOST_WORDS_OF_TEXT = 1_000
/** A preposition before a time, which belongs to the time or to the sentence: `for the weekend`. */
const LEADS = /^(?:for|on|in|at|over|during|from|between) /i

/** The request without an intent name whose sentence matches the whole text; only requests that `isMeant` accepts. */
export function unnamedRequest(
  packages: readonly Phrases[],
  text: string,
  isMeant: (phrase: Phrase) => boolean = () => true,
): Request | null {
  const count = text.split(/\s+/, MOST_WORDS_OF_TEXT + 1).length
  if (count > MOST_WORDS_OF_TEXT) return null
  const isLong = count > MOST_WORDS
  const plain = heldOf(text)
  const rows = rowsOf(packages).unnamed.filter(
    ({ phrase, sentence }) => isMeant(phrase) && (sentence.hasTopic || !isLong),
  )
  if (rows.length === 0) return null
  for (const marked of timesMarked(text)) {
    const heldThere = marked === text ? plain : heldOf(marked)
    for (const { phrase, lists, sentence, shaped = [] } of rows) {
      // A text to the end keeps the times in it: they are what somebody is told. A time before it is the request's.
      const isAsTyped = (sentence.hasTopic && !sentence.hasWhen) || sentence.hasShape
      const said = isAsTyped ? text : marked
      const taken = sentence.match(said, isAsTyped ? plain : heldThere)
      if (taken !== null && !isUnlike(phrase, said)) return { phrase, lists, taken, shaped }
    }
  }
  return null
}

function isUnlike({ unlike }: Phrase, said: string): boolean {
  return unlike !== undefined && new RegExp(unlike, 'i').test(said)
}

/** A `when` slot must be a time as a whole, and no other slot may contain one: "Lisbon tomorrow" is no place. */
function timesMarked(text: string): readonly string[] {
  const plain = text.replaceAll(WHEN_MARK, ' ').replaceAll('’', "'")
  const day = findDay(plain)
  if (day === null) return [text.replaceAll(WHEN_MARK, ' ')]
  // "um 9:" before a text is a time and the mark of the text.
  const end = day.start + plain.slice(day.start, day.end).replace(/[\s:,]+$/, '').length
  const lead = LEADS.exec(plain.slice(day.start, day.end))?.[0] ?? ''
  return [day.start, ...(lead === '' ? [] : [day.start + lead.length])].map(
    (start) => `${text.slice(0, start)}${WHEN_MARK}${text.slice(end)}`,
  )
}

const things = new WeakMap<readonly Phrases[], Things>()

/** The things that packages name, in all languages together, since a message may use any of them. */
export function namedThings(packages: readonly Phrases[]): Things {
  const known = things.get(packages)
  if (known !== undefined) return known
  const sourceOf = (number: 'one' | 'many'): string =>
    packages
      .flatMap(({ lists, things: names }) =>
        names === undefined ? [] : Object.values(lists ?? {}).map((own) => listPattern(names[number], own)),
      )
      .join('|')
  const found = thingsOf(sourceOf('one'), sourceOf('many'))
  things.set(packages, found)
  return found
}

function rowsOf(packages: readonly Phrases[]): Rows {
  const known = made.get(packages)
  if (known !== undefined) return known
  const rows = packages.flatMap(({ lists: all, shapes, asks }) =>
    asks.flatMap((phrase) =>
      Object.entries(phrase.says).flatMap(([language, sentences]) => {
        const lists = all?.[language] ?? {}
        const loose = phrase.intent === undefined
        return sentences.map((says) => ({
          phrase,
          lists,
          shaped: Object.keys(shapes ?? {}),
          sentence: sentenceOf(says, { lists, loose, ...(shapes && { shapes }) }),
        }))
      }),
    ),
  )
  const ordered = [
    ...rows.filter(({ phrase }) => !phrase.yields),
    ...rows.filter(({ phrase }) => phrase.yields),
  ]
  const found = {
    named: ordered.filter(({ phrase }) => phrase.intent !== undefined),
    unnamed: ordered.filter(({ phrase }) => phrase.intent === undefined),
  }
  made.set(packages, found)
  return found
}
