/**
 * Seals and opens values of a task, through the place's store and sealer. Must not decide anything. Called by every step of the
 * pipeline that needs a stored value.
 */
import { Labeled } from '../flow/labeled.ts'
import { LabeledRecord } from '../flow/record.ts'
import { ok, type Result } from '../flow/verdict.ts'
import type { SealedRef } from '../task/task.ts'
import {
  openRecord,
  openText,
  type SealedValue,
  type SealRequest,
  sealRecord,
  sealText,
} from '../vault/records.ts'
import { shapeOf } from './effects.ts'
import type { Actions, Clock, Ids, Sealing } from './ports.ts'
import type { SealedStore } from './sealed-port.ts'
import type { StoreOf } from './stores.ts'

/** Maximum lifetime of raw outside content, milliseconds (C-04). */
export const RAW_LIFETIME = 3_600_000

interface Keeping {
  readonly principal: string
  readonly store: SealRequest['store']
  readonly until: number | null
  /** Stable id of a row that may be written twice, such as a delivery's. Default: a new id. */
  readonly id?: string
  readonly unseen?: true
}

/**
 * Cache of values that this process sealed or opened, by the reference object of a running task or a recent turn, so that the
 * next step need not open them again. A store returns the same object only while the reference's text is unchanged. Whether the
 * row itself is intact is checked again after a restart.
 */
const held = new WeakMap<SealedRef, Held>()

interface Held {
  readonly value: Labeled<string> | LabeledRecord
  /** Expires with the row, and no later (C-04). */
  readonly until: number | null
}

/** The ports that sealing needs. */
export type SealedKeeping = Ids & Sealing & StoreOf<SealedStore>

/** The ports that opening a task's value needs. */
export type SealedReading = Clock & Sealing & StoreOf<SealedStore>

function heldOf({ now }: Clock, ref: SealedRef): Held['value'] | undefined {
  const known = held.get(ref)
  return known === undefined || (known.until !== null && known.until <= now()) ? undefined : known.value
}

export async function keepText(
  powers: SealedKeeping,
  keeping: Keeping,
  text: Labeled<string>,
): Promise<SealedRef> {
  const id = keeping.id ?? powers.newId()
  return stored(powers, await sealText(powers.sealer, { ...keeping, id }, text), text)
}

export async function keepRecord(
  powers: SealedKeeping,
  keeping: Keeping & { readonly action: string },
  record: LabeledRecord,
): Promise<SealedRef> {
  const { action, ...rest } = keeping
  const id = rest.id ?? powers.newId()
  return stored(powers, await sealRecord(powers.sealer, { ...rest, id }, record, action), record)
}

/** Seals a text whose row is written later: call `put` in a transaction. Sealing is asynchronous and cannot run inside one. */
export async function sealForLater(
  powers: SealedKeeping,
  keeping: Keeping,
  text: Labeled<string>,
): Promise<{ readonly ref: SealedRef; readonly put: () => void }> {
  const id = keeping.id ?? powers.newId()
  const value = await sealText(powers.sealer, { ...keeping, id }, text)
  return { ref: value.ref, put: () => void stored(powers, value, text) }
}

export async function openTextOf(powers: SealedReading, ref: SealedRef): Promise<Result<Labeled<string>>> {
  const known = heldOf(powers, ref)
  if (known instanceof Labeled) return ok(known)
  const row = powers.store.getSealed(ref.id)
  const opened = await openText(powers.sealer, ref, row)
  if (opened.ok) held.set(ref, { value: opened.value, until: row?.until ?? null })
  return opened
}

export async function openRecordOf(
  powers: SealedReading & Actions,
  ref: SealedRef,
): Promise<Result<LabeledRecord>> {
  const known = heldOf(powers, ref)
  if (known instanceof LabeledRecord) return ok(known)
  const row = powers.store.getSealed(ref.id)
  const opened = await openRecord(powers.sealer, ref, row, (action) => shapeOf(powers.registry, action))
  if (opened.ok) held.set(ref, { value: opened.value, until: row?.until ?? null })
  return opened
}

function stored(
  powers: StoreOf<SealedStore>,
  { ref, row }: SealedValue,
  value: Labeled<string> | LabeledRecord,
): SealedRef {
  powers.store.putSealed(row)
  held.set(ref, { value, until: row.until })
  return ref
}

/** The opened value: a text, or the whole of a record. */
export async function contentOf(powers: SealedReading & Actions, ref: SealedRef): Promise<Result<Labeled>> {
  if (ref.holds.what !== 'record') return openTextOf(powers, ref)
  const record = await openRecordOf(powers, ref)
  return record.ok ? ok(record.value.whole()) : record
}
