/**
 * Names that strangers chose, for a prompt or the system document: servers, tools, chats, senders, files (M-10, N-24).
 * Letters of any language become plain ones where they can; a name that speaks to the assistant is none. Must not be used
 * to address anything: two names may come out alike. Pure; called by the builders of the system document.
 */
import { CONFUSABLES } from './confusables.ts'
import { REMOVED_NOTICE, sanitize } from './sanitize.ts'

/** UTF-16 units: no room for an instruction. */
export const MAX_NAME = 40
/** As much of a name as is looked at. */
const LOOK = 400

/** Matches `[A-Za-z0-9 _.-]{1,40}`. `fallback` is the kernel's own word, such as `unnamed`. */
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
