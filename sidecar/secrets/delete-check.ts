/**
 * The word that the deletion of a secret is confirmed with (F-17): shown by the command that asks, wanted by the one that
 * deletes, so that one line, careless or forged, never does both. Made of this very version and of the time; home alone can
 * make it, and nothing of it is kept. Must not see a value. Called by secret-desk.ts.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { SecretInfo } from './secret.ts'

/** Milliseconds: a word is good for the rest of its window and the next, which is ten minutes at most. */
const WINDOW = 300_000
/** Hex digits: who cannot read the answer has nothing else to try, and each try is a command of its own. */
const DIGITS = 8

type Version = Pick<SecretInfo, 'name' | 'version'>

/** `3fa1-90bc`. `now` in epoch milliseconds. */
export function deleteCheckOf(key: Uint8Array, of: Version, now: number): string {
  return wordOf(key, of, Math.floor(now / WINDOW))
}

export function isDeleteCheck(
  key: Uint8Array,
  of: Version,
  { given, now }: { readonly given: string; readonly now: number },
): boolean {
  const window = Math.floor(now / WINDOW)
  // Both are compared, whichever fits.
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
