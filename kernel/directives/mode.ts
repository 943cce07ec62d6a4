/**
 * Decides when a directive file is loaded into a prompt (O-14 – O-18): by its mode, the plan, the intent, or
 * the owner naming the file. Must not look at a message's text, a result or outside words; it gets only the
 * facts below. Called by change.ts and by the directive files of a call (features/directives/directives.ts).
 */
import { isCovered } from '../tool/registry.ts'

export const MODES = Object.freeze(['always', 'auto_attached', 'agent_requested', 'manual'] as const)
export type Mode = (typeof MODES)[number]

/** Conditions under which an `auto_attached` file is loaded. */
export interface Attachment {
  /** Tool ids, or `family.*`. */
  readonly tools: readonly string[]
  /** Intents from deterministic extraction. */
  readonly intents: readonly string[]
  /** True: any step that writes. */
  readonly writes: boolean
}

/** The current situation, as the kernel knows it. */
export interface Occasion {
  /** Tools of the plan; empty before there is a plan. */
  readonly tools: readonly string[]
  /** Whether one of them writes. */
  readonly writes: boolean
  readonly intent: string | null
}

export const NO_ATTACHMENT: Attachment = Object.freeze({ tools: [], intents: [], writes: false })

/** Null for an unknown mode. The caller warns and uses `manual`, which loads nothing (O-18). */
export function parseMode(input: string): Mode | null {
  return MODES.find((mode) => mode === input) ?? null
}

/** Whether a file of this mode is loaded. `named`: the owner named it, which is enough in any mode. */
export function isLoaded(
  mode: Mode,
  attach: Attachment,
  { occasion, named }: { readonly occasion: Occasion; readonly named: boolean },
): boolean {
  switch (mode) {
    case 'always':
      return true
    case 'auto_attached':
      return named || fits(attach, occasion)
    case 'agent_requested':
    case 'manual':
      return named
  }
}

/** Whether a planner may request it. A manual file must be named by the owner (O-17). */
export function mayBeRequested(mode: Mode, named: boolean): boolean {
  return mode !== 'manual' || named
}

function fits({ tools, intents, writes }: Attachment, occasion: Occasion): boolean {
  return (
    (writes && occasion.writes) ||
    (occasion.intent !== null && intents.includes(occasion.intent)) ||
    tools.some((pattern) => occasion.tools.some((tool) => isCovered(pattern, tool)))
  )
}
