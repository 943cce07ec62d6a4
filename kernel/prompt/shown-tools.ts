/**
 * Which tools a planner's prompt describes in full (I-32, O-28 – O-30): those of every day, those that the words of the request are about, with
 * what else is often wanted where they leave room, and those that were searched for; the others by name. It decides no right: a plan may name any tool of its template. Called by finalize.ts.
 */
import { indexWords } from '../features/memory/telling-words.ts'
import { FIND_TOOLS } from '../task/plan.ts'
import type { MetadataView, ToolCard } from './parts.ts'

/** Tools described for one request, beside those of every day. */
export const MOST_FOR_REQUEST = 6
/** As many tools as a template may have without any being left to its name. */
const FEW = 10
/** Of these, places for the services that the conversation used, for a follow-up that names none. */
const OF_FAMILY = 2
/** Places for what the words are about before what is often wanted. */
const OF_RANKED = 3
/** What being of such a service counts where no word is shared. */
const RELATED = 0.5

/** What a tool can be found by. */
export type Findable = Pick<ToolCard, 'id' | 'description' | 'terms'>

/** The opened parts by which tools are chosen. */
interface Occasion {
  readonly request: string
  readonly metadata: readonly MetadataView[]
}

/** The same tools; each says how it is shown, if not in full. */
export function shownTools(cards: readonly ToolCard[], occasion: Occasion): readonly ToolCard[] {
  const all = cards.filter(({ id }) => id !== FIND_TOOLS)
  if (all.length <= FEW) return all
  const others = cards.filter(({ core }) => core !== true)
  const wanted = others.filter((card) => card.wanted === true).map(({ id }) => id)
  const said = new Set(indexWords(occasion.request))
  // Tools of a service that is not connected are described only where the request names that service.
  const near = others.filter(({ id, unconnected }) => !unconnected || said.has(familyOf(id)))
  const ranked = ranking(near, occasion)
  const families = new Set(occasion.metadata.map(({ action }) => familyOf(action)))
  const own = ranked.filter((id) => families.has(familyOf(id))).slice(0, OF_FAMILY)
  const room = near.filter(({ core }) => core === 'room').map(({ id }) => id)
  const pointed = pointedAt(near, occasion)
  const inOrder = [...wanted, ...pointed, ...own, ...ranked.slice(0, OF_RANKED), ...room, ...ranked]
  const most = Math.max(MOST_FOR_REQUEST, wanted.length)
  const chosen = new Set<string>()
  for (const id of inOrder) {
    const more = withNamed(near, id).filter((one) => !chosen.has(one))
    if (chosen.size + more.length <= most) for (const one of more) chosen.add(one)
  }
  return cards.map((card) =>
    card.core === true ? card : { ...card, shown: chosen.has(card.id) ? 'now' : 'named' },
  )
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

/** The tools that these words are about, best first. */
export function foundTools(tools: readonly Findable[], words: string): readonly string[] {
  const scores = scoresOf(tools, words)
  return best(scores).slice(0, MOST_FOR_REQUEST)
}

/** How many tools of a service must have a word that no declaration of it says, for the word to be about it: one example may name anything. */
const LEAST_TOOLS = 2

/**
 * Those that are near to these words, best first: tools of a service that a word of them is about. A word is about a service if most
 * tools that have it are of that service, or half of them and it is the name of one, and its declarations say it, or several of its
 * tools. None where no word is about any.
 */
export function nearTools(tools: readonly Findable[], words: string): readonly string[] {
  const about = new Map<string, number>()
  for (const word of indexWords(words)) {
    const having = tools.filter((tool) => termsOf(tool).has(word))
    const [family = '', own = []] = largest(having)
    const isSaid = own.some(({ id, description }) => termsOf({ id, description }).has(word))
    const isHalf = own.length * 2 === having.length && own.some(({ id }) => nameOf(id).has(word))
    if ((own.length * 2 <= having.length && !isHalf) || (own.length < LEAST_TOOLS && !isSaid)) continue
    about.set(family, (about.get(family) ?? 0) + Math.log(1 + tools.length / having.length))
  }
  const scores = scoresOf(tools, words)
  const score = (id: string): number => scores.get(id) ?? 0
  return tools
    .map(({ id }) => id)
    .filter((id) => about.has(familyOf(id)) && score(id) > 0)
    .toSorted(
      (one, other) =>
        (about.get(familyOf(other)) ?? 0) - (about.get(familyOf(one)) ?? 0) || score(other) - score(one),
    )
}

function largest(
  tools: readonly Findable[],
): readonly [family: string, own: readonly Findable[]] | readonly [] {
  const families = new Map<string, Findable[]>()
  for (const tool of tools) {
    const own = families.get(familyOf(tool.id)) ?? []
    families.set(familyOf(tool.id), [...own, tool])
  }
  return [...families].toSorted(([, one], [, other]) => other.length - one.length)[0] ?? []
}

function ranking(others: readonly ToolCard[], { request, metadata }: Occasion): readonly string[] {
  const families = new Set(metadata.map(({ action }) => familyOf(action)))
  const scores = scoresOf(others, request)
  for (const [id, score] of scores) if (families.has(familyOf(id))) scores.set(id, score + RELATED)
  return best(scores)
}

function best(scores: ReadonlyMap<string, number>): readonly string[] {
  return [...scores]
    .filter(([, score]) => score > 0)
    .sort(([, one], [, other]) => other - one)
    .map(([id]) => id)
}

/** How much of a score depends on how many words its tool has: one with hundreds shares some word with every request. */
const BY_SIZE = 0.25
/** What a shared word counts where the tool itself is named by it. */
const NAMED = 1.3

/** Sums over the shared words: the fewer tools a word belongs to, and the fewer words a tool has, the more it says; most where it is its name. */
function scoresOf(tools: readonly Findable[], words: string): Map<string, number> {
  const terms = tools.map((tool) => [tool.id, termsOf(tool)] as const)
  const weights = indexWords(words).map((word) => {
    const known = terms.filter(([, own]) => own.has(word)).length
    return [word, known === 0 ? 0 : Math.log(1 + tools.length / known)] as const
  })
  const usual = terms.reduce((sum, [, own]) => sum + own.size, 0) / Math.max(1, terms.length)
  return new Map(
    terms.map(([id, own]) => {
      const name = nameOf(id)
      const counts = (word: string): number => (name.has(word) ? NAMED : own.has(word) ? 1 : 0)
      const shared = weights.reduce((sum, [word, weight]) => sum + weight * counts(word), 0)
      return [id, shared / (1 - BY_SIZE + (BY_SIZE * own.size) / Math.max(1, usual))]
    }),
  )
}

/** Words of what it does, without its service. */
function nameOf(id: string): ReadonlySet<string> {
  return new Set(indexWords(id.slice(familyOf(id).length).replaceAll(/[._]/g, ' ')))
}

const TERMS = new Map<string, ReadonlySet<string>>()

/** Words of a tool, kept by their texts, of which there are as many as there are tools. */
export function termsOf({ id, description, terms = [] }: Findable): ReadonlySet<string> {
  const texts = [id.replaceAll(/[._]/g, ' '), description, ...terms]
  const key = texts.join('\n')
  const known = TERMS.get(key)
  if (known !== undefined) return known
  const words = new Set(texts.flatMap((text) => indexWords(text)))
  TERMS.set(key, words)
  return words
}

function familyOf(id: string): string {
  return id.slice(0, Math.max(0, id.indexOf('.')))
}
