/**
 * What a provider that caches reads twice (P-21 – P-26), measured on the wire: the real pipeline talks over HTTP to a
 * service that keeps and counts as the documented one does. Prints the shares.
 */
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { cacheMinimum } from '../../integrations/models/anthropic/model.ts'
import { markedBody } from '../../integrations/models/wire.ts'
import type { ModelProvider } from '../../kernel/inference/provider.ts'
import type { ModelCost } from '../../kernel/inference/usage.ts'
import type { FinalPrompt } from '../../kernel/prompt/finalize.ts'
import { createModelLedger } from '../../sidecar/models/model-ledger.ts'
import {
  type Body,
  type CachingProvider,
  startCachingProvider,
  type Usage,
} from '../fakes/caching-provider.ts'
import { type BrainWorld, brainWorld } from '../pipeline/brain.ts'
import { CONVERSATION, CONVERSATION_TOOLS, LIVED_IN, OWN_FILES } from './caching-conversation.ts'

/** Milliseconds between two messages of somebody who reads the answers. */
const PACE = 45_000

interface Call {
  readonly turn: number
  readonly isPlan: boolean
  readonly body: Body
  readonly usage: Usage
}

let turn = 0
const clock = { now: 0 }
const calls: Call[] = []
/** What was sent after everybody had been silent for longer than a conversation's last line is kept. */
const late: Call[] = []
const SILENCE = 20 * 60_000
const ledger = createModelLedger()
const costs: ModelCost[] = []
const noteCost = (cost: ModelCost): void => {
  if (cost.model !== 'caching') return
  costs.push(cost)
  ledger.note(cost)
}
let service: CachingProvider
let world: BrainWorld

const isPlan = ({ system }: Body): boolean =>
  system[0]?.text.includes('Task: turn the request into a plan.') === true

beforeAll(async () => {
  service = await startCachingProvider({
    minimum: cacheMinimum('claude-sonnet-4-6'),
    now: () => clock.now,
    answer: (body) => {
      const [, answer, plan] = CONVERSATION[turn - 1] ?? ['', '']
      return isPlan(body) ? (plan ?? '{"steps":[],"explanation":"no"}') : answer
    },
  })
  const models = [overHttp(service.url)]
  world = await brainWorld({ tools: CONVERSATION_TOOLS, models, self: LIVED_IN, noteCost })
  for (const [file, text] of OWN_FILES) expect((await world.append(file, text)).ok).toBe(true)
  for (const [words] of CONVERSATION) {
    turn += 1
    await say(words, { after: PACE, into: calls })
  }
  const [words = ''] = CONVERSATION[1] ?? []
  await say(words, { after: SILENCE, into: late })
}, 120_000)

async function say(
  words: string,
  { after, into }: { readonly after: number; readonly into: Call[] },
): Promise<void> {
  world.clock.now += after
  clock.now = world.clock.now
  const before = service.seen.length
  await world.say(words)
  for (const { body, usage } of service.seen.slice(before))
    into.push({ turn, isPlan: isPlan(body), body, usage })
}

afterAll(() => service.close())

/** An adapter as thin as it can be: the shape is the product's. */
function overHttp(url: string): ModelProvider {
  return {
    reader: { id: 'caching', locality: 'home', level: 'regulated', compartments: 'all' },
    cacheMinimum: cacheMinimum('claude-sonnet-4-6'),
    complete: async (prompt, { maxTokens }) => {
      const body = JSON.stringify({ model: 'm', max_tokens: maxTokens, ...markedBody(prompt) })
      const response = await fetch(url, { method: 'POST', body })
      const { content, usage } = (await response.json()) as {
        readonly content: readonly { readonly text: string }[]
        readonly usage: Usage
      }
      const cached = { read: usage.cache_read_input_tokens, written: usage.cache_creation_input_tokens }
      const tokens = { input: inputOf(usage), output: usage.output_tokens, cached }
      return { ok: true, value: { text: content[0]?.text ?? '', cut: false, tokens } }
    },
  }
}

function inputOf(usage: Usage): number {
  return usage.input_tokens + usage.cache_read_input_tokens + usage.cache_creation_input_tokens
}

interface Shares {
  /** Of all input tokens: read from the cache. */
  readonly read: number
  /** Of all input tokens: at or before the last mark, read or written for the next call. */
  readonly within: number
}

function sharesOf(of: readonly Call[]): Shares {
  const sum = (count: (usage: Usage) => number): number =>
    of.reduce((all, { usage }) => all + count(usage), 0)
  const all = sum(inputOf)
  return {
    read: sum((usage) => usage.cache_read_input_tokens) / all,
    within: 1 - sum((usage) => usage.input_tokens) / all,
  }
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

describe('a conversation of twenty messages', () => {
  const writers = (from: number): readonly Call[] => calls.filter((call) => call.turn >= from && !call.isPlan)

  // About nine tenths lie up to the last mark, a little less for planners, which see times and names of earlier results after it. Fewer are read: what was done is new with every answer, a line of the conversation is new once, and a planner's first call
  // finds nothing of its own. docs/decisions/013 has the sum.
  test.each([
    [
      'every call from the second message on',
      () => calls.filter((call) => call.turn > 1),
      { read: 0.82, within: 0.88 },
    ],
    ['its answers', () => writers(2), { read: 0.865, within: 0.89 }],
    ['its answers, once ten messages are said', () => writers(11), { read: 0.88, within: 0.9 }],
  ] as const)('%s', (what, which, least) => {
    const shares = sharesOf(which())
    process.stdout.write(`${what}: ${percent(shares.read)} read, ${percent(shares.within)} within\n`)
    expect(shares.read).toBeGreaterThanOrEqual(least.read)
    expect(shares.within).toBeGreaterThanOrEqual(least.within)
  })

  it('has calls of both kinds, and answers that were used', () => {
    expect(CONVERSATION).toHaveLength(20)
    expect(calls.filter(({ isPlan: plans }) => plans).length).toBeGreaterThanOrEqual(3)
    expect(writers(1).length).toBeGreaterThanOrEqual(18)
    expect(world.heard()).not.toBe('')
  })

  it('sends two system blocks, the first marked and the same bytes in ten calls, the second bare (P-21)', () => {
    const systems = writers(2)
      .slice(0, 10)
      .map(({ body }) => body.system)
    expect(systems).toHaveLength(10)
    for (const system of systems)
      expect(system.map(({ cache_control }) => cache_control?.type)).toEqual(['ephemeral', undefined])
    expect(new Set(systems.map((system) => system[0]?.text)).size).toBe(1)
    expect(new Set(systems.map((system) => system[1]?.text)).size).toBe(1)
    expect(systems[0]?.[0]?.text).not.toMatch(/\[self |2026-|\[data /)
  })

  it('adds to the conversation and changes nothing of it (P-26)', () => {
    const told = writers(2).map(
      ({ body }) => body.messages[0]?.content.slice(0, -1).map(({ text }) => text) ?? [],
    )
    for (const [at, later] of told.slice(1).entries())
      expect(later.slice(0, told[at]?.length)).toEqual(told[at])
    expect(told.at(-1)?.length).toBeGreaterThan(30)
  })

  it('uses at most four marks, none of them on what is of one call alone', () => {
    for (const { body } of calls) {
      const blocks = [...body.system, ...(body.messages[0]?.content ?? [])]
      expect(blocks.filter(({ cache_control }) => cache_control !== undefined).length).toBeLessThanOrEqual(4)
      expect(blocks.at(-1)?.cache_control).toBeUndefined()
      expect(blocks.at(-1)?.text).toMatch(/\[request\]\n/)
    }
  })

  it('is found again after twenty minutes up to where the conversation begins, as it is marked for an hour', () => {
    const [answer] = late
    const last = calls.at(-1)
    expect(late).toHaveLength(1)
    expect(answer?.usage.cache_read_input_tokens).toBeGreaterThan(1_400)
    expect(answer?.usage.cache_read_input_tokens).toBeLessThan(last?.usage.cache_read_input_tokens ?? 0)
    const marks = answer?.body.system.concat(answer.body.messages[0]?.content ?? []).flatMap((block) => {
      return block.cache_control === undefined ? [] : [block.cache_control.ttl ?? '5m']
    })
    expect(marks).toEqual(['1h', '1h', '5m'])
  })

  it('is in the audit, call by call, as the provider counted it (P-24)', () => {
    const lines = world.audited.filter(
      ({ kind, facts }) => kind === 'model_called' && facts['model'] === 'caching',
    )
    expect(lines.map(({ facts }) => [facts['tokensIn'], facts['cacheRead'], facts['cacheWritten']])).toEqual(
      [...calls, ...late].map(({ usage }) => [
        inputOf(usage),
        usage.cache_read_input_tokens,
        usage.cache_creation_input_tokens,
      ]),
    )
  })

  it('has its share in the status (P-24)', () => {
    const all = [...calls, ...late]
    const share = Math.round(sharesOf(all).read * 100)
    expect(ledger.status().modelCache).toBe(`${share} % read from cache in ${all.length} calls`)
    expect(createModelLedger().status()).toEqual({})
  })

  it('is warned of where what stands before the break is too short for a model to keep (P-23)', () => {
    const other = createModelLedger()
    const tokens = { input: 1, output: 1 }
    const cost = { model: 'm', purpose: 'plan', tokens } as const
    other.note({ ...cost, fixed: { tokens: 900, least: cacheMinimum('claude-opus-4-5') } })
    const modelWarnings = [
      'm keeps no beginning of a prompt below 4096 tokens; the fixed part to plan has about 900',
    ]
    expect(other.status()).toEqual({ modelWarnings })
    other.note({ ...cost, fixed: { tokens: 5_000, least: 4_096 } })
    expect(other.status()).toEqual({})
    // And the real calls were measured, against what their model keeps.
    expect(costs.map(({ fixed }) => fixed?.least)).toEqual([...calls, ...late].map(() => 1_024))
    for (const { fixed } of costs) expect(fixed?.tokens).toBeGreaterThan(900)
  })

  it('is one text of the same bytes for a provider without marks (P-22)', () => {
    const prompts: readonly FinalPrompt[] = world.prompts.filter(({ model }) => model === 'caching')
    for (const prompt of prompts) {
      const { system, user } = prompt
      const marked = markedBody(prompt)
      expect(system).toBe(marked.system.map(({ text }) => text).join(''))
      expect(user).toBe(marked.messages[0].content.map(({ text }) => text).join(''))
    }
  })
})

test.each([
  ['claude-opus-4-1-20250805', 1_024],
  ['claude-opus-4-5-20251101', 4_096],
  ['claude-sonnet-4-6', 1_024],
  ['claude-haiku-4-5-20251001', 4_096],
  ['claude-3-5-haiku-20241022', 2_048],
  ['somebody-else-1', 4_096],
])('%s keeps nothing below %d tokens', (model, tokens) => expect(cacheMinimum(model)).toBe(tokens))

describe('the counting service', () => {
  const block = (words: number, kept: boolean) => ({
    text: ' word'.repeat(words),
    ...(kept && { cache_control: { type: 'ephemeral' } }),
  })
  const ask = async (url: string, content: readonly unknown[]): Promise<readonly number[]> => {
    const body = JSON.stringify({ system: [], messages: [{ role: 'user', content }] })
    const { usage } = (await (await fetch(url, { method: 'POST', body })).json()) as { readonly usage: Usage }
    return [usage.cache_read_input_tokens, usage.cache_creation_input_tokens, usage.input_tokens]
  }

  it('keeps from a minimum on, looks twenty blocks back, forgets after five minutes, and takes four marks', async () => {
    const at = { now: 1 }
    const own = await startCachingProvider({ minimum: 100, now: () => at.now, answer: () => 'ok' })
    const short = [block(99, true), block(5, false)]
    expect(await ask(own.url, short)).toEqual([0, 0, 104])
    expect(await ask(own.url, short)).toEqual([0, 0, 104])
    expect(await ask(own.url, [block(200, true), block(5, false)])).toEqual([0, 200, 5])
    const more = (n: number) => [
      block(200, false),
      ...Array.from({ length: n - 1 }, () => block(1, false)),
      block(1, true),
    ]
    expect(await ask(own.url, more(20))).toEqual([0, 220, 0])
    expect(await ask(own.url, more(19))).toEqual([200, 19, 0])
    at.now += 300_001
    expect(await ask(own.url, [block(200, true)])).toEqual([0, 200, 0])
    const long = { ...block(300, false), cache_control: { type: 'ephemeral', ttl: '1h' } }
    expect(await ask(own.url, [long])).toEqual([0, 300, 0])
    at.now += 3_599_999
    expect(await ask(own.url, [long])).toEqual([300, 0, 0])
    at.now += 3_600_000
    expect(await ask(own.url, [long])).toEqual([0, 300, 0])
    const unordered = await fetch(own.url, {
      method: 'POST',
      body: JSON.stringify({ system: [block(1, true), long], messages: [] }),
    })
    expect(unordered.status).toBe(400)
    const refused = await fetch(own.url, {
      method: 'POST',
      body: JSON.stringify({ system: Array.from({ length: 5 }, () => block(1, true)), messages: [] }),
    })
    expect(refused.status).toBe(400)
    await own.close()
  })
})
