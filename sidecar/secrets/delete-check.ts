/**
 * Confirmation word for deleting a secret (F-17): one command shows it and another requires it, so that no single
 * careless or forged line deletes. Derived from the version and the time with home's key, and not stored. Must not see
 * a value. Called by secret-desk.ts.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { SecretInfo } from './secret.ts'

/** Milliseconds. A word is valid in its window and the next: ten minutes at most. */
const WINDOW = 300_000
/** Hex digits. Whoever cannot read the word can only guess, with one command per guess. */
const DIGITS = 8

type Version = Pick<SecretInfo, 'name' | 'version'>

/** Such as `3fa1-90bc`. `now`: epoch milliseconds. */
export function deleteCheckOf(key: Uint8Array, of: Version, now: number): string {
  return wordOf(key, of, Math.floor(now / WINDOW))
}

export function isDeleteCheck(
  key: Uint8Array,
  of: Version,
  { given, now }: { readonly given: string; readonly now: number },
): boolean {
  const window = Math.floor(now / WINDOW)
  // Compares both without short-circuit, in constant time.
  return [window, window - 1].map((at) => isSame(wordOf(key, of, at), given)).includes(true)
}

function wordOf(key: Uint8Array, { name, version }: Version, window: number): string {
  const text = JSON.stringify(['pfar/secret-delete/1', name, version, window])
  const hex = createHmac('sha256', key).update(text).digest('hex').slice(0, DIGITS)
  return `${hex.slice(0, 4)}-${hex.slice(4)}`
}

function isSame(word: string, given: string): boolean {
  const [mine, theirs] = [Buffer.from(word), Buffer.from(given.trim().toLowerCase())]
  return mine.length === theirs.length && timingSafeEqual(mine, theirs)
}
