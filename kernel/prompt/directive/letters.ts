/**
 * Classes of UTF-16 units for reading words: no letter, a letter, or a letter of a script without
 * spaces between words. Pure; caches the class of each unit. Called by lexicon.ts and stretches.ts.
 */

export const NO_LETTER = 1
export const LETTER = 2
export const UNSPACED = 3
export type Letter = typeof NO_LETTER | typeof LETTER | typeof UNSPACED

const LETTERS = /[\p{L}\p{M}\p{N}]/u
/** Thai and Lao, kana, Chinese characters. */
const WITHOUT_SPACES = /[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff]/

/** Class of each unit; 0 if not computed yet. */
const seen = new Uint8Array(65_536)

export function letterOf(unit: number): Letter {
  if (Number.isNaN(unit)) return NO_LETTER
  const known = seen[unit]
  if (known === NO_LETTER || known === LETTER || known === UNSPACED) return known
  const character = String.fromCharCode(unit)
  const found = !LETTERS.test(character) ? NO_LETTER : WITHOUT_SPACES.test(character) ? UNSPACED : LETTER
  seen[unit] = found
  return found
}
