/** Labels: canonical form, joins and their laws, order, and the parser at the storage boundary. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Clearance, checkClearance, clears } from '../../kernel/flow/clearance.ts'
import {
  type Atom,
  compartmentsOf,
  describeLabel,
  isAtOrBelow,
  joinLabels,
  type Label,
  labelOf,
  levelOf,
  MAX_ATOMS,
  PUBLIC,
  parseLabel,
} from '../../kernel/flow/label.ts'
import { anyLabel, bigLabel, EVERY_CLEARANCE, smallLabel, tinyLabel } from './arbitraries.ts'
import { atom, codeOf, FINANCE, HEALTH, label } from './fixtures.ts'

const guard = (of: Label) => [levelOf(of), ...compartmentsOf(of)]
const manyAtoms = (count: number, guards: readonly string[] = ['internal']): Atom[] =>
  Array.from({ length: count }, (_, n) => atom(guards[n % guards.length] ?? 'internal', 'tool:x', `f${n}`))

describe('labelOf', () => {
  it('sorts, deduplicates and freezes', () => {
    const made = labelOf([atom('internal', 'b'), atom('internal', 'a'), atom('internal', 'b')])
    expect(made.atoms.map(({ origin }) => origin)).toEqual(['a', 'b'])
    expect([made, made.atoms, ...made.atoms].every(Object.isFrozen)).toBe(true)
    expect(labelOf([atom('internal', 'a'), atom('internal', 'b')])).toEqual(made)
  })

  it.each([
    ['level', atom('public'), atom('internal')],
    ['compartment', atom('regulated'), atom('regulated:health')],
    ['origin', atom('internal', 'a'), atom('internal', 'b')],
    ['field', atom('internal', 'a', 'f'), atom('internal', 'a', 'g')],
  ])('keeps two atoms that differ in %s', (_, a, b) => {
    expect(labelOf([a, b]).atoms).toHaveLength(2)
  })

  it('carries nothing but the four declared fields', () => {
    const stuffed = { ...atom('internal'), note: 'payload' }
    expect(labelOf([stuffed]).atoms).toEqual([atom('internal')])
  })

  it('keeps its atoms up to the bound and collapses them one above it', () => {
    expect(labelOf(manyAtoms(MAX_ATOMS)).atoms).toHaveLength(MAX_ATOMS)
    const collapsed = labelOf(manyAtoms(MAX_ATOMS + 1, ['internal', 'regulated:health', 'regulated:finance']))
    expect(collapsed.atoms).toEqual([
      { origin: 'many', field: '*', level: 'internal', compartment: null },
      { origin: 'many', field: '*', level: 'regulated', compartment: FINANCE },
      { origin: 'many', field: '*', level: 'regulated', compartment: HEALTH },
    ])
  })

  it('collapses to the same guard', () => {
    fc.assert(
      fc.property(bigLabel, bigLabel, (a, b) => {
        const atoms = [...a.atoms, ...b.atoms]
        expect(guard(labelOf(atoms))).toEqual(guard({ atoms }))
      }),
    )
  })
})

describe('joinLabels', () => {
  it('keeps both compartments, and a reader cleared for one is refused (A-02)', () => {
    const both = joinLabels(label('regulated:health'), label('regulated:finance'))
    expect(compartmentsOf(both)).toEqual([FINANCE, HEALTH])
    const one = { level: 'sensitive', compartments: [HEALTH] } as const
    expect(checkClearance(one, both, 'write_down')).toMatchObject({ code: 'compartment_missing' })
  })

  it('of nothing is public and of one is itself', () => {
    expect(joinLabels()).toBe(PUBLIC)
    expect(labelOf([])).toBe(PUBLIC)
    const one = label('sensitive')
    expect(joinLabels(one)).toBe(one)
    expect(joinLabels(PUBLIC, one, PUBLIC, one, labelOf([]), { atoms: [] })).toBe(one)
  })

  it('is commutative and idempotent', () => {
    fc.assert(
      fc.property(smallLabel, smallLabel, (a, b) => {
        expect(joinLabels(a, b)).toEqual(joinLabels(b, a))
        expect(joinLabels(a, a)).toEqual(a)
      }),
    )
  })

  it('is associative', () => {
    fc.assert(
      fc.property(smallLabel, smallLabel, smallLabel, (a, b, c) => {
        expect(joinLabels(joinLabels(a, b), c)).toEqual(joinLabels(a, joinLabels(b, c)))
        expect(joinLabels(a, b, c)).toEqual(joinLabels(a, joinLabels(b, c)))
      }),
    )
  })

  it('keeps these laws for level and compartments above the bound', () => {
    fc.assert(
      fc.property(bigLabel, bigLabel, anyLabel, (a, b, c) => {
        expect(guard(joinLabels(a, b))).toEqual(guard(joinLabels(b, a)))
        expect(guard(joinLabels(a, a))).toEqual(guard(a))
        expect(guard(joinLabels(joinLabels(a, b), c))).toEqual(guard(joinLabels(a, joinLabels(b, c))))
      }),
    )
  })

  it('is an upper bound of both', () => {
    fc.assert(
      fc.property(anyLabel, anyLabel, (a, b) => {
        const joined = joinLabels(a, b)
        expect(isAtOrBelow(a, joined) && isAtOrBelow(b, joined)).toBe(true)
      }),
    )
  })
})

describe('isAtOrBelow', () => {
  it.each([
    ['internal', 'internal', true],
    ['internal', 'sensitive', true],
    ['sensitive', 'internal', false],
    ['sensitive', 'regulated:health', true],
    ['regulated:health', 'sensitive', false],
    ['regulated', 'regulated:health', false],
    ['regulated:health', 'regulated', false],
    ['regulated:health', 'regulated:finance', false],
    ['regulated:health', 'secret', true],
    ['secret', 'secret', true],
    ['secret', 'regulated', false],
  ])('%s ≤ %s is %s', (a, b, expected) => {
    expect(isAtOrBelow(label(a), label(b))).toBe(expected)
  })

  it('holds exactly when every reader of the upper may read the lower', () => {
    const reads = (reader: Clearance, of: Label) => of.atoms.every((each) => clears(reader, each))
    fc.assert(
      fc.property(tinyLabel, tinyLabel, (a, b) => {
        const expected = EVERY_CLEARANCE.every((reader) => !reads(reader, b) || reads(reader, a))
        expect(isAtOrBelow(a, b)).toBe(expected)
      }),
    )
  })
})

describe('describeLabel', () => {
  it.each([
    [[], 'public'],
    [['internal', 'public'], 'internal'],
    [['regulated:health'], 'regulated:health'],
    [['regulated:health', 'sensitive:finance'], 'regulated:finance:health'],
  ])('%j is %s', (guards, expected) => {
    expect(describeLabel(label(...guards))).toBe(expected)
  })
})

describe('a label at run time (A-06)', () => {
  it('cannot be lowered in place', () => {
    const made = label('sensitive')
    // @ts-expect-error atoms is readonly
    expect(() => (made.atoms = [])).toThrow(TypeError)
    // @ts-expect-error the list is readonly
    expect(() => made.atoms.pop()).toThrow(TypeError)
    const lower = (each: Atom) => {
      // @ts-expect-error a level is readonly
      each.level = 'public'
    }
    expect(made.atoms).toHaveLength(1)
    for (const each of made.atoms) expect(() => lower(each)).toThrow(TypeError)
    expect(levelOf(made)).toBe('sensitive')
    expect(Object.isFrozen(PUBLIC) && Object.isFrozen(PUBLIC.atoms)).toBe(true)
  })
})

describe('parseLabel', () => {
  const raw = { origin: 'o', field: 'f', level: 'internal', compartment: null }

  it('reads back what was written', () => {
    fc.assert(
      fc.property(anyLabel, (made) => {
        expect(parseLabel(JSON.parse(JSON.stringify(made)))).toEqual({ ok: true, value: made })
      }),
    )
  })

  it.each([
    ['no object', null, 'label_malformed'],
    ['a string', 'public', 'label_malformed'],
    ['no atoms', {}, 'label_malformed'],
    ['atoms no list', { atoms: 'x' }, 'label_malformed'],
    ['atom null', { atoms: [null] }, 'label_malformed'],
    ['atom missing', { atoms: [undefined] }, 'label_malformed'],
    ['atom a string', { atoms: ['x'] }, 'label_malformed'],
    ['second atom bad', { atoms: [raw, { ...raw, level: 'low' }] }, 'level_unknown'],
    ['level unknown', { atoms: [{ ...raw, level: 'Public' }] }, 'level_unknown'],
    ['level missing', { atoms: [{ ...raw, level: undefined }] }, 'level_unknown'],
    ['compartment odd', { atoms: [{ ...raw, compartment: 'Health' }] }, 'compartment_malformed'],
    ['compartment missing', { atoms: [{ ...raw, compartment: undefined }] }, 'compartment_malformed'],
    ['origin empty', { atoms: [{ ...raw, origin: '' }] }, 'label_malformed'],
    ['origin no string', { atoms: [{ ...raw, origin: 1 }] }, 'label_malformed'],
    ['origin a list', { atoms: [{ ...raw, origin: ['o'] }] }, 'label_malformed'],
    ['origin too long', { atoms: [{ ...raw, origin: 'o'.repeat(201) }] }, 'label_malformed'],
    ['field empty', { atoms: [{ ...raw, field: '' }] }, 'label_malformed'],
    ['field too long', { atoms: [{ ...raw, field: 'o'.repeat(201) }] }, 'label_malformed'],
    ['too many', { atoms: Array.from({ length: MAX_ATOMS * 2 + 1 }, () => raw) }, 'label_malformed'],
    ['longest names', { atoms: [{ ...raw, origin: 'o'.repeat(200), field: 'f'.repeat(200) }] }, 'ok'],
    ['most atoms', { atoms: Array.from({ length: MAX_ATOMS * 2 }, () => raw) }, 'ok'],
    ['a compartment', { atoms: [{ ...raw, compartment: 'health' }] }, 'ok'],
    ['nothing inside', { atoms: [] }, 'ok'],
  ])('%s: %#', (_, input, expected) => {
    expect(codeOf(parseLabel(input))).toBe(expected)
  })

  it('keeps every field of an atom', () => {
    const atoms = [{ origin: 'o', field: 'f', level: 'regulated', compartment: 'health' }]
    expect(parseLabel({ atoms })).toEqual({ ok: true, value: { atoms } })
  })
})
