/**
 * The output guard on a whole text (DESIGN §3; C-24, C-25, N-32, E-18, F-03): only links that were read; no secrets, internal
 * names or prompt lines; true statements on identity and actions; no imitation of kernel questions. Pure; must not know labels.
 * Called for every answer (synthesize.ts) and reply (reply.ts); deliver.ts checks all outgoing text again.
 */
import { createGuardStream } from './stream.ts'
import type { GuardContext } from './unit.ts'

/** The text that may be sent; empty if nothing remains. */
export function guardAnswer(text: string, context: GuardContext): string {
  const stream = createGuardStream(context)
  return (stream.push(text) + stream.end()).trim()
}
