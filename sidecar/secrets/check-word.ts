/**
 * Check word derived from a secret's name and value, shown where the secret was typed and asked for where it is
 * accepted, so that the owner cannot accept a substituted value. Reveals nothing useful: scrypt makes guessing
 * expensive, and 40 bits match many values. Must not be stored or sent. Called by `pfar secret` and by offer-desk.ts.
 */
import { scryptSync, timingSafeEqual } from 'node:crypto'

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
