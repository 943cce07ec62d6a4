/**
 * Generators for the laws of `kernel/flow`: small name pools, so that atoms, sinks and grants often meet.
 * Called by `test/flow/*.test.ts`.
 */
import fc from 'fast-check'
import type { Clearance } from '../../kernel/flow/clearance.ts'
import type { FieldSpec, ScalarSpec } from '../../kernel/flow/field.ts'
import type { FlowGrant } from '../../kernel/flow/grant.ts'
import type { Json } from '../../kernel/flow/json.ts'
import { type Atom, type Label, labelOf } from '../../kernel/flow/label.ts'
import { LEVELS, type Level } from '../../kernel/flow/level.ts'
import { TAINT_LEVELS, type Taint } from '../../kernel/flow/taint.ts'
import { FINANCE, GRANT, HEALTH, NOW, SINKS } from './fixtures.ts'

export const level: fc.Arbitrary<Level> = fc.constantFrom(...LEVELS)

export const atom: fc.Arbitrary<Atom> = fc.record({
  origin: fc.constantFrom('tool:a', 'tool:calendar.freebusy', 'many', 'chat:sink:telegram:owner'),
  field: fc.constantFrom('*', 'slots[].busy', 'title'),
  level,
  compartment: fc.constantFrom(null, null, HEALTH, FINANCE),
})

/** Few enough atoms that any three of these join without collapsing. */
export const smallLabel: fc.Arbitrary<Label> = fc.array(atom, { maxLength: 15 }).map(labelOf)

/** Enough different atoms to pass the bound. */
export const bigLabel: fc.Arbitrary<Label> = fc
  .array(
    fc.tuple(atom, fc.nat(400)).map(([base, n]) => ({ ...base, field: `f${n}` })),
    { minLength: 30, maxLength: 60 },
  )
  .map(labelOf)

export const anyLabel = fc.oneof(smallLabel, bigLabel)

/** One or two atoms: small enough that two labels are often comparable. */
export const tinyLabel: fc.Arbitrary<Label> = fc.array(atom, { maxLength: 2 }).map(labelOf)

const READER_LEVELS = ['public', 'internal', 'sensitive', 'regulated'] as const
const READER_COMPARTMENTS = [[], [HEALTH], [FINANCE], [HEALTH, FINANCE], 'all'] as const

/** Every reader there can be with these two compartments; none is cleared for `secret`. */
export const EVERY_CLEARANCE: readonly Clearance[] = READER_LEVELS.flatMap((level) =>
  READER_COMPARTMENTS.map((compartments) => ({ level, compartments })),
)

export const taint: fc.Arbitrary<Taint> = fc.record({
  level: fc.constantFrom(...TAINT_LEVELS),
  origins: fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1 }).map((names) => names.sort()),
  touchedBy: fc.uniqueArray(fc.constantFrom('x', 'y', 'z')),
})

export const grant: fc.Arbitrary<FlowGrant> = fc.record({
  id: fc.constant('g'),
  template: fc.constant(GRANT.template),
  origin: fc.constantFrom('tool:a', 'many', GRANT.origin),
  field: fc.constantFrom('*', 'title', GRANT.field),
  sink: fc.constantFrom(...SINKS.map(({ id }) => id)),
  expiresAt: fc.constantFrom(NOW, NOW + 1),
  revoked: fc.boolean(),
})

export const json: fc.Arbitrary<Json> = fc
  .jsonValue({ maxDepth: 4 })
  .map((value) => JSON.parse(JSON.stringify(value)) as Json)

const scalarSpec: fc.Arbitrary<ScalarSpec> = fc.oneof(
  fc
    .constantFrom('number', 'date', 'boolean', 'id', 'email', 'url', 'text')
    .map((kind) => ({ kind }) as ScalarSpec),
  fc.constant<ScalarSpec>({ kind: 'enum', values: ['open', 'closed'] }),
)

/** A declaration together with outside data that often, but not always, fits it. */
export const specAndInput: fc.Arbitrary<readonly [FieldSpec, unknown]> = fc
  .array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), scalarSpec, fc.boolean()), { maxLength: 4 })
  .chain((fields) => {
    const record: FieldSpec = {
      kind: 'record',
      fields: Object.fromEntries(fields.map(([key, spec, optional]) => [key, { ...spec, optional }])),
    }
    const spec: FieldSpec = { kind: 'list', of: record, max: 3 }
    const item = fc.record(
      Object.fromEntries([...fields.map(([key, field]) => [key, valueFor(field)]), ['extra', fc.string()]]),
      { requiredKeys: [] },
    )
    return fc.tuple(fc.constant(spec), fc.array(item, { maxLength: 4 }))
  })

function valueFor(spec: ScalarSpec): fc.Arbitrary<unknown> {
  const fitting: Record<ScalarSpec['kind'], fc.Arbitrary<unknown>> = {
    number: fc.double(),
    date: fc.constantFrom('2026-11-01', '2026-11-01T10:00:00Z', 'tomorrow'),
    boolean: fc.boolean(),
    enum: fc.constantFrom('open', 'closed', 'ajar'),
    id: fc.constantFrom('m-1', 'two words'),
    email: fc.constantFrom('a@b.example', 'a at b'),
    url: fc.constantFrom('https://b.example/x', 'ftp://b.example'),
    text: fc.string(),
  }
  return fc.oneof({ weight: 6, arbitrary: fitting[spec.kind] }, { weight: 1, arbitrary: fc.constant(null) })
}
