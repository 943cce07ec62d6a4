/**
 * Plans that show a row again, for a message that only refers to one: "the second one", "die von Tom". The
 * row is found by position, or by the owner's words among the shown rows; never by a new lookup. Pure. Called
 * by planner.ts.
 */
import { isPlainRecord, type Json } from '../../../../kernel/flow/json.ts'
import type { PromptParts } from '../../../../kernel/prompt/parts.ts'
import type { Plan } from '../../../../kernel/task/plan.ts'
import { wholeSentence } from '../../../extractors/message/message-learned.ts'
import { referenceIn } from '../../../extractors/message/message-reference.ts'
import { type Phrase, type ShownThing, shownThings } from '../../../tools/phrase.ts'
import { plannedSteps } from '../../../tools/planned.ts'
import { TOOL_PHRASES } from '../../../tools/registered.ts'
import { itemsOf } from '../answers/content.ts'
import { saidOf } from '../said.ts'
import { nothing } from '../steps.ts'
import { listWithSaid, type NamedRow, NOUNS, namedRow, wordsOfRow } from './named-row.ts'
import { ageOf, isNear, resultsOf, shownList, shownRow } from './shown.ts'

/** Things that can be shown whole. */
const OPENED = shownThings(TOOL_PHRASES).filter(({ opens }) => opens !== undefined)

/** Null for a message that says anything else, and where nothing was shown that it could mean. */
export function openingPlan(parts: PromptParts): Plan | null {
  const reference = referenceIn(parts.request, NOUNS)
  if (reference === null) return null
  const { by, words, noun, shows } = reference
  const things = OPENED.filter(
    ({ called }) => noun === null || new RegExp(`^(?:${called})$`, 'iu').test(noun),
  )
  // "Mail 5" is of a list, and of nothing else.
  const isNumber = noun !== null && by === 'place' && /\d$/.test(words)
  const none = isNumber ? nothing(things[0]?.unknown ?? 'not_understood') : null
  if (noun === null && isLaterElsewhere(parts)) return null
  const meant = things.flatMap((thing) => {
    const found = by === 'place' ? byPlace(thing, words, parts) : byWords(thing, words, parts, shows)
    return found === null ? [] : [{ ...found, thing }]
  })
  const [last] = meant.toSorted((one, other) => one.age - other.age)
  if (last === undefined) return none
  const { before, path, thing } = last
  const own = plannedSteps(thing.opens ?? [], { one: path }, before.length) as unknown as Plan['steps']
  return { steps: [...before, ...own], explanation: '' }
}

/** "The second one": a place in a list that was shown, and no request of its own. */
export function isBarePlace({ request }: Pick<PromptParts, 'request'>): boolean {
  const reference = referenceIn(request, NOUNS)
  return reference?.by === 'place' && reference.noun === null && !reference.shows
}

/**
 * "Delete the budget one" is of what was shown last, whatever else has such words: the plan of a request
 * about a row that its words name; null for any other.
 */
export function ofShownOne(
  parts: PromptParts,
  isOffered: (phrase: Phrase) => boolean,
): ReturnType<typeof wholeSentence> {
  if (!ONE.test(parts.request) || isLaterElsewhere(parts)) return null
  const found = wholeSentence(
    TOOL_PHRASES,
    parts.request,
    (phrase) => phrase.shown !== undefined && isOffered(phrase),
  )
  const shown = found?.phrase.shown
  const isNamed = wordsOfRow(found?.taken['thing']) !== null
  return shown !== undefined && isNamed && listWithSaid(shown, parts) !== null ? found : null
}

/** Says that it is one of several. */
const ONE = /(?<!\p{L})one(?!\p{L})/iu

interface Found {
  readonly before: NamedRow['before']
  readonly path: string
  /** How many results ago. */
  readonly age: number
}

function byPlace(thing: ShownThing, words: string, parts: PromptParts): Found | null {
  const [number = ''] = /^(?!.*\d(?:st|nd|rd|th)).*?(\d+)$/.exec(words)?.slice(1) ?? []
  const path = shownRow(thing, number === '' ? words : `#${number}`, parts)
  return path === null ? null : { before: [], path, age: ageOf(path) }
}

/**
 * `shows`: it is to be shown, so that it is one of these even where none has the words: it is looked for where
 * such things are, or that none has them is said.
 */
function byWords(thing: ShownThing, words: string, parts: PromptParts, shows: boolean): Found | null {
  // A person may be anywhere else.
  const isAmong = shows && !saidOf(parts).has('person')
  const own = listWithSaid(thing, parts, words)
  const list = own ?? (isAmong ? shownList(thing.lists, thing.list, parts) : null)
  if (list === null) return null
  const named = own === null ? namedRow(thing, words, { parts, steps: 0 }) : null
  if (named !== null) return { ...named, age: ageOf(list.root) }
  const pick = { id: 's1', do: 'select', from: `${list.root}.${thing.list}`, matching: words } as const
  return { before: [{ ...pick, take: 'first' }], path: 's1', age: ageOf(list.root) }
}

/** Rows of another package were shown since, and the place may be of those. */
function isLaterElsewhere(parts: PromptParts): boolean {
  const known = OPENED.flatMap(({ lists, one }) => [...lists, ...one])
  const newest = resultsOf('', parts.metadata).find(
    ({ action, fields }) => known.includes(action) || (!isNear(action, known) && hasRows(fields)),
  )
  return newest === undefined || !known.includes(newest.action)
}

function hasRows(fields: Json): boolean {
  return (
    isPlainRecord(fields) && Object.values(fields).some((value) => itemsOf(value as Json, 'items').length > 0)
  )
}
