/**
 * What models may cost (B-37, D-11): every call counted where it is made, the silent ones too; a spent budget keeps the cloud
 * out, and the answer says so; no order of calls, failures and crashes passes a cap by more than one answer.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { UsageKey } from '../../kernel/features/usage/port.ts'
import { spendFor } from '../../kernel/features/usage/spending.ts'
import { usageReport } from '../../kernel/features/usage/usage-report.ts'
import { err, ok } from '../../kernel/flow/verdict.ts'
import { RETRIES } from '../../kernel/inference/attempt.ts'
import { type Budget, NO_BUDGET } from '../../kernel/inference/budget.ts'
import type { ModelProvider, TokenUsage } from '../../kernel/inference/provider.ts'
import { type Spend, watched } from '../../kernel/inference/spend.ts'
import type { FinalPrompt } from '../../kernel/prompt/finalize.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import { budgetSpent } from '../../kernel/wording/note.ts'
import { wordsFor } from '../../kernel/wording/words.ts'
import { OWNER } from './approvals-owner.ts'
import { mailTools } from './mailbox.ts'
import { createDisk, createWorld, message, type World, type WorldOptions } from './world.ts'

const WORDS = 'please juggle the secret lanterns of Ines'
const NOTHING = JSON.stringify({ steps: [], explanation: '' })
const PRICE = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 }
const USED: TokenUsage = { input: 1_000, output: 100, cached: { read: 600, written: 200 } }
/** 200 anew, 600 from the cache, 200 into it, 100 written. */
const COST = 200 * 3 + 600 * 0.3 + 200 * 3.75 + 100 * 15

const says = ({ parts }: FinalPrompt): string => (parts.purpose === 'plan' ? NOTHING : 'As you wish.')

function counting(
  id: string,
  { locality = 'cloud', tokens = USED, text = says, cut = false }: Partial<Scripted> = {},
): ModelProvider & { readonly asked: number[] } {
  const asked: number[] = []
  return {
    ...{
      asked,
      reader: { id, locality, level: locality === 'cloud' ? 'internal' : 'regulated', compartments: [] },
    },
    complete: async (prompt, { maxTokens }) => {
      asked.push(maxTokens)
      return ok({ text: text(prompt), cut, tokens })
    },
  }
}

interface Scripted {
  readonly locality: 'home' | 'cloud'
  readonly tokens: TokenUsage
  readonly text: (prompt: FinalPrompt) => string
  readonly cut: boolean
}

const failing = (id: string, code: ReasonCode, facts = {}): ModelProvider => ({
  ...counting(id),
  complete: async () => err(code, facts),
})

const edge = (models: readonly ModelProvider[], more: WorldOptions = {}): World =>
  createWorld({ place: 'edge', models, tools: mailTools(), ...more })
const sums = ({ powers }: World, key: UsageKey) => usageReport(powers, 1).by[key]
const named = (world: World, key: UsageKey) =>
  Object.fromEntries(sums(world, key).map(({ name, ...sum }) => [name ?? 'none', sum]))
const budget = (caps: Partial<Budget>): Budget => ({ ...NO_BUDGET, prices: { big: PRICE }, ...caps })

describe('counting', () => {
  it('has a row for each call, with its tokens, its cache and its cost', async () => {
    const world = edge([counting('big')], { budget: budget({}) })
    const task = await world.say(WORDS)
    const one = { calls: 1, failed: 0, input: 1_000, output: 100, cacheRead: 600, cacheWritten: 200 }
    expect(named(world, 'purpose')).toEqual({
      plan: { ...one, cost: COST, unpriced: 0 },
      synthesize: { ...one, cost: COST, unpriced: 0 },
    })
    expect(named(world, 'task')).toMatchObject({ [task]: { calls: 2, cost: 2 * COST } })
    expect(named(world, 'day')).toMatchObject({ '2026-11-20': { calls: 2 } })
    expect(named(world, 'model')).toMatchObject({ big: { calls: 2 } })
  })

  it.each([
    ['compose', { do: 'compose', from: ['s1'], instruction: 'Say it in one line.', maxChars: 100 }],
    ['classify', { do: 'classify', of: 's1', question: 'Is it urgent?', options: ['yes', 'no'] }],
  ])('counts %s', async (purpose, step) => {
    const steps = [
      { id: 's1', do: 'tool', tool: 'email.list', args: {} },
      { id: 's2', ...step },
    ]
    const plan = JSON.stringify({ steps, explanation: '' })
    const text = ({ parts }: FinalPrompt): string => (parts.purpose === 'plan' ? plan : 'yes')
    const world = createWorld({ models: [counting('own', { locality: 'home', text })], tools: mailTools() })
    await world.say('please do the unusual thing')
    expect(named(world, 'purpose')).toMatchObject({ [purpose]: { calls: 1, input: 1_000 } })
  })

  it('counts a name that is asked for, and notes on a conversation', async () => {
    const own = { ...counting('own', { locality: 'home' }), window: 6_000 }
    const world = createWorld({
      models: [own],
      history: { plannerTurns: 50, writerTurns: 50, tokens: 32_000 },
    })
    for (let n = 0; n < 6; n += 1)
      await world.say(`please note ${n}: ${'the boat left at noon. '.repeat(200)}`)
    await world.shell.compact(OWNER)
    await world.ports.names()
    expect(named(world, 'purpose')).toMatchObject({ whoami: { calls: 1 }, compact: { input: 1_000 } })
    expect(named(world, 'task')['none']?.calls).toBeGreaterThanOrEqual(2)
  })

  const ROUGH = { input: 0, output: 0 }
  it.each([
    [
      'it said what it had counted',
      'model_garbled',
      { tokensIn: 70, tokensOut: 7 },
      { input: 70, output: 7 },
    ],
    ['it counts a negative answer', 'model_failed', { tokensIn: -70, tokensOut: -7 }, ROUGH],
    ['it was too busy to read', 'model_overloaded', {}, ROUGH],
    ['its key is wrong', 'model_misconfigured', {}, ROUGH],
  ] as const)('counts a call that failed: %s', async (_what, code, facts, tokens) => {
    const world = edge([failing('big', code, facts), counting('next')])
    await world.say(WORDS)
    // For the plan and for the answer; with each try anew where another one may mend it.
    const tries = 2 * (code === 'model_failed' || code === 'model_overloaded' ? 1 + RETRIES : 1)
    expect(named(world, 'model')['big']).toMatchObject({
      failed: tries,
      input: tries * tokens.input,
      output: tries * tokens.output,
    })
  })

  it.each(['model_timeout', 'model_garbled'] as const)(
    'holds a provider that was cut off (%s) to have read its prompt',
    async (code) => {
      const world = edge([failing('big', code)])
      await world.say(WORDS)
      expect(named(world, 'model')['big']?.input).toBeGreaterThan(200)
    },
  )

  it('counts an answer that says nothing, and one of a provider that does not count', async () => {
    const world = edge([counting('mute', { text: () => ' ' }), counting('vague', { tokens: ROUGH })])
    await world.say(WORDS)
    expect(named(world, 'model')).toMatchObject({ mute: { calls: 2, input: 2_000 }, vague: { calls: 2 } })
    expect(named(world, 'model')['vague']?.input).toBeGreaterThan(200)
  })

  it('believes no provider that counts less than nothing, or endlessly', async () => {
    const world = edge([counting('odd', { tokens: { input: -5, output: Number.POSITIVE_INFINITY } })])
    await world.say(WORDS)
    const { input = 0, output } = named(world, 'model')['odd'] ?? {}
    expect([input > 1_000, output]).toEqual([true, 20_000_000])
  })

  it('counts the prompt of an answer that was cut before its provider counted', async () => {
    const world = edge([counting('odd', { tokens: { input: 0, output: 0 }, cut: true })])
    await world.say(WORDS)
    expect(named(world, 'model')['odd']?.input).toBeGreaterThan(1_000)
  })

  it('writes nothing for `rules`, which costs nothing', async () => {
    const world = createWorld({ tools: mailTools() })
    await world.say('hello')
    await world.say('any new mail?')
    expect(sums(world, 'model')).toEqual([])
  })

  it('keeps numbers and ids, and no word of anybody (D-19)', async () => {
    const world = edge([counting('big', { text: () => 'A canary of the model.' })])
    await world.say(WORDS)
    const rows = (['day', 'task', 'purpose', 'model'] as const).flatMap((key) => sums(world, key))
    const said = JSON.stringify([rows, world.audited.filter(({ kind }) => kind === 'model_called')])
    expect(said).not.toMatch(/juggle|lantern|Ines|canary|wish/i)
  })
})

describe('a spent budget', () => {
  it.each([
    ['tokens a day', { tokensPerDay: 3_000 }, 'tokens_per_day'],
    ['tokens a task', { tokensPerTask: 1_500 }, 'tokens_per_task'],
    ['money a day', { costPerDay: 2 * COST }, 'cost_per_day'],
    ['money a day, and no price', { costPerDay: 1_000_000, prices: {} }, 'price_missing'],
  ] as const)('of %s keeps the cloud out, asks the next and says so once', async (_what, caps, cap) => {
    const big = counting('big')
    const world = edge([big, counting('own', { locality: 'home', text: () => 'From your own.' })], {
      budget: budget(caps),
    })
    for (let n = 0; n < 4; n += 1) await world.say(WORDS)
    expect(world.heard()).toBe(`${budgetSpent()}\n\nFrom your own.`)
    const { tokens, cost } = world.disk.store.spentOn({ day: '2026-11-20' })
    if (cap !== 'tokens_per_task') expect(tokens).toBeLessThanOrEqual(4_400)
    if (cap === 'cost_per_day') expect(cost).toBeLessThanOrEqual(2 * COST)
    expect(world.audited.filter(({ kind }) => kind === 'denial').at(-1)?.facts).toMatchObject({
      code: 'model_budget_spent',
      model: 'big',
      cap,
    })
  })

  it('falls to `rules` where there is nothing else', async () => {
    const world = edge([counting('big')], { budget: budget({ tokensPerDay: 10 }) })
    await world.say(WORDS)
    expect(world.heard().startsWith(`${budgetSpent()}\n\n`)).toBe(true)
    expect(world.heard()).not.toContain('Your model')
    expect(sums(world, 'model')).toEqual([])
  })

  it('is a day’s, in the owner’s time zone', async () => {
    const big = counting('big')
    const world = edge([big], { budget: budget({ tokensPerDay: 3_000 }) })
    for (let n = 0; n < 3; n += 1) await world.say(WORDS)
    const before = big.asked.length
    // Madrid is an hour ahead: 23:30 UTC is the next day there.
    world.clock.now = Date.parse('2026-11-20T23:30:00Z')
    await world.say(WORDS)
    expect(big.asked.length).toBeGreaterThan(before)
    expect(Object.keys(named(world, 'day'))).toEqual(['2026-11-21'])
  })

  it('does not keep a model at home from answering', async () => {
    const own = counting('own', { locality: 'home' })
    const world = createWorld({ models: [own], budget: budget({ tokensPerDay: 10, costPerDay: 1 }) })
    await world.say(WORDS)
    expect(world.heard()).toBe('As you wish.')
  })

  it('counts the smaller of the owner’s and the template’s for a task', async () => {
    const template = {
      ...{ template_id: 'small', triggers: ['adapter:fake:message:owner'], principal_class: 'owner' },
      ...{ description: 'Small tasks.', allowed_tools: [], max_tool_calls: 0, data_ceiling: 'internal' },
      ...{ max_tokens_plan: 500, max_tokens_synthesize: 500, max_tokens_task: 10 },
      inference: { provider: 'chain' },
      output_sinks: ['reply_to_sender'],
    }
    const world = edge([counting('big')], { templates: [template], owner: ['fake:me'] })
    const source = { adapter: 'fake', user: 'me', chat: 'me', group: false }
    const received = await world.shell.receive({ ...message(WORDS, { id: 'f', place: 'edge' }), source })
    if (received.ok) await world.shell.run(received.value.principal)
    expect(world.audited.find(({ kind }) => kind === 'denial')?.facts).toMatchObject({
      cap: 'tokens_per_task',
    })
  })

  it('shortens the answer that still fits', async () => {
    const big = counting('big', { tokens: { input: 10, output: 10 } })
    const world = edge([big], { budget: budget({ tokensPerDay: 3_000 }) })
    await world.say(WORDS)
    expect(big.asked.length).toBe(2)
    for (const most of big.asked) expect(most).toBeLessThan(3_000)
    expect(world.heard()).toBe('As you wish.')
  })
})

describe('what is held back', () => {
  /** A prompt as it came to a model, and a clean place to spend in. */
  async function till(caps: Partial<Budget>) {
    const world = edge([counting('big')])
    await world.say(WORDS)
    const prompt = world.prompts.at(-1)
    if (prompt === undefined) throw new Error('no prompt')
    const powers = { ...world.powers, store: createDisk().store, budget: budget(caps) }
    const whose = { task: 't1', principal: OWNER, template: 'x', purpose: 'synthesize' } as const
    const spend = spendFor(powers, whose)
    const spent = () => powers.store.spentOn({ day: '2026-11-20' })
    return { prompt, spend, spent, powers }
  }
  const attempt = (spend: Spend, prompt: FinalPrompt, maxTokens = 1_000) =>
    spend({ provider: counting('big'), prompt, limits: { maxTokens, timeout: 1 } })

  it('keeps two tasks at once from both passing what is left, and is given back', async () => {
    const probe = await till({ tokensPerDay: 10_000_000 })
    attempt(probe.spend, probe.prompt)
    // Room for one such call, and for hardly more.
    const tokensPerDay = probe.spent().tokens + 50
    const { prompt, spend, spent } = await till({ tokensPerDay })
    const first = attempt(spend, prompt)
    const second = attempt(spend, prompt)
    expect(second).toMatchObject({ ok: false, reason: { code: 'model_budget_spent' } })
    if (first.ok) first.value.settle(ok({ text: 'x', cut: false, tokens: { input: 5, output: 5 } }))
    expect(spent().tokens).toBe(10)
    expect(attempt(spend, prompt).ok).toBe(true)
    expect(spent().tokens).toBeLessThanOrEqual(tokensPerDay)
  })

  it('is nothing where nothing is bounded, and the call is counted when it is over', async () => {
    const { prompt, spend, spent } = await till({})
    const call = attempt(spend, prompt)
    expect(spent().tokens).toBe(0)
    if (call.ok) call.value.settle(ok({ text: 'x', cut: false, tokens: { input: 5, output: 6 } }))
    expect(spent().tokens).toBe(11)
  })

  it('stays counted where nobody came back to settle it: a crash buys nothing', async () => {
    const { prompt, spend, spent } = await till({ tokensPerDay: 100_000 })
    expect(attempt(spend, prompt).ok).toBe(true)
    expect(spent().tokens).toBeGreaterThan(1_000)
    expect(spent().cost).toBeGreaterThan(1_000 * PRICE.output)
  })

  it('never passes a cap by more than one call’s answer, whatever is asked, fails, crashes or overruns', async () => {
    const { prompt, powers } = await till({})
    const call = fc.record({
      model: fc.constantFrom('big', 'big:other', 'unpriced'),
      wish: fc.integer({ min: 1, max: 4_000 }),
      says: fc.record({ input: fc.nat(6_000), output: fc.nat(9_000) }),
      ends: fc.constantFrom('answer', 'timeout', 'busy', 'crash', 'later'),
    })
    const caps = fc.record({
      tokensPerDay: fc.option(fc.integer({ min: 0, max: 60_000 })),
      tokensPerTask: fc.option(fc.integer({ min: 0, max: 60_000 })),
      costPerDay: fc.option(fc.integer({ min: 0, max: 300_000 })),
    })
    let run = 0
    fc.assert(
      fc.property(fc.array(call, { maxLength: 25 }), caps, (calls, limits) => {
        // A day and a task of its own for each run.
        run += 1
        const now = Date.parse('2026-11-20T11:00:00Z') + run * 86_400_000
        const day = new Date(now).toISOString().slice(0, 10)
        const { store } = powers
        const spend = spendFor(
          { ...powers, now: () => now, budget: budget(limits) },
          { task: `t${run}`, principal: OWNER, template: 'x', purpose: 'plan' },
        )
        const late: (() => void)[] = []
        // What providers counted beyond what was held back for them: nobody can take that back.
        let over = { tokens: 0, cost: 0 }
        for (const { model, wish, says: tokens, ends } of calls) {
          const before = store.spentOn({ day })
          const asked = spend({ provider: counting(model), prompt, limits: { maxTokens: wish, timeout: 1 } })
          if (!asked.ok) continue
          const held = store.spentOn({ day })
          expect(asked.value.limits.maxTokens).toBeLessThanOrEqual(wish)
          // What is granted never passes a cap by itself.
          expect(held.tokens).toBeLessThanOrEqual(Math.max(limits.tokensPerDay ?? Infinity, before.tokens))
          expect(held.tokens).toBeLessThanOrEqual(Math.max(limits.tokensPerTask ?? Infinity, before.tokens))
          expect(held.cost).toBeLessThanOrEqual(Math.max(limits.costPerDay ?? Infinity, before.cost))
          const settle = (): void => {
            const was = store.spentOn({ day })
            if (ends === 'timeout') asked.value.settle(err('model_timeout'))
            else if (ends === 'busy') asked.value.settle(err('model_overloaded'))
            else asked.value.settle(ok({ text: 'x', cut: false, tokens }))
            const now = store.spentOn({ day })
            over = {
              tokens: over.tokens + Math.max(0, now.tokens - was.tokens),
              cost: over.cost + Math.max(0, now.cost - was.cost),
            }
          }
          if (ends === 'later') late.push(settle)
          else if (ends !== 'crash') settle()
          const after = store.spentOn({ day })
          expect(after.tokens).toBeLessThanOrEqual((limits.tokensPerDay ?? Infinity) + over.tokens)
          expect(after.cost).toBeLessThanOrEqual((limits.costPerDay ?? Infinity) + over.cost)
        }
        for (const settle of late) settle()
        const end = store.spentOn({ day })
        expect(end.tokens).toBeLessThanOrEqual((limits.tokensPerDay ?? Infinity) + over.tokens)
      }),
      { numRuns: 60 },
    )
  })
})

describe('an answer that is watched', () => {
  it('is stopped once it goes on past what it was given, and nothing more of it is heard', () => {
    const heard: string[] = []
    let stopped = 0
    const live = watched({ onText: (text) => void heard.push(text) }, 100)
    live?.signal?.addEventListener('abort', () => {
      stopped += 1
    })
    for (let n = 0; n < 20; n += 1) live?.onText?.('The boat left at noon. '.repeat(4))
    expect([heard.length, stopped, live?.signal?.aborted]).toEqual([7, 1, true])
  })

  it('ends the call, its partial text is flagged, and what had come is counted (D-11, B-37)', async () => {
    let pieces = 0
    const endless: ModelProvider = {
      ...counting('big'),
      complete: async (prompt, _limits, live) => {
        if (prompt.parts.purpose === 'plan') return ok({ text: NOTHING, cut: false, tokens: USED })
        let text = ''
        // As a service streams: it counts the prompt at once, and the answer when it is over.
        for (; live?.signal?.aborted !== true && pieces < 10_000; pieces += 1) {
          text += 'The boat left at noon.\n\n'
          live?.onText?.('The boat left at noon.\n\n')
        }
        return ok({ text: text.slice(0, 2_000), cut: true, tokens: { input: 1_000, output: 1 } })
      },
    }
    const drafts = { watched: () => true, show: () => undefined }
    const world = edge([endless], { drafts, budget: budget({ tokensPerDay: 4_000 }) })
    await world.say(WORDS)
    expect(pieces).toBeLessThan(1_500)
    expect(world.heard()).toContain(wordsFor('answer_cut'))
    expect(named(world, 'purpose')['synthesize']?.output).toBeGreaterThan(400)
  })

  it('is stopped by whoever watches, too, and left alone where nobody does', () => {
    const person = new AbortController()
    const live = watched({ onText: () => undefined, signal: person.signal }, 100)
    person.abort()
    expect(live?.signal?.aborted).toBe(true)
    expect(watched(undefined, 100)).toBeUndefined()
  })
})

describe('/usage', () => {
  it('begins as many calendar days back as it says, across a day of 25 hours', () => {
    const world = createWorld()
    world.clock.now = Date.parse('2026-10-25T23:30:00+01:00')
    const berlin = { ...world.powers, profile: () => ({ timezone: 'Europe/Berlin', contacts: [] }) }
    expect([1, 2, 7].map((days) => usageReport(berlin, days).from)).toEqual([
      '2026-10-25',
      '2026-10-24',
      '2026-10-19',
    ])
  })

  it('is answered by the kernel in any chat of the owner’s', async () => {
    const world = edge([counting('big')], { budget: budget({ tokensPerDay: 10_000 }) })
    const task = await world.say(WORDS)
    const asked = world.prompts.length
    await world.say('/usage')
    expect(world.prompts.length).toBe(asked)
    expect(world.heard()).toMatch(/^The edge, since 2026-11-14:/)
    expect(world.heard()).toMatch(/big +2 +2000 +1200 +200 +0\.0061 USD/)
    expect(world.heard()).toContain(task.slice(0, 20))
    expect(world.heard()).toContain('Budget today: 2200 of 10000 tokens.')
    expect(world.sent.at(-1)?.label).toBe('internal')
  })

  it.each([
    ['nothing was asked', [], 'no model was asked that counts its tokens. No budget is set.'],
    ['a price is missing', [counting('other')], 'Without a price: other. Their cost is not known.'],
    ['one failed', [failing('other', 'model_timeout')], 'Calls that came to nothing: 2.'],
  ])('says when %s', async (_what, models, said) => {
    const world = edge(models)
    await world.say(WORDS)
    await world.say('/usage')
    expect(world.heard()).toContain(said)
  })

  it('is nothing to a stranger', async () => {
    const big = counting('big')
    const world = edge([big], { paired: ['whatsapp:kim'] })
    await world.say(WORDS)
    const source = { adapter: 'whatsapp', user: 'kim', chat: 'kim', group: false }
    const received = await world.shell.receive({ ...message('/usage', { id: 'k', place: 'edge' }), source })
    if (received.ok) await world.shell.run(received.value.principal)
    expect(
      world.sent
        .slice(1)
        .map(({ text }) => text)
        .join(),
    ).not.toMatch(/since 2026|By day/)
  })
})
