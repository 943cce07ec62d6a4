/**
 * Replaces a literal of a plan by a reference if the owner's message contains it. The value then has the bytes
 * and the taint of the message, whatever the planner had read. The planner chose which part, so the label stays that
 * of all it read. Called by plan.ts, which writes the references, and resolve.ts, which follows them.
 */
import type { Json, Path } from '../../flow/json.ts'
import { combine, derive, type Labeled, test } from '../../flow/labeled.ts'
import { receive } from '../../flow/provenance.ts'
import { type LabeledRecord, pick } from '../../flow/record.ts'
import { CLEAN } from '../../flow/taint.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import { openTextOf, type SealedReading } from '../../powers/sealed.ts'
import type { Task } from '../../task/task.ts'
import { instantOf } from '../../wording/output.ts'
import { isFigures, isNamed } from './literals.ts'

/** Root of references to this message. */
const SAID = 'said'
/**
 * `said.words[3][12]`: these UTF-16 units of the message. `said.sentence[3][12]`: the same, with a capital.
 */
const WORDS = 'words'
const SENTENCE = 'sentence'

/** Fields of the message that a planner may have copied: literally, or as the same instant. */
const TEXTS: readonly string[] = ['person', 'topic', 'url', 'email']
const INSTANTS: readonly string[] = ['from', 'to']

/** Scripts that write no spaces between words. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u
const BLANK = /\s/u
/** Punctuation that may stand between a word and the space around it. */
const AROUND = { [-1]: `<("'[„“‘«`, 1: `>)"'].,;:!?”’»“‘` } as const

const SEGMENTS = new Intl.Segmenter('und', { granularity: 'word' })

/** True for `said.words[a][b]` and `said.sentence[a][b]`. */
export function isSaidSpan(root: string, path: Path): boolean {
  return root === SAID && (path[0] === WORDS || path[0] === SENTENCE)
}

/**
 * The part of the owner's message that a reference names. Refusals: reference_unresolved, and those of
 * opening the message.
 */
export async function saidSpan(powers: SealedReading, task: Task, path: Path): Promise<Result<Labeled>> {
  const [kind, from, to, ...more] = path
  const unresolved = err('reference_unresolved', { root: SAID })
  if (typeof from !== 'number' || typeof to !== 'number' || more.length > 0) return unresolved
  const words = await openTextOf(powers, task.words)
  if (!words.ok) return words
  if (!test(words.value, (text) => from < to && to <= text.length)) return unresolved
  const span = derive(words.value, (text) => {
    const part = text.slice(from, to)
    return kind === SENTENCE ? capital(part) : part
  })
  const { label } = task.planned ?? task.words
  const choice = receive(null, { label, taint: CLEAN })
  return ok(combine<Json, Json>([span, choice], ([part]) => part ?? null))
}

/** The message of an owner, and the fields that were extracted from it. */
export interface Message {
  readonly words: Labeled<string>
  readonly said: LabeledRecord | null
}

/** The reference that replaces a literal; null if the owner did not say it. */
export function saidAs({ words, said }: Message, written: Json): string | null {
  if (typeof written !== 'string' || words.taint.level !== 'clean') return null
  const field = said === null ? null : fieldOf(said, written)
  if (field !== null) return `${SAID}.${field}`
  if (isFigures(written) && !test(words, (text) => isNamed(text, written))) return null
  const at = spanOf(words, written)
  return at === null ? null : `${SAID}.${at.kind}[${at.from}][${at.from + written.length}]`
}

function fieldOf(said: LabeledRecord, written: string): string | null {
  const moment = instantOf(written)
  const [fields, isIt] =
    moment === null
      ? [TEXTS, (value: Json) => value === written]
      : [INSTANTS, (value: Json) => instantOf(value) === moment]
  const found = fields.find((field) => {
    const value = pick(said, [field])
    return value.ok && test(value.value, isIt)
  })
  return found ?? null
}

/** Position of the text in the message, literally or with a different first capital. */
function spanOf(
  words: Labeled<string>,
  written: string,
): { readonly kind: typeof WORDS | typeof SENTENCE; readonly from: number } | null {
  const ways = [
    { kind: WORDS, isIt: (part: string) => part === written },
    { kind: SENTENCE, isIt: (part: string) => capital(part) === written },
  ] as const
  for (const { kind, isIt } of ways) {
    const from = indexIn(words, (text) => startOf(text, written.length, isIt))
    if (from !== null) return { kind, from }
  }
  return null
}

/**
 * A position in the message, determined bit by bit under the label, so that it depends on the message and the
 * literal only.
 */
function indexIn(words: Labeled<string>, find: (text: string) => number | null): number | null {
  const found = derive<string, number | null>(words, find)
  if (test(found, (at) => at === null)) return null
  let [low, high] = [0, 1]
  while (test(found, (at) => (at ?? 0) >= high)) high *= 2
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (test(found, (at) => (at ?? 0) >= middle)) low = middle
    else high = middle
  }
  return low
}

/** Start of a matching part of this length that consists of whole words. */
function startOf(text: string, length: number, isIt: (part: string) => boolean): number | null {
  const isEdge = edgesIn(text)
  for (let from = 0; from + length <= text.length; from += 1) {
    const to = from + length
    if (!isIt(text.slice(from, to)) || BLANK.test(text[from] ?? ' ') || BLANK.test(text[to - 1] ?? ' '))
      continue
    if (isEdge(from, -1) && isEdge(to, 1)) return from
  }
  return null
}

/**
 * Whether words begin or end at a position: only brackets, quotes and stops lie
 * between it and a space, or, in a script without spaces, a word begins there.
 */
function edgesIn(text: string): (at: number, direction: 1 | -1) => boolean {
  let starts: ReadonlySet<number> | null = null
  return (at, direction) => {
    let next = direction === 1 ? at : at - 1
    for (; AROUND[direction].includes(text[next] ?? ' '); next += direction);
    if (BLANK.test(text[next] ?? ' ')) return true
    if (!UNSPACED.test(text.slice(at - 1, at + 1))) return false
    starts ??= new Set([...SEGMENTS.segment(text)].map(({ index }) => index))
    return starts.has(at)
  }
}

function capital(text: string): string {
  const [first = ''] = text
  return first.toUpperCase() + text.slice(first.length)
}
