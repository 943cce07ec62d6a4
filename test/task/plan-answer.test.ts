/** Plans as models answer them: kept to a schema or to nothing, they are the same data; what is neither is no plan. */

import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { strictSchema } from '../../integrations/models/openai/strict.ts'
import { PLAN_BOUNDS } from '../../kernel/task/plan.ts'
import { parsePlan, planAnswer, readPlanAnswer } from '../../kernel/task/plan-schema.ts'

const arg = (name: string, of: object): object => ({ name, ...of })
const ANSWER = planAnswer(['email.list', 'email.read', 'calendar.create_event'])

/** Verb by verb: as a schema has it, and as the words of the role do. */
const STEPS: readonly (readonly [string, object, object])[] = [
  [
    'a tool',
    {
      id: 's1',
      do: 'tool',
      tool: 'email.list',
      args: [arg('count', { value: 3 }), arg('unread', { value: true })],
    },
    { id: 's1', do: 'tool', tool: 'email.list', args: { count: 3, unread: true } },
  ],
  [
    'references and lists',
    {
      ...{ id: 's1', do: 'tool', tool: 'calendar.create_event' },
      args: [
        arg('title', { ref: 'said.topic' }),
        arg('attendees', { list: [{ ref: 'w1.emails[0].from' }, { value: 'a@b.example' }] }),
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
      when: { ref: 'w1.emails', is: 'empty' },
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
      take: 'first',
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
    { id: 's1', do: 'compose', from: ['w1.emails'], instruction: 'briefly', maxChars: 100 },
    { id: 's1', do: 'compose', from: ['w1.emails'], instruction: 'briefly', maxChars: 100 },
  ],
  [
    'a value of a text',
    { id: 's1', do: 'extract', from: 'w1.body', kind: 'date', question: 'When?' },
    { id: 's1', do: 'extract', from: 'w1.body', kind: 'date', question: 'When?' },
  ],
  [
    'items picked',
    { id: 's1', do: 'choose', from: 'w1.emails', question: 'Which?', take: 'all' },
    { id: 's1', do: 'choose', from: 'w1.emails', question: 'Which?', take: 'all' },
  ],
  [
    'a calculation',
    { id: 's1', do: 'compute', op: 'shift', of: [{ ref: 'w1.from' }, { value: 30 }], unit: 'minutes' },
    { id: 's1', do: 'compute', op: 'shift', of: [{ $ref: 'w1.from' }, 30], unit: 'minutes' },
  ],
  [
    'a choice',
    { id: 's1', do: 'classify', of: 'w1.emails', question: 'Which?', options: ['a', 'b'] },
    { id: 's1', do: 'classify', of: 'w1.emails', question: 'Which?', options: ['a', 'b'] },
  ],
]

const read = (data: unknown): unknown => readPlanAnswer(JSON.stringify(data)).plan

/** As a strict service answers: what is left out is null. */
const withNulls = (data: object): object => ({ independent: null, when: null, ...data })

describe.each(STEPS)('%s', (_, kept, plain) => {
  const plan = { steps: [plain], explanation: 'x' }

  it('is the same plan, kept to a schema or not', () => {
    expect(parsePlan(plan)).toMatchObject({ ok: true })
    expect(read({ steps: [kept], explanation: 'x' })).toEqual(plan)
    expect(read({ steps: [withNulls(kept)], explanation: 'x', again: null, left_out: null })).toEqual(plan)
    expect(read(plan)).toEqual(plan)
  })

  it('has each of its keys in the schema, and no other', () => {
    expect(problems(ANSWER.schema, { steps: [kept] })).toEqual([])
    expect(problems(ANSWER.schema, { steps: [{ ...kept, extra: 1 }] })).not.toEqual([])
  })
})

it.each([
  ['bare', '{"steps":[]}'],
  ['with space around it', ' \n{"steps":[]}\n '],
  ['fenced', '```json\n{"steps":[]}\n```'],
  ['fenced without a name', '```\n{"steps":[]}\n```'],
])('is read %s', (_, text) =>
  expect(parsePlan(readPlanAnswer(text).plan)).toMatchObject({ ok: true, value: { steps: [] } }),
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
  ['an argument without a name', [{ value: 'x' }]],
  ['the same argument twice', [arg('id', { value: 'x' }), arg('id', { value: 'y' })]],
  ['the key of a prototype', [arg('__proto__', { value: 'x' })]],
  ['another key', [arg('id', { value: 'x', next: 'y' })]],
  ['a list that is none', [arg('id', { list: 'x' })]],
  ['a member of nothing', [arg('id', { list: [{}] })]],
])('is no plan with %s', (_, args) => {
  const step = { id: 's1', do: 'tool', tool: 'email.read', args }
  expect(parsePlan(read({ steps: [step] }))).toMatchObject({
    ok: false,
    reason: { code: 'plan_malformed' },
  })
})

it('holds an upper limit of the plan below the general one', () => {
  const each = { id: 's1', do: 'forEach', in: 'w1.emails', max: 25, tool: 'email.read' }
  const text = { id: 's2', do: 'compose', from: ['s1.body'], instruction: 'Short.', maxChars: 50_000 }
  const { plan } = readPlanAnswer(
    JSON.stringify({ steps: [{ ...each, args: [arg('id', { ref: 'item.id' })] }, text] }),
  )
  expect(parsePlan(plan)).toMatchObject({
    value: { steps: [{ max: PLAN_BOUNDS.forEach }, { maxChars: PLAN_BOUNDS.composed }] },
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

it('names the tools that are offered, and no other', () => {
  const step = (tool: string): object => ({ steps: [{ id: 's1', do: 'tool', tool, args: [] }] })
  expect(problems(ANSWER.schema, step('email.list'))).toEqual([])
  expect(problems(ANSWER.schema, step('email.burn'))).not.toEqual([])
})

it.each([
  ['{"steps":[],"left_out":" no tool sends mail "}', 'no tool sends mail'],
  ['{"steps":[],"left_out":""}', null],
  ['{"steps":[],"left_out":null}', null],
  ['{"steps":[],"left_out":7}', null],
  ['{"steps":[]}', null],
])('%s leaves out: %s', (text, what) => expect(readPlanAnswer(text).leftOut).toBe(what))

type Schema = Readonly<Record<string, unknown>>

/** Every object is closed, as providers that keep to a schema ask; the strict form requires all keys. */
it('is a schema that providers take, strict or not', () => {
  const known = new Set([
    'type',
    'properties',
    'required',
    'additionalProperties',
    'items',
    'anyOf',
    'enum',
    '$ref',
    '$defs',
  ])
  const look = (schema: Schema, strict: boolean): void => {
    expect(Object.keys(schema).filter((key) => !known.has(key))).toEqual([])
    if (schema['type'] === 'object') {
      const properties = schema['properties'] as Readonly<Record<string, Schema>>
      const required = schema['required'] as readonly string[]
      expect(schema['additionalProperties']).toBe(false)
      expect(required.every((key) => Object.hasOwn(properties, key))).toBe(true)
      if (strict) expect(required).toEqual(Object.keys(properties))
      for (const inner of Object.values(properties)) look(inner, strict)
    }
    if (schema['items'] !== undefined) look(schema['items'] as Schema, strict)
    for (const inner of (schema['anyOf'] ?? []) as readonly Schema[]) look(inner, strict)
    for (const inner of Object.values((schema['$defs'] ?? {}) as Schema)) look(inner as Schema, strict)
  }
  look(ANSWER.schema, false)
  look(strictSchema(ANSWER.schema) as Schema, true)
})

it('is small: it goes with every planning call', () => {
  expect(JSON.stringify(ANSWER.schema).length).toBeLessThan(4_850)
})

/** The longest beginning of the line that is JSON. */
function exampleIn(line: string): string {
  for (let end = line.indexOf('}') + 1; end > 0; end = line.indexOf('}', end) + 1) {
    const text = line.slice(0, end)
    if ((text.match(/\{/g) ?? []).length === (text.match(/\}/g) ?? []).length) return text
  }
  throw new Error(`no example: ${line}`)
}

describe('the examples of the prompt', () => {
  const role = readFileSync('templates/prompts/role-plan.md', 'utf8')
  // What follows an example on its line explains it.
  const steps = [...role.matchAll(/^\{"id":.*$/gm)].map(([line]) => exampleIn(line))
  const tools = ['email.list', 'email.read']

  it('are there, one a verb', () => {
    const verbs = steps.map((text) => (JSON.parse(text) as { do: string }).do)
    expect(verbs.sort()).toEqual(
      ['choose', 'clarify', 'classify', 'compose', 'compute', 'extract', 'forEach', 'select', 'tool'].sort(),
    )
  })

  it('satisfy the schema, and are one plan together', () => {
    const all = steps.map((text) => JSON.parse(text) as object)
    expect(problems(planAnswer(tools).schema, { steps: all })).toEqual([])
    expect(parsePlan(read({ steps: all }))).toMatchObject({ ok: true })
  })
})

/** As much of JSON Schema as the plan's needs, written apart from it. */
function problems(given: Schema, data: unknown, path = '$', root: Schema = given): readonly string[] {
  const name = (given['$ref'] as string | undefined)?.replace('#/$defs/', '')
  const schema = name === undefined ? given : ((root['$defs'] as Schema)[name] as Schema)
  const any = schema['anyOf'] as readonly Readonly<Record<string, unknown>>[] | undefined
  if (any !== undefined) {
    const found = any.map((one) => problems(one, data, path, root))
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
            problems(schema['items'] as Readonly<Record<string, unknown>>, item, `${path}[${at}]`, root),
          )
        : [`${path}: no list`]
    case 'object': {
      if (typeof data !== 'object' || data === null) return [`${path}: no object`]
      const properties = schema['properties'] as Readonly<Record<string, Readonly<Record<string, unknown>>>>
      const strange = Object.keys(data).filter((key) => !Object.hasOwn(properties, key))
      const missing = (schema['required'] as readonly string[]).filter((key) => !Object.hasOwn(data, key))
      const inner = Object.entries(properties).flatMap(([key, one]) =>
        Object.hasOwn(data, key) ? problems(one, Reflect.get(data, key), `${path}.${key}`, root) : [],
      )
      return [...strange, ...missing].length > 0 ? [`${path}: ${[...strange, ...missing].join()}`] : inner
    }
    default:
      return typeof data === schema['type'] ? [] : [`${path}: not ${String(schema['type'])}`]
  }
}
