/**
 * The room for dynamic blocks in a model's window (P-17), and the blocks that fit. Called by finalize.ts, through
 * `Powers.tier`, and by weigh.ts.
 */
import { type Block, type Fitted, fitBlocks } from './blocks.ts'

export interface Window {
  /** Tokens of prompt and answer together. */
  readonly window: number
  /** Tokens of everything before the cache break, and of the last rules. */
  readonly static: number
  /** Tokens of history, data blocks and the newest words. */
  readonly conversation: number
}

/** Tokens reserved for the answer. */
export const RESERVE = 4_096
/** Share of a small window that is reserved instead: half of 8k would leave no room for the question. */
const RESERVE_SHARE = 1 / 8
/** Minimum tokens for the blocks, even if nothing is left: history is trimmed to make room. */
export const FLOOR = 2_000
const FLOOR_SHARE = 1 / 16

export function reserveOf(window: number): number {
  return Math.min(RESERVE, Math.floor(window * RESERVE_SHARE))
}

export function floorOf(window: number): number {
  return Math.min(FLOOR, Math.floor(window * FLOOR_SHARE))
}

/** Tokens; never below the window's minimum. */
export function dynamicBudget({ window, static: fixed, conversation }: Window): number {
  return Math.max(floorOf(window), window - fixed - conversation - reserveOf(window))
}

/**
 * The blocks that fit one model's window. `measure` runs only if the minimum might not be enough, because counting a prompt
 * costs more than these few lines.
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
