/**
 * The output guard on a whole text (DESIGN §3; C-24, C-25, N-32, E-18, F-03): only links that were read; no secrets, marker,
 * internal names or prompt lines; true statements on identity and actions; nothing that looks like the kernel's own question.
 * Pure; must not know labels. Called for every answer (synthesize.ts) and every reply (reply.ts). A place's own texts do not
 * need it, and deliver.ts checks everything that leaves once more.
 */
import { createGuardStream } from './stream.ts'
import type { GuardContext } from './unit.ts'

/** The text that may be sent; empty if nothing remains. */
export function guardAnswer(text: string, context: GuardContext): string {
  const stream = createGuardStream(context)
  return (stream.push(text) + stream.end()).trim()
}
