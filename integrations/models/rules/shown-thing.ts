/**
 * "This mail", "that", "the second one" in a request: the path of the one thing that was shown last, by what packages declare of it. Must
 * not read content. Called by the planner.
 */
import type { Json } from '../../../kernel/flow/json.ts'
import type { PromptParts } from '../../../kernel/prompt/parts.ts'
import type { ShownThing } from '../../tools/phrase.ts'
import { TOOL_PHRASES } from '../../tools/registered.ts'
import { fieldOf, isTrue, itemsOf, shownOrder } from './content.ts'

const THINGS: readonly ShownThing[] = TOOL_PHRASES.flatMap(({ thing }) =>
  thing === undefined ? [] : [thing],
)

const IT = /^(?:it|that|this|(?:that|this) one|ihn|sie|es|das|daran)$/i
const PLACES: readonly (readonly [RegExp, number])[] = [
  [/^(?:first|1st|erste[nrs]?)$/i, 1],
  [/^(?:second|2nd|zweite[nrs]?)$/i, 2],
  [/^(?:third|3rd|dritte[nrs]?)$/i, 3],
  [/^(?:fourth|4th|vierte[nrs]?)$/i, 4],
  [/^(?:fifth|5th|fünfte[nrs]?)$/i, 5],
  [/^(?:last|letzte[nrs]?)$/i, -1],
]
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

/** Null for words that do not refer to what was shown. */
export function shownThing(words: string, { metadata }: Pick<PromptParts, 'metadata'>): ShownOne | null {
  const said = words.trim().replace(/[.!]+$/, '')
  const named = NAMED.exec(said)?.groups
  const isIt = IT.test(said)
  if (!isIt && named === undefined) return null
  const { noun = 'one', nth, points = 'this' } = named ?? {}
  const place = nth === undefined ? null : PLACES.find(([word]) => word.test(nth))?.[1]
  if (place === undefined) return null
  const things = THINGS.filter(
    ({ called }) => noun === 'one' || new RegExp(`^(?:${called})$`, 'iu').test(noun),
  )
  const path = newest(things, place, metadata)
  return path === null && !isIt && !POINTING.test(points) ? null : { path }
}

function newest(
  things: readonly ShownThing[],
  place: number | null,
  metadata: PromptParts['metadata'],
): string | null {
  const [last] = metadata
    .flatMap(({ root, action, fields }) => {
      const thing = things.find(({ shown }) => Object.hasOwn(shown, action))
      return thing === undefined || !/^w[1-9]\d?$/.test(root) ? [] : [{ root, action, fields, thing }]
    })
    .toSorted((one, other) => Number(one.root.slice(1)) - Number(other.root.slice(1)))
  if (last === undefined) return null
  const { root, action, thing } = last
  const list = thing.shown[action] ?? null
  if (list === null) return place === null ? root : null
  const items = itemsOf(fieldOf(last.fields as Json, list), 'items')
  const order = shownOrder(items.map((item) => thing.first !== undefined && isTrue(item, thing.first)))
  const row = place === null ? (items.length === 1 ? 0 : undefined) : order.at(place < 0 ? place : place - 1)
  return row === undefined ? null : `${root}.${list}[${row}]`
}
