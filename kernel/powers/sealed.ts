/**
 * Sealed values of a task: keep and open, through the place's store and cipher. Must not decide anything.
 * Called by every step of the pipeline that needs a value again.
 */
import type { Labeled } from '../flow/labeled.ts'
import type { LabeledRecord } from '../flow/record.ts'
import type { Result } from '../flow/verdict.ts'
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
import type { Powers } from './ports.ts'

/** Raw content of a stranger lives no longer than this, milliseconds (C-04). */
export const RAW_LIFETIME = 3_600_000

export interface Keeping {
  readonly principal: string
  readonly store: SealRequest['store']
  readonly until: number | null
  /** Stable id of a row that may be written twice, such as a delivery's; otherwise a new one. */
  readonly id?: string
}

export async function keepText(powers: Powers, keeping: Keeping, text: Labeled<string>): Promise<SealedRef> {
  return stored(powers, await sealText(powers.sealer, { ...keeping, id: keeping.id ?? powers.newId() }, text))
}

export async function keepRecord(
  powers: Powers,
  keeping: Keeping & { readonly action: string },
  record: LabeledRecord,
): Promise<SealedRef> {
  const { action, ...rest } = keeping
  return stored(
    powers,
    await sealRecord(powers.sealer, { ...rest, id: rest.id ?? powers.newId() }, record, action),
  )
}

export function openTextOf(powers: Powers, ref: SealedRef): Promise<Result<Labeled<string>>> {
  return openText(powers.sealer, ref, powers.store.getSealed(ref.id))
}

export function openRecordOf(powers: Powers, ref: SealedRef): Promise<Result<LabeledRecord>> {
  const row = powers.store.getSealed(ref.id)
  return openRecord(powers.sealer, ref, row, (action) => shapeOf(powers.registry, action))
}

function stored(powers: Powers, { ref, row }: SealedValue): SealedRef {
  powers.store.putSealed(row)
  return ref
}
