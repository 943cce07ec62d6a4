/**
 * How much room the dynamic blocks have in a model's window (P-17), and where the tokens of a prompt went (P-18, the
 * owner's `/context`). Numbers only, no text. Called by finalize.ts and by who answers `/context`.
 */
import type { Fitted } from './blocks.ts'

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

export interface ContextLine {
  /** `document`, `history`, `block:memory` … */
  readonly name: string
  readonly tokens: number
  readonly truncated: boolean
}

export interface ContextReport {
  readonly window: number
  /** Every part of the prompt; their sum is `used`. */
  readonly lines: readonly ContextLine[]
  readonly used: number
  readonly reserve: number
  /** `window − used − reserve`; negative where history will be trimmed. */
  readonly free: number
  /** What the provider reported for the last prompt; null before the first. */
  readonly reported: number | null
  /** Blocks that found no room. */
  readonly dropped: readonly string[]
}

export interface ContextInput {
  readonly window: number
  /** Parts before the cache break and the last rules, by name. */
  readonly static: Readonly<Record<string, number>>
  readonly conversation: Readonly<Record<string, number>>
  readonly fitted: Fitted
  readonly reported: number | null
}

export function contextReport(input: ContextInput): ContextReport {
  const { window, fitted, reported } = input
  const lines: readonly ContextLine[] = [
    ...linesOf(input.static),
    ...fitted.blocks.map(({ name, tokens, truncated }) => ({ name: `block:${name}`, tokens, truncated })),
    ...linesOf(input.conversation),
  ]
  const used = lines.reduce((sum, { tokens }) => sum + tokens, 0)
  const reserve = reserveOf(window)
  return { window, lines, used, reserve, free: window - used - reserve, reported, dropped: fitted.dropped }
}

function linesOf(parts: Readonly<Record<string, number>>): readonly ContextLine[] {
  return Object.entries(parts).map(([name, tokens]) => ({ name, tokens, truncated: false }))
}
