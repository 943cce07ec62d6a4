/** The form in which the trained table is kept: what is written is what is read. */
import { describe, expect, it } from 'vitest'
import { unpackWeights, unpackWords } from '../../integrations/extractors/learned/packed.ts'
import { Dictionary, packWeights } from '../../scripts/train/pack.ts'

describe('weights', () => {
  it.each([
    ['none', []],
    ['at both ends', [-3, 0, 0, 0, 2]],
    ['far apart', [1, ...new Array<number>(5_000).fill(0), -20, 0]],
    ['side by side', [1, 2, 3, -1, -2, -3, 1, 1]],
  ])('come back as they were: %s', (_, weights) => {
    const packed = packWeights(Int8Array.from(weights))
    expect([...unpackWeights(packed, weights.length)]).toEqual(weights)
  })
})

describe('words', () => {
  it('come back in their order, each known once', () => {
    const dictionary = new Dictionary()
    const rows = [['mail', 'new', '{when}'], ['new'], [], Array.from({ length: 200 }, (_, at) => `word${at}`)]
    const packed = rows.map((row) => dictionary.pack(row))
    expect(packed.map((one) => unpackWords(dictionary.words, one))).toEqual(rows)
    expect(new Set(dictionary.words).size).toBe(dictionary.words.length)
  })
})
