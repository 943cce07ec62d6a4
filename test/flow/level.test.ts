/** The order of the five levels, and the two parsers that let a level or a compartment in. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  compareLevels,
  isLevel,
  LEVELS,
  type Level,
  maxLevel,
  parseCompartment,
  parseLevel,
  rankOf,
} from '../../kernel/flow/level.ts'
import { level } from './arbitraries.ts'
import { codeOf } from './fixtures.ts'

describe('levels', () => {
  it('are five, in this order, and frozen', () => {
    expect(LEVELS).toEqual(['public', 'internal', 'sensitive', 'regulated', 'secret'])
    expect(LEVELS.map(rankOf)).toEqual([0, 1, 2, 3, 4])
    expect(Object.isFrozen(LEVELS)).toBe(true)
  })

  it('are totally ordered', () => {
    fc.assert(
      fc.property(level, level, (a, b) => {
        expect(Math.sign(compareLevels(a, b))).toBe(-Math.sign(compareLevels(b, a)) + 0)
        expect(compareLevels(a, b) === 0).toBe(a === b)
      }),
    )
  })

  it('are transitively ordered', () => {
    fc.assert(
      fc.property(level, level, level, (a, b, c) => {
        fc.pre(compareLevels(a, b) <= 0 && compareLevels(b, c) <= 0)
        expect(compareLevels(a, c)).toBeLessThanOrEqual(0)
      }),
    )
  })

  it('have a maximum that is an upper bound and one of the two', () => {
    fc.assert(
      fc.property(level, level, (a, b) => {
        const top = maxLevel(a, b)
        expect([a, b]).toContain(top)
        expect(compareLevels(a, top)).toBeLessThanOrEqual(0)
        expect(compareLevels(b, top)).toBeLessThanOrEqual(0)
      }),
    )
  })

  it('rank nothing that was never parsed', () => {
    const bogus = 'top' as Level
    expect(() => rankOf(bogus)).toThrow(TypeError)
    expect(() => compareLevels('public', bogus)).toThrow('never parsed')
    expect(() => maxLevel(bogus, 'secret')).toThrow('never parsed')
  })

  it('are a closed type', () => {
    // @ts-expect-error a level outside the five does not type-check
    const level: Level = 'top'
    // @ts-expect-error a bare string is no compartment: only the parser brands one
    const named: import('../../kernel/flow/level.ts').Compartment = 'health'
    expect([level, named]).toEqual(['top', 'health'])
  })
})

describe('parseLevel', () => {
  it.each(LEVELS)('accepts %s', (name) => {
    expect(parseLevel(name)).toEqual({ ok: true, value: name })
    expect(isLevel(name)).toBe(true)
  })

  it.each([
    ['Public'],
    [' public'],
    ['public '],
    [''],
    ['top'],
    ['constructor'],
    [0],
    [null],
    [undefined],
    [['public']],
  ])('refuses %j', (input) => {
    expect(codeOf(parseLevel(input))).toBe('level_unknown')
    expect(isLevel(input)).toBe(false)
  })
})

describe('parseCompartment', () => {
  it.each([['health'], ['h'], ['tax_2026'], [`a${'b'.repeat(31)}`]])('accepts %s', (name) => {
    expect(parseCompartment(name)).toEqual({ ok: true, value: name })
  })

  it.each([
    [''],
    ['Health'],
    ['2tax'],
    ['_tax'],
    ['a b'],
    ['a-b'],
    ['a\n'],
    ['é'],
    [`a${'b'.repeat(32)}`],
    [7],
    [null],
    [['health']],
  ])('refuses %j', (name) => {
    expect(codeOf(parseCompartment(name))).toBe('compartment_malformed')
  })
})
