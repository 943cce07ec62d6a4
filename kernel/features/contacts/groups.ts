/**
 * The owner's groups of contacts ("my team"): a name that the owner gives to several contacts, sealed with each of them. A group
 * has no address: a message to it goes to the contacts in it, each by its own address. Called by contacts.ts.
 */
import { err, ok, type Result } from '../../flow/verdict.ts'
import type { ContactView, GroupChange, GroupFound } from './port.ts'

/**
 * Maximum contacts of one group, as many as a mail or an event takes; maximum groups of one contact; maximum UTF-16 units of a
 * group's name.
 */
export const GROUP_BOUNDS = Object.freeze({ members: 20, of: 10, name: 60 })

/** Words for a group: "my book club", "die Gruppe Rom". Pattern source. */
const NOUNS =
  'team|family|familie|group|gruppe|crew|band|choir|chor|squad|mannschaft|club|verein|stammtisch|friends|freunde|colleagues|kollegen|kolleginnen|neighbou?rs|nachbarn|flatmates|wg|committee|vorstand|klasse'
export const GROUP_SLOT = String.raw`(?:(?:[\p{L}\p{N}-]{1,20} ){0,2}[\p{L}-]{0,20}(?:${NOUNS})(?!\p{L})|(?:group|gruppe) [\p{L}\p{N}-]{2,30})`
/** One person in a list: "Sarah, Tom and Lena". */
const ONE = String.raw`[^\s,;:!?]{1,40}(?: [^\s,;:!?]{1,40}){0,2}?`
export const SEVERAL_SLOT = String.raw`${ONE}(?:\s?,\s?${ONE}){0,18}\s?(?:,|,?\s(?:and|und)|&)\s?${ONE}`

/** One or more people, up to the end of a clause. */
export const PEOPLE_SLOT = String.raw`(?!(?:who|what|which|where|wer|was|wo)(?!\p{L}))[^;:!?.\n]{1,120}?`

const JOINS = /\s*[,&]\s*(?:(?:and|und)\s+)?|\s+(?:and|und|sowie)\s+/iu
const LEADS = /^(?:my|our|the|mein|meine[mnrs]?|unser|unsere[mnrs]?|die|der|das|dem|den)\s+(?=\S)/iu
const CALLED = /^(?:group|gruppe)\s+(?=\S)/iu
const ALL = /^(?:all|everyone|everybody|all of them|alle)$/iu

/** Normal form of a group's name: "My Team" and "team" are one. Empty for words that are no name. */
export function groupName(said: string): string {
  const name = said
    .normalize('NFC')
    .replace(/[\p{C},\s]+/gu, ' ')
    .trim()
    .replace(LEADS, '')
    .replace(CALLED, '')
    .replace(/^["“„'](.*)["”“']$/u, '$1')
  return name.length > GROUP_BOUNDS.name ? '' : name.toLowerCase()
}

/** Separator between the name of a contact and its groups, in the text for planners about a contact that the message names. */
const GROUPS = '; groups '

export function knownIn(name: string, groups: readonly string[]): string {
  return groups.length === 0 ? name : `${name}${GROUPS}${groups.join(', ')}`
}

export function knownParts(known: string): { readonly name: string; readonly groups: readonly string[] } {
  const [name = '', groups] = known.split(GROUPS)
  return { name, groups: groups === undefined ? [] : groups.split(', ') }
}

interface Grouped {
  readonly groups?: readonly string[]
}

export function isIn({ groups = [] }: Grouped, group: string): boolean {
  return groups.includes(group)
}

/**
 * Names of the groups all of whose words the text contains: "invite my book club". Each of `contacts` may be in several groups.
 */
export function groupsNamed(
  words: ReadonlySet<string>,
  contacts: readonly Grouped[],
  wordsOf: (text: string) => ReadonlySet<string>,
): ReadonlySet<string> {
  const all = new Set(contacts.flatMap(({ groups = [] }) => groups))
  return new Set(
    [...all].filter((group) => {
      const own = [...wordsOf(group)]
      return own.length > 0 && own.every((word) => words.has(word))
    }),
  )
}

/** All contacts in a group. Refusal: contact_unknown if nobody is in it. */
export function membersOf(views: readonly ContactView[], said: string): Result<readonly ContactView[]> {
  const group = groupName(said)
  const members = views.filter((one) => isIn(one, group))
  return group === '' || members.length === 0 ? err('contact_unknown') : ok(members)
}

/** Words of names that stand side by side, as in "Maria Jo and Tom". */
const MOST_SIDE_BY_SIDE = 6

/** The part, or each of its words where nobody has them all and every one of them is the name of one person. */
function eachNamed(part: string, meant: (said: string) => readonly ContactView[]): readonly string[] {
  const words = part.trim().split(/\s+/)
  const isOne = words.length < 2 || words.length > MOST_SIDE_BY_SIDE || meant(part).length > 0
  return isOne || words.some((word) => meant(word).length !== 1) ? [part] : words
}

interface Changed extends GroupFound {
  /** Groups of each contact that changes, by its number. */
  readonly of: ReadonlyMap<number, readonly string[]>
  /** Named contacts that are only in `config.toml`; if there are any, nothing is changed yet. */
  readonly configured: readonly ContactView[]
}

/**
 * Groups of each contact after the change; no change if a name is ambiguous or unknown. Refusals: contact_malformed for words
 * that are no name of a group; contact_unknown for leaving a group that nobody is in; contacts_full.
 */
export function groupAfter(
  { group: said, who, how }: GroupChange,
  views: readonly ContactView[],
  meant: (said: string) => readonly ContactView[],
): Result<Changed> {
  const group = groupName(said)
  if (group === '') return err('contact_malformed')
  const now = views.filter((one) => isIn(one, group))
  if (how === 'leave' && now.length === 0) return err('contact_unknown')
  const unchanged = new Map<number, readonly string[]>()
  const none = { done: null, several: [], missing: null, of: unchanged, configured: [] }
  const chosen = new Set<number | null>()
  const configured: ContactView[] = []
  const named = who.split(JOINS).filter((one) => one.trim() !== '')
  for (const part of named.flatMap((one) => eachNamed(one, meant))) {
    const isAll = how === 'leave' && ALL.test(part.trim())
    const fits = isAll ? now : meant(part)
    if (fits.length === 0) return ok({ ...none, missing: part.trim() })
    if (fits.length > 1 && !isAll) return ok({ ...none, several: fits })
    for (const { number } of fits) chosen.add(number)
    configured.push(...fits.filter(({ number }) => number === null))
  }
  if (configured.length > 0) return ok({ ...none, configured })
  const stays = (one: ContactView): boolean =>
    how === 'leave' ? !chosen.has(one.number) : chosen.has(one.number) || how === 'join'
  const members = views.filter((one) => (chosen.has(one.number) || isIn(one, group)) && stays(one))
  const of = new Map(
    views.flatMap((one) => {
      const { number, groups = [] } = one
      const is = members.includes(one)
      if (number === null || isIn(one, group) === is) return []
      return [[number, is ? [...groups, group] : groups.filter((name) => name !== group)] as const]
    }),
  )
  const isFull =
    members.length > GROUP_BOUNDS.members || [...of.values()].some(({ length }) => length > GROUP_BOUNDS.of)
  if (isFull) return err('contacts_full', { max: GROUP_BOUNDS.members })
  return ok({
    done: { group, members, changed: [...of.keys()] },
    several: [],
    missing: null,
    of,
    configured: [],
  })
}
