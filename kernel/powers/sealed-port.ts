/**
 * The port to sealed rows: bytes that only the place's sealer opens, with what must be known of them to keep and to delete
 * them. A part of `Store`, on its connection and synchronous like it. Must not seal or open. Implemented by
 * integrations/store/sealed.ts.
 */

/** Sealed bytes at rest. `until` (epoch ms) bounds temporary raw content (C-04); null keeps it. */
export interface SealedRow {
  readonly id: string
  readonly principal: string
  readonly store: 'sessions' | 'memory'
  readonly version: number
  /** `describeLabel`; also in the additional data, so editing it here makes the row unreadable. */
  readonly label: string
  readonly bytes: Uint8Array
  readonly until: number | null
}

export interface SealedStore {
  putSealed(row: SealedRow): void
  getSealed(id: string): SealedRow | null
  deleteSealed(ids: readonly string[]): void
  /** Gives rows that would be kept for ever an end (epoch ms); a row that has one keeps it. */
  boundSealed(ids: readonly string[], until: number): void
  /** Keeps a row for ever that had an end. */
  unboundSealed(id: string): void
  /** Lets temporary rows live until then (epoch ms) if they would end before; others stay as they are. */
  keepSealed(ids: readonly string[], until: number): void
  /** Deletes temporary rows whose `until` has passed; returns how many. */
  expireSealed(now: number): number
  /** When the next temporary row expires (epoch ms); null when there is none. */
  nextExpiry(): number | null
}
