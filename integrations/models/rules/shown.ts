/**
 * Which row of what was just shown a request means: "it", "the second one", "die letzte Mail". By position and kind alone, never by what a
 * row says. Pure. Called by planner.ts.
 */
import type { Json } from '../../../kernel/flow/json.ts'
import type { PromptParts } from '../../../kernel/prompt/parts.ts'
import { namedThings } from '../../extractors/message-requests.ts'
import { findPosition } from '../../extractors/message-words.ts'
import type { Shown } from '../../tools/phrase.ts'
import { TOOL_PHRASES } from '../../tools/registered.ts'
import { fieldOf, isTrue, itemsOf, shownOrder } from './content.ts'

/** German ordinals by their stem; the last is counted from the end. */
const GERMAN = ['erst', 'zweit', 'dritt', 'viert', 'fünft', 'sechst', 'siebt', 'acht', 'neunt', 'zehnt']
const GERMAN_PLACE = new RegExp(`\\b(${GERMAN.join('|')}|letzt)e[rnms]?(?![\\wäöüß])`, 'i')
/** What a name of a person was looked up in is nothing that was shown. */
const ASIDE = ['contact']

/** Path of the row: `w1`, `w2.emails[1]`; null if nothing says which it is. */
export function shownRow(
  shown: Shown,
  thing: string,
  { metadata }: Pick<PromptParts, 'metadata'>,
): string | null {
  const results = metadata
    .filter(({ root }) => /^w[1-9]\d?$/.test(root))
    .sort((a, b) => Number(a.root.slice(1)) - Number(b.root.slice(1)))
    .map(({ root, action, fields }) => ({
      ...{ root, action },
      rows: itemsOf(fieldOf(fields as Json, shown.list), 'items'),
    }))
  const place = placeIn(thing)
  if (place !== null) {
    const listed = results.find(({ action, rows }) => shown.lists.includes(action) && rows.length > 1)
    if (listed === undefined) return null
    const order = shownOrder(listed.rows.map((row) => isTrue(row, shown.first)))
    const index = order.at(place < 0 ? place : place - 1)
    return index === undefined ? null : `${listed.root}.${shown.list}[${index}]`
  }
  const known = [...shown.lists, ...shown.one, ...shown.only]
  const at = results.findIndex(({ action }) => known.includes(action))
  const found = results[at]
  if (found === undefined || results.slice(0, at).some(({ action }) => !isNear(action, known))) return null
  if (shown.one.includes(found.action)) return found.root
  return found.rows.length === 1 ? `${found.root}.${shown.list}[0]` : null
}

/** Of the same package, or no thing by itself. */
function isNear(action: string, known: readonly string[]): boolean {
  const family = action.split('.')[0] ?? ''
  return ASIDE.includes(family) || known.some((one) => one.startsWith(`${family}.`))
}

/** From 1; below 0 from the end; null for "it". */
function placeIn(thing: string): number | null {
  const german = GERMAN_PLACE.exec(thing)?.[1]?.toLowerCase()
  if (german !== undefined) return german === 'letzt' ? -1 : GERMAN.indexOf(german) + 1
  return findPosition(thing, namedThings(TOOL_PHRASES))
}
