/** What a reader may see: five levels and two compartments against every kind of clearance. */

import { describe, expect, it } from 'vitest'
import { atomFacts, type Clearance, checkClearance, clears } from '../../kernel/flow/clearance.ts'
import { neededLevel, PUBLIC } from '../../kernel/flow/label.ts'
import { LEVELS, type Level } from '../../kernel/flow/level.ts'
import { atom, FINANCE, HEALTH, label, why } from './fixtures.ts'

const GUARDS = [...LEVELS, 'internal:health', 'sensitive:health', 'regulated:health', 'regulated:finance']

/** One row a reader: what it is cleared for, in the order of GUARDS; x is refused, C for want of a compartment. */
const ROWS: readonly (readonly [Level, Clearance['compartments'], string])[] = [
  ['public', [], '+xxxxCCCC'],
  ['internal', [], '++xxxCCCC'],
  ['sensitive', [], '+++xxCCCC'],
  ['regulated', [], '++++xCCCC'],
  ['secret', [], '++++xCCCC'],
  ['public', [HEALTH], '+xxxxxxxC'],
  ['internal', [HEALTH], '++xxx+xxC'],
  ['sensitive', [HEALTH], '+++xx+++C'],
  ['sensitive', [FINANCE], '+++xxCCC+'],
  ['regulated', [HEALTH, FINANCE], '++++x++++'],
  ['sensitive', 'all', '+++xx++++'],
  ['regulated', 'all', '++++x++++'],
]

describe('a reader', () => {
  it.each(ROWS)('%s with %j reads %s', (level, compartments, row) => {
    const clearance = { level, compartments }
    const reads = GUARDS.map((guard) => (clears(clearance, atom(guard)) ? '+' : 'x')).join('')
    expect(reads).toBe(row.replaceAll('C', 'x'))
    const codes = GUARDS.map((guard) => why(checkClearance(clearance, label(guard), 'ceiling_exceeded')))
    const letter = {
      clearance: '+',
      ceiling_exceeded: 'x',
      secret_has_no_reader: 'x',
      compartment_missing: 'C',
    }
    expect(codes.map((code) => letter[code as keyof typeof letter] ?? code).join('')).toBe(row)
  })

  it('never reads secret, whatever it is cleared for (A-14)', () => {
    for (const level of LEVELS)
      expect(checkClearance({ level, compartments: 'all' }, label('secret'), 'ceiling_exceeded')).toEqual({
        allow: false,
        code: 'secret_has_no_reader',
        facts: { origin: 'tool:x' },
      })
    expect(clears({ level: 'secret', compartments: 'all' }, atom('secret:health'))).toBe(false)
  })

  it('must be cleared for every atom, not for one', () => {
    const reader: Clearance = { level: 'internal', compartments: [] }
    expect(why(checkClearance(reader, PUBLIC, 'ceiling_exceeded'))).toBe('clearance')
    expect(why(checkClearance(reader, label('public', 'internal'), 'ceiling_exceeded'))).toBe('clearance')
    expect(why(checkClearance(reader, label('public', 'sensitive'), 'write_down'))).toBe('write_down')
    expect(why(checkClearance(reader, label('internal', 'regulated:health'), 'write_down'))).toBe(
      'compartment_missing',
    )
  })

  it('is told ids and labels, never a value', () => {
    const reader: Clearance = { level: 'internal', compartments: [] }
    expect(checkClearance(reader, label('sensitive'), 'ceiling_exceeded')).toEqual({
      allow: false,
      code: 'ceiling_exceeded',
      facts: { origin: 'tool:x', field: 'f', level: 'sensitive', cleared: 'internal' },
    })
    expect(atomFacts(atom('regulated:health'), reader)).toMatchObject({ level: 'regulated:health' })
  })
})

describe('neededLevel', () => {
  it.each([
    ['regulated', 'regulated'],
    ['regulated:health', 'sensitive'],
    ['sensitive:health', 'sensitive'],
    ['internal:health', 'internal'],
    ['secret:health', 'secret'],
    ['public', 'public'],
  ])('of %s is %s', (guard, level) => {
    expect(neededLevel(atom(guard))).toBe(level)
  })
})
