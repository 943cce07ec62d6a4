/**
 * When a directive file comes into a prompt (O-14 – O-18): its mode, and what a mode that comes by itself looks at. Plans
 * and intents, and the owner's own words where they name the file; never the text of a message's subject, a result or a
 * stranger. Must not see any of these but as the facts below. Called by activation.ts and header.ts.
 */
import { isCovered } from '../tool/registry.ts'

export const MODES = Object.freeze(['always', 'auto_attached', 'agent_requested', 'manual'] as const)
export type Mode = (typeof MODES)[number]

/** What makes an `auto_attached` file come along. */
export interface Attachment {
  /** Tool ids, or `family.*`. */
  readonly tools: readonly string[]
  /** Intents of the message's deterministic extraction. */
  readonly intents: readonly string[]
  /** Any step that changes something outside. */
  readonly writes: boolean
}

/** What is about to happen, in the kernel's own words. */
export interface Occasion {
  /** Tools of the plan; empty before there is one. */
  readonly tools: readonly string[]
  /** Whether one of them changes something outside. */
  readonly writes: boolean
  readonly intent: string | null
}

export const NO_ATTACHMENT: Attachment = Object.freeze({ tools: [], intents: [], writes: false })

/** Refuses by null: the caller says so and takes `manual`, which loads nothing (O-18). */
export function parseMode(input: string): Mode | null {
  return MODES.find((mode) => mode === input) ?? null
}

/** Whether a file of this mode comes along. `named`: the owner's own words name it, which is enough for any mode. */
export function comesAlong(
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

/** Whether a planner may ask for it; a manual file waits for the owner to name it (O-17). */
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
