/**
 * The cipher port of sealed storage: bytes in, bytes out, bound to an address (DESIGN §6). The address is additional data, so a
 * record that was moved, relabelled or rolled back does not open.
 */
import { canonicalJson } from '../flow/json.ts'
import type { Result } from '../flow/verdict.ts'

export interface SealAddress {
  readonly store: 'sessions' | 'memory' | 'secrets'
  readonly principal: string
  readonly record: string
  /** `describeLabel` of the value. */
  readonly label: string
  readonly version: number
}

/** Scope of word hashes: the principal, and the label of the facts that contain the words. Two scopes never share a hash. */
export interface BlindScope {
  readonly principal: string
  /** The label in full, as `guardText` writes it. */
  readonly guard: string
}

/** Refusals of `open`: record_unreadable; at home also record_stale and principal_forgotten (key-ring.ts). */
export interface Sealer {
  seal(address: SealAddress, plaintext: Uint8Array): Promise<Uint8Array>
  open(address: SealAddress, sealed: Uint8Array): Promise<Result<Uint8Array>>
  /**
   * Keyed hashes of words, in the given order, for an index that does not reveal its words. The key derives
   * from the principal's data key of the memory store; destroying that key makes the index useless.
   */
  blind(scope: BlindScope, words: readonly string[]): Promise<readonly number[]>
}

/** Purpose of the key of an index, bound to its scope. */
export function blindPurpose({ principal, guard }: BlindScope): string {
  return canonicalJson(['pfar', 'memory-words', 1, principal, guard])
}

/**
 * The first 48 bits of a keyed hash, as an integer that every platform's SQLite and JSON represent
 * exactly. If two words collide, one row is opened in vain: results are compared with the query again.
 */
export function blindNumber(digest: Uint8Array): number {
  return digest.subarray(0, BLIND_BYTES).reduce((sum, byte) => sum * 256 + byte, 0)
}

const BLIND_BYTES = 6
