/**
 * Deliveries to Slack, over real HTTP against a strict server: each is sent once, completely, within Slack's limits, and without a
 * link (H-05, H-15, H-17). A new sender continues where the former one stopped.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { createFetchTransport } from '../../durable-objects/platform/fetch-transport.ts'
import type { ChannelState } from '../../integrations/channels/runtime/channel-state.ts'
import { renderMarkdown } from '../../integrations/channels/runtime/markdown.ts'
import { createSender } from '../../integrations/channels/runtime/outbox.ts'
import { createSlackApi, identityOf, openSocket } from '../../integrations/channels/slack/api.ts'
import { exactParts, MAX_SECTION, markedParts } from '../../integrations/channels/slack/render.ts'
import { slackChat } from '../../integrations/channels/slack/sender.ts'
import { ok } from '../../kernel/flow/verdict.ts'
import type { Delivery, SenderPort } from '../../kernel/powers/ports.ts'
import {
  type ScriptedSlack,
  SLACK_APP_TOKEN,
  SLACK_BOT_TOKEN,
  SLACK_DM,
  SLACK_OWNER,
  type SlackStanding,
  startSlack,
} from '../fakes/slack-server.ts'
import { sleepyTimers } from '../kit/sleep.ts'

const SINK = 'sink:slack:private'
const KEY = new Uint8Array(32).fill(3)
let slack: ScriptedSlack
let values: Map<string, unknown>
let sender: SenderPort
const real = createFetchTransport()
const transport = { ...real }
const apiWith = (token: string) => createSlackApi({ token, origin: slack.origin, transport })

beforeAll(async () => {
  slack = await startSlack()
})
afterAll(() => slack.close())

function restart(): void {
  const kept: ChannelState = {
    get: (name) => values.get(name) as never,
    put: (name, value) => void values.set(name, structuredClone(value)),
  }
  const chatOf = (sink: string): string | null => (sink === SINK ? SLACK_DM : null)
  sender = createSender(slackChat(apiWith(SLACK_BOT_TOKEN)), { kept, key: KEY, chatOf })
}
beforeEach(() => {
  values = new Map()
  restart()
})

const delivery = (over: Partial<Delivery> = {}): Delivery => ({
  ...{
    id: `d${Math.random()}`,
    sink: SINK,
    principal: 'p',
    task: null,
    turn: 1,
    kind: 'answer',
    approval: null,
  },
  ...{ text: 'here it is', label: 'internal', at: 1, previews: 'off', ...over },
})
const standing = (): readonly SlackStanding[] => [...slack.messages.values()].filter(({ byBot }) => byBot)
const shownIn = ({ blocks }: SlackStanding): string => blocks.map(({ text }) => text?.text ?? '').join('')
const since =
  <T>(work: () => Promise<T>) =>
  async () => {
    const before = new Set(slack.messages.keys())
    const result = await work()
    return { result, made: standing().filter(({ ts }) => !before.has(ts)) }
  }
const send = (over: Partial<Delivery> = {}) => since(() => sender.send(delivery(over)))()

describe('an answer sent to Slack', () => {
  it.each<[string, string, string]>([
    ['plain', 'one & two < three > none', 'one &amp; two &lt; three &gt; none'],
    ['marks', '**bold**, *slanted*, ~~gone~~ and `x < y`', '*bold*, _slanted_, ~gone~ and `x &lt; y`'],
    ['a heading and a list', '# Head\n- one\n- two', '*Head*\n• one\n• two'],
    ['a quotation', '> one\n> two\nthree', '>one\n>two\nthree'],
    ['code', '```js\na < b\n```', '```\na &lt; b\n```'],
    ['a link of Slack’s', '<https://evil.example.com|click>', '&lt;https://evil.example.com|click&gt;'],
    ['everyone', '<!channel> <@U1>', '&lt;!channel&gt; &lt;@U1&gt;'],
  ])('an answer is rendered: %s', async (_name, text, shown) => {
    const { result, made } = await send({ text })
    expect([result.ok, made.map(shownIn)]).toEqual([true, [shown]])
    expect(made[0]?.blocks[0]?.text).toMatchObject({ type: 'mrkdwn', verbatim: true })
  })

  it('an answer of ten thousand characters arrives complete, in parts, in order', async () => {
    const text = Array.from({ length: 1_500 }, (_, at) => `word${at}`).join(' ')
    const { made } = await send({ text })
    expect(made.length).toBeGreaterThan(3)
    expect(made.map(shownIn).join(' ')).toBe(text)
  })

  it('an answer of escapes only, and any other text, stays within Slack’s limits', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ maxLength: 9_000 }),
          fc.nat(9_000).map((n) => '&<>*_'.repeat(n / 5)),
        ),
        (text) => {
          const parts = [...markedParts(renderMarkdown(text)), ...exactParts(text)]
          for (const { shown } of parts) expect(shown.text.length).toBeLessThanOrEqual(MAX_SECTION)
          const back = exactParts(text).map(({ plain }) =>
            plain.replace(/&(lt|gt|amp);/g, (_, n) => ({ lt: '<', gt: '>', amp: '&' })[n as 'lt']),
          )
          expect(back.join('').replace(/\s+/g, '')).toBe(text.replace(/\s+/g, ''))
        },
      ),
      { numRuns: 60 },
    )
  })

  it('an answer for another channel’s sink is not sent', async () =>
    expect((await send({ sink: 'sink:slack:other' })).result).toMatchObject({
      reason: { code: 'sink_unknown' },
    }))
})

describe('a delivery to Slack', () => {
  it('a repeated delivery sends nothing, and a changed one edits its message', async () => {
    const first = await send({ id: 'same', text: 'one' })
    restart()
    const asked = slack.transcript.length
    const again = await send({ id: 'same', text: 'one' })
    expect(slack.transcript.length).toBe(asked)
    const changed = await send({ id: 'same', text: 'two' })
    expect([again.made, changed.made]).toEqual([[], []])
    expect(shownIn(slack.messages.get(first.made[0]?.ts ?? '') as SlackStanding)).toBe('two')
  })

  it('a delivery during which the machine slept is sent once', async () => {
    const sleep = sleepyTimers()
    transport.send = async (request) => {
      const answer = await real.send(request)
      sleep(21 * 60_000)
      return answer
    }
    onTestFinished(() => void Object.assign(transport, real))
    const { result, made } = await send({ id: 'slept', text: 'the oven' })
    expect([result, made.map(shownIn)]).toEqual([ok(true), ['the oven']])
  })

  it('a delivery whose message was deleted is posted again', async () => {
    const first = await send({ id: 'gone', text: 'one' })
    await sender.retract?.({ sink: SINK, message: first.made[0]?.ts ?? '' })
    expect((await send({ id: 'gone', text: 'two' })).made.map(shownIn)).toEqual(['two'])
  })

  it('an interrupted delivery continues at the first missing message', async () => {
    const text = 'word '.repeat(1_300)
    const whole = (await send({ text })).made.length
    const id = 'broken'
    const before = standing().length
    const trouble = { method: 'chat.postMessage', error: 'service_unavailable', status: 503 }
    slack.order({ refuse: { ...trouble, times: 1, skip: 1 } })
    const { result, made } = await send({ id, text })
    expect([result.ok, made.length]).toEqual([false, 1])
    restart()
    await sender.send(delivery({ id, text }))
    expect(standing().length - before).toBe(whole)
  })

  it.each<[string, { error: string; status?: number; after?: number }, string, object]>([
    [
      'too many',
      { error: 'ratelimited', status: 429, after: 7 },
      'remote_rate_limited',
      { retryAfter: 7_000 },
    ],
    [
      'too many, for days',
      { error: 'ratelimited', status: 429, after: 999_999 },
      'remote_rate_limited',
      { retryAfter: 3_600_000 },
    ],
    [
      'too many, for less than nothing',
      { error: 'ratelimited', status: 429, after: -1 },
      'remote_rate_limited',
      expect.not.objectContaining({ retryAfter: expect.anything() }),
    ],
    [
      'too many, by its words',
      { error: 'ratelimited', after: 7 },
      'remote_rate_limited',
      { retryAfter: 7_000 },
    ],
    [
      'too many, by its status',
      { error: 'nonsense', status: 429, after: 7 },
      'remote_rate_limited',
      { retryAfter: 7_000 },
    ],
    ['a fault of Slack’s', { error: 'fatal_error' }, 'remote_unavailable', {}],
    ['a token that is over', { error: 'token_revoked' }, 'credential_rejected', {}],
    ['a right that is missing', { error: 'missing_scope' }, 'remote_rejected', { why: 'scope' }],
    ['a chat that is none', { error: 'channel_not_found' }, 'remote_rejected', { why: 'chat' }],
    ['a word of tomorrow', { error: 'nonsense' }, 'remote_rejected', { why: 'other' }],
  ])('a refusal of Slack has its reason: %s', async (_name, refuse, code, facts) => {
    slack.order({ refuse: { method: 'chat.postMessage', times: 1, ...refuse } })
    const { result } = await send()
    expect(result).toMatchObject({ ok: false, reason: { code, facts } })
    expect(JSON.stringify(result)).not.toContain('xoxb')
  })
})

describe('a question sent to Slack', () => {
  const card = { kind: 'card', approval: 'a1', text: '*exact* _bytes_ <b>' } as const
  it('a question shows exact text and two buttons, the same at each delivery, and none once it is decided', async () => {
    const { made } = await send({ id: 'card', ...card })
    const [message] = made
    expect(message?.blocks.map(({ type }) => type)).toEqual(['section', 'actions'])
    expect(message?.blocks[0]?.text).toEqual({
      type: 'plain_text',
      text: '*exact* _bytes_ &lt;b&gt;',
      emoji: false,
    })
    const ids = message?.blocks[1]?.elements?.map(({ action_id }) => action_id) ?? []
    expect(ids).toEqual([expect.stringMatching(/^[0-9a-f]{16}\.[0-9a-f]{24}$/), expect.stringMatching(/\./)])
    restart()
    expect((await send({ id: 'card', ...card })).made).toEqual([])
    await sender.send(delivery({ id: 'card', kind: 'notice', text: 'Done.' }))
    expect(slack.messages.get(message?.ts ?? '')?.blocks.map(({ type }) => type)).toEqual(['section'])
  })

  it('a question that is answered before Slack said where it stands loses its buttons, and is not posted anew', async () => {
    let decided: Promise<unknown> = Promise.resolve()
    transport.send = async (request) => {
      const answer = await real.send(request)
      Object.assign(transport, real)
      decided = sender.send(delivery({ id: 'tapped', kind: 'notice', text: 'Done.' }))
      await new Promise((resolve) => setTimeout(resolve, 50))
      return answer
    }
    onTestFinished(() => void Object.assign(transport, real))
    const { made } = await since(async () => {
      await sender.send(delivery({ id: 'tapped', ...card }))
      await decided
    })()
    expect(made.map(({ blocks }) => blocks.map(({ type }) => type))).toEqual([['section']])
  })
})

describe('deleting a person’s message in Slack', () => {
  it('deleting a person’s message fails for good, and one in another chat is not tried', async () => {
    const ts = slack.write(SLACK_OWNER, 'my key')
    expect(await sender.retract?.({ sink: SINK, message: ts })).toMatchObject({
      reason: { code: 'remote_rejected' },
    })
    expect(await sender.retract?.({ sink: SINK, message: '1.000001' })).toMatchObject({
      reason: { code: 'nothing_found' },
    })
    expect(await sender.retract?.({ sink: SINK, message: '../x' })).toMatchObject({
      reason: { code: 'sink_unknown' },
    })
  })
})

describe('the URL of a Socket Mode connection', () => {
  it('only the app token opens a connection', async () => {
    expect(await openSocket(apiWith(SLACK_APP_TOKEN), slack.origin)).toMatchObject({ ok: true })
    expect(await openSocket(apiWith(SLACK_BOT_TOKEN), slack.origin)).toMatchObject({
      reason: { code: 'credential_rejected' },
    })
    expect(await identityOf(apiWith(SLACK_APP_TOKEN))).toMatchObject({
      reason: { code: 'credential_rejected' },
    })
  })

  it.each<[string, string, string, boolean]>([
    ['Slack’s', 'wss://wss-primary.slack.com/link/?ticket=1', 'https://slack.com', true],
    ['another host', 'wss://slack.com.evil.example.com/link', 'https://slack.com', false],
    ['a host that ends alike', 'wss://evilslack.com/link', 'https://slack.com', false],
    ['in the clear', 'ws://wss-primary.slack.com/link', 'https://slack.com', false],
    ['another port', 'wss://wss-primary.slack.com:8443/link', 'https://slack.com', false],
    ['a name before it', 'wss://x@wss-primary.slack.com/link', 'https://slack.com', false],
    ['an emulator’s own', 'ws://127.0.0.1:4100/link', 'http://127.0.0.1:4100', true],
    ['another on its machine', 'ws://127.0.0.1:4101/link', 'http://127.0.0.1:4100', false],
    ['none', 'hello', 'https://slack.com', false],
  ])('a URL is checked by where it leads: %s', async (_name, url, origin, ok) => {
    const found = await openSocket({ call: async () => ({ ok: true, value: { ok: true, url } }) }, origin)
    expect(found.ok).toBe(ok)
    if (!found.ok) expect(JSON.stringify(found)).not.toContain('ticket')
  })
})

describe('the account of a Slack token', () => {
  const NOBODY = { code: 'remote_rejected', facts: { why: 'answer' } }
  it.each<[string, object, object]>([
    ['as it says', { user: 'my_bot-1' }, { ok: true, value: { team: 'T1', user: 'U1', name: 'my_bot-1' } }],
    ['without a name', { user: undefined }, { ok: true, value: { team: 'T1', user: 'U1', name: 'U1' } }],
    [
      'with a name that moves the cursor',
      { user: 'pfar\u001b[2J' },
      { ok: true, value: { team: 'T1', user: 'U1', name: 'U1' } },
    ],
    [
      'with a name that says more',
      { user: 'pfar: and your passphrase' },
      { ok: true, value: { team: 'T1', user: 'U1', name: 'U1' } },
    ],
    ['of a workspace that is none', { team_id: 'T1"\n[network]' }, { ok: false, reason: NOBODY }],
    ['of a user that is none', { user_id: '@here' }, { ok: false, reason: NOBODY }],
  ])('a token’s account is checked: %s', async (_name, said, found) => {
    const value = { ok: true, team_id: 'T1', user_id: 'U1', ...said }
    expect(await identityOf({ call: async () => ({ ok: true, value }) })).toEqual(found)
  })
})

it('the scripted Slack has seen no request that Slack would refuse', () => expect(slack.faults).toEqual([]))
