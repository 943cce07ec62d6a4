/**
 * What becomes of a piece of work at the edge that needs home while home is away (T-07): each action's declaration says it, with its reason.
 * Types and bounds only; must not know whether home is away. Called by manifests and by powers/effects.ts.
 */

/**
 * `queue`: it waits for home, at most `ttl` milliseconds from the message on, and the owner may choose otherwise.
 * `degrade`: the edge does it itself, with what it holds; home is never waited for. `refuse`: told at once.
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

/** Milliseconds. A box that restarts or wakes is back within it; later a person has looked for themselves. */
export const A_WHILE = 30 * 60_000
