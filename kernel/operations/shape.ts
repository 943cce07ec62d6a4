/**
 * Result of an operation, declared field by field with levels, like a tool's output (DESIGN §9). Yields its type, the
 * validation of received results, and the label of every sentence made from it. Must not hold data. Called by
 * operations.
 */
import {
  type FieldSpec,
  type ListSpec,
  parseFields,
  type RecordSpec,
  type ScalarSpec,
} from '../flow/field.ts'
import type { Json } from '../flow/json.ts'
import { type Label, labelOf } from '../flow/label.ts'
import { type Compartment, type Level, rankOf } from '../flow/level.ts'
import { declaredLabel } from '../flow/record.ts'
import { ok, type Result } from '../flow/verdict.ts'

/** Default maximum rows of a list, since people read it. */
const MOST_ROWS = 1_000

interface Scalar<K extends ScalarSpec['kind']> extends ScalarSpec {
  readonly kind: K
}
interface OneOf<V extends string> extends Scalar<'enum'> {
  readonly values: readonly V[]
}
interface ListOf<S extends FieldSpec> extends ListSpec {
  readonly of: S
}
type Fields = Readonly<Record<string, FieldSpec>>
interface RecordOf<F extends Fields> extends RecordSpec {
  readonly fields: F
}
interface Maybe {
  readonly optional: true
}

/** Value of the declared shape; optional fields are null when absent. */
export type ValueOf<S> = S extends Maybe ? Whole<S> | null : Whole<S>
type Whole<S> =
  S extends ListOf<infer E>
    ? readonly ValueOf<E>[]
    : S extends RecordOf<infer F>
      ? { readonly [K in keyof F]: ValueOf<F[K]> }
      : S extends OneOf<infer V>
        ? V
        : S extends Scalar<'number'>
          ? number
          : S extends Scalar<'boolean'>
            ? boolean
            : string

/** Printable, without a space: names of kernel objects. */
export const id = (level: Level): Scalar<'id'> => ({ kind: 'id', level })
export const text = (level: Level): Scalar<'text'> => ({ kind: 'text', level })
export const number = (level: Level): Scalar<'number'> => ({ kind: 'number', level })
export const flag = (level: Level): Scalar<'boolean'> => ({ kind: 'boolean', level })
export const oneOf = <const V extends string>(values: readonly V[], level: Level): OneOf<V> => ({
  kind: 'enum',
  values,
  level,
})
export const list = <const S extends FieldSpec>(of: S, max = MOST_ROWS): ListOf<S> => ({
  kind: 'list',
  of,
  max,
})
export const record = <const F extends Fields>(fields: F): RecordOf<F> => ({ kind: 'record', fields })
/** Optional: null when absent. */
export const maybe = <const S extends FieldSpec>(spec: S): S & Maybe => ({ ...spec, optional: true })

/** Refusals: field_missing, field_malformed, field_too_large. Undeclared fields are dropped. */
export function readShape<S extends FieldSpec>(spec: S, input: unknown): Result<ValueOf<S>> {
  const parsed = parseFields(spec, input, 'drop')
  return parsed.ok ? ok(withNulls(spec, parsed.value) as ValueOf<S>) : parsed
}

/**
 * Label of every sentence made from the result. `released`: its texts were released individually
 * for a sink with this clearance, so their labels are not above it, whatever the declaration
 * says. It is unknown which compartments of the sink a text needs, so all of them count.
 */
export function labelOfShape(operation: string, spec: FieldSpec, released: SinkClearance | null): Label {
  const source = { origin: `operation:${operation}`, spec, ceiling: 'sensitive', compartment: null } as const
  const declared = declaredLabel(source)
  if (released === null) return declared
  return labelOf(
    declared.atoms.flatMap((atom) =>
      rankOf(atom.level) <= rankOf('internal')
        ? [atom]
        : [
            { ...atom, level: released.level },
            ...released.compartments.map((compartment) => ({ ...atom, level: REGULATED, compartment })),
          ],
    ),
  )
}

/** Clearance of the sink that the texts were released for. */
export interface SinkClearance {
  readonly level: Level
  readonly compartments: readonly Compartment[]
}

const REGULATED: Level = 'regulated'

function withNulls(spec: FieldSpec, value: Json): Json {
  if (spec.kind === 'list') return (value as readonly Json[]).map((item) => withNulls(spec.of, item))
  if (spec.kind !== 'record') return value
  const fields = value as { readonly [key: string]: Json }
  const entries = Object.entries(spec.fields).map(([key, field]) => {
    const here = fields[key]
    return [key, here === undefined ? null : withNulls(field, here)] as const
  })
  return Object.fromEntries(entries)
}
