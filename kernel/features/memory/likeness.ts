/**
 * Compares two remembered facts: the same, nearly the same, or another value of the same thing (B-19, E-20).
 * Uses only the structure of the words, in any language with spaces between words. Pure; must not read
 * labels, and decides nothing. Called by save.ts.
 */
import { splitFact } from '../../task/fact-entry.ts'
import { indexWords } from './telling-words.ts'

/**
 * `known`: nothing new. `other`: the same thing with another value. `near`: one word more, less or negated.
 */
export type Likeness = 'known' | 'other' | 'near'

/** Minimum words that nearly equal facts share. */
const SHARED = 2

/** Null for facts about different things, or of different kinds of the same thing. */
export function likeness(fresh: string, before: string): Likeness | null {
  if (normalised(fresh) === normalised(before)) return 'known'
  const [one, two] = [aboutOf(fresh), aboutOf(before)]
  if (one !== null && two !== null && isSame(one.about, two.about)) {
    if (normalised(one.value) === normalised(two.value)) return 'known'
    if (isOneKind(one, two)) return 'other'
  }
  const [rest, other] = [indexWords(withoutValues(fresh)), indexWords(withoutValues(before))]
  const kinds = kindsOf(fresh)
  const isOtherValue = kinds !== '' && kinds === kindsOf(before) && valuesOf(fresh) !== valuesOf(before)
  if (isOtherValue && rest.length >= SHARED && isSame(rest, other)) return 'other'
  const [all, known] = [new Set(indexWords(fresh)), new Set(indexWords(before))]
  const shared = [...all].filter((word) => known.has(word)).length
  return shared >= SHARED && all.size + known.size - 2 * shared <= 1 ? 'near' : null
}

interface About {
  /** Words of the subject. */
  readonly about: readonly string[]
  readonly value: string
  /** The words say that there is one such thing: `my locker`. */
  readonly owned: boolean
}

/** "Locker number is 14" is about the locker; that its value is a number is clear from the value. */
const NUMBER = /(?:(?<!\p{L})(?:number|no|nr)|nummer)(?!\p{L})/giu

/** Only the owner is asked, so possessives refer to the owner. */
const OWNED = /^(?:mein|unser)\p{L}{0,2}\s/iu

function aboutOf(text: string): About | null {
  const split = splitFact(text)
  if (split === null) return null
  const { value, owned } = split
  const subject = split.subject.replace(OWNED, '')
  const words = indexWords(/\d/.test(value) ? subject.replace(NUMBER, ' ') : subject)
  const about = words.length === 0 ? indexWords(subject) : words
  return about.length === 0 ? null : { about, value, owned }
}

/**
 * Whether only one of the two values can hold: both are of one kind, and values in plain words count only if the subject is
 * owned.
 */
function isOneKind(one: About, two: About): boolean {
  const kinds = kindsOf(one.value)
  return kinds === kindsOf(two.value) && (kinds !== '' || (one.owned && two.owned))
}

const WORD = /[\p{L}\p{N}]+/gu
/** Epoch milliseconds of a Sunday; the week and the year after it contain every weekday and month. */
const SUNDAY = Date.UTC(2023, 0, 1)
const DAY = 86_400_000

/** Weekdays and months by their names, in the languages that have words here. */
const NAMED: ReadonlyMap<string, string> = new Map(
  ['en', 'de'].flatMap((language) => {
    const weekday = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' })
    const month = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' })
    const days = Array.from({ length: 7 }, (_, at) => weekday.format(SUNDAY + at * DAY))
    const months = Array.from({ length: 12 }, (_, at) => month.format(SUNDAY + (at * 30.5 + 10) * DAY))
    return [
      ...days.map((name) => [name.toLowerCase(), 'weekday'] as const),
      ...months.map((name) => [name.toLowerCase(), 'month'] as const),
    ]
  }),
)

function kindOf(word: string): string | null {
  if (/\p{N}/u.test(word)) return 'number'
  const small = word.toLowerCase()
  return NAMED.get(small) ?? NAMED.get(small.replace(/s$/, '')) ?? null
}

/** Kinds of value in a text: numbers, weekdays, months. */
function kindsOf(text: string): string {
  const kinds = (text.match(WORD) ?? []).flatMap((word) => kindOf(word) ?? [])
  return [...new Set(kinds)].sort().join(' ')
}

function valuesOf(text: string): string {
  return (text.match(WORD) ?? [])
    .filter((word) => kindOf(word) !== null)
    .join(' ')
    .toLowerCase()
}

function withoutValues(text: string): string {
  return text.replace(WORD, (word) => (kindOf(word) === null ? word : ' '))
}

function isSame(one: readonly string[], two: readonly string[]): boolean {
  const known = new Set(two)
  return new Set(one).size === known.size && one.every((word) => known.has(word))
}

/** The words without case, punctuation and articles; negations stay. */
function normalised(text: string): string {
  const words = text.normalize('NFKC').toLowerCase().match(WORD) ?? []
  return words.filter((word) => !ARTICLES.has(word)).join(' ')
}

const ARTICLES: ReadonlySet<string> = new Set(
  'the that a an der die das den dem dass ein eine einen'.split(' '),
)
