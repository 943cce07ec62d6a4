/** One chain of models with retries: attempts, pauses, deadlines, breakers, and what the person is told (D-13 – D-17, Q-16). */

import { describe, expect, it } from 'vitest'
import { err, type ReasonFacts, type Result } from '../../kernel/flow/verdict.ts'
import { MODEL_BREAKERS, MODEL_NEWS } from '../../kernel/inference/attempt.ts'
import type {
  ModelAnswer,
  ModelLimits,
  ModelLive,
  ModelProvider,
  StopSignal,
} from '../../kernel/inference/provider.ts'
import { callModel } from '../../kernel/inference/router.ts'
import { createBreakers, DEFAULT_BREAKER, type Meaning } from '../../kernel/powers/breaker.ts'
import type { FinalPrompt } from '../../kernel/prompt/finalize.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import { stoodIn } from '../../kernel/wording/note.ts'
import { wordsFor } from '../../kernel/wording/words.ts'
import { testPatience } from '../fakes/patience.ts'
import { createWorld, message, scriptedModel, type WorldOptions } from '../pipeline/world.ts'
import { modelCall } from './call.ts'

type Step =
  | 'ok'
  | 'empty'
  | 'throws'
  | { readonly code: ReasonCode; readonly facts?: ReasonFacts; readonly heard?: true }

const BUSY = { code: 'model_overloaded' } as const
const busyFor = (after: number) => ({ ...BUSY, facts: { after } }) as const
const FAILED = { code: 'model_failed' } as const

/** Answers by its script, then always as in its last step. Each call advances the clock by `takes` milliseconds. */
function model(id: string, script: readonly Step[], { clock = { now: 0 }, takes = 0 } = {}) {
  const limits: ModelLimits[] = []
  const complete = async (
    _prompt: FinalPrompt,
    given: ModelLimits,
    live?: ModelLive,
  ): Promise<Result<ModelAnswer>> => {
    const step = script[Math.min(limits.length, script.length - 1)] ?? 'ok'
    limits.push(given)
    clock.now += takes
    if (step === 'throws') throw new Error('the prompt, quoted')
    if (typeof step === 'object') {
      if (step.heard) live?.onText?.('half an ')
      return err(step.code, step.facts)
    }
    const text = step === 'ok' ? `from ${id}` : '  '
    return { ok: true, value: { text, cut: false, tokens: { input: 0, output: 0 } } }
  }
  const reader = { id, locality: 'home', level: 'regulated', compartments: 'all' } as const
  return { provider: { reader, complete } satisfies ModelProvider, limits }
}

describe('a model that does not answer', () => {
  it.each<readonly [string, readonly Step[], { tries: number; pauses: readonly number[]; by: string }]>([
    ['answers at once', ['ok'], { tries: 1, pauses: [], by: 'a' }],
    ['is busy once', [BUSY, 'ok'], { tries: 2, pauses: [250], by: 'a' }],
    ['is busy twice, and waits longer', [BUSY, FAILED, 'ok'], { tries: 3, pauses: [250, 500], by: 'a' }],
    ['is busy for ever', [BUSY], { tries: 3, pauses: [250, 500], by: 'b' }],
    ['says when to come back', [busyFor(3_000), 'ok'], { tries: 2, pauses: [3_000], by: 'a' }],
    ['asks for more than anybody waits', [busyFor(10_001), 'ok'], { tries: 1, pauses: [], by: 'b' }],
    ['is set up wrongly', [{ code: 'model_misconfigured' }], { tries: 1, pauses: [], by: 'b' }],
    ['took all of its time', [{ code: 'model_timeout' }], { tries: 1, pauses: [], by: 'b' }],
    ['says what is no answer', [{ code: 'model_garbled' }], { tries: 1, pauses: [], by: 'b' }],
    ['says nothing', ['empty'], { tries: 1, pauses: [], by: 'b' }],
    ['throws', ['throws', 'ok'], { tries: 2, pauses: [250], by: 'a' }],
    ['broke off while it was heard', [{ ...FAILED, heard: true }], { tries: 1, pauses: [], by: 'b' }],
  ])(
    'failures of models lead to retries or the next model: %s',
    async (_what, script, { tries, pauses, by }) => {
      const patience = testPatience()
      const [a, b] = [model('a', script), model('b', ['ok'])]
      const hear = () => () => undefined
      const reply = await callModel(modelCall({ models: [a.provider, b.provider], patience, hear }))
      expect(reply.ok && reply.value.text).toBe(`from ${by}`)
      expect([a.limits.length, patience.pauses]).toEqual([tries, pauses])
    },
  )

  it('retries of several callers happen at different times', async () => {
    const patience = testPatience({ chance: () => 0.999 })
    await callModel(modelCall({ models: [model('a', [BUSY]).provider], patience }))
    expect(patience.pauses.map(Math.round)).toEqual([500, 1_000])
  })
})

describe('the time of a chain', () => {
  it('a model that hangs leaves half of the remaining time to the next', async () => {
    const clock = { now: 0 }
    const hangs = (id: string, takes: number) => model(id, [{ code: 'model_timeout' }], { clock, takes })
    const all = [hangs('a', 60_000), hangs('b', 30_000), hangs('c', 30_000), model('d', ['ok'], { clock })]
    const call = modelCall({ models: all.map(({ provider }) => provider), now: () => clock.now })
    const reply = await callModel({ ...call, limits: { maxTokens: 10, timeout: 120_000 } })
    expect(all.map(({ limits }) => limits.map(({ timeout }) => timeout))).toEqual([
      [60_000],
      [30_000],
      [15_000],
      // The model before it used up the time.
      [],
    ])
    expect(reply).toMatchObject({ ok: false, reason: { code: 'model_timeout' } })
  })

  it('with no time left no text model is called, and the rules model answers', async () => {
    const clock = { now: 0 }
    const slow = model('a', [{ code: 'model_timeout' }], { clock, takes: 120_000 })
    const rules = { ...model('rules', ['ok'], { clock }).provider, reads: 'parts' } as const
    const call = modelCall({ models: [slow.provider, rules], now: () => clock.now })
    const reply = await callModel({ ...call, limits: { maxTokens: 10, timeout: 120_000 } })
    expect(reply.ok && reply.value.model).toBe('rules')
    expect(slow.limits[0]?.timeout).toBe(120_000)
  })

  it('no retry starts that the deadline would cut off', async () => {
    const patience = testPatience()
    const a = model('a', [busyFor(1_500)])
    const call = modelCall({ models: [a.provider], patience })
    await callModel({ ...call, limits: { maxTokens: 10, timeout: 2_400 } })
    expect(a.limits).toHaveLength(1)
  })
})

describe('the breaker of a chain', () => {
  const told = async (script: readonly Step[], signal?: StopSignal): Promise<readonly Meaning[]> => {
    const meanings: Meaning[] = []
    const breakers = {
      enter: async () => ({ ok: true, value: true }) as const,
      leave: async (_: string, meaning: Meaning) => void meanings.push(meaning),
    }
    const patience = testPatience({ breakers })
    await callModel(modelCall({ models: [model('a', script).provider], patience, ...(signal && { signal }) }))
    return meanings
  }
  const stopped: StopSignal = {
    ...{ aborted: true, addEventListener: () => undefined, removeEventListener: () => undefined },
  }

  it.each<[string, readonly Step[], Meaning, StopSignal?]>([
    ['an answer', ['ok'], 'works'],
    ['an answer at the second try', [BUSY, 'ok'], 'works'],
    ['busy in all tries: one step', [BUSY], 'fails'],
    ['a fault in all tries: one step', [FAILED], 'fails'],
    // A stranger's text can cause it on purpose, which must not block the model for everybody.
    ['an end in good order, and no word', ['empty'], 'neither'],
    ['rubbish', [{ code: 'model_garbled' }], 'fails'],
    ['a timeout', [{ code: 'model_timeout' }], 'fails'],
    ['wrong settings', [{ code: 'model_misconfigured' }], 'refused'],
    ['a call that its own caller stopped', [{ code: 'task_stopped' }], 'neither', stopped],
    ['a fault of a call that was stopped', [FAILED], 'neither', stopped],
    ['a call that nobody pays for', [{ code: 'model_budget_spent' }], 'neither'],
  ])('the breaker counts or ignores %s', async (_what, script, meaning, signal) => {
    expect(await told(script, signal)).toEqual([meaning])
  })

  it('a breaker opens for three people’s failures, and nobody calls that model until its pause is over', async () => {
    const clock = { now: 0 }
    const news: string[] = []
    const breakers = createBreakers({
      ...MODEL_BREAKERS,
      bounds: DEFAULT_BREAKER,
      now: () => clock.now,
      news: (name, code) => news.push(`${name} ${MODEL_NEWS[code]}`),
    })
    const [a, b] = [model('a', [{ code: 'model_garbled' }]), model('b', ['ok'])]
    const patience = testPatience({ breakers: breakers })
    const ask = () => callModel(modelCall({ models: [a.provider, b.provider], patience }))
    for (let n = 0; n < 5; n += 1) expect((await ask()).ok).toBe(true)
    expect([a.limits.length, b.limits.length, news]).toEqual([3, 5, ['a model_degraded']])
    clock.now += DEFAULT_BREAKER.rest
    await ask()
    expect(a.limits).toHaveLength(4)
  })

  it('all models of a provider share one breaker', async () => {
    const names: string[] = []
    const breakers = {
      enter: async (name: string) => {
        names.push(name)
        return { ok: true, value: true } as const
      },
      leave: async () => undefined,
    }
    await callModel(
      modelCall({ models: [model('a:small', ['ok']).provider], patience: testPatience({ breakers }) }),
    )
    expect(names).toEqual(['a'])
  })
})

describe('a person who waits for models', () => {
  const NOTHING = JSON.stringify({ steps: [], explanation: '' })
  const late = (ms: number, code: ReasonCode = 'model_timeout', more: WorldOptions = {}) => {
    const clock = { now: 0 }
    const speaks = scriptedModel('b', ({ parts }) => (parts.purpose === 'plan' ? NOTHING : 'from b'))
    const { provider } = model('a', [{ code }], { clock, takes: ms })
    const world = createWorld({ models: [provider, speaks], ...more })
    const base = world.clock.now
    Object.defineProperty(world.clock, 'now', { get: () => base + clock.now })
    return world
  }

  it.each([
    [4_000, ['notice', 'answer']],
    [3_999, ['answer']],
  ] as const)(
    '%i ms of the first model, and as many of the planner, cause these deliveries: %j',
    async (ms, kinds) => {
      const world = late(ms)
      await world.say('please do the unusual thing')
      expect(world.sent.map(({ kind }) => kind)).toEqual(kinds)
      if (kinds.length > 1) expect(world.sent[0]?.text).toBe(wordsFor('model_delayed'))
      expect(world.sent.at(-1)?.text).toBe(`${stoodIn({ model: 'a', code: 'model_timeout' }, 'b')}\n\nfrom b`)
    },
  )

  it('a person is told nothing about a model whose home is away', async () => {
    const world = late(4_000, 'home_offline')
    await world.say('please do the unusual thing')
    expect(world.sent.map(({ kind }) => kind)).toEqual(['answer'])
  })

  it('no person is told while a background job waits', async () => {
    const job = {
      ...{ template_id: 'daily', triggers: ['adapter:cron:cron_trigger:cron'], principal_class: 'cron' },
      ...{ description: 'A job', planner_task_description: 'What is due.', allowed_tools: ['email.list'] },
      ...{ max_tool_calls: 1, max_tokens_plan: 500, max_tokens_synthesize: 500 },
      ...{ output_sinks: ['reply_to_sender'], data_ceiling: 'sensitive' },
    }
    const world = late(4_000, 'model_timeout', { templates: [job] })
    const source = { adapter: 'cron', user: 'daily', chat: 'owner', group: false }
    const due = { ...message('due', { id: 'c1', at: world.clock.now }), kind: 'cron_trigger', source }
    const received = await world.shell.receive(due)
    if (!received.ok) throw new Error(received.reason.code)
    await world.shell.run(received.value.principal)
    expect(world.sent.map(({ kind }) => kind)).toEqual(['answer'])
  })

  it('the person and the audit learn what failed, by id and code only', async () => {
    const world = late(0)
    await world.say('please do the unusual thing')
    const calls = world.audited.filter(({ kind, facts }) => kind === 'model_called' && facts['failed'] !== '')
    expect(calls.map(({ facts }) => facts['failed'])).toEqual(['a model_timeout', 'a model_timeout'])
  })
})
