/**
 * A word that is made of a secret and its name, shown where it was typed and asked for where it is accepted: so the owner
 * takes what he typed and not what somebody put in its place. Says nothing useful of the secret: scrypt makes guessing
 * dear, and forty bits leave many values. Must not be stored or sent. Called by `pfar secret` and by offer-desk.ts.
 */
import { scryptSync, timingSafeEqual } from 'node:crypto'

/** Bytes: who would have another value accepted needs 2^40 tries, each of scrypt's cost. */
const CHECK_BYTES = 5

/** Ten hex digits in two groups. */
export function checkWordOf(name: string, value: string): string {
  const hex = scryptSync(value, `pfar/secret-check/1/${name}`, CHECK_BYTES).toString('hex')
  return `${hex.slice(0, 5)}-${hex.slice(5)}`
}

/** However it was typed: with spaces, without the dash, in capitals. */
export function isCheckWord(
  given: string,
  { name, value }: { readonly name: string; readonly value: string },
): boolean {
  const plain = (word: string): Buffer => Buffer.from(word.toLowerCase().replaceAll(/[^0-9a-f]/g, ''))
  const [mine, theirs] = [plain(checkWordOf(name, value)), plain(given)]
  return mine.length === theirs.length && timingSafeEqual(mine, theirs)
}
