/**
 * What happens at the edge to work that needs home while home is offline (T-07). Each action declares its policy, with a
 * reason. Types and limits only; must not know whether home is offline. Called by manifests and by powers/effects.ts.
 */

/**
 * `queue`: waits for home, at most `ttl` milliseconds after the message; the owner may choose otherwise. `degrade`: the edge
 * does it with its own data and never waits for home. `refuse`: refused at once.
 */
export type OfflinePolicy =
  | { readonly do: 'refuse' }
  | { readonly do: 'queue'; readonly ttl: number }
  | { readonly do: 'degrade' }

export interface OfflineRow {
  readonly policy: OfflinePolicy
  readonly why: string
}

export const REFUSE: OfflinePolicy = Object.freeze({ do: 'refuse' })
export const DEGRADE: OfflinePolicy = Object.freeze({ do: 'degrade' })

/** Milliseconds. Long enough for a computer to restart or wake; later a person has checked it. */
export const A_WHILE = 30 * 60_000
