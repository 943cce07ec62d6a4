/** Long files take turns: each has one, those that are left out are the others, and each is a file that there is. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { LONG, resting, TURNS, turnOf } from '../../scripts/test/turns.ts'

const HASHES = Array.from(
  { length: TURNS },
  (_, at) => `${at.toString(16).padStart(8, '0')}${'a'.repeat(32)}`,
)

describe('long files', () => {
  it.each(LONG)('%s is there', (path) => {
    expect(existsSync(join(import.meta.dirname, '../..', path))).toBe(true)
  })

  it('has each in one turn', () => {
    const seen = HASHES.flatMap((hash) => LONG.filter((path) => !resting(hash).includes(path)))
    expect(seen.toSorted()).toEqual(LONG.toSorted())
  })

  it('is the same turn for the same commit', () => {
    expect(HASHES.map((hash) => turnOf(hash))).toEqual(HASHES.map((_, at) => at))
    expect(['0', 'no hash', ''].map((hash) => turnOf(hash))).toEqual([0, 0, 0])
  })

  it.each([undefined, ''])('leaves nothing out where none takes turns: %s', (turn) => {
    expect(resting(turn)).toEqual([])
  })
})
