/**
 * Chooses the tools that a planner's prompt describes (I-32, O-28 – O-30): the `core` ones, those that the
 * words of the request are about, common ones if there is room, and those that a search found. The others
 * are named only. Grants no permission: a plan may call any tool of its template. Called by finalize.ts.
 */
import { indexWords } from '../features/memory/telling-words.ts'
import { FIND_TOOLS } from '../task/plan.ts'
import type { MetadataView, ToolCard } from './parts.ts'
import { briefly, shortly, toolLine } from './tool-lines.ts'
import { best, namedIn, scoresOf, split, typedServices } from './tool-ranking.ts'
import { familyOf, termsOf } from './tool-terms.ts'

/** Maximum tools described for one request, in addition to the `core` ones. */
export const MOST_FOR_REQUEST = 8
/** Maximum number of tools of a template that are all described in full. */
const FEW = 10
/** UTF-16 units for the request, its extracted fields and the tools described for it, at about 3.5 units per token. */
const MOST_TEXT = 670
/** Minimum UTF-16 units for tools, however long the request is. */
const LEAST_TEXT = 400
/** UTF-16 units reserved, in the round after a search for tools, for the lines about that search. */
const OF_SEARCH = 260
/** Maximum tools of services that the conversation used, for a follow-up that names none. */
const OF_FAMILY = 2
/** Maximum tools ranked by words, and maximum tools ranked as likely, that precede the common ones. */
const OF_RANKED = 3
/** Score added to a tool of such a service, even if it shares no word with the request. */
const RELATED = 1.1
/** Score added to a common (`room`) tool: more than any one word of the request, less than two rare ones. */
const OFTEN = 5.5

/** Minimum share of the best score for a tool that is described because of its words alone. */
const NEAR_BEST = 0.4

/** The opened parts of a prompt by which tools are chosen. */
interface Occasion {
  readonly request: string
  readonly metadata: readonly MetadataView[]
  /** UTF-16 units taken by tools that describedTools adds. */
  readonly besides?: number
}

/** Returns the same tools; each that is not described in full has `shown`. */
export function shownTools(cards: readonly ToolCard[], occasion: Occasion): readonly ToolCard[] {
  const all = cards.filter(({ id }) => id !== FIND_TOOLS)
  if (all.length <= FEW) return all
  const others = cards.filter(({ core }) => core !== true)
  const said = new Set(indexWords(occasion.request))
  // Tools of a service that is not connected are described only where the request names that service.
  const near = others.filter(({ id, unconnected }) => !unconnected || said.has(familyOf(id)))
  const wanted = others.filter((card) => card.wanted === true)
  const read = occasion.metadata.filter(({ root }) => root === 'said').map(({ fields }) => fields)
  const taken = occasion.request.length + JSON.stringify(read).length
  const room =
    Math.max(LEAST_TEXT, MOST_TEXT - taken) - (wanted.length === 0 ? 0 : OF_SEARCH) - (occasion.besides ?? 0)
  const chosen = fitting(cards, { wanted, near, order: inOrder(near, occasion, said), room })
  return cards.map((card) => {
    if (card.core === true) return card
    const shown = chosen.get(card.id)
    return shown === undefined ? { ...card, shown: 'named' } : { ...shown, shown: 'now' }
  })
}

interface Choice {
  readonly wanted: readonly ToolCard[]
  readonly near: readonly ToolCard[]
  readonly order: readonly string[]
  /** Room for descriptions, in UTF-16 units. */
  readonly room: number
}

/**
 * The tools that there is room for. Tools that a search found are always described, also in later
 * rounds. Of the first tool the result is described too; of the others only how to call them.
 */
function fitting(
  cards: readonly ToolCard[],
  { wanted, near, order, room }: Choice,
): ReadonlyMap<string, ToolCard> {
  const chosen = new Map<string, ToolCard>()
  const lengthOf = (some: readonly ToolCard[]): number => {
    const before = cards.filter((card) => card.core === true || chosen.has(card.id))
    return some.reduce((sum, card) => sum + toolLine(card, before).length, 0)
  }
  const isRoomy = lengthOf(wanted.map(briefly)) <= room
  const found = wanted.map((card) => (isRoomy ? briefly(card) : shortly(card)))
  let text = lengthOf(found)
  for (const card of found) chosen.set(card.id, card)
  for (const id of order) {
    const ids = withNamed(near, id).filter((one) => !chosen.has(one))
    const more = near.filter((card) => ids.includes(card.id))
    if (chosen.size + more.length > MOST_FOR_REQUEST) continue
    const isFirst = chosen.size === 0
    const form = isFirst ? more.map(briefly) : more.map(shortly)
    if (text + lengthOf(form) > room && !isFirst) continue
    text += lengthOf(form)
    for (const card of form) chosen.set(card.id, card)
  }
  return chosen
}

/**
 * Tools that the request may be about, best first. Tools of a service that the request
 * names precede the others, after the single surest ones.
 */
function inOrder(
  near: readonly ToolCard[],
  occasion: Occasion,
  said: ReadonlySet<string>,
): readonly string[] {
  const { request, metadata } = occasion
  const families = new Set(metadata.map(({ action }) => familyOf(action)))
  const scores = scoresOf(near, request)
  for (const [id, score] of scores) if (families.has(familyOf(id))) scores.set(id, score + RELATED)
  const ranked = best(scores)
  const own = ranked.filter((id) => families.has(familyOf(id))).slice(0, OF_FAMILY)
  // The time may belong to an event, whatever other words are shared, so rank by words counts less.
  const isTimed = metadata.some(({ root, fields }) => root === 'said' && hasTime(fields))
  const first = ranked
    .slice(0, OF_RANKED)
    .filter((id, at) => at === 0 || !isTimed || (scores.get(id) ?? 0) > OFTEN)
  const likely = near
    .filter((card) => card.likely !== undefined)
    .toSorted((one, other) => (one.likely ?? 0) - (other.likely ?? 0))
    .map(({ id }) => id)
    .slice(0, OF_RANKED)
  const either = first.flatMap((id, at) => [id, ...likely.slice(at, at + 1)])
  const services = isTimed ? new Set<string>() : namedIn(near, said)
  const withRoom = new Map(scores)
  for (const { id, core } of near)
    if (core === 'room' && (services.size === 0 || services.has(familyOf(id))))
      withRoom.set(id, (scores.get(id) ?? 0) + OFTEN)
  const [top = ''] = best(withRoom)
  const least = NEAR_BEST * (withRoom.get(top) ?? 0)
  const others = best(withRoom).filter((id) => (withRoom.get(id) ?? 0) >= least)
  const typed = typedServices(near, request)
  const [ofNamed, ofOthers] = split([...own, ...either, ...likely, ...others], (id) =>
    typed.has(familyOf(id)),
  )
  const surest = [...ranked.slice(0, 1), ...likely.slice(0, 1)]
  return [...pointedAt(near, occasion), ...surest, ...ofNamed, ...ofOthers]
}

function hasTime(fields: MetadataView['fields']): boolean {
  return typeof fields === 'object' && fields !== null && 'from' in fields
}

/** A tool and the tools that its description names, without which it cannot be understood. */
function withNamed(tools: readonly ToolCard[], id: string): readonly string[] {
  const { description = '' } = tools.find((tool) => tool.id === id) ?? {}
  const named = tools.filter((tool) => tool.id !== id && description.includes(tool.id))
  return [id, ...named.map((tool) => tool.id)]
}

/** Maximum words of a request that only refers to the rows shown last. */
const MOST_POINTING = 4
/** Name of an argument for the rows that an action works on. */
const OF_ROWS = /^ids?$/

/**
 * For a short request without a word that describes a tool ("just bin it"): the writes that take
 * the rows shown last, after the best tool by examples, since one word of an example may mean
 * anything. Writes that need only the rows come first, because so few words state nothing else.
 */
function pointedAt(cards: readonly ToolCard[], { request, metadata }: Occasion): readonly string[] {
  const newest = metadata.find(({ root }) => /^w\d/.test(root))
  const words = indexWords(request)
  const isSaid = ({ id, description }: ToolCard): boolean =>
    words.some((word) => termsOf({ id, description }).has(word))
  const isShort = request.trim().split(/\s+/).length <= MOST_POINTING
  if (newest === undefined || !isShort || cards.some(isSaid)) return []
  const rows = cards
    .filter(({ id, semantics }) => semantics === 'write' && familyOf(id) === familyOf(newest.action))
    .map(({ id, args }) => ({ id, needed: Object.keys(args).filter((name) => !name.endsWith('?')) }))
    .filter(({ needed }) => needed.some((name) => OF_ROWS.test(name)))
    .toSorted((one, other) => one.needed.length - other.needed.length)
  return rows.length === 0 ? [] : [...best(scoresOf(cards, request)).slice(0, 1), ...rows.map(({ id }) => id)]
}

/** The tools that a prompt may name. */
export function usableTools(cards: readonly ToolCard[]): readonly ToolCard[] {
  return cards.filter(({ off }) => off !== true)
}

/** Marks the tool that a refused plan called, so that the next prompt describes it in full. */
export function describing(cards: readonly ToolCard[], called: unknown): readonly ToolCard[] {
  return cards.map((card) => (card.id === called ? { ...card, core: true } : card))
}
