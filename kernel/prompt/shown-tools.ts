/**
 * Which tools a planner's prompt describes (I-32, O-28 – O-30): those of every day, those that the words of the request are about, with what else is
 * often wanted where they leave room, and those that were searched for; the others by name. It decides no right: a plan may name any tool of its
 * template. Called by finalize.ts.
 */
import { indexWords } from '../features/memory/telling-words.ts'
import { FIND_TOOLS } from '../task/plan.ts'
import type { MetadataView, ToolCard } from './parts.ts'
import { briefly, shortly, toolLine } from './tool-lines.ts'
import { best, namedIn, scoresOf, split, typedServices } from './tool-ranking.ts'
import { familyOf, termsOf } from './tool-terms.ts'

/** Tools described for one request, beside those of every day. */
export const MOST_FOR_REQUEST = 8
/** As many tools as a template may have without any being left to its name. */
const FEW = 10
/** UTF-16 units of a request, what was read in it and the tools described for it: what a prompt has room for, at about three and a half a token. */
const MOST_TEXT = 670
/** So much of it is for tools, however long a request is. */
const LEAST_TEXT = 400
/** So much of it is for what a search before says of itself. */
const OF_SEARCH = 260
/** Places for the services that the conversation used, for a follow-up that names none. */
const OF_FAMILY = 2
/** Places for what the words are clearly about, and for what they most likely ask for, before what is often wanted. */
const OF_RANKED = 3
/** What being of such a service counts where no word is shared. */
const RELATED = 1.1
/** What being often wanted counts: more than any one word of the request, less than two rare ones. */
const OFTEN = 5.5

/** Of the best one's score, what another has at least that is described for its words alone. */
const NEAR_BEST = 0.4

/** The opened parts by which tools are chosen. */
interface Occasion {
  readonly request: string
  readonly metadata: readonly MetadataView[]
  /** UTF-16 units of tools that are described besides. */
  readonly besides?: number
}

/** The same tools; each says how it is shown, if not in full. */
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
  /** UTF-16 units. */
  readonly room: number
}

/**
 * What there is room for. What was searched for is described in any case, and in every later round. What a tool gives is said of the first: of
 * others, how they are asked for.
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

/** What a request may be about, the best first: of a service that it names before all others, but for the very first. */
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
  // A time that was said may be that of an event, whatever else the words share.
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

/** A tool, and those that its description names: it is understood with them alone. */
function withNamed(tools: readonly ToolCard[], id: string): readonly string[] {
  const { description = '' } = tools.find((tool) => tool.id === id) ?? {}
  const named = tools.filter((tool) => tool.id !== id && description.includes(tool.id))
  return [id, ...named.map((tool) => tool.id)]
}

/** Words of a request that only points at what was shown last. */
const MOST_POINTING = 4
/** How an action calls the rows that it works on. */
const OF_ROWS = /^ids?$/

/**
 * Of a short request with no word that says what a tool is for ("just bin it"), what can be done with the rows that were shown last, behind the
 * tool that an example of its speaks for: one word in an example may name anything. First what needs nothing but the rows, as so few words say no more.
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

/** Those that a prompt may name. */
export function usableTools(cards: readonly ToolCard[]): readonly ToolCard[] {
  return cards.filter(({ off }) => off !== true)
}

/** A tool that a refused plan called is described in full to the next one. */
export function describing(cards: readonly ToolCard[], called: unknown): readonly ToolCard[] {
  return cards.map((card) => (card.id === called ? { ...card, core: true } : card))
}
