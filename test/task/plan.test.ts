/** The shape of a plan: closed verbs, numbered steps, references that look back, no call twice (C-11 – C-14). */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PLAN_BOUNDS } from '../../kernel/task/plan.ts'
import { parsePlan } from '../../kernel/task/plan-schema.ts'
import { codeOf } from './fixtures.ts'

const LIST = { id: 's1', do: 'tool', tool: 'email.list', args: { unread: { $ref: 'said.unread' } } }
const READ = { id: 's2', do: 'tool', tool: 'email.read', args: { id: { $ref: 's1.emails[0].id' } } }
const COMPOSE = { id: 's2', do: 'compose', from: ['s1'], instruction: 'sum up', maxChars: 500 }
const CLASSIFY = {
  id: 's2',
  do: 'classify',
  of: 's1.emails[0].subject',
  question: 'Urgent?',
  options: ['yes', 'no'],
}
const SELECT = { id: 's2', do: 'select', from: 's1.emails', matching: 'said.person', take: 'first' }
const EACH = {
  id: 's2',
  do: 'forEach',
  in: 's1.emails',
  max: 5,
  tool: 'email.read',
  args: { id: { $ref: 'item.id' } },
}

const plan = (...steps: readonly object[]) => ({ steps, explanation: '' })
const many = (n: number) =>
  plan(...Array.from({ length: n }, (_, i) => ({ ...LIST, id: `s${i + 1}`, args: { count: i } })))
const nested = (depth: number): object => (depth === 0 ? {} : { a: nested(depth - 1) })

describe('parsePlan', () => {
  it.each<[string, object]>([
    ['nothing to do', plan()],
    ['one call', plan(LIST)],
    ['a call that uses another', plan(LIST, READ)],
    ['compose', plan(LIST, COMPOSE)],
    ['classify', plan(LIST, CLASSIFY)],
    ['select by words', plan(LIST, SELECT)],
    ['select by field', plan(LIST, { ...SELECT, where: { field: 'unread', equals: true }, take: 'all' })],
    ['forEach', plan(LIST, EACH)],
    ['when', plan(LIST, { ...READ, when: { ref: 's1.emails', is: 'not_empty' } })],
    ['when equal', plan(LIST, { ...READ, when: { ref: 's1.more', is: 'equals', value: 3 } })],
    ['independent', plan({ ...LIST, independent: true })],
    ['an earlier turn', plan({ ...LIST, args: { id: { $ref: 'w1.emails[0].id' } } })],
    ['as many steps as may be', many(PLAN_BOUNDS.steps)],
    ['the same tool with other arguments', plan(LIST, { ...LIST, id: 's2', args: {} })],
    ['data that looks like a reference', plan({ ...LIST, args: { text: 's9.x' } })],
  ])('takes %s', (_, input) => {
    expect(parsePlan(input)).toEqual({ ok: true, value: input })
  })

  it.each<[string, number, unknown]>([
    ['ok', 1, { ...plan({ ...READ, args: { id: { $ref: 's1.x' } } }), again: true }],
    ['plan_malformed', 2, plan(READ)],
    ['plan_malformed', 1, plan(LIST)],
    ['reference_forward', 1, plan({ ...READ, args: { id: { $ref: 's2.x' } } })],
  ])('answers %s after %i steps that have run', (code, ran, input) => {
    expect(codeOf(parsePlan(input, ran))).toBe(code)
  })

  it('takes a plan without an explanation', () => {
    expect(parsePlan({ steps: [LIST] })).toEqual({ ok: true, value: plan(LIST) })
  })

  it.each<[string, string, unknown]>([
    ['plan_malformed', 'no object', 'plan'],
    ['plan_malformed', 'nothing', null],
    ['plan_malformed', 'a bare list', [LIST]],
    ['plan_malformed', 'no steps', { explanation: '' }],
    ['plan_malformed', 'an unknown key', { ...plan(), mode: 'admin' }],
    ['plan_malformed', 'an unknown key of a step', plan({ ...LIST, approved: true })],
    [
      'plan_malformed',
      'an unknown key of a condition',
      plan({ ...LIST, when: { ref: 'said.url', is: 'empty', x: 1 } }),
    ],
    ['plan_malformed', 'an unknown verb', plan({ ...LIST, do: 'shell' })],
    ['plan_malformed', 'a key of another verb', plan(LIST, { ...COMPOSE, tool: 'email.list' })],
    ['plan_malformed', 'a tool that is a path', plan({ ...LIST, tool: '../email' })],
    ['plan_malformed', 'a tool without family', plan({ ...LIST, tool: 'constructor' })],
    ['plan_malformed', 'a wildcard tool', plan({ ...LIST, tool: 'email.*' })],
    ['plan_malformed', 'arguments that are a list', plan({ ...LIST, args: [] })],
    ['plan_malformed', 'no arguments', plan({ ...LIST, args: undefined })],
    ['plan_malformed', 'numbering from 2', plan({ ...LIST, id: 's2' })],
    ['plan_malformed', 'one id twice', plan(LIST, { ...READ, id: 's1' })],
    ['plan_malformed', 'equals without a value', plan({ ...LIST, when: { ref: 'said.url', is: 'equals' } })],
    [
      'plan_malformed',
      'a value without equals',
      plan({ ...LIST, when: { ref: 'said.url', is: 'empty', value: 1 } }),
    ],
    ['plan_malformed', 'a condition that is code', plan({ ...LIST, when: 'true' })],
    ['plan_malformed', 'forEach without bound', plan(LIST, { ...EACH, max: undefined })],
    ['plan_malformed', 'forEach over too many', plan(LIST, { ...EACH, max: PLAN_BOUNDS.forEach + 1 })],
    ['plan_malformed', 'forEach over none', plan(LIST, { ...EACH, max: 0 })],
    ['plan_malformed', 'one option', plan(LIST, { ...CLASSIFY, options: ['yes'] })],
    ['plan_malformed', 'a composition of nothing', plan(LIST, { ...COMPOSE, from: [] })],
    [
      'plan_malformed',
      'an endless composition',
      plan(LIST, { ...COMPOSE, maxChars: PLAN_BOUNDS.composed + 1 }),
    ],
    ['plan_malformed', 'a long instruction', plan(LIST, { ...COMPOSE, instruction: 'x'.repeat(1_001) })],
    ['plan_malformed', 'a long explanation', { steps: [], explanation: 'x'.repeat(1_001) }],
    ['plan_malformed', 'a long string', plan({ ...LIST, args: { text: 'x'.repeat(PLAN_BOUNDS.text + 1) } })],
    ['plan_malformed', 'deep arguments', plan({ ...LIST, args: nested(9) })],
    [
      'plan_malformed',
      'countless arguments',
      plan({ ...LIST, args: { list: Array(PLAN_BOUNDS.nodes).fill(0) } }),
    ],
    ['plan_malformed', 'a date object', plan({ ...LIST, args: { at: new Date(0) } })],
    ['plan_malformed', 'infinity', plan({ ...LIST, args: { n: Number.POSITIVE_INFINITY } })],
    ['plan_malformed', 'a prototype key', JSON.parse('{"steps":[],"__proto__":{"polluted":1}}')],
    [
      'plan_malformed',
      'a prototype key in arguments',
      plan({ ...LIST, args: JSON.parse('{"__proto__":{"a":1}}') }),
    ],
    ['plan_malformed', 'constructor in arguments', plan({ ...LIST, args: { constructor: 1 } })],
    ['plan_too_long', 'too many steps', many(PLAN_BOUNDS.steps + 1)],
    ['reference_malformed', 'an unknown root', plan({ ...LIST, args: { a: { $ref: 'env.KEY' } } })],
    [
      'reference_malformed',
      'a reference beside data',
      plan({ ...LIST, args: { a: { $ref: 'said.url', b: 1 } } }),
    ],
    ['reference_malformed', 'a reference that is no text', plan({ ...LIST, args: { a: { $ref: 1 } } })],
    ['reference_malformed', 'arguments that are a reference and data', plan({ ...LIST, args: { $ref: 1 } })],
    [
      'reference_malformed',
      'a prototype in a path',
      plan({ ...LIST, args: { a: { $ref: 'said.__proto__' } } }),
    ],
    ['reference_malformed', 'a nested one', plan({ ...LIST, args: { a: [{ b: { $ref: '' } }] } })],
    ['reference_malformed', 'an item outside forEach', plan({ ...LIST, args: { a: { $ref: 'item.id' } } })],
    ['reference_malformed', 'an item as the list', plan(LIST, { ...EACH, in: 'item.list' })],
    ['reference_malformed', 'its own words', plan({ ...LIST, args: { a: { $ref: 'own[0]' } } })],
    ['reference_malformed', 'step 0', plan({ ...LIST, args: { a: { $ref: 's0.x' } } })],
    ['reference_forward', 'itself', plan({ ...LIST, args: { a: { $ref: 's1.x' } } })],
    ['reference_forward', 'a later step', plan({ ...LIST, args: { a: { $ref: 's2.x' } } }, READ)],
    [
      'reference_forward',
      'a later step in a condition',
      plan({ ...LIST, when: { ref: 's2.x', is: 'empty' } }),
    ],
    ['reference_forward', 'a later step to compose from', plan(LIST, { ...COMPOSE, from: ['s1', 's3'] })],
    ['reference_forward', 'a later step to classify', plan(LIST, { ...CLASSIFY, of: 's2' })],
    ['reference_forward', 'a later step to select from', plan(LIST, { ...SELECT, from: 's2' })],
    ['reference_forward', 'a later step to match', plan(LIST, { ...SELECT, matching: 's9.name' })],
    ['reference_forward', 'a later step to repeat over', plan(LIST, { ...EACH, in: 's2' })],
    ['plan_duplicate_effect', 'one call twice', plan(LIST, { ...LIST, id: 's2' })],
    [
      'plan_duplicate_effect',
      'one call twice, keys turned',
      plan({ ...LIST, args: { a: 1, b: 2 } }, { ...LIST, id: 's2', args: { b: 2, a: 1 } }),
    ],
    ['plan_duplicate_effect', 'a loop whose call is always the same', plan(LIST, { ...EACH, args: {} })],
    [
      'plan_duplicate_effect',
      'a loop that only speaks of its item',
      plan(LIST, { ...EACH, args: { a: '{"$ref":"item"}' } }),
    ],
    ['plan_duplicate_effect', 'one loop twice', plan(LIST, EACH, { ...EACH, id: 's3' })],
  ])('refuses with %s: %s', (code, _, input) => {
    expect(codeOf(parsePlan(input))).toBe(code)
  })

  it('never throws, and what it takes survives storage', () => {
    const step = fc.oneof(
      ...[LIST, READ, COMPOSE, CLASSIFY, SELECT, EACH].map((sample) => fc.constant(sample)),
      fc.anything(),
    )
    fc.assert(
      fc.property(
        fc.oneof(fc.anything(), fc.record({ steps: fc.array(step), explanation: fc.string() })),
        (input) => {
          const parsed = parsePlan(input)
          if (parsed.ok) expect(parsePlan(JSON.parse(JSON.stringify(parsed.value)))).toEqual(parsed)
        },
      ),
    )
  })
})
