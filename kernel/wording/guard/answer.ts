/**
 * The output guard on a whole text (DESIGN §3; C-24, C-25, N-32, E-18, F-03): links only if they stood in what was read,
 * secrets, marker, internal names and lines of the prompt taken out, whose voice it is and what was done kept true, and
 * nothing that looks like the kernel's own question. Pure; must not know labels. Called for every answer (synthesize.ts)
 * and every reply (reply.ts); a place's own words need none of it, and deliver.ts looks at all that leaves once more.
 */
import { createGuardStream } from './stream.ts'
import type { GuardContext } from './unit.ts'

/** The text that may be sent; empty when nothing of it could stay. */
export function guardAnswer(text: string, context: GuardContext): string {
  const stream = createGuardStream(context)
  return (stream.push(text) + stream.end()).trim()
}
