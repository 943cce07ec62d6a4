/**
 * Whether the owner wants to see a plan before it runs (P-19), with the label and taint of the words that asked. Fixed in a
 * task at intake; each task copies it from the one before. It only adds a question. Must not influence a verdict: the site rule
 * checks it. Called by pipeline/plan-mode.ts.
 */
import type { Provenance } from '../flow/labeled.ts'

export interface PlanMode {
  readonly on: boolean
  readonly said: Provenance
}

/** The whole message: the command, or its name in words. */
const SAID = /^(?:\/plan|plan mode) +(on|off)[.!]?$/i

/** Null for any other message. */
export function planModeSaid(text: string): PlanMode['on'] | null {
  const [, how] = SAID.exec(text.trim()) ?? []
  return how === undefined ? null : how.toLowerCase() === 'on'
}
