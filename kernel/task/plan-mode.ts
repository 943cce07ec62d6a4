/**
 * Whether the owner is shown a plan before it runs (P-19), as he said it, with the label and taint of the words in which he did. Fixed in a task when
 * that is taken in; each takes over what the one before had. It adds a question and takes none away: the site rule keeps it from
 * every verdict. Called by pipeline/plan-mode.ts.
 */
import type { Provenance } from '../flow/labeled.ts'

export interface PlanMode {
  readonly on: boolean
  readonly said: Provenance
}

/** The whole message, as a command or as its name in words. */
const SAID = /^(?:\/plan|plan mode) +(on|off)[.!]?$/i

/** Null for a message that is anything else. */
export function planModeSaid(text: string): PlanMode['on'] | null {
  const [, how] = SAID.exec(text.trim()) ?? []
  return how === undefined ? null : how.toLowerCase() === 'on'
}
