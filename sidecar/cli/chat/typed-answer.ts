/** Validates the result of an operation by its definition. Must not repair anything. Called by both links. */
import type { Result } from '../../../kernel/flow/verdict.ts'
import { err, ok } from '../../../kernel/flow/verdict.ts'
import type { TypedOperation } from '../../../kernel/operations/operation.ts'

/** Refusal: frame_malformed. */
export function typed<A, R>(operation: TypedOperation<A, R>, input: unknown): Result<R> {
  const read = operation.read(input)
  // The result was checked against the declaration that its type is derived from.
  return read.ok ? ok(read.value as R) : err('frame_malformed')
}
