/**
 * What the planner wrote itself, read back as labelled values: each bears what the planner had read (A-32, B-13). Of what a
 * model wrote, only what the owner typed is his: a planner that reads clean words alone can still write
 * whatever it likes. Must not let a value out. Called by resolve.ts, select.ts and compose.ts.
 */
import type { Json } from '../flow/json.ts'
import { PUBLIC } from '../flow/label.ts'
import { combine, derive, type Labeled, test } from '../flow/labeled.ts'
import { receive } from '../flow/provenance.ts'
import { taintOf } from '../flow/taint.ts'
import { err, ok, type Result } from '../flow/verdict.ts'
import { openTextOf, type SealedReading } from '../powers/sealed.ts'
import { literalIndex } from '../task/literals.ts'
import { CANNED, OWN, RULES } from '../task/plan.ts'
import type { Literals, Task } from '../task/task.ts'
import { bareWord, standsIn, typedWords } from './typed.ts'

/** Planners whose words are the product's own. */
const OURS: readonly string[] = [RULES, CANNED]

/** A number or text that stands in the task's plan: itself in a template's own plan, sealed in any other. */
export async function writtenValue(
  powers: SealedReading,
  task: Task,
  written: Json,
): Promise<Result<Labeled>> {
  if (task.literals === undefined) return ok(receive(written, task.planned ?? task.words))
  const index = typeof written === 'string' ? literalIndex(written) : null
  return index === null ? err('reference_unresolved', { root: OWN }) : literalAt(powers, task, index)
}

/** Refusals: reference_unresolved where the plan has no such literal, and those of opening a sealed text. */
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

/** Of the plans of a task, the one whose list a position is in, and where in it. */
function listOf({ literals = [] }: Task, index: number): (Literals & { readonly at: number }) | null {
  let at = index
  for (const list of literals) {
    if (at < list.count) return { ...list, at }
    at -= list.count
  }
  return null
}

/** Every text and number of it stands in the owner's own message, as whole words; a bare yes or no says nothing. */
async function isTyped(powers: SealedReading, task: Task, value: Labeled): Promise<boolean> {
  if (task.words.taint.level !== 'clean') return false
  const words = await openTextOf(powers, task.words)
  if (!words.ok) return false
  const typed = combine<Json, boolean>([words.value, value], ([said, written]) =>
    saidIn(written ?? null).every(
      (text) => standsIn(String(said), String(text)) && (!isFigures(text) || isNamed(String(said), text)),
    ),
  )
  return test(typed, (is) => is)
}

/** Figures as a text are a name, of a file or an account; a number is an amount. */
function isFigures(written: string | number): written is string {
  return typeof written === 'string' && /^\d+$/.test(typedWords(written).map(bareWord).join(' '))
}

/**
 * Figures stand in a message for dates, times and amounts, so they are a name there only where they are made one: in quotes
 * or brackets, or after a word for it. "What do we do on June 13" is nobody's word for the file `13`.
 */
function isNamed(said: string, written: string): boolean {
  const figures = typedWords(written).map(bareWord).join(' ')
  const quoted = `"${figures}"|'${figures}'|“${figures}”|‘${figures}’|\`${figures}\`|\\(${figures}\\)`
  return new RegExp(`${quoted}|\\b(?:id|nr|number)[.:]?\\s*${figures}(?!\\d)`, 'iu').test(said)
}

/** Keys as well: a planner may write words there too. */
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
