/**
 * How much of the conversation a prompt takes along (B-18), as settings, with their bounds. Each place configures its own; read by
 * history.ts.
 */
export interface HistoryWindow {
  /** Earlier turns whose words a planner reads. */
  readonly plannerTurns: number
  /** Earlier turns of which a writer reads both sides. */
  readonly writerTurns: number
  /** Estimated tokens of all of them together, in either prompt. */
  readonly tokens: number
}

export const DEFAULT_WINDOW: HistoryWindow = Object.freeze({
  plannerTurns: 12,
  writerTurns: 20,
  tokens: 4_000,
})

/** Largest settings: each turn is opened for every message, and a local model's latency is its prompt's length. */
export const WINDOW_BOUNDS = Object.freeze({ turns: 50, tokens: 32_000 })
