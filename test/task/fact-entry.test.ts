/** What facts come to as one entry (B-19): which are about one thing, what wins, what is kept of the rest. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  EARLIER_MAX,
  ENTRY,
  entryText,
  type FactEntry,
  keyOf,
  MOST_EARLIER,
  mergeEntries,
  readEntry,
  writeEntry,
} from '../../kernel/task/fact-entry.ts'

const fact = (text: string, at = 1): FactEntry => readEntry({ id: 'f', text, at })

describe('two facts are about one thing', () => {
  it.each([
    ['my locker is 4417', 'My locker is 5512!', true],
    ['my locker is 4417', 'that my locker: 5512', true],
    ['I live in Madrid', 'I live in Lisbon.', true],
    ['Anna’s birthday is 3 May', "anna's birthday is 4 May", true],
    ['the bins go out on Tuesday', 'The bins go out on tuesday.', true],
    ['my locker is 4417', 'my safe is 4417', false],
    ['I like tea', 'I like coffee', false],
    ['Anna’s birthday is 3 May', 'Bert’s birthday is 3 May', false],
    ['the bins go out on Tuesday', 'the bins go out on Monday', false],
    ['subject my locker', 'my locker is 1', false],
  ])('%s / %s: %s', (one, other, same) => {
    expect(keyOf(fact(one)) === keyOf(fact(other))).toBe(same)
  })
})

describe('an entry', () => {
  it('has the newest words, their parts, and what they took the place of', () => {
    const entry = mergeEntries([
      fact('my locker is 4417', 10),
      fact('my locker is 5512', 30),
      fact('My locker is 4417.', 20),
    ])
    expect(entry).toEqual({
      ...{ subject: 'my locker', value: '5512', text: 'my locker is 5512', since: 10, at: 30, times: 3 },
      earlier: [{ text: 'My locker is 4417.', at: 20 }],
    })
    expect(entryText(entry)).toBe('my locker is 5512 (before: My locker is 4417.)')
    const again = mergeEntries([entry, fact('my locker is 7001', 40)])
    expect(again.earlier.map(({ text }) => text)).toEqual(['my locker is 5512', 'My locker is 4417.'])
    expect(again.times).toBe(4)
  })

  it('is bounded, and the oldest words go first', () => {
    const many = Array.from({ length: MOST_EARLIER + 5 }, (_, n) => fact(`my locker is ${n}`, n))
    const { earlier } = mergeEntries(many)
    expect(earlier).toHaveLength(MOST_EARLIER)
    expect(earlier.at(-1)?.text).toBe('my locker is 4')
  })

  it('never cuts words of a subject, as long ones have none', () => {
    expect(fact(`my plan is ${'x'.repeat(EARLIER_MAX)}`).subject).toBeNull()
  })

  it('is read from its row alone, whatever a fact says', () => {
    const entry = fact('my locker is 1')
    const text = writeEntry({ ...entry, times: 99 })
    expect(readEntry({ id: `${ENTRY}1`, text, at: 5 }).times).toBe(99)
    expect(readEntry({ id: 'f1', text, at: 5 })).toMatchObject({ times: 1, text })
    expect(readEntry({ id: `${ENTRY}1`, text: 'no entry', at: 5 })).toMatchObject({ text: 'no entry', at: 5 })
  })

  it('comes out the same in whatever steps it was made, but for words that went', () => {
    const facts = fc.array(
      fc.record({ n: fc.integer({ min: 0, max: 4 }), at: fc.integer({ min: 0, max: 999 }) }),
      { minLength: 2, maxLength: 8 },
    )
    fc.assert(
      fc.property(facts, fc.nat(), (list, cut) => {
        const unique = list.map(({ n, at }, index) => fact(`my locker is ${n}`, at * 10 + index))
        const [first, rest] = [
          unique.slice(0, 1 + (cut % unique.length)),
          unique.slice(1 + (cut % unique.length)),
        ]
        const { earlier: _a, ...steps } = mergeEntries([mergeEntries(first), ...rest])
        const { earlier: _b, ...once } = mergeEntries(unique)
        expect(steps).toEqual(once)
      }),
    )
  })
})
