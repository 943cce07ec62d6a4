/** What a place gave back for an operation, as its definition says. Must not repair anything. Called by both links. */
import type { Result } from '../../kernel/flow/verdict.ts'
import { err, ok } from '../../kernel/flow/verdict.ts'
import type { TypedOperation } from '../../kernel/operations/operation.ts'

/** Refusal: frame_malformed. */
export function typed<A, R>(operation: TypedOperation<A, R>, input: unknown): Result<R> {
  const read = operation.read(input)
  // The declaration that it was checked against is the one that the type is made of.
  return read.ok ? ok(read.value as R) : err('frame_malformed')
}
