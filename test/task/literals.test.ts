/** What a planner wrote itself leaves the plan, all of it, and the shape stays a plan (B-13). */
import { describe, expect, it } from 'vitest'
import { liftLiterals, literalIndex, type Plan } from '../../kernel/task/plan.ts'

const REF = { $ref: 's1.id' }

describe('liftLiterals', () => {
  it.each<[string, Plan['steps'][number], Partial<Record<string, unknown>>, readonly unknown[]]>([
    [
      'a text',
      { id: 's1', do: 'tool', tool: 'a.b', args: { q: 'x' } },
      { args: { q: { $ref: 'own[0]' } } },
      ['x'],
    ],
    [
      'a number',
      { id: 's1', do: 'tool', tool: 'a.b', args: { n: 82 } },
      { args: { n: { $ref: 'own[0]' } } },
      [82],
    ],
    [
      'a reference, which stays',
      { id: 's1', do: 'tool', tool: 'a.b', args: { q: REF } },
      { args: { q: REF } },
      [],
    ],
    [
      'a record with its keys',
      { id: 's1', do: 'tool', tool: 'a.b', args: { r: { x: ['y'] } } },
      { args: { r: { $ref: 'own[0]' } } },
      [{ x: ['y'] }],
    ],
    [
      'a list around a reference',
      { id: 's1', do: 'tool', tool: 'a.b', args: { l: ['x', REF] } },
      { args: { l: [{ $ref: 'own[0]' }, REF] } },
      ['x'],
    ],
    [
      'a repeated call',
      { id: 's1', do: 'forEach', in: 's1', max: 2, tool: 'a.b', args: { i: { $ref: 'item' }, q: 'x' } },
      { args: { i: { $ref: 'item' }, q: { $ref: 'own[0]' } } },
      ['x'],
    ],
    [
      'a condition',
      { id: 's1', do: 'tool', tool: 'a.b', args: {}, when: { ref: 's1', is: 'equals', value: 'x' } },
      { when: { ref: 's1', is: 'equals', value: 'own[0]' } },
      ['x'],
    ],
    [
      'an instruction',
      { id: 's1', do: 'compose', from: ['s1'], instruction: 'x', maxChars: 9 },
      { instruction: 'own[0]' },
      ['x'],
    ],
    [
      'a question',
      { id: 's1', do: 'classify', of: 's1', question: 'x', options: ['y', 'z'] },
      { question: 'own[0]', options: ['own[1]', 'own[2]'] },
      ['x', 'y', 'z'],
    ],
    [
      'a field to match',
      { id: 's1', do: 'select', from: 's1', where: { field: 'f', equals: 7 }, take: 'all' },
      { where: { field: 'f', equals: 'own[0]' } },
      [7],
    ],
  ])('lifts %s', (_, step, shape, literals) => {
    const lifted = liftLiterals({ steps: [step], explanation: 'why' })
    expect(lifted).toEqual({ plan: { steps: [{ ...step, ...shape }], explanation: '' }, literals })
  })

  it('keeps the code of an empty plan', () => {
    const empty = { steps: [], explanation: 'not_understood' }
    expect(liftLiterals(empty)).toEqual({ plan: empty, literals: [] })
  })
})

it.each([
  ['own[0]', 0],
  ['own[12]', 12],
  ['own', null],
  ['own[0].x', null],
  ['s1[0]', null],
  ['a sentence', null],
  ['', null],
])('literalIndex of "%s" is %s', (text, index) => expect(literalIndex(text)).toBe(index))
