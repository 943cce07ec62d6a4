/**
 * Reads values that the planner wrote itself as labelled values; each bears the provenance of what the
 * planner read (A-32, B-13). A model's text counts as the owner's only where the owner typed it, since
 * a planner with clean input can still write anything. Called by resolve.ts, select.ts and compose.ts.
 */
import type { Json } from '../../flow/json.ts'
import { PUBLIC } from '../../flow/label.ts'
import { combine, derive, type Labeled, test } from '../../flow/labeled.ts'
import { receive } from '../../flow/provenance.ts'
import { taintOf } from '../../flow/taint.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import { openTextOf, type SealedReading } from '../../powers/sealed.ts'
import { CANNED, literalIndex, OWN, RULES } from '../../task/plan.ts'
import type { Literals, Task } from '../../task/task.ts'

/** Planners whose text is part of the product. */
const OURS: readonly string[] = [RULES, CANNED]

/** A number or text of the task's plan: stored in the open in a template's own plan, sealed in any other. */
export async function writtenValue(
  powers: SealedReading,
  task: Task,
  written: Json,
): Promise<Result<Labeled>> {
  if (task.literals === undefined) return ok(receive(written, task.planned ?? task.words))
  const index = typeof written === 'string' ? literalIndex(written) : null
  return index === null ? err('reference_unresolved', { root: OWN }) : literalAt(powers, task, index)
}

/**
 * The literal at this position. Refusals: reference_unresolved when the plan has no
 * such literal, and those of opening a sealed text.
 */
export async function literalAt(powers: SealedReading, task: Task, index: number): Promise<Result<Labeled>> {
  const list = listOf(task, index)
  if (list === null) return err('reference_unresolved', { root: OWN })
  const { ref, planner, at } = list
  const text = await openTextOf(powers, ref)
  if (!text.ok) return text
  const value = derive(text.value, (all) => nth(all, at))
  if (OURS.includes(planner) || (await isTyped(powers, task, value))) return ok(value)
  const invented = receive(null, { label: PUBLIC, taint: taintOf('raw', `planner:${planner}`) })
  return ok(combine<Json, Json>([value, invented], ([written]) => written ?? null))
}

/** The plan of this task whose list contains the position, and the index within that list. */
function listOf({ literals = [] }: Task, index: number): (Literals & { readonly at: number }) | null {
  let at = index
  for (const list of literals) {
    if (at < list.count) return { ...list, at }
    at -= list.count
  }
  return null
}

/**
 * True when every text and number is in the owner's own message as whole words. A bare boolean proves
 * nothing.
 */
async function isTyped(powers: SealedReading, task: Task, value: Labeled): Promise<boolean> {
  if (task.words.taint.level !== 'clean') return false
  const words = await openTextOf(powers, task.words)
  if (!words.ok) return false
  const typed = combine<Json, boolean>([words.value, value], ([said, written]) =>
    saidIn(written ?? null).every(
      (text) => isSaid(String(said), text) && (!isFigures(text) || isNamed(String(said), text)),
    ),
  )
  return test(typed, (is) => is)
}

/**
 * A word also counts as the owner's if only its first letter differs in case; names of files and addresses
 * must match exactly.
 */
function isSaid(said: string, text: string | number): boolean {
  const plain = typeof text === 'string' && /^[\p{L}\p{M}\p{N} ,'’-]+$/u.test(text)
  return standsIn(said, String(text)) || (plain && standsIn(uncapitalised(said), uncapitalised(text)))
}

function uncapitalised(text: string): string {
  return text.replace(/(?<![\p{L}\p{N}])\p{Lu}(?!\p{Lu})/gu, (letter) => letter.toLowerCase())
}

/** Digits given as text are a name, of a file or an account; digits given as a number are an amount. */
export function isFigures(written: string | number): written is string {
  return typeof written === 'string' && /^\d+$/.test(typedWords(written).map(bareWord).join(' '))
}

/**
 * Digits in a message are mostly dates, times and amounts. They count as a name only in quotes or brackets,
 * or after a word such as "file". "What do we do on June 13" does not name the file `13`.
 */
export function isNamed(said: string, written: string): boolean {
  const figures = typedWords(written).map(bareWord).join(' ')
  const quoted = `"${figures}"|'${figures}'|“${figures}”|‘${figures}’|\`${figures}\`|\\(${figures}\\)`
  return new RegExp(`${quoted}|\\b(?:id|nr|number)[.:]?\\s*${figures}(?!\\d)`, 'iu').test(said)
}

/** Includes keys, since a planner may put text there too. */
function saidIn(value: Json): readonly (string | number)[] {
  if (typeof value === 'string' || typeof value === 'number') return [value]
  if (typeof value !== 'object' || value === null) return []
  const keys = Array.isArray(value) ? [] : Object.keys(value)
  return [...keys, ...Object.values(value).flatMap((inner: Json) => saidIn(inner))]
}

function nth(all: string, index: number): Json {
  const literals = JSON.parse(all) as readonly Json[]
  return literals[index] ?? null
}

/** Words separated by spaces. */
export function typedWords(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '')
}

/** Strips surrounding punctuation: `<tom@new.example>,` becomes `tom@new.example`. */
export function bareWord(word: string): string {
  return word.replace(/^[<("'[]+|[>)"'\].,;:!?]+$/g, '')
}

/** Whether the text occurs in what was said as consecutive whole words, ignoring punctuation around each. */
export function standsIn(said: string, text: string): boolean {
  const wanted = phraseOf(text)
  return wanted.trim() !== '' && phraseOf(said).includes(wanted)
}

/**
 * Whether the text occurs character by character in what was said, starting and ending at word boundaries, in
 * any script.
 */
export function isSpanOf(said: string, text: string): boolean {
  const edges = new Set([said.length, ...[...WORDS.segment(said)].map(({ index }) => index)])
  for (let at = said.indexOf(text); at !== -1; at = said.indexOf(text, at + 1))
    if (edges.has(at) && edges.has(at + text.length)) return true
  return false
}

const WORDS = new Intl.Segmenter('und', { granularity: 'word' })

function phraseOf(text: string): string {
  return ` ${typedWords(text).map(bareWord).join(' ')} `
}
