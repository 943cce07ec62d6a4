/** Taint: joins only dirty, one way decays, the trail is bounded, the parser refuses what is odd. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  CLEAN,
  decayField,
  joinTaints,
  parseTaint,
  TAINT_LEVELS,
  type Taint,
  type TaintLevel,
  taintOf,
  touch,
} from '../../kernel/flow/taint.ts'
import { taint as anyTaint } from './arbitraries.ts'
import { codeOf, taint } from './fixtures.ts'

const rank = ({ level }: Taint) => TAINT_LEVELS.indexOf(level)
const names = (count: number, prefix = 'n') => Array.from({ length: count }, (_, n) => `${prefix}${n}`)
const trail = (touchedBy: readonly string[]): Taint => ({ level: 'raw', origins: ['o'], touchedBy })

describe('taint levels', () => {
  it('are three, dirtiest first, frozen', () => {
    expect(TAINT_LEVELS).toEqual(['raw', 'extracted', 'clean'])
    expect([TAINT_LEVELS, CLEAN, CLEAN.origins, CLEAN.touchedBy].every(Object.isFrozen)).toBe(true)
    expect(CLEAN).toEqual({ level: 'clean', origins: [], touchedBy: [] })
  })

  it('start with one origin and no hands, and cannot be changed in place', () => {
    const made = taintOf('raw', 'tool:web.read')
    expect(made).toEqual({ level: 'raw', origins: ['tool:web.read'], touchedBy: [] })
    expect([made, made.origins, made.touchedBy].every(Object.isFrozen)).toBe(true)
    // @ts-expect-error a level is readonly
    expect(() => (made.level = 'clean')).toThrow(TypeError)
  })
})

describe('joinTaints', () => {
  it.each<[TaintLevel, TaintLevel, TaintLevel]>([
    ['raw', 'raw', 'raw'],
    ['raw', 'extracted', 'raw'],
    ['raw', 'clean', 'raw'],
    ['extracted', 'raw', 'raw'],
    ['extracted', 'extracted', 'extracted'],
    ['extracted', 'clean', 'extracted'],
    ['clean', 'raw', 'raw'],
    ['clean', 'extracted', 'extracted'],
    ['clean', 'clean', 'clean'],
  ])('%s with %s is %s', (a, b, expected) => {
    expect(joinTaints(taint(a), taint(b)).level).toBe(expected)
  })

  it('unites origins sorted and keeps hands in order, each once', () => {
    const a: Taint = { level: 'clean', origins: ['b'], touchedBy: ['y', 'x'] }
    const b: Taint = { level: 'clean', origins: ['a', 'b'], touchedBy: ['x', 'w'] }
    expect(joinTaints(a, b)).toEqual({ level: 'clean', origins: ['a', 'b'], touchedBy: ['y', 'x', 'w'] })
  })

  it('of nothing is clean and of one is itself', () => {
    expect(joinTaints()).toEqual(CLEAN)
    const one = taint('raw')
    expect(joinTaints(one)).toBe(one)
  })

  it('is associative and idempotent, and commutative but for the order of hands', () => {
    fc.assert(
      fc.property(anyTaint, anyTaint, anyTaint, (a, b, c) => {
        expect(joinTaints(joinTaints(a, b), c)).toEqual(joinTaints(a, joinTaints(b, c)))
        expect(joinTaints(a, a)).toEqual(a)
        const [ab, ba] = [joinTaints(a, b), joinTaints(b, a)]
        expect([ab.level, ab.origins, [...ab.touchedBy].sort()]).toEqual([
          ba.level,
          ba.origins,
          [...ba.touchedBy].sort(),
        ])
      }),
    )
  })

  it('is monotone: never cleaner than a part, and a dirtier part never gives a cleaner whole', () => {
    fc.assert(
      fc.property(anyTaint, anyTaint, anyTaint, (a, b, c) => {
        expect(rank(joinTaints(a, b))).toBeLessThanOrEqual(Math.min(rank(a), rank(b)))
        const [dirtier, cleaner] = rank(a) <= rank(b) ? [a, b] : [b, a]
        expect(rank(joinTaints(dirtier, c))).toBeLessThanOrEqual(rank(joinTaints(cleaner, c)))
      }),
    )
  })

  it('collapses origins one above the bound and keeps both ends of a long trail', () => {
    const from = (origins: readonly string[]): Taint => ({ level: 'raw', origins, touchedBy: [] })
    expect(joinTaints(from(names(31)), from(['z'])).origins).toHaveLength(32)
    expect(joinTaints(from(names(32)), from(['z'])).origins).toEqual(['many'])
    expect(joinTaints(trail(names(31)), trail(['z'])).touchedBy).toEqual([...names(31), 'z'])
    expect(joinTaints(trail(names(20)), trail(names(20, 'm'))).touchedBy).toEqual([
      ...names(16),
      ...names(20, 'm').slice(4),
    ])
  })
})

describe('touch and decay', () => {
  it('append a hand once', () => {
    expect(touch(trail(['x']), 'y').touchedBy).toEqual(['x', 'y'])
    const touched = trail(['x', 'y'])
    expect(touch(touched, 'x')).toBe(touched)
    expect(touch(trail(names(32)), 'z').touchedBy).toEqual([...names(16), ...names(32).slice(17), 'z'])
    expect(Object.isFrozen(touch(trail([]), 'x').touchedBy)).toBe(true)
  })

  it.each<[TaintLevel, TaintLevel]>([
    ['raw', 'extracted'],
    ['extracted', 'extracted'],
    ['clean', 'clean'],
  ])('%s decays to %s', (before, after) => {
    const decayed = decayField(taint(before), 'extractor:mail')
    expect(decayed).toEqual({ level: after, origins: [`origin:${before}`], touchedBy: ['extractor:mail'] })
  })
})

describe('parseTaint', () => {
  const good = { level: 'raw', origins: ['a'], touchedBy: ['x'] }

  it('reads back what was written, in canonical form (A-23)', () => {
    fc.assert(
      fc.property(anyTaint, (made) => {
        expect(parseTaint(JSON.parse(JSON.stringify(made)))).toEqual({ ok: true, value: made })
      }),
    )
    expect(parseTaint({ level: 'raw', origins: ['b', 'a', 'b'], touchedBy: ['y', 'x', 'y'] })).toEqual({
      ok: true,
      value: { level: 'raw', origins: ['a', 'b'], touchedBy: ['y', 'x'] },
    })
  })

  it.each<[string, unknown, string]>([
    ['null', null, 'taint_malformed'],
    ['undefined', undefined, 'taint_malformed'],
    ['a string', 'raw', 'taint_malformed'],
    ['unknown level', { ...good, level: 'Raw' }, 'taint_malformed'],
    ['no level', { ...good, level: undefined }, 'taint_malformed'],
    ['no origins', { ...good, origins: undefined }, 'taint_malformed'],
    ['origins no list', { ...good, origins: 'a' }, 'taint_malformed'],
    ['hands no list', { ...good, touchedBy: { length: 0 } }, 'taint_malformed'],
    ['an empty name', { ...good, origins: ['a', ''] }, 'taint_malformed'],
    ['no name', { ...good, touchedBy: [1] }, 'taint_malformed'],
    ['a list for a name', { ...good, touchedBy: [['x']] }, 'taint_malformed'],
    ['a long name', { ...good, origins: ['a'.repeat(201)] }, 'taint_malformed'],
    ['too many origins', { ...good, origins: names(33) }, 'taint_malformed'],
    ['too many hands', { ...good, touchedBy: names(33) }, 'taint_malformed'],
    ['the longest name', { ...good, origins: ['a'.repeat(200)] }, 'ok'],
    ['the most names', { ...good, origins: names(32), touchedBy: names(32) }, 'ok'],
    ['no origin', { ...good, origins: [], touchedBy: [] }, 'ok'],
  ])('%s', (_, input, expected) => {
    expect(codeOf(parseTaint(input))).toBe(expected)
  })
})
