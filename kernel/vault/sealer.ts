/**
 * The cipher port of sealed storage: bytes in, bytes out, bound to an address (DESIGN §6). The address is additional data, so a
 * record that was moved, relabelled or rolled back does not open.
 */
import type { Result } from '../flow/verdict.ts'

export interface SealAddress {
  readonly store: 'sessions' | 'memory' | 'secrets'
  readonly principal: string
  readonly record: string
  /** `describeLabel` of the value. */
  readonly label: string
  readonly version: number
}

/** Refusals of `open`: record_unreadable; at home also record_stale and principal_forgotten (key-ring.ts). */
export interface Sealer {
  seal(address: SealAddress, plaintext: Uint8Array): Promise<Uint8Array>
  open(address: SealAddress, sealed: Uint8Array): Promise<Result<Uint8Array>>
}
