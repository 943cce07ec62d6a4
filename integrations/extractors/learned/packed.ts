/**
 * Decodes the stored form of the trained tables: words as numbers, and only non-zero weights. `scripts/train/pack.ts` encodes
 * it. Must not know what the numbers mean. Called by table.ts and parts.ts.
 */

/** Digits of the number encoding, in base 64; two digits are one number. */
export const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-'
const PLACES = new Map([...DIGITS].map((digit, at) => [digit, at]))
/** Number of low bits of a gap that are written as they are (Rice coding). */
export const GAP_BITS = 5

export interface PackedWeights {
  /** Values of the weights, the most frequent first. */
  readonly levels: readonly number[]
  /** Base64 of a bit string: for each weight the Rice-coded number of zeros before it, then its index in `levels` in unary. */
  readonly bits: string
  readonly count: number
}

/** Decodes a string of two-digit numbers to words of the dictionary. */
export function unpackWords(dictionary: readonly string[], packed: string): readonly string[] {
  return Array.from({ length: packed.length / 2 }, (_, at) => {
    const [high, low] = [PLACES.get(packed[2 * at] ?? '') ?? 0, PLACES.get(packed[2 * at + 1] ?? '') ?? 0]
    return dictionary[high * DIGITS.length + low] ?? ''
  })
}

/** Decodes `size` weights, most of them 0. */
export function unpackWeights({ levels, bits, count }: PackedWeights, size: number): Int8Array {
  const weights = new Int8Array(size)
  const bytes = atob(bits)
  let bit = 0
  const next = (): number => (bytes.charCodeAt(bit >> 3) >> (7 - (bit++ & 7))) & 1
  const ones = (): number => {
    let found = 0
    while (next() === 1) found += 1
    return found
  }
  for (let left = count, at = -1; left > 0; left--) {
    let gap = ones()
    for (let more = 0; more < GAP_BITS; more++) gap = gap * 2 + next()
    at += gap + 1
    weights[at] = levels[ones()] ?? 0
  }
  return weights
}
