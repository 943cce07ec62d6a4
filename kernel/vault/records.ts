/**
 * Sealed values: from `Labeled` to bytes at rest and back (DESIGN §2, §6). The only place that serialises a labelled value; the
 * bytes go directly to a cipher. Called by the pipeline.
 */
import { canonicalJson, type Json } from '../flow/json.ts'
import { describeLabel, type Label } from '../flow/label.ts'
import { createLabeled, insideOf, type Labeled, type Provenance } from '../flow/labeled.ts'
import { isLevel } from '../flow/level.ts'
import { checkRelabel } from '../flow/policy.ts'
import { type LabeledRecord, type RecordSource, restoreRecord } from '../flow/record.ts'
import { TAINT_LEVELS, type Taint } from '../flow/taint.ts'
import { err, ok, type Result } from '../flow/verdict.ts'
import type { SealedRow } from '../powers/sealed-port.ts'
import type { SealedRef } from '../task/task.ts'
import type { BlindScope, SealAddress, Sealer } from './sealer.ts'
import { decodeText, encodeText } from './text.ts'

export interface SealRequest {
  readonly id: string
  readonly principal: string
  readonly store: 'sessions' | 'memory'
  /** Epoch milliseconds after which a temporary row is deleted (C-04); null: permanent. */
  readonly until: number | null
  /** For a record: no planner may see more of it than its field names (`task/unseen.ts`). */
  readonly unseen?: true
}

/** A reference for the task record, and the row for the store. */
export interface SealedValue {
  readonly ref: SealedRef
  readonly row: SealedRow
}

/** The data that a record's guard is rebuilt from. The declaration itself comes from the registry, never from storage. */
export type RecordShape = Pick<RecordSource, 'origin' | 'spec' | 'ceiling' | 'compartment' | 'taint'>

const FIRST_VERSION = 1

export function sealText(sealer: Sealer, request: SealRequest, text: Labeled<string>): Promise<SealedValue> {
  return seal(sealer, request, text, { what: 'text' })
}

export function sealRecord(
  sealer: Sealer,
  request: SealRequest,
  record: LabeledRecord,
  action: string,
): Promise<SealedValue> {
  const { inputs, reported } = record.source
  const { unseen } = request
  const raised = reported === undefined ? {} : { reported }
  const holds = { what: 'record', action, inputs, ...raised, ...(unseen && { unseen }) } as const
  return seal(sealer, request, record.all(), holds)
}

/** Opens a sealed text with the label it was sealed under. Refuses anything moved or altered. */
export async function openText(
  sealer: Sealer,
  ref: SealedRef,
  row: SealedRow | null,
): Promise<Result<Labeled<string>>> {
  const plain = await openRow(sealer, ref, row)
  if (!plain.ok) return plain
  return typeof plain.value === 'string'
    ? ok(createLabeled(plain.value, ref))
    : err('record_malformed', { record: ref.id })
}

/** Opens a record and labels it again, field by field, by the current declaration. */
export async function openRecord(
  sealer: Sealer,
  ref: SealedRef,
  row: SealedRow | null,
  shapeOf: (action: string) => Result<RecordShape>,
): Promise<Result<LabeledRecord>> {
  if (ref.holds.what !== 'record') return err('record_malformed', { record: ref.id })
  const shape = shapeOf(ref.holds.action)
  if (!shape.ok) return shape
  const plain = await openRow(sealer, ref, row)
  if (!plain.ok) return plain
  const { inputs, reported } = ref.holds
  const raised = isLevel(reported) ? { reported } : {}
  const record = restoreRecord({ ...shape.value, inputs, ...raised }, plain.value)
  // A declaration that became less strict must not lower stored data (invariant 2).
  const kept = checkRelabel(ref.label, record.label).allow && isAsDirty(record.taint, ref.taint)
  return kept ? ok(record) : err('record_stale', { record: ref.id })
}

/** True when `now` is at least as dirty as `then` was. */
function isAsDirty(now: Taint, then: Taint): boolean {
  return TAINT_LEVELS.indexOf(now.level) <= TAINT_LEVELS.indexOf(then.level)
}

/** The label in full, in a fixed order. Facts with equal labels share an index; facts with different labels never do. */
export function guardText(label: Label): string {
  return canonicalJson(atomsOf(label))
}

/** Hashes of the words that `wordsOf` finds in the value, under the key of one label. The words themselves are not stored. */
export function blindWords<T extends Json>(
  sealer: Pick<Sealer, 'blind'>,
  scope: BlindScope,
  value: Labeled<T>,
  wordsOf: (inside: T) => readonly string[],
): Promise<readonly number[]> {
  return sealer.blind(scope, wordsOf(insideOf(value)))
}

/** Query over stored facts: words, and a time span, which the rows contain in plain text (epoch ms; `to` is exclusive). */
export type StoredQuestion = Labeled<{
  readonly words: readonly string[]
  readonly span: StoredSpan | null
}>

/**
 * The query in the form that the store may see: its first `most` words hashed under the key of one
 * label, and its time in plain text. The caller joins the query's label and taint to whatever is found.
 */
export async function blindQuestion(
  sealer: Pick<Sealer, 'blind'>,
  scope: BlindScope,
  question: StoredQuestion,
  most: number,
): Promise<{ readonly words: readonly number[]; readonly span: StoredSpan | null }> {
  const { words, span } = insideOf(question)
  return { words: await sealer.blind(scope, words.slice(0, most)), span }
}

type StoredSpan = { readonly from: number; readonly to: number }

async function seal(
  sealer: Sealer,
  request: SealRequest,
  value: Labeled,
  holds: SealedRef['holds'],
): Promise<SealedValue> {
  const { id, principal, store, until } = request
  const provenance: Provenance = { label: value.label, taint: value.taint }
  const address = addressOf({
    id,
    principal,
    store,
    label: describeLabel(value.label),
    version: FIRST_VERSION,
  })
  const bytes = await sealer.seal(
    bound(address, { holds, ...provenance }),
    encodeText(JSON.stringify(insideOf(value))),
  )
  return {
    ref: { id, version: FIRST_VERSION, holds, ...provenance },
    row: { id, principal, store, version: FIRST_VERSION, label: address.label, bytes, until },
  }
}

async function openRow(sealer: Sealer, ref: SealedRef, row: SealedRow | null): Promise<Result<Json>> {
  if (row === null) return err('record_unreadable', { record: ref.id })
  if (row.id !== ref.id || row.version !== ref.version || row.label !== describeLabel(ref.label)) {
    return err('record_stale', { record: ref.id })
  }
  const opened = await sealer.open(bound(addressOf(row), ref), row.bytes)
  if (!opened.ok) return opened
  try {
    return ok(JSON.parse(decodeText(opened.value)) as Json)
  } catch {
    return err('record_malformed', { record: ref.id })
  }
}

/**
 * The additional data includes the whole guard: a reference whose label, taint or
 * inputs were changed, in a task row or anywhere else in plain text, does not open.
 */
function bound(
  address: SealAddress,
  { label, taint, holds }: Pick<SealedRef, 'label' | 'taint' | 'holds'>,
): SealAddress {
  return {
    ...address,
    label: `${address.label} ${JSON.stringify([guardOf({ label, taint }), holdsOf(holds)])}`,
  }
}

/** In a fixed order, because storage may return keys in another one. */
function guardOf({ label, taint }: Provenance): Json {
  return [atomsOf(label), taint.level, taint.origins, taint.touchedBy]
}

function atomsOf(label: Label): Json {
  return label.atoms.map(({ origin, field, level, compartment }) => [origin, field, level, compartment])
}

function holdsOf(holds: SealedRef['holds']): Json {
  return holds.what === 'text'
    ? ['text']
    : [
        ...['record', holds.action, guardOf(holds.inputs), holds.reported ?? null],
        ...(holds.unseen === true ? ['unseen'] : []),
      ]
}

function addressOf(row: Omit<SealedRow, 'bytes' | 'until'>): SealAddress {
  return {
    store: row.store,
    principal: row.principal,
    record: row.id,
    label: row.label,
    version: row.version,
  }
}
