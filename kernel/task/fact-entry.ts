/**
 * Merges facts of long-term memory that say the same thing, or something new about the same subject, into one entry (B-19). Pure:
 * texts and times in, one entry out; earlier values are retained after the newest. Must not read labels: the caller merges only
 * facts with equal labels. Called by consolidate.ts and fact.ts of features/memory.
 */
import * as z from 'zod/mini'

/** Id prefix of entries among facts. The kernel makes both ids, so no text can imitate one. */
export const ENTRY = 'entry:'

/**
 * Maximum earlier values of an entry, and UTF-16 units of each: a fact that changes daily must not grow
 * without limit.
 */
export const MOST_EARLIER = 8
export const EARLIER_MAX = 300

const earlier = z.array(z.strictObject({ text: z.string(), at: z.number() }))
const schema = z.strictObject({
  /** The subject, as last written: `my locker`. Null if the words have no such form. */
  subject: z.nullable(z.string()),
  /** The newest value: `4417`. */
  value: z.nullable(z.string()),
  /** The newest words in full. */
  text: z.string(),
  /** Epoch milliseconds of the first and of the newest words. */
  since: z.number(),
  at: z.number(),
  /** How often the owner said it in total. */
  times: z.number(),
  /** Earlier words, newest first. */
  earlier,
})

export type FactEntry = z.output<typeof schema>

/** A fact as it was saved: its words and time (epoch milliseconds). */
export interface SavedFact {
  readonly id: string
  readonly text: string
  readonly at: number
}

/** The entry in a row. A plain fact becomes an entry of one; a damaged entry becomes its text. */
export function readEntry({ id, text, at }: SavedFact): FactEntry {
  const own: FactEntry = { ...partsOf(text), text, since: at, at, times: 1, earlier: [] }
  if (!id.startsWith(ENTRY)) return own
  const parsed = z.safeParse(schema, decoded(text))
  return parsed.success ? parsed.data : own
}

export function writeEntry(entry: FactEntry): string {
  return JSON.stringify(entry)
}

/**
 * Facts with the same key are about the same thing: equal words apart from case and punctuation, or another
 * value of the same subject.
 */
export function keyOf({ subject, text }: Pick<FactEntry, 'subject' | 'text'>): string {
  return subject === null ? `text ${folded(text)}` : `subject ${folded(subject)}`
}

/**
 * Merges at least one entry of one key. The newest words win; different earlier words go to `earlier`, newest
 * first.
 */
export function mergeEntries(entries: readonly FactEntry[]): FactEntry {
  const ordered = entries.toSorted((a, b) => b.at - a.at)
  const [newest = readEntry({ id: '', text: '', at: 0 })] = ordered
  const before = [
    ...ordered.slice(1).map(({ text, at }) => ({ text: text.slice(0, EARLIER_MAX), at })),
    ...ordered.flatMap((entry) => entry.earlier),
  ].toSorted((a, b) => b.at - a.at)
  const known = new Set([folded(newest.text)])
  const others = before.filter(({ text }) => {
    const isNew = !known.has(folded(text))
    known.add(folded(text))
    return isNew
  })
  return {
    ...newest,
    since: Math.min(...entries.map(({ since }) => since)),
    times: entries.reduce((sum, { times }) => sum + times, 0),
    earlier: others.slice(0, MOST_EARLIER),
  }
}

/** One line for a reader: the newest words, and the ones they replaced. */
export function entryText({ text, earlier: before }: FactEntry): string {
  return before.length === 0 ? text : `${text} (before: ${before.map((one) => one.text).join('; ')})`
}

/**
 * `my locker is 4417`, `our plumber's number: 555`, `I live in Madrid`: a subject with one value at a time.
 * Other words are their own subject. Bounded, so that whole sentences fit in `earlier`; a longer text merges
 * only with equal text.
 */
const FORMS: readonly RegExp[] = [
  /^(?:that\s+)?((?:my|our|the)\s+[^.:;,!?]{1,80}?)\s*(?:\b(?:is|are)\b|:|=)\s*(\S[\s\S]{0,199})$/i,
  /^(?:that\s+)?([\p{L}\p{N}]{1,40}['’]s\s+[^.:;,!?]{1,80}?)\s*(?:\b(?:is|are)\b|:|=)\s*(\S[\s\S]{0,199})$/iu,
  /^(?:that\s+)?(I\s+(?:live\s+in|live\s+at|work\s+at|work\s+for|work\s+as))\s+(\S[\s\S]{0,199})$/i,
]

/** The same in German, also after `dass`, where the verb comes last. */
const GERMAN: readonly RegExp[] = [
  /^(?:dass\s+)?((?:(?:mein|unser)\p{L}{0,2}|der|die|das)\s+[^.:;,!?]{1,80}?)\s*(?:(?<!\p{L})(?:ist|sind|lautet|heißt)(?!\p{L})|:|=)\s*(\S[\s\S]{0,199})$/iu,
  /^(?:dass\s+)?((?:(?:mein|unser)\p{L}{0,2}|der|die|das)\s+[^.:;,!?]{1,80}?)\s+(\S{1,80})\s+(?:ist|sind|lautet|heißt)[.!]?$/iu,
  /^(?:dass\s+)?(ich\s+(?:wohne\s+in|arbeite\s+(?:bei|als)))\s+(\S[\s\S]{0,199})$/iu,
]

/**
 * Any other sentence with one form of "to be". Its subject may have several values at
 * a time, so it is not merged with another fact.
 */
const BARE: readonly RegExp[] = [
  /^(?:(?:that|dass)\s+)?([^.:;,!?=]{1,80}?)\s*(?:(?<!\p{L})(?:is|are|ist|sind|lautet|heißt)(?!\p{L})|:|=)\s*(\S[\s\S]{0,199})$/iu,
  /^(?:dass\s+)?([^.:;,!?=]{1,80}?)\s+(\S{1,80})\s+(?:ist|sind|lautet|heißt)[.!]?$/iu,
]

const MONTHS = '(?:jan|feb|mar|apr|jun|jul|aug|sep|oct|nov|dec|m[aä]r|okt|dez)[\\p{L}]*\\.?|may|mai'
/** A date without a year, in English and German. */
const DAY = new RegExp(
  `(?:the |der |dem |den )?\\b\\d{1,2}(?:st|nd|rd|th|\\.)?(?: of)? (?:${MONTHS})(?!\\p{L})|(?<!\\p{L})(?:${MONTHS}) (?:the )?\\d{1,2}(?:st|nd|rd|th)?(?!\\d)|\\b\\d{1,2}\\.\\d{1,2}\\.(?:\\d{2,4})?`,
  'giu',
)

/** The only date in a text; null if there is none, or more than one. */
function dayIn(text: string): string | null {
  const [day, ...others] = text.match(DAY) ?? []
  return day === undefined || others.length > 0 ? null : day
}

/** A day by its number alone, or a date in ISO 8601. */
const NUMBERED_DAY =
  /(?<![\p{L}\p{N}.,:-])(?<ordinal>\d{1,2})(?:st|nd|rd|th)(?!\p{L})|(?<=(?<!\p{L})(?:am|zum|vom|bis|den|der|dem)\s)(?<numbered>\d{1,2})\.(?!\d)|\b\d{4}-\d{2}-(?<iso>\d{2})(?!\d)/giu
/** Maximum number of dates in one text that are compared. */
const MOST_DAYS = 16

/** Day numbers of the dates in a text: 14 for "the 14th", "14 March", "am 14." and "2027-03-14". */
export function daysIn(text: string): readonly string[] {
  const dated = [...text.matchAll(DAY)].map(([day]) => /\d{1,2}/.exec(day)?.[0] ?? '')
  const numbered = [...text.matchAll(NUMBERED_DAY)].map(
    ({ groups = {} }) => groups['ordinal'] ?? groups['numbered'] ?? groups['iso'] ?? '',
  )
  const days = [...dated, ...numbered].map(Number).filter((day) => day >= 1 && day <= 31)
  return [...new Set(days.map(String))].slice(0, MOST_DAYS)
}

/** The same fact with another value; null if it has no subject and value. If both contain a date, only the date is replaced. */
export function withValue(text: string, value: string): string | null {
  const [day, other] = [dayIn(text), dayIn(value)]
  if (day !== null && other !== null) return text.replace(day, () => other)
  const { value: old } = partsOf(text)
  if (old === null) return null
  const at = text.lastIndexOf(old)
  const verb = /^\s+(?:ist|sind|lautet|heißt)\b/i.exec(text.slice(at + old.length))?.[0] ?? ''
  return `${text.slice(0, at)}${value}${verb}`
}

export interface SplitFact {
  readonly subject: string
  readonly value: string
  /** The subject has one value at a time: `my locker`, `Sarah's birthday`. */
  readonly owned: boolean
}

/** Splits a fact into subject and value; null if it has no such form. */
export function splitFact(text: string): SplitFact | null {
  const owned = splitBy([...FORMS, ...GERMAN], text)
  if (owned !== null) return { ...owned, owned: true }
  const bare = splitBy(BARE, text)
  return bare === null ? null : { ...bare, owned: false }
}

function partsOf(text: string): Pick<FactEntry, 'subject' | 'value'> {
  return splitBy([...FORMS, ...GERMAN], text) ?? { subject: null, value: null }
}

function splitBy(
  forms: readonly RegExp[],
  text: string,
): { readonly subject: string; readonly value: string } | null {
  for (const form of forms) {
    const [, subject, value] = form.exec(text.trim()) ?? []
    if (subject !== undefined && value !== undefined) return { subject, value: value.replace(/[.!]+$/, '') }
  }
  return null
}

function folded(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && word !== 'the' && word !== 'that')
    .join(' ')
}

function decoded(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
