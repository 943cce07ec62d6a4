/**
 * What a UTF-16 unit is to a reader of words: no letter, a letter, or a letter of a script that puts no space between words. Pure; remembers
 * what it has seen. Called by lexicon.ts and stretches.ts.
 */

export const NO_LETTER = 1
export const LETTER = 2
export const UNSPACED = 3
export type Letter = typeof NO_LETTER | typeof LETTER | typeof UNSPACED

const LETTERS = /[\p{L}\p{M}\p{N}]/u
/** Thai and Lao, kana, Chinese characters. */
const WITHOUT_SPACES = /[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff]/

/** 0: not seen yet. */
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
