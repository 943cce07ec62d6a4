/**
 * Words that confirm a change of a secret: one from its name and value, shown where it was typed and asked
 * for where it is accepted, so that no substituted value is accepted; one for a deletion (F-17), so that no
 * single careless or forged line deletes. Must not be stored or sent. Called by `pfar secret`,
 * offer-service.ts and secret-service.ts.
 */

import { createHmac, scryptSync, timingSafeEqual } from 'node:crypto'
import type { SecretInfo } from './secret.ts'

/** Bytes. An attacker needs 2^40 tries, each at scrypt's cost, to find another value with the same word. */
const CHECK_BYTES = 5

/** Ten hex digits in two groups. */
export function checkWordOf(name: string, value: string): string {
  const hex = scryptSync(value, `pfar/secret-check/1/${name}`, CHECK_BYTES).toString('hex')
  return `${hex.slice(0, 5)}-${hex.slice(5)}`
}

/** Accepts spaces, a missing dash, and capitals. */
export function isCheckWord(
  given: string,
  { name, value }: { readonly name: string; readonly value: string },
): boolean {
  const plain = (word: string): Buffer => Buffer.from(word.toLowerCase().replaceAll(/[^0-9a-f]/g, ''))
  const [mine, theirs] = [plain(checkWordOf(name, value)), plain(given)]
  return mine.length === theirs.length && timingSafeEqual(mine, theirs)
}

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
