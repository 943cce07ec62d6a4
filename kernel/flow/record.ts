/**
 * A labelled record: the output of a tool or an extractor, guarded field by field (DESIGN §2). `pick` returns one field with
 * its own label and taint; `metadata` returns what a planner may see by value, and handles for the rest. The only place where
 * taint decays. Called by invoke, extract, resolve and the view builders.
 */
import {
  type FieldSpec,
  fieldName,
  isPlannerVisible,
  isStructured,
  leavesOf,
  parseFields,
  type ScalarSpec,
  specAt,
} from './field.ts'
import { isPlainRecord, type Json, type Path, valueAt } from './json.ts'
import { joinLabels, type Label, labelOf } from './label.ts'
import { createLabeled, insideOf, joinProvenance, type Labeled, type Provenance } from './labeled.ts'
import type { Compartment, Level } from './level.ts'
import { applyCeiling } from './policy.ts'
import { decayField, joinTaints, type Taint, taintOf, touch } from './taint.ts'
import { err, ok, type Result } from './verdict.ts'

/** Origin of a record and the guards of its fields. Made by the kernel; a tool cannot write it. */
export interface RecordSource {
  /** For example `tool:email.list`. */
  readonly origin: string
  readonly spec: FieldSpec
  /** Level of every field that does not declare its own. */
  readonly ceiling: Level
  readonly compartment: Compartment | null
  /** `raw` for outside content; `clean` for records made from the owner's own words. */
  readonly taint: 'raw' | 'clean'
  /** Label and taint of everything that was an input of the call. */
  readonly inputs: Provenance
  /** A level that the tool reported. It can only raise. */
  readonly reported?: Level
}

/** A planner's view of a value: the value itself for safe kinds, otherwise a handle with a path and facts about it. */
export type Metadata =
  | number
  | boolean
  | string
  | null
  | readonly Metadata[]
  | { readonly [key: string]: Metadata }

export class LabeledRecord implements Provenance {
  readonly source: RecordSource
  readonly label: Label
  readonly taint: Taint
  readonly #whole: Labeled<Json>

  constructor(source: RecordSource, whole: Labeled<Json>) {
    this.source = source
    this.#whole = whole
    this.label = whole.label
    this.taint = whole.taint
    Object.freeze(this)
  }

  /** The content for a writer: the whole tree without fields that only a later plan may use, with the join of all fields. */
  whole(): Labeled<Json> {
    const { spec } = this.source
    const apart =
      spec.kind === 'record' ? Object.keys(spec.fields).filter((key) => isApart(spec.fields[key])) : []
    const all = insideOf(this.#whole)
    if (!isPlainRecord(all) || !apart.some((key) => Object.hasOwn(all, key))) return this.#whole
    const told = Object.entries(all).filter(([key]) => !apart.includes(key))
    return createLabeled(Object.fromEntries(told), this)
  }

  /** The complete tree, for sealing. */
  all(): Labeled<Json> {
    return this.#whole
  }

  toJSON(): never {
    throw new TypeError('a labelled record must be sealed, never serialised')
  }
}

/** Validates and labels a tool's output. Drops undeclared keys, including a `label` of the tool's own (I-02). */
export function createRecord(source: RecordSource, output: unknown): Result<LabeledRecord> {
  const parsed = parseFields(source.spec, output, 'drop')
  return parsed.ok ? ok(restoreRecord(source, parsed.value)) : parsed
}

/**
 * Runs a registered extractor over a labelled value. Label and taint of the output follow from the source and from the value
 * that was read, whatever the source declares as its inputs: text of a raw value stays raw, only structured fields decay.
 */
export function extractRecord<T extends Json>(
  source: RecordSource,
  from: Labeled<T>,
  extract: (value: T) => unknown,
): Result<LabeledRecord> {
  const { label, taint } = source.inputs
  const isRaw = from.taint.level === 'raw'
  const guarded: RecordSource = {
    ...source,
    taint: isRaw ? 'raw' : source.taint,
    inputs: { label: joinLabels(label, from.label), taint: isRaw ? taint : joinTaints(taint, from.taint) },
  }
  return createRecord(guarded, extract(insideOf(from)))
}

/** Free text longer than this, in UTF-16 units, is a body. Working memory stores names and titles, never bodies (B-16). */
export const LONGEST_STORED_TEXT = 1_000

/** The same record without its bodies. Structured fields and short text keep their label and taint. */
export function withoutBodies(record: LabeledRecord): LabeledRecord {
  return restoreRecord(record.source, keepShort(record.source.spec, insideOf(record.all())) ?? {})
}

/**
 * Validates a result that another place stored. Like `createRecord`, but bodies may be
 * missing and are dropped, and no field counts as `given`.
 */
export function createStored(source: RecordSource, output: unknown): Result<LabeledRecord> {
  const parsed = parseFields(bodiesOptional(source.spec), output, 'drop')
  return parsed.ok ? ok(withoutBodies(restoreRecord(source, parsed.value))) : parsed
}

/** Rebuilds a record from sealed storage. The value was validated when the record was created. */
export function restoreRecord(source: RecordSource, value: Json): LabeledRecord {
  return new LabeledRecord(source, createLabeled(value, provenanceUnder(source, [], source.spec)))
}

/** One field or subtree, with the label and taint of exactly that part. */
export function pick(record: LabeledRecord, path: Path): Result<Labeled<Json>> {
  const spec = specAt(record.source.spec, path)
  if (!spec.ok) return spec
  const value = valueAt(insideOf(record.all()), path)
  if (value === undefined) return err('reference_unresolved', { path: fieldName(path) })
  return ok(createLabeled(value, provenanceUnder(record.source, path, spec.value)))
}

/** Length of a declared list: planner-visible by kind (DESIGN §2). */
export function lengthAt(record: LabeledRecord, path: Path): Result<number> {
  const spec = specAt(record.source.spec, path)
  if (!spec.ok) return spec
  const value = valueAt(insideOf(record.all()), path)
  return Array.isArray(value) ? ok(value.length) : err('reference_unresolved', { path: fieldName(path) })
}

/** Facts about a handle that come from the owner's words or contacts. They reveal nothing of the outside string. */
export interface HandleFacts {
  readonly known?: string
  /** Number of the owner's words that occur in the string, up to a bound. */
  readonly rank?: number
  /** The string itself, if the owner typed it. */
  readonly says?: string
}

/**
 * The planner's projection: numbers, dates, booleans, enums and lengths by value; every other string as `{ref, kind, size}`
 * (C-06, C-07, DESIGN §2). `describe` may add facts that the owner already knows.
 */
export function metadata(
  record: LabeledRecord,
  name: string,
  describe: (value: string, kind: ScalarSpec['kind']) => HandleFacts = () => ({}),
): Metadata {
  return project(record.source.spec, insideOf(record.all()), name, describe)
}

/**
 * A projection that shows which fields the declaration has and nothing of the data: no value, length or count. For a record that
 * depends on what a model found in a text (DESIGN §10).
 */
export function fieldNames({ source }: LabeledRecord, name: string): Metadata {
  return namesUnder(source.spec, name)
}

function namesUnder(spec: FieldSpec, ref: string): Metadata {
  if (spec.kind === 'list') return { ref, kind: 'list' }
  if (spec.kind !== 'record') return { ref, kind: spec.kind }
  return Object.fromEntries(
    Object.entries(spec.fields).map(([key, field]) => [key, namesUnder(field, `${ref}.${key}`)]),
  )
}

/**
 * Label and taint of what `metadata` shows. Handles count too: the number of mails, the size of a text or that its sender is a
 * contact derive from the fields themselves. No string is shown, so nothing stays raw.
 */
export function metadataProvenance(record: LabeledRecord): Provenance {
  const { source } = record
  const shown = decayField(taintOf(source.taint, source.origin), source.origin)
  return { label: record.label, taint: joinTaints(source.inputs.taint, shown) }
}

type Guard = Pick<RecordSource, 'origin' | 'ceiling' | 'compartment' | 'reported'>

function provenanceUnder(source: RecordSource, path: Path, spec: FieldSpec): Provenance {
  const leaves = leavesOf(spec, fieldName(path))
  const atoms = leaves.map(([name, leaf]) => atomFor(source, name, leaf))
  // Public atoms are left out: they guard nothing, and would grow every label that is joined with this one.
  const guarding = atoms.filter((atom) => atom.level !== 'public' || atom.compartment !== null)
  const own: Provenance = { label: labelOf(guarding), taint: taintOfLeaves(source, leaves) }
  return joinProvenance(own, { label: source.inputs.label, taint: touch(source.inputs.taint, source.origin) })
}

function atomFor(source: Guard, field: string, leaf: ScalarSpec): Label['atoms'][number] {
  const kernelLevel = leaf.level ?? source.ceiling
  return {
    origin: source.origin,
    field,
    level: applyCeiling(kernelLevel, source.reported),
    compartment: leaf.compartment ?? source.compartment,
  }
}

/** Raw if any leaf is text, extracted if all are structured. There is no third case. */
function taintOfLeaves(source: RecordSource, leaves: ReturnType<typeof leavesOf>): Taint {
  const taint = taintOf(source.taint, source.origin)
  const isOwn = ({ kind, given }: ScalarSpec): boolean => isStructured(kind) || given === true
  const structured = leaves.some(([, leaf]) => isOwn(leaf))
  const text = leaves.some(([, leaf]) => !isOwn(leaf))
  return joinTaints(...(structured ? [decayField(taint, source.origin)] : []), ...(text ? [taint] : []))
}

function project(
  spec: FieldSpec,
  value: Json,
  ref: string,
  describe: (value: string, kind: ScalarSpec['kind']) => HandleFacts,
): Metadata {
  if (value === null) return null
  if (spec.kind === 'list') {
    const items = Array.isArray(value) ? value : []
    return {
      count: items.length,
      items: items.map((item, index) => project(spec.of, item, `${ref}[${index}]`, describe)),
    }
  }
  if (spec.kind === 'record') {
    const fields = value as { readonly [key: string]: Json }
    return Object.fromEntries(
      Object.entries(spec.fields)
        .filter(([key]) => Object.hasOwn(fields, key))
        .map(([key, field]) => [key, project(field, fields[key] ?? null, `${ref}.${key}`, describe)]),
    )
  }
  // Validated again: a record restored from storage may be older than a declaration that now says `enum`.
  if (isPlannerVisible(spec.kind) && parseFields(spec, value, 'drop').ok) return value as Metadata
  return handleFor(spec.kind, String(value), ref, describe)
}

function handleFor(
  kind: ScalarSpec['kind'],
  value: string,
  ref: string,
  describe: (value: string, kind: ScalarSpec['kind']) => HandleFacts,
): Metadata {
  const { known, rank, says } = describe(value, kind)
  return {
    ref,
    kind,
    size: sizeBucket(value.length),
    ...(known === undefined ? {} : { known }),
    ...(rank === undefined ? {} : { rank }),
    ...(says === undefined ? {} : { says }),
  }
}

function keepShort(spec: FieldSpec, value: Json): Json | undefined {
  if (spec.kind === 'list') {
    return (value as readonly Json[])
      .map((item) => keepShort(spec.of, item))
      .filter((item) => item !== undefined)
  }
  if (spec.kind === 'record') {
    const fields = value as { readonly [key: string]: Json }
    const kept = Object.entries(spec.fields).flatMap(([key, inner]) => {
      const field = Object.hasOwn(fields, key) ? fields[key] : undefined
      const short = field === undefined ? undefined : keepShort(inner, field)
      return short === undefined ? [] : [[key, short] as const]
    })
    return Object.fromEntries(kept)
  }
  return isBody(spec) ? undefined : value
}

function isBody(spec: FieldSpec): boolean {
  return spec.kind === 'text' && (spec.max === undefined || spec.max > LONGEST_STORED_TEXT)
}

function bodiesOptional(spec: FieldSpec): FieldSpec {
  if (spec.kind === 'list') return { ...spec, of: bodiesOptional(spec.of) }
  if (spec.kind !== 'record') return isBody(spec) ? { ...spec, optional: true } : spec
  const fields = Object.entries(spec.fields)
    .filter(([, field]) => !isApart(field))
    .map(([key, field]) => [key, bodiesOptional(field)] as const)
  return { ...spec, fields: Object.fromEntries(fields) }
}

function isApart(spec: FieldSpec | undefined): boolean {
  return spec?.kind === 'record' && spec.apart === true
}

/** Size classes instead of exact lengths, so that a sender cannot signal through a length. */
function sizeBucket(length: number): string {
  return length === 0 ? 'empty' : length <= 80 ? 'line' : length <= 2_000 ? 'page' : 'long'
}

/** Join of the labels of all declared fields: the most that a call may return, known before the call. */
export function declaredLabel(
  source: Pick<RecordSource, 'origin' | 'spec' | 'ceiling' | 'compartment'>,
): Label {
  return labelOf(leavesOf(source.spec).map(([name, leaf]) => atomFor(source, name, leaf)))
}
