/**
 * How much room the dynamic blocks have in a model's window (P-17), and which of them it holds. Called by finalize.ts, through
 * `Powers.tier`, and by weigh.ts.
 */
import { type Block, type Fitted, fitBlocks } from './blocks.ts'

export interface Window {
  /** Tokens that the model reads and writes together. */
  readonly window: number
  /** Everything before the cache break, and the last rules. */
  readonly static: number
  /** History, data blocks and the newest words. */
  readonly conversation: number
}

/** Tokens kept for an answer. */
export const RESERVE = 4_096
/** Share of a small window that the answer gets instead: half of 8k would leave no room for the question. */
const RESERVE_SHARE = 1 / 8
/** Tokens that the blocks get even where nothing is left: history is trimmed for them, not they for it. */
export const FLOOR = 2_000
const FLOOR_SHARE = 1 / 16

export function reserveOf(window: number): number {
  return Math.min(RESERVE, Math.floor(window * RESERVE_SHARE))
}

export function floorOf(window: number): number {
  return Math.min(FLOOR, Math.floor(window * FLOOR_SHARE))
}

/** Tokens; never below the floor of the window. */
export function dynamicBudget({ window, static: fixed, conversation }: Window): number {
  return Math.max(floorOf(window), window - fixed - conversation - reserveOf(window))
}

/**
 * The blocks as they fit into one model's window. `measure` is asked only where the least that there can be would not do:
 * counting a prompt costs more than these few lines.
 */
export function fitInto(
  blocks: readonly Block[],
  window: number,
  measure: () => Omit<Window, 'window'>,
): Fitted {
  const least = fitBlocks({ blocks, budget: floorOf(window) })
  const isWhole = least.dropped.length === 0 && least.blocks.every(({ truncated }) => !truncated)
  return isWhole ? least : fitBlocks({ blocks, budget: dynamicBudget({ window, ...measure() }) })
}

export type FitInto = typeof fitInto
