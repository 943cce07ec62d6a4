/**
 * How much the words of a request are about each tool (I-32, O-29): the fewer tools have a word or a form of it, the more it says. Pure; it decides no
 * right. Called by shown-tools.ts for a prompt, by the search for tools, and by the offer of services that are not connected.
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

/** As many as a search gives: what the next prompt has room for. */
const MOST_FOUND = 3
/** Of the best one's score, what another has at least. */
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

/** How many tools of a service must have a word that no declaration of it says, for the word to be about it: one example may name anything. */
const LEAST_TOOLS = 2

/**
 * Those that are near to these words, best first: tools of a service that a word of them is about. A word is about a service if most
 * tools that have it are of that service, or half of them and it is the name of one, and its declarations say it, or several of its
 * tools. None where no word is about any.
 */
export function nearTools(some: readonly Findable[], words: string): readonly string[] {
  // What people typed of one tool may be of any.
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

/** How many tools of a service must have a word, and most of all that have it, for the word to stand for the service. */
const STANDS_FOR = 4
/** UTF-16 units; a shorter word is one of grammar. */
const SHORTEST = 3

/** The service that a word names or stands for. */
function serviceOf(tools: readonly Termed[], word: string): string | null {
  if (OF_ANYTHING.has(word) || word.length < SHORTEST) return null
  const having = tools.filter(({ own }) => own.has(word))
  const [family = '', own = []] = largest(having)
  return own.length >= STANDS_FOR && own.length * 2 > having.length ? family : null
}

/** Services that a request names as they are called, or by a form that most of all tools with it are of, such as `#channel`. */
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

/** What a tool scores that shares no more than one word by which anything is asked for. */
const LEAST = 1

export function best(scores: ReadonlyMap<string, number>): readonly string[] {
  return [...scores]
    .filter(([, score]) => score > LEAST)
    .sort(([, one], [, other]) => other - one)
    .map(([id]) => id)
}

/** How much of a score depends on how many words its tool has: one with hundreds shares some word with every request. */
const BY_SIZE = 0.25
/** A tool with more words than so many times the usual has them of many kinds of things, such as all that can be measured. */
const LARGEST = 2
/** What a shared word counts where the tool itself is named by it. */
const NAMED = 1.6
/** Of two that share the same words, the one of fewer words. */
const TIE = 0.0001
/** What a read counts beside a write of the same words: more is asked than changed, and a read in vain does nothing. */
const READ = 1.1

/** What a shared word of these counts: by them anything is asked for, or anything is at a time. */
const COMMON = 0.25

/** Sums over the shared words: the fewer tools a word belongs to, and the fewer words a tool has, the more it says; most where it is its name. */
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
        // A tool of many words is no less meant by a form, or by the word that all of its service have.
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

/** Words of a request as tools have them. */
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

/** UTF-16 units of a word that others are made with, and of what is left of them. */
const LEAST_PART = 5
const LEAST_REST = 3

/** The longest known word that one which nothing has begins or ends with, as German ones are made: `garage` of `garagentor`. */
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
