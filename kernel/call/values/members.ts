/**
 * References to several values: all results of a list, all picked rows, a field of each item. Pure; must not
 * open a record. Called by resolve.ts.
 */
import { type FieldSpec, specAt } from '../../flow/field.ts'
import type { Json, Path } from '../../flow/json.ts'
import { derive, type Labeled, type Provenance } from '../../flow/labeled.ts'
import { type LabeledRecord, lengthAt } from '../../flow/record.ts'
import { ok, type Result } from '../../flow/verdict.ts'
import { parseReference } from '../../task/plan.ts'
import type { StepResult, Task } from '../../task/task.ts'

/**
 * References to the items behind `select … all`, `choose … all` or `forEach`; `s3.body` is that field of
 * each.
 */
export function membersOf(task: Task, ref: string): readonly string[] | null {
  const parsed = parseReference(ref)
  if (!parsed.ok || typeof parsed.value.path[0] === 'number') return null
  const { root } = parsed.value
  const count = listLength(task, root)
  if (count === null) return null
  const field = ref.slice(root.length)
  return Array.from({ length: count }, (_, index) => `${root}[${index}]${field}`)
}

/** Provenance of the choice that produced an alias. */
export function choiceIn(result: StepResult | undefined): readonly Provenance[] {
  const picked = result?.kind === 'alias' || result?.kind === 'aliases' ? result.chosen : undefined
  return picked === undefined ? [] : [picked]
}

/** Provenance of what led to a list: the choice of its rows, or the list of the `forEach`. */
export function choiceAt(task: Task, ref: string): readonly Provenance[] {
  const parsed = parseReference(ref)
  const result = parsed.ok ? task.results[parsed.value.root] : undefined
  return result?.kind === 'many' && result.chosen !== undefined ? [result.chosen] : choiceIn(result)
}

export function listLength(task: Task, root: string): number | null {
  const result = task.results[root]
  if (result?.kind === 'many') return result.steps.length
  return result?.kind === 'aliases' ? result.paths.length : null
}

/**
 * Expands `s1.emails.id`, where `emails` is a list, to `s1.emails[0].id` and so on. `path`: path of the
 * reference in the record.
 */
export function membersUnder(
  ref: string,
  { record, path }: { readonly record: LabeledRecord; readonly path: Path },
): readonly string[] | null {
  const parsed = parseReference(ref)
  const at = path.findIndex((step, index) => {
    const spec = specAt(record.source.spec, path.slice(0, index))
    return typeof step === 'string' && spec.ok && spec.value.kind === 'list'
  })
  if (!parsed.ok || at === -1) return null
  const field = [...path.slice(0, at), 0, ...path.slice(at, at + 1)]
  if (!specAt(record.source.spec, field).ok) return null
  const length = lengthAt(record, path.slice(0, at))
  if (!length.ok) return null
  // The path of the alias precedes the path of the reference.
  const own = at - (path.length - parsed.value.path.length)
  if (own < 0) return null
  const [head, rest] = [parsed.value.path.slice(0, own), parsed.value.path.slice(own)]
  return Array.from(
    { length: length.value },
    (_, index) => `${parsed.value.root}${written([...head, index, ...rest])}`,
  )
}

function written(path: Path): string {
  return path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('')
}

/**
 * Converts the value to the argument: nested lists are flattened for a list of single values, and a single
 * value becomes a list of one.
 */
export function fitted(spec: FieldSpec, value: Result<Labeled>): Result<Labeled> {
  if (!value.ok || spec.kind !== 'list' || spec.of.kind === 'list' || spec.of.kind === 'record') return value
  return ok(
    derive<Json, Json>(value.value, (inner) =>
      Array.isArray(inner) ? inner.flat() : typeof inner === 'object' ? inner : [inner],
    ),
  )
}
