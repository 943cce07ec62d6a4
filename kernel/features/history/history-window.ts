/**
 * Settings with bounds: how much of the conversation a prompt includes (B-18). Configured at each place; read by
 * history.ts.
 */
export interface HistoryWindow {
  /** Earlier turns whose request text a planner reads. */
  readonly plannerTurns: number
  /** Earlier turns of which a writer reads request and answer. */
  readonly writerTurns: number
  /** Estimated tokens of all of them together, in either prompt. */
  readonly tokens: number
}

export const DEFAULT_WINDOW: HistoryWindow = Object.freeze({
  plannerTurns: 12,
  writerTurns: 20,
  tokens: 4_000,
})

/** Largest settings: each turn is opened for every message, and a local model's latency grows with the prompt. */
export const WINDOW_BOUNDS = Object.freeze({ turns: 50, tokens: 32_000 })
