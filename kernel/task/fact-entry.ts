/**
 * Entries of long-term memory: what several facts that say the same thing, or the same thing anew, come to (B-19). Pure: texts and
 * times in, one entry out; a later word does not destroy an earlier one, it stands before it. Must not read labels: who calls
 * merges only what is equally guarded. Called by runtime/consolidate.ts and pipeline/fact.ts.
 */
import * as z from 'zod/mini'

/** Begins the ids of entries among facts: the kernel makes both, so no words can pretend to be one. */
export const ENTRY = 'entry:'

/** Earlier words that an entry keeps, and UTF-16 units of each: a fact that changes daily must not grow for ever. */
export const MOST_EARLIER = 8
export const EARLIER_MAX = 300

const earlier = z.array(z.strictObject({ text: z.string(), at: z.number() }))
const schema = z.strictObject({
  /** What it is about, as it was last said: `my locker`. Null where the words have no such form. */
  subject: z.nullable(z.string()),
  /** What was last said of it: `4417`. */
  value: z.nullable(z.string()),
  /** The newest words, whole. */
  text: z.string(),
  /** Epoch milliseconds, of the first and of the newest words. */
  since: z.number(),
  at: z.number(),
  /** How often it was said in all. */
  times: z.number(),
  /** What was said of it before, newest first. */
  earlier,
})

export type FactEntry = z.output<typeof schema>

/** A fact as it was saved: its words, and when (epoch milliseconds). */
export interface SavedFact {
  readonly id: string
  readonly text: string
  readonly at: number
}

/** An entry from its row; a fact that is none yet is one of itself. A damaged entry is its text. */
export function readEntry({ id, text, at }: SavedFact): FactEntry {
  const own: FactEntry = { ...partsOf(text), text, since: at, at, times: 1, earlier: [] }
  if (!id.startsWith(ENTRY)) return own
  const parsed = z.safeParse(schema, decoded(text))
  return parsed.success ? parsed.data : own
}

export function writeEntry(entry: FactEntry): string {
  return JSON.stringify(entry)
}

/** Facts with one key are about one thing: the same words but for case and marks, or another value of the same subject. */
export function keyOf({ subject, text }: Pick<FactEntry, 'subject' | 'text'>): string {
  return subject === null ? `text ${folded(text)}` : `subject ${folded(subject)}`
}

/** Of one key, at least one. The newest words win; other words before them stay as `earlier`, the newest of them first. */
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

/** One line of it for a reader: the newest words, and what they took the place of. */
export function entryText({ text, earlier: before }: FactEntry): string {
  return before.length === 0 ? text : `${text} (before: ${before.map((one) => one.text).join('; ')})`
}

/**
 * `my locker is 4417`, `our plumber's number: 555`, `I live in Madrid`: a subject of which one value holds at a time. Anything
 * else stands for itself. Bounded, so that whole sentences fit among `earlier` words: a long text only ever meets its like.
 */
const FORMS: readonly RegExp[] = [
  /^(?:that\s+)?((?:my|our|the)\s+[^.:;,!?]{1,80}?)\s*(?:\b(?:is|are)\b|:|=)\s*(\S[\s\S]{0,199})$/i,
  /^(?:that\s+)?([\p{L}\p{N}]{1,40}['’]s\s+[^.:;,!?]{1,80}?)\s*(?:\b(?:is|are)\b|:|=)\s*(\S[\s\S]{0,199})$/iu,
  /^(?:that\s+)?(I\s+(?:live\s+in|live\s+at|work\s+at|work\s+for|work\s+as))\s+(\S[\s\S]{0,199})$/i,
]

function partsOf(text: string): Pick<FactEntry, 'subject' | 'value'> {
  for (const form of FORMS) {
    const [, subject, value] = form.exec(text.trim()) ?? []
    if (subject !== undefined && value !== undefined) return { subject, value: value.replace(/[.!]+$/, '') }
  }
  return { subject: null, value: null }
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
