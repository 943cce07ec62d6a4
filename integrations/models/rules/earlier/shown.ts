/**
 * Finds the row of the last results that a request refers to: "it", "this mail", "the second one", "die
 * letzte Mail". By position and kind only, never by content. Pure. Called by planner.ts, shown-last.ts and
 * reminding.ts.
 */
import { isPlainRecord, type Json } from '../../../../kernel/flow/json.ts'
import type { PromptParts } from '../../../../kernel/prompt/parts.ts'
import { findPosition } from '../../../extractors/message/contents/message-words.ts'
import { namedThings } from '../../../extractors/message/message-requests.ts'
import { type Shown, shownThings } from '../../../tools/phrase.ts'
import { actionWords, TOOL_PHRASES } from '../../../tools/registered.ts'
import { fieldOf, isTrue, itemsOf, numberOf, shownOrder } from '../answers/content.ts'

/** German ordinals by their stem; the last is counted from the end. */
const GERMAN = ['erst', 'zweit', 'dritt', 'viert', 'fünft', 'sechst', 'siebt', 'acht', 'neunt', 'zehnt']
const GERMAN_PLACE = new RegExp(`\\b(${GERMAN.join('|')}|letzt)e[rnms]?(?![\\wäöüß])`, 'i')
/** "Nummer 2", "mail 5". */
const NUMBERED = /(?<!\p{L})(?:nummer|nr\.?|(?:e-?)?mail|message|nachricht|^die|^the) #?([1-9]\d?)$/iu
/**
 * What a name of a person was looked up in, and what was remembered or told from memory, is nothing that was
 * shown.
 */
const ASIDE = ['contact', 'memory']

type Results = Pick<PromptParts, 'metadata'>

/** Path of the row: `w1`, `w2.emails[1]`; null if nothing says which it is. */
export function shownRow(shown: Shown, thing: string, parts: Results): string | null {
  return rowAt(shown, placeIn(thing), { parts, isNamed: false })
}

/**
 * Paths of all rows of the list that was shown last; null if nothing was, or another package showed something
 * since. `last`: null as well if one of its things was shown or changed since.
 */
export function everyShown(
  { lists, list, one, only }: Shown,
  { metadata }: Results,
  last = false,
): readonly string[] | null {
  const results = resultsOf(list, metadata)
  const known = [...lists, ...one, ...only]
  const at = results.findIndex(({ action, rows }) => lists.includes(action) && rows.length > 0)
  const found = results[at]
  const since = results.slice(0, Math.max(at, 0))
  if (found === undefined || since.some(({ action }) => !isNear(action, known))) return null
  if (last && since.some(({ action }) => one.includes(action) || only.includes(action))) return null
  return found.rows.map((_, row) => `${found.root}.${list}[${row}]`)
}

export interface ShownList {
  readonly root: string
  /** Its rows as described to planners. */
  readonly rows: readonly Json[]
}

/**
 * The list that was shown last by one of these actions, though others were opened or searched in vain since;
 * null if there is none.
 */
export function shownList(actions: readonly string[], list: string, { metadata }: Results): ShownList | null {
  return (
    resultsOf(list, metadata).find(({ action, rows }) => actions.includes(action) && rows.length > 0) ?? null
  )
}

/**
 * Whether a row of it has words of the request: at least half as many as the row is named by, below which nothing is picked by them. A planner is told
 * how many, and not which.
 */
export function hasSaid({ rows }: ShownList, words = 1): boolean {
  return rows.some((row) => {
    const fields = isPlainRecord(row) ? Object.values(row) : []
    const found = fields.reduce<number>((sum, field) => sum + (numberOf(field as Json, 'rank') ?? 0), 0)
    return found > 0 && found * 2 >= words
  })
}

/** What the owner can be reminded of, and how each is called. */
const THINGS = shownThings(TOOL_PHRASES)

const IT = /^(?:it|that|this|(?:that|this) one|ihn|sie|es|das|daran|dran)$/i
const CALLED = THINGS.map(({ called }) => called).join('|')
const NAMED = new RegExp(
  `^(?<points>this|that|the|my|diese[nrs]?|jene[nrs]?|den|die|das|der|meine[nr]?) (?:(?<nth>[\\p{L}\\d]+) )?(?<noun>${CALLED}|one)$`,
  'iu',
)
/** Say which one is meant, where "the mail" may be any. */
const POINTING = /^(?:this|that|diese|jene)/i

/** `path`: null where it points at something, and nothing or more than one was shown. */
export interface ShownOne {
  readonly path: string | null
}

/**
 * The one thing that words of a longer request refer to, whatever package showed it; null for words that do
 * not refer to what was shown.
 */
export function shownThing(words: string, parts: Results): ShownOne | null {
  const said = words.trim().replace(/(?<![.!])[.!]+$/, '')
  const named = NAMED.exec(said)?.groups
  const isIt = IT.test(said)
  if (!isIt && named === undefined) return null
  const { noun = 'one', nth, points = 'this' } = named ?? {}
  const place = nth === undefined ? null : placeIn(said)
  if (nth !== undefined && place === null) return null
  const isNamed = noun !== 'one'
  const paths = THINGS.filter(({ called }) => !isNamed || new RegExp(`^(?:${called})$`, 'iu').test(noun))
    .map((thing) => rowAt(thing, place, { parts, isNamed }))
    .filter((path) => path !== null)
    .toSorted((one, other) => ageOf(one) - ageOf(other))
  const [path = null] = paths
  return path === null && !isIt && !POINTING.test(points) ? null : { path }
}

/** How many results ago a row was shown. */
export function ageOf(path: string): number {
  return Number(/^w(\d+)/.exec(path)?.[1])
}

/** `isNamed`: the words name the kind of thing, so that what another package showed since is not meant. */
function rowAt(
  shown: Shown,
  place: number | null,
  { parts, isNamed }: { readonly parts: Results; readonly isNamed: boolean },
): string | null {
  const { needs = [] } = shown
  const results = resultsOf(shown.list, parts.metadata).filter(
    ({ action, fields }) =>
      !shown.one.includes(action) || needs.every((name) => (fieldOf(fields, name) ?? null) !== null),
  )
  if (place !== null) {
    const listed = results.find(({ action, rows }) => shown.lists.includes(action) && rows.length > 0)
    if (listed === undefined) return null
    // A search is told in the order of its result: only an answer that says so moves rows to the top.
    const moves = actionWords(listed.action)?.answer?.first === shown.first
    const order = shownOrder(listed.rows.map((row) => moves && isTrue(row, shown.first)))
    const index = order.at(place < 0 ? place : place - 1)
    return index === undefined ? null : `${listed.root}.${shown.list}[${index}]`
  }
  const known = [...shown.lists, ...shown.one, ...shown.only]
  // A search that found nothing showed nothing.
  const at = results.findIndex(
    ({ action, rows }) => known.includes(action) && (rows.length > 0 || !shown.lists.includes(action)),
  )
  const found = results[at]
  const between = results.slice(0, Math.max(at, 0))
  if (found === undefined || (!isNamed && between.some(({ action }) => !isNear(action, known)))) return null
  // An answer reads its mail right before it, and goes to whom that is from.
  const isAnswered = between.every(({ action }) => shown.stillSureAfter?.includes(action) === true)
  if (!isAnswered && between.some(({ action }) => shown.unsureAfter?.includes(action) === true)) return null
  if (shown.one.includes(found.action)) return found.root
  return found.rows.length === 1 ? `${found.root}.${shown.list}[0]` : null
}

/** What was shown and done before, the newest first, with its rows of this list. */
export function resultsOf(list: string, metadata: Results['metadata']) {
  return metadata
    .filter(({ root }) => /^w[1-9]\d?$/.test(root))
    .toSorted((a, b) => ageOf(a.root) - ageOf(b.root))
    .map(({ root, action, fields }) => ({
      ...{ root, action, fields: fields as Json },
      rows: itemsOf(fieldOf(fields as Json, list), 'items'),
    }))
}

/** No thing that was shown. */
export function isAside(action: string): boolean {
  return ASIDE.includes(action.split('.')[0] ?? '')
}

/** Of the same package, or no thing by itself. */
export function isNear(action: string, known: readonly string[]): boolean {
  const family = action.split('.')[0] ?? ''
  return isAside(action) || known.some((one) => one.startsWith(`${family}.`))
}

/** From 1; below 0 from the end; null for "it". */
function placeIn(thing: string): number | null {
  const german = GERMAN_PLACE.exec(thing)?.[1]?.toLowerCase()
  if (german !== undefined) return german === 'letzt' ? -1 : GERMAN.indexOf(german) + 1
  const numbered = NUMBERED.exec(thing)?.[1]
  if (numbered !== undefined) return Number(numbered)
  return findPosition(thing, namedThings(TOOL_PHRASES))
}
