/**
 * Encodes the trained tables into their stored form (`integrations/extractors/learned/packed.ts`). Must not train. Called by
 * table.ts and parts.ts.
 */
import { DIGITS, GAP_BITS, type PackedWeights } from '../../integrations/extractors/learned/packed.ts'

/** Numbers words in the order of first use. */
export class Dictionary {
  readonly #numbers = new Map<string, number>()

  get words(): readonly string[] {
    return [...this.#numbers.keys()]
  }

  pack(words: readonly string[]): string {
    return words.map((word) => this.#digits(word)).join('')
  }

  #digits(word: string): string {
    const number = this.#numbers.get(word) ?? this.#numbers.size
    this.#numbers.set(word, number)
    if (number >= DIGITS.length ** 2)
      throw new Error('the trained table has more words than two digits can number')
    return `${DIGITS[Math.floor(number / DIGITS.length)]}${DIGITS[number % DIGITS.length]}`
  }
}

export function packWeights(weights: Int8Array): PackedWeights {
  const counts = new Map<number, number>()
  for (const weight of weights) if (weight !== 0) counts.set(weight, (counts.get(weight) ?? 0) + 1)
  const levels = [...counts.keys()].sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0) || a - b)
  const places = new Map(levels.map((level, at) => [level, at]))
  const bits: number[] = []
  const ones = (count: number): void => {
    for (let left = count; left > 0; left--) bits.push(1)
    bits.push(0)
  }
  let last = -1
  weights.forEach((weight, at) => {
    if (weight === 0) return
    const gap = at - last - 1
    ones(gap >> GAP_BITS)
    for (let bit = GAP_BITS - 1; bit >= 0; bit--) bits.push((gap >> bit) & 1)
    ones(places.get(weight) ?? 0)
    last = at
  })
  const bytes = Buffer.alloc(Math.ceil(bits.length / 8))
  bits.forEach((bit, at) => {
    bytes[at >> 3] = (bytes[at >> 3] ?? 0) | (bit << (7 - (at & 7)))
  })
  return { levels, bits: bytes.toString('base64'), count: [...counts.values()].reduce((a, b) => a + b, 0) }
}
