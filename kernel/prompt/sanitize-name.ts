/**
 * Makes names that others chose (servers, tools, chats, senders, files) safe for a prompt or the system document (M-10, N-24).
 * Letters of any script become ASCII where possible; a name with a directive is replaced. Must not be used as an address: two
 * names may give the same result. Pure; called by the builders of the system document.
 */
import { CONFUSABLES } from './confusables.ts'
import { REMOVED_NOTICE, sanitize } from './sanitize.ts'

/** Maximum UTF-16 units: too short for an instruction. */
export const MAX_NAME = 40
/** Maximum UTF-16 units of a name that are examined. */
const LOOK = 400

/** Result matches `[A-Za-z0-9 _.-]{1,40}`. `fallback` is the kernel's own word, such as `unnamed`. */
export function sanitizeName(raw: string, fallback: string): string {
  const { text } = sanitize(raw.slice(0, LOOK), { boundary: '', maxChars: LOOK })
  if (text.includes(REMOVED_NOTICE)) return fallback
  const plain = Array.from(text.normalize('NFKD'), (character) => CONFUSABLES.get(character) ?? character)
    .join('')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9 _.-]+/g, ' ')
    .replace(/ {2,}/g, ' ')
    .slice(0, MAX_NAME)
    .trim()
  return /[A-Za-z0-9]/.test(plain) ? plain : fallback
}
