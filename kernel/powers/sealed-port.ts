/**
 * The port to sealed rows: bytes that only the place's sealer can open, with the metadata for storing and deleting them. Part
 * of `Store`, on its connection and synchronous. Must not seal or open. Implemented by integrations/store/sealed.ts.
 */

/** Sealed bytes at rest. `until` (epoch ms) is the deletion time of temporary raw content (C-04); null: permanent. */
export interface SealedRow {
  readonly id: string
  readonly principal: string
  readonly store: 'sessions' | 'memory'
  readonly version: number
  /** `describeLabel` of the value. Also part of the additional data, so changing it here makes the row unreadable. */
  readonly label: string
  readonly bytes: Uint8Array
  readonly until: number | null
}

export interface SealedStore {
  putSealed(row: SealedRow): void
  getSealed(id: string): SealedRow | null
  deleteSealed(ids: readonly string[]): void
  /** Gives permanent rows a deletion time (epoch ms); a row that has one keeps its own. */
  boundSealed(ids: readonly string[], until: number): void
  /** Makes a temporary row permanent. */
  unboundSealed(id: string): void
  /** Extends temporary rows that would expire before `until` (epoch ms); other rows stay unchanged. */
  keepSealed(ids: readonly string[], until: number): void
  /** Deletes temporary rows whose `until` has passed; returns their number. */
  expireSealed(now: number): number
  /** Next expiry of a temporary row (epoch ms); null when there is none. */
  nextExpiry(): number | null
}
