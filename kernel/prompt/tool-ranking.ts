/**
 * Scores how closely the words of a request match each tool (I-32, O-29): a word or form
 * counts more if fewer tools have it. Pure; grants no permission. Called by shown-tools.ts
 * for a prompt, by the search for tools, and by the offer of services that are not connected.
 */
import { indexWords } from '../features/memory/telling-words.ts'
import {
  type Findable,
  familyOf,
  findingWords,
  isForm,
  nameOf,
  OF_ANYTHING,
  type Termed,
  termed,
  termsOf,
} from './tool-terms.ts'

/** Maximum tools that a search returns: what the next prompt has room for. */
const MOST_FOUND = 3
/** Minimum share of the best score for another tool to be returned. */
const NEAR_BEST = 0.5

/** The tools that these words are about, best first: before others those that are called so. */
export function foundTools(tools: readonly Findable[], words: string): readonly string[] {
  const said = new Set(words.toLowerCase().split(/[^\w.]+/))
  const called = tools.map(({ id }) => id).filter((id) => said.has(id))
  const scores = scoresOf(tools, words)
  const [first = ''] = best(scores)
  const least = (scores.get(first) ?? 0) * NEAR_BEST
  const others = best(scores).filter((id) => (scores.get(id) ?? 0) >= least)
  return [...new Set([...called, ...others])].slice(0, MOST_FOUND)
}

/**
 * Minimum tools of a service that must have a word in their examples only, for the
 * word to refer to that service: a single example may contain any word.
 */
const LEAST_TOOLS = 2

/**
 * Tools of the services that some word refers to, best first. A word refers to a service if most of
 * the tools that have it belong to the service (or half of them, one of which is named by it), and
 * if their declarations, or several of the tools, contain it. Empty if no word refers to a service.
 */
export function nearTools(some: readonly Findable[], words: string): readonly string[] {
  // Without `finds`: phrases typed for one tool may contain words for any other.
  const tools = some.map(({ id, description, terms }) => ({ id, description, ...(terms && { terms }) }))
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

function largest<One extends { readonly id: string }>(
  tools: readonly One[],
): readonly [family: string, own: readonly One[]] | readonly [] {
  const families = new Map<string, One[]>()
  for (const tool of tools) {
    const own = families.get(familyOf(tool.id)) ?? []
    families.set(familyOf(tool.id), [...own, tool])
  }
  return [...families].toSorted(([, one], [, other]) => other.length - one.length)[0] ?? []
}

/**
 * Minimum tools of a service that must have a word, and be the majority of all tools
 * with it, for the word to stand for the service.
 */
const STANDS_FOR = 4
/** Minimum UTF-16 units of a word; shorter ones are function words. */
const SHORTEST = 3

/** The service that a word stands for; null if there is none. */
function serviceOf(tools: readonly Termed[], word: string): string | null {
  if (OF_ANYTHING.has(word) || word.length < SHORTEST) return null
  const having = tools.filter(({ own }) => own.has(word))
  const [family = '', own = []] = largest(having)
  return own.length >= STANDS_FOR && own.length * 2 > having.length ? family : null
}

/** Services that a request calls by their names, or by a form that belongs mostly to their tools, such as `#channel`. */
export function typedServices(tools: readonly Findable[], request: string): ReadonlySet<string> {
  const known = termed(tools)
  const typed = new Set(request.toLowerCase().match(/\p{L}+/gu) ?? [])
  const called = known.map(({ id }) => familyOf(id)).filter((family) => typed.has(family))
  const formed = findingWords(request, new Set())
    .filter(isForm)
    .flatMap((form) => {
      const having = known.filter(({ own }) => own.has(form))
      const [family = '', own = []] = largest(having)
      return own.length * 2 > having.length ? [family] : []
    })
  return new Set([...called, ...formed])
}

/** Services that these words name or stand for. */
export function namedIn(tools: readonly Findable[], said: ReadonlySet<string>): ReadonlySet<string> {
  const known = termed(tools)
  const named = [...said].flatMap((word) => serviceOf(known, word) ?? [])
  return new Set([...named, ...tools.map(({ id }) => familyOf(id)).filter((family) => said.has(family))])
}

/** Score that a tool must exceed: sharing one word common to all requests is not enough. */
const LEAST = 1

export function best(scores: ReadonlyMap<string, number>): readonly string[] {
  return [...scores]
    .filter(([, score]) => score > LEAST)
    .sort(([, one], [, other]) => other - one)
    .map(([id]) => id)
}

/** Share of a score that depends on the number of the tool's words: a tool with hundreds shares some word with every request. */
const BY_SIZE = 0.25
/**
 * Maximum factor by which a tool's number of words, relative to the average, lowers
 * its score. Tools with very many words name all kinds of things.
 */
const LARGEST = 2
/** Weight of a shared word that is part of the tool's own name. */
const NAMED = 1.6
/** Prefers the tool with fewer words if two share the same words. */
const TIE = 0.0001
/** Factor for a read against a write with the same words: reads are requested more often, and a needless one does no harm. */
const READ = 1.1

/** Weight of a shared word that occurs in requests of any kind (`OF_ANYTHING`). */
const COMMON = 0.25

/**
 * Score of each tool: the sum over the shared words. A word counts more if fewer tools
 * have it, if the tool has fewer words, and most if it is in the tool's name.
 */
export function scoresOf(tools: readonly Findable[], words: string): Map<string, number> {
  const known = termed(tools)
  const weighed = weighedIn(known, words)
  const usual = known.reduce((sum, { own }) => sum + own.size, 0) / Math.max(1, known.length)
  const reads = new Set(tools.flatMap(({ id, semantics }) => (semantics === 'read' ? [id] : [])))
  return new Map(
    known.map(({ id, own }) => {
      const name = nameOf(id)
      const family = familyOf(id)
      const ofService = new Set(indexWords(family))
      const size = 1 - BY_SIZE + BY_SIZE * Math.min(LARGEST, own.size / Math.max(1, usual))
      const sum = weighed.reduce((before, { word, weight, service }) => {
        const counts = name.has(word) ? NAMED : own.has(word) ? 1 : 0
        // Forms, and words that stand for the whole service, count in full for tools with many words.
        const isWhole = service === family || isForm(word) || ofService.has(word)
        return before + (weight * counts) / (isWhole ? Math.min(1, size) : size)
      }, 0)
      return [id, (reads.has(id) ? READ : 1) * sum - own.size * TIE]
    }),
  )
}

interface Weighed {
  readonly word: string
  readonly weight: number
  readonly service: string | null
}

/** Words of the request that some tool has, with their weights. */
function weighedIn(known: readonly Termed[], words: string): readonly Weighed[] {
  const all = new Set(known.flatMap(({ own }) => [...own]))
  const services = new Set(known.map(({ id }) => familyOf(id)))
  return findingWords(words, services)
    .filter((word) => !/^\d+$/.test(word))
    .flatMap((said) => {
      const word = all.has(said) ? said : partOf(said, all)
      if (word === null) return []
      const having = known.filter(({ own }) => own.has(word)).length
      const weight = Math.log(1 + known.length / having) * (OF_ANYTHING.has(word) ? COMMON : 1)
      return [{ word, weight, service: serviceOf(known, word) }]
    })
}

/** Minimum UTF-16 units of a known part of a compound word, and of the rest of that word. */
const LEAST_PART = 5
const LEAST_REST = 3

/** The longest known word with which an unknown compound begins or ends, as in German: `garage` in `garagentor`. */
function partOf(word: string, known: ReadonlySet<string>): string | null {
  if (word.length < LEAST_PART + LEAST_REST) return null
  const ends = [...Array(word.length - LEAST_REST - LEAST_PART + 1).keys()].map(
    (at) => word.length - LEAST_REST - at,
  )
  const parts = ends.flatMap((length) => [word.slice(0, length), word.slice(-length)])
  return parts.find((part) => known.has(part)) ?? null
}

export function split<One>(
  all: readonly One[],
  is: (one: One) => boolean,
): readonly [readonly One[], readonly One[]] {
  return [all.filter(is), all.filter((one) => !is(one))]
}
