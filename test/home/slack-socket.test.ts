/**
 * Home's connection to Slack, over real sockets against a server that resends what was not acknowledged (H-05, H-11,
 * H-12, B-24, B-26): nothing is lost or counted twice, and the connection URL is never revealed.
 */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createFetchTransport } from '../../durable-objects/platform/fetch-transport.ts'
import { createSlackApi, openSocket } from '../../integrations/channels/slack/api.ts'
import {
  type Envelope,
  SOCKET_TIMING,
  type SocketMode,
  type SocketTiming,
  startSocketMode,
} from '../../integrations/channels/slack/home-socket.ts'
import type { Refusal, Result } from '../../kernel/flow/verdict.ts'
import { type ScriptedSlack, SLACK_APP_TOKEN, SLACK_OWNER, startSlack } from '../fakes/slack-server.ts'
import { pause, until } from './fixtures/wait.ts'

/** Number of consecutive failures at each pause. */
const paused = vi.hoisted((): number[] => [])
vi.mock(import('../../integrations/channels/runtime/backoff.ts'), async (original) => {
  const real = await original()
  return {
    ...real,
    pauseAfter(failures, ...more) {
      paused.push(failures)
      return real.pauseAfter(failures, ...more)
    },
  }
})

/** Milliseconds; short, so that the test does not wait for seconds. */
const ACK_WITHIN = 400
const FAST: SocketTiming = { handshake: 1_000, beat: 300, stable: 0, overlap: 2_000 }

let slack: ScriptedSlack
let ending: AbortController
let mode: SocketMode
let handled: string[]
let news: (Refusal | null)[]
let faults: string[]
let opened: number

beforeEach(async () => {
  slack = await startSlack(ACK_WITHIN)
  ;[handled, news, faults, opened] = [[], [], [], 0]
  paused.length = 0
})
afterEach(async () => {
  ending.abort()
  await mode.done
  await slack.close()
})

const OK: Result<true> = { ok: true, value: true }
const textOf = ({ payload }: Envelope): string =>
  (payload as { readonly event: { readonly text: string } }).event.text

function start(
  handle: (envelope: Envelope) => Promise<Result<unknown>> = async () => OK,
  timing: SocketTiming = FAST,
): void {
  ending = new AbortController()
  const { origin } = slack
  const api = createSlackApi({ token: SLACK_APP_TOKEN, origin, transport: createFetchTransport() })
  mode = startSocketMode({
    open() {
      opened += 1
      return openSocket(api, origin)
    },
    async handle(envelope) {
      const done = await handle(envelope)
      if (done.ok && envelope.of === 'events_api') handled.push(textOf(envelope))
      return done
    },
    ...{ chance: () => 0, now: Date.now, signal: ending.signal, lookup: null, timing },
    news: (trouble) => void news.push(trouble),
    fault: (part) => void faults.push(part),
  })
}
const connected = () => until(() => slack.connections() === 1)

describe('an envelope', () => {
  it('is handled in order, and acknowledged once', async () => {
    start(async () => {
      await pause(10)
      return OK
    })
    await connected()
    for (const word of ['one', 'two', 'three']) slack.write(SLACK_OWNER, word)
    await until(() => slack.acknowledged.length === 3)
    expect([handled, new Set(slack.brought.values()), slack.faults]).toEqual([
      ['one', 'two', 'three'],
      new Set([1]),
      [],
    ])
  })

  it('that could not be stored is not acknowledged, and comes again', async () => {
    let tries = 0
    start(async () => {
      tries += 1
      if (tries === 1) return { ok: false, reason: { code: 'storage_failed', facts: {} } }
      return OK
    })
    await connected()
    slack.write(SLACK_OWNER, 'one')
    await until(() => slack.acknowledged.length === 1)
    expect([tries, handled]).toEqual([2, ['one']])
  })

  it('whose handling throws does not affect others', async () => {
    let tries = 0
    start(async () => {
      tries += 1
      if (tries === 1) throw new Error('storage')
      return OK
    })
    await connected()
    slack.write(SLACK_OWNER, 'one')
    slack.write(SLACK_OWNER, 'two')
    await until(() => slack.acknowledged.length === 2)
    expect([faults, handled]).toEqual([['slack'], ['two', 'one']])
  })

  it('of an unknown kind is acknowledged', async () => {
    start()
    await connected()
    slack.envelope('slash_commands', { command: '/x' })
    await until(() => slack.acknowledged.length === 1)
  })

  it('that is malformed is ignored, and the next one is handled', async () => {
    start()
    await connected()
    for (const junk of ['{', '[]', '{"type":"events_api"}', 'x'.repeat(5_000)]) slack.raw(junk)
    slack.write(SLACK_OWNER, 'one')
    await until(() => handled.length === 1)
    expect(slack.faults).toEqual([])
  })

  it('above the size limit ends its connection, and the next one is handled', async () => {
    start()
    await connected()
    slack.raw(JSON.stringify({ type: 'events_api', envelope_id: 'x', payload: 'x'.repeat(2_000_000) }))
    await until(() => opened === 2 && slack.connections() === 1)
    slack.write(SLACK_OWNER, 'one')
    await until(() => handled.length === 1)
  })

  it('is refused while too many wait: its connection ends, and it comes again', async () => {
    const held: (() => void)[] = []
    start(() => new Promise((resolve) => void held.push(() => resolve(OK))))
    await connected()
    for (let count = 0; count < 6; count += 1) slack.envelope('other', 'x'.repeat(1_500_000))
    await until(() => news.length === 2)
    expect(news.at(-1)).toMatchObject({ code: 'remote_unavailable' })
    const letAllGo = setInterval(() => {
      for (const go of held.splice(0)) go()
    }, 5)
    await until(() => slack.acknowledged.length === 6)
    clearInterval(letAllGo)
  })

  it('that arrives during a stop goes to the next connection', async () => {
    const held: (() => void)[] = []
    start(() => new Promise((resolve) => void held.push(() => resolve(OK))))
    await connected()
    slack.write(SLACK_OWNER, 'one')
    slack.write(SLACK_OWNER, 'two')
    await until(() => slack.brought.size === 2 && held.length === 1)
    ending.abort()
    held[0]?.()
    await mode.done
    expect([handled, slack.acknowledged.length]).toEqual([['one'], 1])
    start()
    await until(() => handled.includes('two'))
  })
})

describe('a connection', () => {
  it.each(['refresh_requested', 'warning'] as const)(
    'that is about to end (%s) is replaced before it does',
    async (reason) => {
      start()
      await connected()
      slack.disconnect(reason)
      slack.write(SLACK_OWNER, 'on the old one')
      await until(() => opened === 2 && slack.connections() === 1)
      slack.write(SLACK_OWNER, 'on the new one')
      await until(() => handled.length === 2)
      // No notice without a problem.
      expect([news, handled]).toEqual([[null], ['on the old one', 'on the new one']])
    },
  )

  it('that is about to end is used until another is up', async () => {
    start()
    await connected()
    slack.order({ refuse: { method: 'apps.connections.open', error: 'internal_error', times: 1 } })
    slack.disconnect('warning')
    slack.write(SLACK_OWNER, 'one')
    await until(() => slack.acknowledged.length === 1)
    expect([handled, slack.addresses.length]).toEqual([['one'], 1])
    await until(() => slack.addresses.length === 2 && slack.connections() === 1)
  })

  it('that drops is replaced, and what was not acknowledged comes again', async () => {
    let tries = 0
    start(async () => {
      tries += 1
      if (tries === 1) slack.drop()
      return OK
    })
    await connected()
    slack.write(SLACK_OWNER, 'one')
    await until(() => slack.acknowledged.length === 1)
    expect(news.map((one) => one?.code ?? null)).toEqual([null, 'remote_unavailable', null])
    expect(slack.addresses.length).toBe(2)
  })

  it('that is silent is given up', async () => {
    slack.order({ silent: true })
    start()
    await until(() => opened === 2)
    slack.order({ silent: false })
    await until(() => news.at(-1) === null)
    expect(news.map((one) => one?.code ?? null)).toEqual(['remote_unavailable', null])
  })

  it('is not requested again before the time that Slack asks for', async () => {
    slack.order({
      refuse: { method: 'apps.connections.open', error: 'ratelimited', status: 429, after: 2, times: 1 },
    })
    const began = Date.now()
    start()
    await connected()
    expect(Date.now() - began).toBeGreaterThanOrEqual(2_000)
  })

  it.each([
    ['ends at once each time is asked for ever more seldom', 60_000, [1, 2, 3]],
    ['served for a while is asked for as at first', 0, [1, 1, 1]],
  ])('that %s', async (_what, stable, failures) => {
    start(undefined, { ...FAST, stable })
    for (const time of failures.keys()) {
      await until(() => opened === time + 1 && slack.connections() === 1)
      await until(() => news.filter((one) => one === null).length === time + 1)
      slack.drop()
      await until(() => paused.length === time + 1)
    }
    expect(paused).toEqual(failures)
  })

  it('of an app without Socket Mode is reported, and rarely retried', async () => {
    start()
    await connected()
    slack.disconnect('link_disabled')
    await until(() => news.length === 2)
    await pause(1_200)
    expect([news.at(-1)?.facts, opened]).toEqual([{ why: 'switched_off' }, 1])
  })

  it('does not reveal its URL', async () => {
    start()
    await connected()
    slack.drop()
    await until(() => opened === 2)
    const told = JSON.stringify([news, faults])
    for (const address of slack.addresses)
      expect(told).not.toContain(new URL(address).searchParams.get('ticket'))
  })
})

it('the connection waits as long for a ping as Slack’s own client', () => {
  expect(SOCKET_TIMING.beat * 2).toBeLessThanOrEqual(60_000)
})
