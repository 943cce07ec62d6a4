/**
 * Reads one field of a record by its path. Distinguishes a row beyond the end of a list ("the first of what
 * was found" when nothing was found) from a missing field. Must not name a value. Called by
 * call/resolve.ts.
 */
import { fieldName } from '../../flow/field.ts'
import type { Json, Path } from '../../flow/json.ts'
import type { Labeled } from '../../flow/labeled.ts'
import { type LabeledRecord, lengthAt, pick } from '../../flow/record.ts'
import { err, type Result } from '../../flow/verdict.ts'

/** Refusals: nothing_found for a row after the last of its list; those of `pick`. */
export function pickRow(record: LabeledRecord, path: Path): Result<Labeled<Json>> {
  const value = pick(record, path)
  if (value.ok || !isUnresolved(value.reason.code)) return value
  const past = path.findIndex(
    (part, at) => typeof part === 'number' && isPast(record, path.slice(0, at), part),
  )
  return past === -1 ? value : err('nothing_found', { field: fieldName(path.slice(0, past)) })
}

/** Failures after which an optional argument may be omitted. */
export function isAbsent(code: string): boolean {
  return isUnresolved(code) || code === 'nothing_found'
}

function isUnresolved(code: string): boolean {
  return code === 'reference_unresolved'
}

function isPast(record: LabeledRecord, list: Path, row: number): boolean {
  const length = lengthAt(record, list)
  return length.ok && row >= length.value
}
