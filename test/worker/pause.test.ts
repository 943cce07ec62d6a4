/**
 * `/pause` at the edge, in workerd: every object pauses, home is told first, and home's own pause is applied
 * before anything else from it.
 */
import { abortAllDurableObjects, runDurableObjectAlarm } from 'cloudflare:test'
import { env, exports } from 'cloudflare:workers'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { KERNEL_NAME, TUNNEL_NAME } from '../../durable-objects/names.ts'
import { FAILING_EVERY, HEALTH_EVERY, MOST_FAILURES } from '../../durable-objects/registry/channel-health.ts'
import type { PauseSync } from '../../kernel/task/pause.ts'
import type { FrameOf } from '../../kernel/tunnel/frame.ts'
import {
  answersTo,
  deliveriesAfter,
  emptyEdge,
  endOf,
  objectOf,
  owner,
  peer,
  say,
  sayAs,
  sentTo,
  until,
} from './edge.ts'
import { HomePeer, homeWasHere } from './home-peer.ts'
import { signed } from './signed.ts'
import { order } from './telegram.ts'

const kernel = () => env.KERNEL.getByName(KERNEL_NAME)
const reply = async (text: string): Promise<string | null> => (await endOf((await say(text)).task)).reply

beforeEach(emptyEdge)
afterEach(() => void vi.useRealTimers())
// Other files need an edge that is not paused.
afterAll(emptyEdge)

/** Home's hello with a pause set a moment ago. */
function saying(peer: HomePeer, hello: FrameOf<'hello'>, what: 'pause' | 'resume', at = 1_000): void {
  const pause: PauseSync = { now: 1_000, word: { do: what, at, sink: 'sink:terminal:owner' } }
  peer.send({ ...peer.channel.hello(hello.epoch), pause })
}

async function greeted(what: 'pause' | 'resume'): Promise<{ peer: HomePeer; hello: FrameOf<'hello'> }> {
  const peer = await HomePeer.connect()
  const hello = await peer.next('hello')
  peer.channel.onHello(hello)
  saying(peer, hello, what)
  return { peer, hello }
}

const heldBy = (): Promise<string | null> =>
  kernel()
    .paused()
    .then((pause) => pause?.by ?? null)
const becomes = (by: string | null) => until(heldBy, (now) => now === by)

test('a pause is acknowledged at once, applies to every principal, and survives restarts', async () => {
  await sayAs('paused-friend', 'hello')
  await answersTo('paused-friend', 1)
  expect(await reply('/pause')).toMatch(/^I pause\. /)
  await becomes('edge')
  await abortAllDurableObjects()
  const kept = await say('hello')
  const theirs = await Promise.all(
    ['paused-friend', 'paused-stranger'].map((user) => sayAs(user, 'hello again')),
  )
  for (const object of [owner(), objectOf(peer('paused-friend')), objectOf(peer('paused-stranger'))])
    await runDurableObjectAlarm(object)
  expect(await reply('/pause')).toMatch(/^I pause already, since .*, by the open line\./)
  const states = [await owner().report('principal:owner', kept.task)]
  for (const [n, user] of ['paused-friend', 'paused-stranger'].entries())
    states.push(await objectOf(peer(user)).report(peer(user), theirs[n]?.task ?? ''))
  expect(states.map((one) => one.ok && one.value.task.state)).toEqual(new Array(3).fill('extracting'))
  expect([(await sentTo('paused-friend')).length, (await sentTo('paused-stranger')).length]).toEqual([1, 0])

  expect(await reply('/resume')).toBe('I go on. One message waited, and is answered now.')
  await endOf(kept.task)
  await Promise.all([answersTo('paused-friend', 2), answersTo('paused-stranger', 1)])
  const after = (await deliveriesAfter(0)).map(({ text }) => text)
  expect(after.findIndex((text) => text.startsWith('I go on'))).toBe(2)
  expect(after).toHaveLength(4)
})

test('the edge’s self-description shows since when and where it was paused, until it resumes', async () => {
  const held = async () => (await exports.default.fetch(await signed('/line/waiting'))).json()
  expect(await held()).toEqual({ waiting: [], paused: null })
  const before = Date.now()
  await reply('/pause')
  const paused = { since: expect.any(Number), sink: 'sink:openline:owner', by: 'edge' }
  const found = await held()
  expect(found).toEqual({ waiting: [], paused })
  expect((found as { paused: { since: number } }).paused.since).toBeGreaterThanOrEqual(before)
  await reply('/resume')
  expect(await held()).toEqual({ waiting: [], paused: null })
})

test('a pause set at the edge reaches home at once, and in the first frame of the next connection', async () => {
  const { peer: home } = await greeted('resume')
  await say('/pause')
  const told = async (from: HomePeer): Promise<PauseSync | undefined> => {
    for (;;) {
      const text = JSON.parse(await from.hear()) as { kind: string; pause?: PauseSync }
      if (text.kind === 'hello') return text.pause
    }
  }
  const first = await told(home)
  expect(first?.word).toMatchObject({ do: 'pause', sink: 'sink:openline:owner' })
  expect((await (await HomePeer.connect()).next('hello')).pause?.word).toEqual(first?.word)
})

test('a pause set at home applies before anything else from home, and ends only there', async () => {
  const { peer: home, hello } = await greeted('pause')
  await becomes('home')
  const kept = await say('hello')
  expect(await reply('/resume')).toMatch(/^I go on pausing: you asked for it on your private line/)
  await abortAllDurableObjects()
  expect(await heldBy()).toBe('home')
  const again = await HomePeer.connect(home.store)
  again.channel.onHello(await again.next('hello'))
  saying(again, hello, 'resume')
  await becomes(null)
  expect((await endOf(kept.task)).task.state).toBe('completed')
})

test('the health check of the bot goes on during a pause, and reports a failure', async () => {
  await order({ webhook: null })
  await homeWasHere()
  await reply('/pause')
  await becomes('edge')
  for (const each of [HEALTH_EVERY, ...new Array(MOST_FAILURES - 1).fill(FAILING_EVERY)]) {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + each })
    await runDurableObjectAlarm(kernel())
  }
  vi.useRealTimers()
  const told = (await deliveriesAfter(0)).filter(({ kind }) => kind === 'notice').map(({ text }) => text)
  expect(told).toEqual([expect.stringMatching(/^Telegram: /)])
})

test('a home that has lost the pause does not end it', async () => {
  await greeted('pause')
  await becomes('home')
  await HomePeer.greet()
  await until(
    () => env.TUNNEL.getByName(TUNNEL_NAME).connected(),
    ({ up }) => up,
  )
  expect(await heldBy()).toBe('home')
})
