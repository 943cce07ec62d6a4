/**
 * Which tools a planner's prompt describes in full (I-32, O-28 – O-30): those of every day, those that the words of the request are about, with
 * what else is often wanted where they leave room, and those that were searched for; the others by name. It decides no right: a plan may name any tool of its template. Called by finalize.ts.
 */
import { indexWords } from '../features/memory/telling-words.ts'
import { FIND_TOOLS } from '../task/plan.ts'
import type { MetadataView, ToolCard } from './parts.ts'
import { toolLine } from './tool-lines.ts'

/** Tools described for one request, beside those of every day. */
export const MOST_FOR_REQUEST = 6
/** As many tools as a template may have without any being left to its name. */
const FEW = 10
/** UTF-16 units of what is said of them, but for those that were searched for and the first: what a prompt has room for, at about three and a half a token. */
const MOST_TEXT = 830
/** So much of it is for what the search before says of itself. */
const OF_SEARCH = 620
/** Tools of which a prompt also says what they give. */
const IN_FULL = 2
/** Of these, places for the services that the conversation used, for a follow-up that names none. */
const OF_FAMILY = 2
/** Places for what the words are clearly about before what is often wanted; the first has one in any case. */
const OF_RANKED = 3
/** What being of such a service counts where no word is shared. */
const RELATED = 1.1
/** What being often wanted counts: more than any one word of the request, less than two rare ones. */
const OFTEN = 5.5

/** What a tool can be found by. */
export type Findable = Pick<ToolCard, 'id' | 'description' | 'terms'> & Partial<Pick<ToolCard, 'semantics'>>

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
  const pointed = pointedAt(near, occasion)
  // A time that was said may be that of an event, whatever else the words share.
  const isTimed = occasion.metadata.some(({ root, fields }) => root === 'said' && hasTime(fields))
  const scores = relatedScores(near, occasion)
  const isClear = (id: string): boolean => !isTimed || (scores.get(id) ?? 0) > OFTEN
  const first = ranked.slice(0, OF_RANKED).filter((id, at) => at === 0 || isClear(id))
  const inOrder = [...wanted, ...pointed, ...own, ...first, ...withRoom(near, occasion, said)]
  const most = Math.max(MOST_FOR_REQUEST, wanted.length)
  const chosen = new Map<string, ToolCard>()
  const room = wanted.length === 0 ? MOST_TEXT : MOST_TEXT - OF_SEARCH
  let text = 0
  for (const id of inOrder) {
    const ids = withNamed(near, id).filter((one) => !chosen.has(one))
    const more = near.filter((card) => ids.includes(card.id))
    if (chosen.size + more.length > most) continue
    const before = cards.filter((card) => card.core === true || chosen.has(card.id))
    const lengthOf = (some: readonly ToolCard[]): number =>
      some.reduce((sum, card) => sum + toolLine(card, before).length, 0)
    // What it gives is said of those that the words are most about: of others, how they are asked for.
    const brief = more.map((card) => ({ ...card, gives: '' }))
    const forms = chosen.size < IN_FULL ? [more, brief] : [brief]
    const isAsked = chosen.size === 0 || (wanted.includes(id) && chosen.size < OF_RANKED)
    const fitting =
      forms.find((form) => text + lengthOf(form) <= room) ?? (isAsked ? forms.at(-1) : undefined)
    if (fitting === undefined) continue
    text += lengthOf(fitting)
    for (const card of fitting) chosen.set(card.id, card)
  }
  return cards.map((card) =>
    card.core === true
      ? card
      : { ...(chosen.get(card.id) ?? card), shown: chosen.has(card.id) ? 'now' : 'named' },
  )
}

/** Those that the words are about and those that are often wanted, in one order; a request that names services wants what is of them. */
function withRoom(
  cards: readonly ToolCard[],
  occasion: Occasion,
  said: ReadonlySet<string>,
): readonly string[] {
  const { metadata } = occasion
  const scores = relatedScores(cards, occasion)
  // A time that was said may be that of an event, whatever else the request names.
  const isTimed = metadata.some(({ root, fields }) => root === 'said' && hasTime(fields))
  const named = isTimed ? new Set<string>() : namedIn(cards, said)
  const isWanted = ({ id, core }: ToolCard): boolean =>
    core === 'room' && (named.size === 0 || named.has(familyOf(id)))
  for (const card of cards) if (isWanted(card)) scores.set(card.id, (scores.get(card.id) ?? 0) + OFTEN)
  return best(scores)
}

function hasTime(fields: MetadataView['fields']): boolean {
  return typeof fields === 'object' && fields !== null && 'from' in fields
}

/** How many tools of a service must have a word, and most of all that have it, for the word to stand for the service. */
const STANDS_FOR = 4
/** UTF-16 units; a shorter word is one of grammar. */
const SHORTEST = 3

/** The service that a word names or stands for. */
function serviceOf(tools: readonly Findable[], word: string): string | null {
  if (OF_ANYTHING.has(word) || word.length < SHORTEST) return null
  const having = tools.filter((tool) => termsOf(tool).has(word))
  const [family = '', own = []] = largest(having)
  return own.length >= STANDS_FOR && own.length * 2 > having.length ? family : null
}

function namedIn(cards: readonly ToolCard[], said: ReadonlySet<string>): ReadonlySet<string> {
  const named = [...said].flatMap((word) => serviceOf(cards, word) ?? [])
  return new Set([...named, ...cards.map(({ id }) => familyOf(id)).filter((family) => said.has(family))])
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

function ranking(others: readonly ToolCard[], occasion: Occasion): readonly string[] {
  return best(relatedScores(others, occasion))
}

function relatedScores(others: readonly ToolCard[], { request, metadata }: Occasion): Map<string, number> {
  const families = new Set(metadata.map(({ action }) => familyOf(action)))
  const scores = scoresOf(others, request)
  for (const [id, score] of scores) if (families.has(familyOf(id))) scores.set(id, score + RELATED)
  return scores
}

/** What a tool scores that shares no more than one word by which anything is asked for. */
const LEAST = 1

function best(scores: ReadonlyMap<string, number>): readonly string[] {
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
const NAMED = 1.3
/** What a read counts beside a write of the same words: more is asked than changed, and a read in vain does nothing. */
const READ = 1.1

/** What a shared word of these counts: by them anything is asked for, or anything is at a time. */
const COMMON = 0.25
const OF_ANYTHING: ReadonlySet<string> = new Set(
  indexWords(
    'show tell give list summarise summarize summary fasse fass zusammen zusammenfassen look see want need make one ones other another there here anything something thing things lately first any all every many ' +
      'today tomorrow yesterday tonight morning evening week weekend month year day monday tuesday wednesday thursday friday saturday sunday next last ' +
      'zeig zeige sag sage gib gibt geben hab habe haben hast hatte welche welcher welches welchen alle alles mal bitte noch nochmal schon gerade zuletzt ' +
      'steht stehen ist sind war waren wird werden soll kann kannst dass nach diese dieser diesen diesem dieses nachste nachsten letzte letzten ' +
      'heute morgen gestern abend woche wochenende monat jahr tag montag dienstag mittwoch donnerstag freitag samstag sonntag',
  ),
)

/** Sums over the shared words: the fewer tools a word belongs to, and the fewer words a tool has, the more it says; most where it is its name. */
function scoresOf(tools: readonly Findable[], words: string): Map<string, number> {
  const terms = tools.map((tool) => [tool.id, termsOf(tool), tool.semantics === 'read' ? READ : 1] as const)
  const services = new Set(tools.map(({ id }) => familyOf(id)))
  const weights = indexWords(withoutNames(words, services)).map((word) => {
    const isNumber = /^\d+$/.test(word)
    const having = (of: string): number => (isNumber ? 0 : terms.filter(([, own]) => own.has(of)).length)
    const meant =
      isNumber || having(word) > 0
        ? word
        : (partOf(
            word,
            terms.map(([, own]) => own),
          ) ?? word)
    const known = having(meant)
    const weight = known === 0 ? 0 : Math.log(1 + tools.length / known)
    const service = serviceOf(tools, meant)
    return { word: meant, weight: OF_ANYTHING.has(meant) ? weight * COMMON : weight, service } as const
  })
  const usual = terms.reduce((sum, [, own]) => sum + own.size, 0) / Math.max(1, terms.length)
  return new Map(
    terms.map(([id, own, factor]) => {
      const name = nameOf(id)
      const family = familyOf(id)
      const ofService = new Set(indexWords(family))
      const counts = (word: string): number => (name.has(word) ? NAMED : own.has(word) ? 1 : 0)
      const sumOf = (of: readonly (typeof weights)[number][]): number =>
        of.reduce((sum, { word, weight }) => sum + weight * counts(word), 0)
      const [service, matter] = split(weights, (one) => one.service === family || ofService.has(one.word))
      const size = 1 - BY_SIZE + BY_SIZE * Math.min(LARGEST, own.size / Math.max(1, usual))
      // A tool of many words is no less meant by the word that all of its service have.
      return [id, factor * (sumOf(service) / Math.min(1, size) + sumOf(matter) / size)]
    }),
  )
}

/** UTF-16 units of a word that others are made with, and of what is left of them. */
const LEAST_PART = 5
const LEAST_REST = 3

/** The longest known word that one which nothing has begins or ends with, as German ones are made: `garage` of `garagentor`. */
function partOf(word: string, terms: readonly ReadonlySet<string>[]): string | null {
  if (word.length < LEAST_PART + LEAST_REST) return null
  const ends = [...Array(word.length - LEAST_REST - LEAST_PART + 1).keys()].map(
    (at) => word.length - LEAST_REST - at,
  )
  const parts = ends.flatMap((length) => [word.slice(0, length), word.slice(-length)])
  return parts.find((part) => terms.some((own) => own.has(part))) ?? null
}

function split<One>(
  all: readonly One[],
  is: (one: One) => boolean,
): readonly [readonly One[], readonly One[]] {
  return [all.filter(is), all.filter((one) => !is(one))]
}

/** Words of what it does, without its service. */
function nameOf(id: string): ReadonlySet<string> {
  return new Set(indexWords(id.slice(familyOf(id).length).replaceAll(/[._]/g, ' ')))
}

const ADDRESS = /\b(?:https?:\/\/|www\.)[^\s"'<>]+/giu
const MAIL_ADDRESS = /\S+@\S+\.\S+/gu
const NAMED_FILE = /([\p{L}\p{N}_-]+)\.(\p{L}{2,5})(?![\p{L}\p{N}])/gu

/** An address says what it is of by its host, a file by its ending; names of people, folders and files may be of anything, but for that of a service. */
function withoutNames(text: string, services: ReadonlySet<string>): string {
  const plain = text.replaceAll(MAIL_ADDRESS, ' ').replaceAll(ADDRESS, (address) => {
    const [scheme = '', host = scheme, ...path] = address.split(/:?\/+/)
    const file = /[^?#]*\.[a-z]{2,5}(?=$|[?#])/iu.exec(path.at(-1) ?? '')?.[0].replaceAll('.', ' ') ?? ''
    return ` ${scheme} ${host.split('.').slice(0, -1).join(' ')} ${file} `
  })
  return plain.replaceAll(NAMED_FILE, (all, name: string, ending: string) =>
    services.has(name.toLowerCase()) ? all : ending,
  )
}

/** Names of hosts in a text that explains: examples, which a request with another host is not about. */
function withoutHosts(text: string): string {
  return text.replaceAll(/\S*\p{L}\.\p{L}\S*/gu, ' ')
}

const TERMS = new Map<string, ReadonlySet<string>>()

/** Words of a tool, kept by their texts, of which there are as many as there are tools. */
function termsOf({ id, description, terms = [] }: Findable): ReadonlySet<string> {
  const texts = [id.replaceAll(/[._]/g, ' '), withoutHosts(description), ...terms]
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
