/**
 * The plan verbs that need no tool call (DESIGN §3): `select` picks from a list by the owner's own words,
 * `when` tests a value, `forEach` repeats a call. Deterministic; `controlAbove` gives the provenance of these
 * decisions, which every dependent write inherits. Called by drive.ts and call-verdict.ts.
 */
import { type FieldSpec, fieldName, type ScalarSpec, specAt } from '../../flow/field.ts'
import { isPlainRecord, type Json, type Path, stringsIn } from '../../flow/json.ts'
import { PUBLIC } from '../../flow/label.ts'
import { combine, joinProvenance, type Labeled, type Provenance, test } from '../../flow/labeled.ts'
import { type LabeledRecord, pick } from '../../flow/record.ts'
import { taintOf } from '../../flow/taint.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import type { Actions } from '../../powers/ports.ts'
import type { SealedReading } from '../../powers/sealed.ts'
import {
  type Argument,
  type ForEachStep,
  inputsOf,
  isReference,
  type SelectStep,
  type Step,
  type ToolStep,
  type When,
} from '../../task/plan.ts'
import type { StepResult, Task } from '../../task/task.ts'
import { countAt, listAt, provenanceBehind, resolveRef } from '../resolve.ts'
import { writtenValue } from './literals.ts'
import { clearlyMost, singular } from './meant.ts'

/**
 * Selects rows. With `take: 'one'` several matches stay several, since the owner decides. With `take: 'all'`
 * an empty list is a result. Refusal: nothing_found.
 */
export async function select(
  powers: SealedReading & Actions,
  task: Task,
  step: SelectStep,
): Promise<Result<StepResult>> {
  const list = await listAt(powers, task, step.from)
  if (!list.ok) return list
  const { record, root, path, length } = list.value
  const wanted = step.matching === undefined ? null : await resolveRef(powers, task, step.matching)
  if (wanted !== null && !wanted.ok) return wanted
  const { where } = step
  const equals = where === undefined ? null : await writtenValue(powers, task, where.equals)
  if (equals !== null && !equals.ok) return equals
  const expected =
    where === undefined || equals === null ? null : { path: fieldPath(where.field), value: equals.value }
  const paths: Path[] = []
  const rows: { readonly path: Path; readonly item: Labeled }[] = []
  for (let index = 0; index < length; index += 1) {
    const item = pick(record, [...path, index])
    if (!item.ok) continue
    const byWords =
      wanted === null ||
      test(
        combine([item.value, wanted.value], ([it, words]) => isAbout(it, words)),
        (hit) => hit === true,
      )
    const byField =
      expected === null || matchesField(pick(record, [...path, index, ...expected.path]), expected.value)
    if (byWords && byField) paths.push([...path, index])
    if (byField) rows.push({ path: [...path, index], item: item.value })
  }
  const first = paths[0]
  if (first === undefined) {
    if (mayBeNone(task, step)) {
      const behind = await provenanceBehind(powers, task, step.from)
      const words = [wanted, equals].flatMap((given) => (given === null ? [] : [given.value]))
      return ok({ kind: 'aliases', root, paths, chosen: joinProvenance(behind, ...words) })
    }
    const partly = wanted === null || !mayBePart(task, step) ? null : partlyMeant(rows, wanted.value)
    return partly === null ? err('nothing_found', { field: fieldName(path) }) : ok({ ...partly, root })
  }
  const only = step.take === 'one' && wanted !== null ? onlyAsTyped(record, paths, wanted.value) : null
  if (only !== null) return ok({ kind: 'alias', root, path: only })
  const isSinglePick = step.take === 'first' || (step.take === 'one' && paths.length === 1)
  if (!isSinglePick) return ok({ kind: 'aliases', root, paths })
  return ok({ kind: 'alias', root, path: wanted === null ? first : bestOf(record, paths, wanted.value) })
}

/** The only one of several rows that contains the words next to each other; null if none or several do. */
function onlyAsTyped(record: LabeledRecord, paths: readonly Path[], words: Labeled): Path | null {
  if (paths.length < 2) return null
  const found = paths.filter((path) => {
    const item = pick(record, path)
    return (
      item.ok &&
      test(
        combine([item.value, words], ([it, wanted]) =>
          stringsIn(it ?? null).some((text) => hasPhrase(fold(text), wanted)),
        ),
        (hit) => hit === true,
      )
    )
  })
  const [first, ...others] = found
  return first === undefined || others.length > 0 ? null : first
}

/** Maximum UTF-16 units of a name, an address or a title; a longer field is a text. */
const HEADING = 320

/**
 * The best of several rows with the words: the first that has them in its short fields, as
 * whole words before parts of words. A mail that only mentions a name is not that person's.
 */
function bestOf(record: LabeledRecord, paths: readonly Path[], words: Labeled): Path {
  const [first = []] = paths
  if (paths.length < 2) return first
  const inHeading = (path: Path, isIn: typeof isAbout): boolean => {
    const item = pick(record, path)
    const spec = specAt(record.source.spec, path)
    if (!item.ok || !spec.ok) return false
    return test(
      combine([item.value, words], ([it, wanted]) => isIn(headingOf(it ?? null, spec.value), wanted)),
      (hit) => hit === true,
    )
  }
  const named = paths.find((path) => inHeading(path, isAboutWords))
  return named ?? paths.find((path) => inHeading(path, isAbout)) ?? first
}

/** The short fields of a row. */
function headingOf(item: Json, spec: FieldSpec): Json {
  if (spec.kind !== 'record' || !isPlainRecord(item)) return item
  const short = Object.entries(item).filter(([key]) => {
    const field = spec.fields[key]
    return field !== undefined && field.kind !== 'list' && field.kind !== 'record' && isShort(field)
  })
  return Object.fromEntries(short) as Json
}

function isShort({ kind, max }: ScalarSpec): boolean {
  return kind !== 'id' && (kind !== 'text' || (max !== undefined && max <= HEADING))
}

/**
 * Whether a row may match in part. If a model can plan again, it plans instead. Words
 * for all rows ("everything") match no row in part.
 */
function mayBePart({ otherwise }: Task, { take }: SelectStep): boolean {
  return take !== 'all' && otherwise !== true
}

/**
 * Whether an empty list is a valid result of `take: 'all'`. If code made the plan and a model is available,
 * the step fails instead: code may have read the wrong words, and the model plans on (machine/step.ts).
 */
function mayBeNone({ otherwise }: Task, { take, independent }: SelectStep): boolean {
  return take === 'all' && (otherwise !== true || independent === true)
}

/**
 * The row with clearly most of the words, if none has all. Like `choose` this is a guess and stays raw, so
 * whatever reaches others or writes asks, with the row on the card (DESIGN §10).
 */
function partlyMeant(
  rows: readonly { readonly path: Path; readonly item: Labeled }[],
  words: Labeled,
): { readonly kind: 'alias'; readonly path: Path; readonly chosen: Provenance } | null {
  const guessed: Provenance = { label: PUBLIC, taint: taintOf('raw', 'select') }
  const best = combine<Json, Json>([words, ...rows.map(({ item }) => item)], ([wanted, ...items]) =>
    clearlyMost(
      items.map((item) => stringsIn(item).join(' ')),
      String(wanted ?? ''),
    ),
  )
  const row = rows.find((_, at) => test(best, (is) => is === at))
  return row === undefined ? null : { kind: 'alias', path: row.path, chosen: joinProvenance(best, guessed) }
}

/**
 * Whether a step runs. An unresolved reference counts as empty, unless it could not be
 * read: a `select` that matched no row shows that there is none.
 */
export async function holds(powers: SealedReading & Actions, task: Task, when: When): Promise<boolean> {
  const { is } = when
  if (is === 'skipped') return task.results[when.ref]?.kind === 'skipped'
  const value = await resolveRef(powers, task, when.ref)
  if (!value.ok) return is === 'empty' && !isUnread(task, when.ref)
  if (is !== 'equals') return test(value.value, (inner) => answers(is, inner))
  const expected = await writtenValue(powers, task, when.value ?? null)
  return expected.ok && isEqual(value.value, expected.value)
}

function isUnread({ results }: Task, ref: string): boolean {
  const result = results[ref.split(/[.[]/)[0] ?? '']
  return result?.kind === 'failed' && result.reason.code !== 'nothing_found'
}

/**
 * The repeated calls, with `item` replaced by a reference into the list, and the list's provenance. Step ids
 * continue after `taken`.
 */
export async function expand(
  powers: SealedReading & Actions,
  task: Task,
  step: ForEachStep,
): Promise<Result<{ readonly steps: readonly ToolStep[]; readonly chosen: Provenance }>> {
  const length = await countAt(powers, task, step.in)
  if (!length.ok) return length
  const count = Math.min(length.value, step.max)
  const taken = Math.max(0, ...(task.plan?.steps ?? []).map(({ id }) => Number(id.slice(1))))
  const steps = Array.from({ length: count }, (_, index) => ({
    id: `s${taken + index + 1}`,
    do: 'tool' as const,
    tool: step.tool,
    args: withItem(step.args, `${step.in}[${index}]`) as ToolStep['args'],
    independent: true,
  }))
  const { label, taint } = await provenanceBehind(powers, task, step.in)
  return ok({ steps, chosen: { label, taint } })
}

/**
 * Joined provenance of everything that decided whether this step runs (DESIGN §3); a write inherits it. For a
 * step of a second plan it includes what the first plan found.
 */
export async function controlAbove(
  powers: SealedReading & Actions,
  task: Task,
  index: number,
): Promise<Provenance> {
  const { planned, resumed } = task
  const above: Provenance[] = planned !== null && resumed !== undefined && index >= resumed ? [planned] : []
  for (const step of (task.plan?.steps ?? []).slice(0, index + 1)) {
    for (const ref of decidersOf(step)) above.push(await provenanceBehind(powers, task, ref))
    const result = step.do === 'select' ? task.results[step.id] : undefined
    const isPicked = result?.kind === 'alias' || result?.kind === 'aliases'
    if (isPicked && result.chosen !== undefined) above.push(result.chosen)
  }
  return joinProvenance(...above)
}

function decidersOf(step: Step): readonly string[] {
  // What decided that another step was skipped also counts.
  const condition = step.when?.is === 'skipped' ? undefined : step.when?.ref
  return [condition, ...ownDecidersOf(step)].filter((ref) => ref !== undefined)
}

function ownDecidersOf(step: Step): readonly (string | undefined)[] {
  switch (step.do) {
    case 'select':
      return [step.from, step.matching]
    case 'choose':
      return [step.from, step.id]
    case 'forEach':
      return [step.in]
    case 'clarify':
      return inputsOf(step)
    default:
      return []
  }
}

/**
 * True if every word of the owner occurs in the item's strings, ignoring case, accents,
 * a hyphen, and a plural or possessive s: "standup" is in "Stand-up", "dans" in "Dan".
 */
function isAbout(item: Json | undefined, words: Json | undefined): boolean {
  const text = fold(stringsIn(item ?? null).join(' '))
  const wanted = partsOf(String(words ?? '')).filter((word) => word.length > 1)
  if (wanted.length === 0) return hasPhrase(text, words)
  const closed = text.replace(/(?<=\p{L})[-'’](?=\p{L})/gu, '')
  const isIn = (word: string): boolean => text.includes(singular(word)) || closed.includes(singular(word))
  const missing = wanted.filter((word) => !isIn(word))
  if (missing.length === 0) return true
  const own = new Set(partsOf(text))
  return missing.every((word) => /^\p{L}{2,3}s$/u.test(word) && own.has(word.slice(0, -1)))
}

/** Whether the item contains the words literally, such as "1:1". */
function hasPhrase(text: string, words: Json | undefined): boolean {
  const phrase = fold(String(words ?? '')).trim()
  return /[\p{L}\p{N}]/u.test(phrase) && ` ${text} `.includes(` ${phrase} `)
}

/** Like `isAbout`, but matches whole words only. */
function isAboutWords(item: Json | undefined, words: Json | undefined): boolean {
  const own = new Set(partsOf(stringsIn(item ?? null).join(' ')).map(singular))
  const wanted = partsOf(String(words ?? '')).filter((word) => word.length > 1)
  return wanted.length > 0 && wanted.every((word) => own.has(singular(word)))
}

function partsOf(text: string): readonly string[] {
  return fold(text).split(/[^\p{L}\p{N}]+/u)
}

function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}

function matchesField(value: ReturnType<typeof pick>, expected: Labeled): boolean {
  return value.ok && isEqual(value.value, expected)
}

function isEqual(value: Labeled, expected: Labeled): boolean {
  return test(
    combine([value, expected], ([inner, other]) => inner === other),
    (equal) => equal === true,
  )
}

function fieldPath(field: string): Path {
  return field.split('.')
}

function answers(is: Exclude<When['is'], 'equals' | 'skipped'>, value: Json): boolean {
  switch (is) {
    case 'empty':
      return isEmpty(value)
    case 'not_empty':
      return !isEmpty(value)
    case 'true':
      return value === true
    case 'false':
      return value === false
  }
}

function isEmpty(value: Json): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

function withItem(argument: Argument, item: string): Argument {
  if (isReference(argument)) {
    return /^item(?=$|[.[])/.test(argument.$ref) ? { $ref: argument.$ref.replace(/^item/, item) } : argument
  }
  if (Array.isArray(argument)) return argument.map((inner: Argument) => withItem(inner, item))
  if (typeof argument !== 'object' || argument === null) return argument
  return Object.fromEntries(
    Object.entries(argument).map(([key, inner]) => [key, withItem(inner as Argument, item)]),
  )
}
