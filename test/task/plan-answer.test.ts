/** Plans as models answer them: kept to a schema or to nothing, they are the same data; what is neither is no plan. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PLAN_ANSWER, readPlanAnswer } from '../../kernel/task/plan-answer.ts'
import { parsePlan } from '../../kernel/task/plan-schema.ts'

const NONE = { when: null, independent: null }
const arg = (name: string, of: object): object => ({ name, ref: null, value: null, list: null, ...of })
const member = (of: object): object => ({ ref: null, value: null, ...of })

/** Verb by verb: as a schema has it, and as the words of the role do. */
const STEPS: readonly (readonly [string, object, object])[] = [
  [
    'a tool',
    {
      id: 's1',
      do: 'tool',
      tool: 'email.list',
      args: [arg('count', { value: 3 }), arg('unread', { value: true })],
      ...NONE,
    },
    { id: 's1', do: 'tool', tool: 'email.list', args: { count: 3, unread: true } },
  ],
  [
    'references and lists',
    {
      ...{ id: 's1', do: 'tool', tool: 'calendar.create_event', ...NONE },
      args: [
        arg('title', { ref: 'said.topic' }),
        arg('attendees', { list: [member({ ref: 'w1.emails[0].from' }), member({ value: 'a@b.example' })] }),
      ],
    },
    {
      ...{ id: 's1', do: 'tool', tool: 'calendar.create_event' },
      args: { title: { $ref: 'said.topic' }, attendees: [{ $ref: 'w1.emails[0].from' }, 'a@b.example'] },
    },
  ],
  [
    'a condition',
    {
      ...{ id: 's1', do: 'tool', tool: 'email.list', args: [], independent: true },
      when: { ref: 'w1.emails', is: 'empty', value: null },
    },
    {
      id: 's1',
      do: 'tool',
      tool: 'email.list',
      args: {},
      independent: true,
      when: { ref: 'w1.emails', is: 'empty' },
    },
  ],
  [
    'a selection',
    {
      id: 's1',
      do: 'select',
      from: 'w1.emails',
      matching: 'said.person',
      where: null,
      take: 'first',
      ...NONE,
    },
    { id: 's1', do: 'select', from: 'w1.emails', matching: 'said.person', take: 'first' },
  ],
  [
    'a loop',
    {
      id: 's1',
      do: 'forEach',
      in: 'w1.emails',
      max: 3,
      tool: 'email.read',
      args: [arg('id', { ref: 'item.id' })],
      ...NONE,
    },
    {
      id: 's1',
      do: 'forEach',
      in: 'w1.emails',
      max: 3,
      tool: 'email.read',
      args: { id: { $ref: 'item.id' } },
    },
  ],
  [
    'a text',
    { id: 's1', do: 'compose', from: ['w1.emails'], instruction: 'briefly', maxChars: 100, ...NONE },
    { id: 's1', do: 'compose', from: ['w1.emails'], instruction: 'briefly', maxChars: 100 },
  ],
  [
    'a choice',
    { id: 's1', do: 'classify', of: 'w1.emails', question: 'Which?', options: ['a', 'b'], ...NONE },
    { id: 's1', do: 'classify', of: 'w1.emails', question: 'Which?', options: ['a', 'b'] },
  ],
]

const read = (data: unknown): unknown => readPlanAnswer(JSON.stringify(data))

describe.each(STEPS)('%s', (_, kept, plain) => {
  const plan = { steps: [plain], explanation: 'x' }

  it('is the same plan, kept to a schema or not', () => {
    expect(parsePlan(plan)).toMatchObject({ ok: true })
    expect(read({ steps: [kept], explanation: 'x', again: null })).toEqual(plan)
    expect(read(plan)).toEqual(plan)
  })

  it('has each of its keys in the schema, and no other', () => {
    expect(problems(PLAN_ANSWER.schema, { steps: [kept], explanation: null, again: null })).toEqual([])
    expect(
      problems(PLAN_ANSWER.schema, { steps: [{ ...kept, extra: 1 }], explanation: null, again: null }),
    ).not.toEqual([])
  })
})

it.each([
  ['bare', '{"steps":[]}'],
  ['with space around it', ' \n{"steps":[]}\n '],
  ['fenced', '```json\n{"steps":[]}\n```'],
  ['fenced without a name', '```\n{"steps":[]}\n```'],
])('is read %s', (_, text) =>
  expect(parsePlan(readPlanAnswer(text))).toMatchObject({ ok: true, value: { steps: [] } }),
)

it.each([
  ['nothing', ''],
  ['words', 'Sure! Here is your plan.'],
  ['words before it', 'Here it is: {"steps":[]}'],
  ['two of them', '{"steps":[]}{"steps":[]}'],
  ['a half', '{"steps":['],
])('throws for %s', (_, text) => expect(() => readPlanAnswer(text)).toThrow(SyntaxError))

it.each([
  ['an argument that says two things', [arg('id', { ref: 'said.topic', value: 'x' })]],
  ['an argument that says nothing', [arg('id', {})]],
  ['an argument without a name', [{ ref: null, value: 'x', list: null }]],
  ['the same argument twice', [arg('id', { value: 'x' }), arg('id', { value: 'y' })]],
  ['the key of a prototype', [arg('__proto__', { value: 'x' })]],
  ['another key', [arg('id', { value: 'x', next: 'y' })]],
  ['a list that is none', [arg('id', { list: 'x' })]],
  ['a member of nothing', [arg('id', { list: [member({})] })]],
])('is no plan with %s', (_, args) => {
  const step = { id: 's1', do: 'tool', tool: 'email.read', args, ...NONE }
  expect(parsePlan(read({ steps: [step], explanation: null, again: null }))).toMatchObject({
    ok: false,
    reason: { code: 'plan_malformed' },
  })
})

it('reads any data without a fault, and leaves a plain plan as it is', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (data) => {
      parsePlan(read(data))
      parsePlan(read({ steps: [data] }))
      parsePlan(read({ steps: [{ id: 's1', do: 'tool', tool: 'email.read', args: data }] }))
    }),
  )
})

/** Every object is closed and says all of its keys, as providers that keep to a schema ask; and nothing else is used. */
it('is a schema that providers take', () => {
  const known = new Set(['type', 'properties', 'required', 'additionalProperties', 'items', 'anyOf', 'enum'])
  const look = (schema: Readonly<Record<string, unknown>>): void => {
    expect(Object.keys(schema).filter((key) => !known.has(key))).toEqual([])
    if (schema['type'] === 'object') {
      const properties = schema['properties'] as Readonly<Record<string, Readonly<Record<string, unknown>>>>
      expect(schema['additionalProperties']).toBe(false)
      expect(schema['required']).toEqual(Object.keys(properties))
      for (const inner of Object.values(properties)) look(inner)
    }
    if (schema['items'] !== undefined) look(schema['items'] as Readonly<Record<string, unknown>>)
    for (const inner of (schema['anyOf'] ?? []) as readonly Readonly<Record<string, unknown>>[]) look(inner)
  }
  look(PLAN_ANSWER.schema)
})

/** As much of JSON Schema as the plan's needs, written apart from it. */
function problems(schema: Readonly<Record<string, unknown>>, data: unknown, path = '$'): readonly string[] {
  const any = schema['anyOf'] as readonly Readonly<Record<string, unknown>>[] | undefined
  if (any !== undefined) {
    const found = any.map((one) => problems(one, data, path))
    return found.some((one) => one.length === 0) ? [] : (found[0] ?? [path])
  }
  const values = schema['enum'] as readonly unknown[] | undefined
  if (values !== undefined) return values.includes(data) ? [] : [`${path}: not one of them`]
  switch (schema['type']) {
    case 'null':
      return data === null ? [] : [`${path}: not null`]
    case 'array':
      return Array.isArray(data)
        ? data.flatMap((item, at) =>
            problems(schema['items'] as Readonly<Record<string, unknown>>, item, `${path}[${at}]`),
          )
        : [`${path}: no list`]
    case 'object': {
      if (typeof data !== 'object' || data === null) return [`${path}: no object`]
      const properties = schema['properties'] as Readonly<Record<string, Readonly<Record<string, unknown>>>>
      const strange = Object.keys(data).filter((key) => !Object.hasOwn(properties, key))
      const missing = Object.keys(properties).filter((key) => !Object.hasOwn(data, key))
      const inner = Object.entries(properties).flatMap(([key, one]) =>
        problems(one, Reflect.get(data, key), `${path}.${key}`),
      )
      return [...strange, ...missing].length > 0 ? [`${path}: ${[...strange, ...missing].join()}`] : inner
    }
    default:
      return typeof data === schema['type'] ? [] : [`${path}: not ${String(schema['type'])}`]
  }
}
