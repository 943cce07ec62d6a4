/**
 * Redacts text before storage: removes anything that looks like a key, and the secrets this place knows (L-17, D-05).
 * Called before a message, or a file that came with it, is sealed.
 */
import type { Redaction } from '../../powers/ports.ts'
import { type Pasted, withoutPasted } from '../../wording/guard/pasted.ts'

export function withoutKnown({ redact }: Redaction, text: string): Pasted {
  const unknown = redact(text)
  const { text: clean, found } = withoutPasted(unknown)
  return { text: clean, found: found || unknown !== text }
}
