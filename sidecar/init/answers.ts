/** Parses answers to the questions of `pfar init`. Pure: text in, a validated value or null out. Must not guess. Called by the steps. */
import * as z from 'zod/mini'
import { withoutPasted } from '../../kernel/wording/guard/pasted.ts'
import { PERSONA_NAME, PERSONA_STYLE } from '../persona.ts'

export interface Assistant {
  readonly name: string
  readonly style: string | null
}

/**
 * `Ada`, or `Ada: dry and short`. Null without a name, for a style that is too long, and for text that contains a key
 * or a token.
 */
export function assistantIn(answer: string): Assistant | null {
  const [, said = '', manner = ''] = /^([^:]*)(?::(.*))?$/.exec(answer) ?? []
  const name = z.safeParse(PERSONA_NAME, said.trim())
  const style = manner.trim() === '' ? null : z.safeParse(PERSONA_STYLE, manner.trim())
  if (!name.success || style?.success === false || withoutPasted(answer).found) return null
  return { name: name.data, style: style?.data ?? null }
}

/** In canonical spelling: `europe/berlin` becomes `Europe/Berlin`. */
export function zoneIn(answer: string): string | null {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: answer }).resolvedOptions().timeZone
  } catch {
    return null
  }
}

/** Null for anything but yes or no; `later` means no. */
export function yesIn(answer: string): boolean | null {
  if (/^(?:y|yes)$/i.test(answer)) return true
  return /^(?:n|no|later)$/i.test(answer) ? false : null
}
