/** `Labeled`: not printable, not serialisable, readable only through a check; computing keeps label and taint. */
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { canonicalJson, type Json } from '../../kernel/flow/json.ts'
import { compartmentsOf, type Label, levelOf, PUBLIC } from '../../kernel/flow/label.ts'
import {
  combine,
  createLabeled,
  derive,
  fingerprint,
  insideOf,
  joinProvenance,
  Labeled,
  openForPrompt,
  openForSink,
  openForTool,
  test,
} from '../../kernel/flow/labeled.ts'
import type { ModelReader } from '../../kernel/flow/policy.ts'
import { CLEAN } from '../../kernel/flow/taint.ts'
import { HEALTH, label, NOW, POLICY, taint } from './fixtures.ts'

const CANARY = 'canary-4711'
const sensitive = { label: label('sensitive'), taint: taint('raw') }
const made = createLabeled(CANARY, sensitive)

describe('a labelled value', () => {
  it.each<[string, () => unknown]>([
    ['JSON.stringify', () => JSON.stringify(made)],
    ['JSON.stringify of a holder', () => JSON.stringify({ deep: [made] })],
    ['String', () => String(made)],
    ['a template string', () => `${made}`],
    ['a number', () => Number(made)],
    ['toString', () => made.toString()],
    ['toJSON', () => made.toJSON()],
    ['joining a list', () => [made].join('')],
    ['canonical bytes', () => canonicalJson(made as unknown as Json)],
  ])('throws on %s, and does not say what it holds', (_, print) => {
    expect(print).toThrow(TypeError)
    expect(print).not.toThrow(CANARY)
    expect(() => made.toJSON()).toThrow('never serialised')
  })

  it.each<[string, () => unknown]>([
    ['inspect', () => inspect(made, { depth: 9, showHidden: true, getters: true })],
    ['keys', () => JSON.stringify(Object.entries(made))],
    ['own names', () => Reflect.ownKeys(made).join()],
    ['a spread', () => JSON.stringify({ ...made })],
    ['a structured clone', () => JSON.stringify(structuredClone(made))],
    ['Object.assign', () => JSON.stringify(Object.assign({}, made))],
  ])('shows nothing to %s', (_, print) => {
    expect(String(print())).toContain('label')
    expect(String(print())).not.toContain(CANARY)
  })

  it('has no readable value and cannot be relabelled (A-06)', () => {
    const made = createLabeled(CANARY, sensitive)
    // @ts-expect-error the value is private
    expect(made.value).toBeUndefined()
    // @ts-expect-error the label is readonly
    expect(() => (made.label = PUBLIC)).toThrow(TypeError)
    // @ts-expect-error the taint is readonly
    expect(() => (made.taint = CLEAN)).toThrow(TypeError)
    expect(() => Object.defineProperty(made, 'label', { value: PUBLIC })).toThrow(TypeError)
    expect(levelOf(made.label)).toBe('sensitive')
    // @ts-expect-error a labelled value is no plain string: it goes nowhere that takes one
    const text: string = made
    expect(text).toBe(made)
    // @ts-expect-error a look-alike is no Labeled
    const forged: Labeled<string> = { label: PUBLIC, taint: CLEAN }
    expect(() => Labeled.reveal(forged)).toThrow(TypeError)
  })
})

describe('computing on the inside', () => {
  const health = createLabeled(2, { label: label('regulated:health'), taint: taint('extracted') })

  it('derive keeps label and taint', () => {
    const length = derive(made, (text) => text.length)
    expect(insideOf(length)).toBe(CANARY.length)
    expect([length.label, length.taint]).toEqual([sensitive.label, sensitive.taint])
  })

  it('combine bears the join of all', () => {
    const both = combine<Json, Json>([made, health], (values) => [...values])
    expect(insideOf(both)).toEqual([CANARY, 2])
    expect(levelOf(both.label)).toBe('regulated')
    expect(compartmentsOf(both.label)).toEqual([HEALTH])
    expect(both.taint).toEqual({ level: 'raw', origins: ['origin:extracted', 'origin:raw'], touchedBy: [] })
    expect(both.label.atoms).toHaveLength(2)
  })

  it('joinProvenance of nothing is public and clean', () => {
    expect(joinProvenance()).toEqual({ label: PUBLIC, taint: CLEAN })
  })

  it('fingerprint hands the value to a hash alone', () => {
    expect(fingerprint(made, (inner) => `${JSON.stringify(inner).length}`)).toBe(`${CANARY.length + 2}`)
  })

  it('test gives one bit', () => {
    expect([test(made, (text) => text === CANARY), test(made, (text) => text.length === 0)]).toEqual([
      true,
      false,
    ])
  })
})

describe('opening for a named reader', () => {
  const cloud: ModelReader = { id: 'c', locality: 'cloud', level: 'internal', compartments: [] }
  const to = (sink: string) => openForSink(made, POLICY, { sink, template: 't', now: NOW })
  const tool = (level: 'internal' | 'sensitive') =>
    openForTool(made, { tool: 't', place: 'home', ceiling: { level, compartments: [] } })

  it.each([
    ['a cleared model', () => openForPrompt(made, { ...cloud, level: 'sensitive' }), undefined],
    ['a model below', () => openForPrompt(made, cloud), 'model_not_cleared'],
    ['a cleared tool', () => tool('sensitive'), undefined],
    ['a tool of a lower task', () => tool('internal'), 'ceiling_exceeded'],
    ['a cleared sink', () => to('sink:telegram:owner'), undefined],
    ['a sink below', () => to('sink:github:open_repo'), 'write_down'],
    ['a sink nobody knows', () => to('sink:x:y'), 'sink_unknown'],
  ])('%s', (_, open, code) => {
    const opened = open()
    expect(opened.ok ? undefined : opened.reason.code).toBe(code)
    expect(JSON.stringify(opened).includes(CANARY)).toBe(code === undefined)
  })

  it('refuses with the facts of the check', () => {
    expect(to('sink:github:open_repo')).toMatchObject({
      reason: { facts: { sink: 'sink:github:open_repo', level: 'sensitive', cleared: 'public' } },
    })
  })

  it('asks about the label it bears, whatever else the request says', () => {
    const request = { sink: 'sink:github:open_repo', template: 't', now: NOW, label: PUBLIC as Label }
    expect(openForSink(made, POLICY, request).ok).toBe(false)
  })
})
