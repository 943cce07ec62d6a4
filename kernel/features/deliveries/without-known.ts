/**
 * A text as it may be kept: without what looks like a key, and without the secrets that this place knows (L-17, D-05). Called
 * before anything of a message, or of a file that came with it, is sealed.
 */
import type { Redaction } from '../../powers/ports.ts'
import { type Pasted, withoutPasted } from '../../wording/guard/pasted.ts'

export function withoutKnown({ redact }: Redaction, text: string): Pasted {
  const unknown = redact(text)
  const { text: clean, found } = withoutPasted(unknown)
  return { text: clean, found: found || unknown !== text }
}
