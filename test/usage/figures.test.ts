/**
 * Latency and budget in the status (L-08, Q-11): each number is one that the stores hold, and nothing but numbers and names of models is said.
 */
import { describe, expect, it } from 'vitest'
import { answersIn, figuresOf, figureWords } from '../../kernel/features/usage/figures.ts'
import type { AuditEvent } from '../../kernel/powers/stores.ts'
import { createWorld, scriptedModel, type World } from '../pipeline/world.ts'

type Row = Partial<AuditEvent> & Pick<AuditEvent, 'at' | 'kind' | 'task'>
const row = ({ facts = {}, ...more }: Row): AuditEvent => ({
  ...{ place: 'home', trace: null, principal: null, facts },
  ...more,
})
const asked = (task: string, at: number, more: AuditEvent['facts'] = {}): AuditEvent =>
  row({ task, at, kind: 'task_created', facts: { kind: 'message', class: 'owner', ...more } })
const answered = (task: string, at: number, more: AuditEvent['facts'] = {}): AuditEvent =>
  row({ task, at, kind: 'egress', facts: { kind: 'answer', ok: true, ...more } })

describe('how fast answers were', () => {
  it.each<[string, readonly AuditEvent[], ReturnType<typeof answersIn>]>([
    ['nothing was asked', [], null],
    ['one answer', [answered('a', 1_900), asked('a', 1_000)], { count: 1, half: 900 }],
    [
      'the middle of three',
      [
        answered('c', 9_000),
        asked('c', 8_900),
        answered('b', 7_000),
        asked('b', 2_000),
        answered('a', 900),
        asked('a', 600),
      ],
      { count: 3, half: 300 },
    ],
    ['an answer that did not leave', [answered('a', 1_900, { ok: false }), asked('a', 1_000)], null],
    ['a job', [answered('a', 1_900), asked('a', 1_000, { kind: 'cron_trigger', class: 'cron' })], null],
    ['another person', [answered('a', 1_900), asked('a', 1_000, { class: 'third_party' })], null],
    [
      'one that waited for a yes',
      [answered('a', 90_000), row({ task: 'a', at: 1_500, kind: 'approval_asked' }), asked('a', 1_000)],
      null,
    ],
  ])('%s', (_, rows, expected) => {
    expect(answersIn(rows)).toEqual(expected)
  })
})

/** Its model takes 1.5 s, and says what it read. */
function home(): World {
  const of: World = createWorld({
    budget: {
      ...{ tokensPerDay: 50_000, costPerDay: null, tokensPerTask: null, currency: 'EUR', prices: {} },
    } as never,
    models: [
      scriptedModel('spy', ({ parts }) => {
        of.clock.now += 1_500
        return parts.purpose === 'plan' ? '{"steps":[],"explanation":""}' : 'So it is.'
      }),
    ],
  })
  return of
}

it('the status equals what the stores hold', async () => {
  const of = home()
  await of.say('tell me something about the moons of Jupiter, please, if you can')
  const figures = await figuresOf(of.powers)
  const rows = of.disk.store.auditSince(0, 10_000)
  const from = rows.find(({ kind }) => kind === 'task_created')?.at ?? 0
  const to = rows.find(({ kind, facts }) => kind === 'egress' && facts['kind'] === 'answer')?.at ?? 0
  expect(to - from).toBeGreaterThan(0)
  expect(figures.answers).toEqual({ count: 1, half: to - from })
  const [day] = of.disk.store.usageBy('day', '2000-01-01', 1)
  expect(figures.models).toMatchObject({
    calls: day?.calls,
    tokens: (day?.input ?? 0) + (day?.output ?? 0),
    names: of.disk.store.usageBy('model', '2000-01-01', 9).map(({ name }) => name),
  })
  expect(figures.models.calls).toBeGreaterThan(0)
  await of.say('/status')
  for (const line of Object.values(figureWords(figures))) expect(of.heard()).toContain(line)
  expect(of.heard()).toContain(`within ${((to - from) / 1_000).toFixed(1)} s`)
})

it('at the edge the messages of the day stand beside what the plan carries', async () => {
  const plan = {
    today: 12,
    carries: 800,
    counted: 40,
    binds: 'rows',
    source: '',
    asOf: '',
    limits: [],
  } as const
  const of = createWorld({ place: 'edge' })
  const words = figureWords(await figuresOf({ ...of.powers, plan: async () => plan }))
  expect(words['messages']).toContain('12 of about 800')
  expect(figureWords(await figuresOf(of.powers))).not.toHaveProperty('messages')
})
