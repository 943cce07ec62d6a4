/**
 * A wrong clock at home; the edge's counts (T-14): two minutes break no signature, token, deadline or backup date; more than a
 * signature's skew is refused with its reason. Home's half: test/home/clock-skew.test.ts.
 */
import { abortAllDurableObjects, runInDurableObject } from 'cloudflare:test'
import { env, exports } from 'cloudflare:workers'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { KERNEL_NAME, TUNNEL_NAME } from '../../durable-objects/names.ts'
import { SIGNATURE_SKEW } from '../../durable-objects/platform/signature.ts'
import { TOOL_MANIFESTS } from '../../integrations/tools/registered.ts'
import { offlinePolicyOf } from '../../kernel/powers/effects.ts'
import { createRegistry } from '../../kernel/tool/registry.ts'
import { homeAnswer } from '../tunnel/fixtures.ts'
import { endOf, owner, say } from './edge.ts'
import { HomePeer } from './home-peer.ts'
import { signed } from './signed.ts'

const TWO_MINUTES = 120_000
/** A minute beyond the allowed skew, since a second may pass during the test. */
const TOO_MUCH = (SIGNATURE_SKEW + 60) * 1_000
const HOUR = 3_600_000

const kernel = () => env.KERNEL.getByName(KERNEL_NAME)
async function clear(): Promise<void> {
  for (const object of [kernel(), env.TUNNEL.getByName(TUNNEL_NAME), owner()])
    await runInDurableObject<DurableObject, void>(object, async (_, { storage }) => {
      await storage.deleteAlarm()
      await storage.deleteAll()
    })
  await abortAllDurableObjects()
}
beforeEach(clear)
afterAll(clear)

async function ask(path: string, options: Parameters<typeof signed>[1]): Promise<string> {
  const response = await exports.default.fetch(await signed(path, options))
  response.webSocket?.accept()
  if (response.ok || response.status === 101) return 'taken'
  return (await response.json<{ error: { code: string } }>()).error.code
}

const message = () => ({ body: JSON.stringify({ id: crypto.randomUUID(), text: 'hello' }) })
const upgrade = () => ({ headers: { upgrade: 'websocket' } })
const ROUTES: readonly (readonly [string, string, () => object])[] = [
  ['the tunnel', '/tunnel', upgrade],
  ['the open line', '/line/messages', message],
  ['the devices', '/devices', () => ({})],
]
const SKEWS: readonly (readonly [string, number, string])[] = [
  ['two minutes ahead', TWO_MINUTES, 'taken'],
  ['two minutes behind', -TWO_MINUTES, 'taken'],
  ['too far ahead', TOO_MUCH, 'signature_invalid'],
  ['too far behind', -TOO_MUCH, 'signature_invalid'],
]
const ROWS = ROUTES.flatMap(([route, path, options]) =>
  SKEWS.map(([skew, shift, expected]) => [route, skew, { path, options, shift, expected }] as const),
)

test.each(ROWS)(
  '%s: a device whose clock is %s',
  async (_route, _skew, { path, options, shift, expected }) => {
    expect(await ask(path, { ...options(), shift })).toBe(expected)
  },
)

test.each([
  ['ahead', TWO_MINUTES],
  ['behind', -TWO_MINUTES],
])(
  'a call of the edge is answered by a home two minutes %s: its deadline is the edge’s',
  async (_name, skew) => {
    const store = (await HomePeer.greet()).store
    const peer = await HomePeer.greet(store)
    const before = Date.now()
    const { task } = await say('when am I free on Friday?')
    let frame = await peer.next('data')
    while (frame.body.type !== 'home_call') {
      if (peer.channel.onData(frame) === 'deliver') peer.send(peer.channel.accepted(frame))
      frame = await peer.next('data')
    }
    if (peer.channel.onData(frame) === 'deliver') peer.send(peer.channel.accepted(frame))
    const { call } = frame.body
    const policy = offlinePolicyOf(createRegistry(TOOL_MANIFESTS), 'calendar.freebusy')
    const wanted = policy.do === 'queue' ? policy.ttl : Number.NaN
    // The sending time by the edge's own clock: home computes a duration from the two.
    expect(frame.at).toBeGreaterThanOrEqual(before)
    expect(call.deadline - (frame.at ?? 0)).toBeGreaterThan(wanted - 60_000)
    expect(call.deadline - (frame.at ?? 0)).toBeLessThanOrEqual(wanted)
    const answer = { ...homeAnswer(call.id), task: call.task, step: call.step }
    for (const each of peer.channel.send({ type: 'home_answer', answer }))
      peer.send({ ...each, at: Date.now() + skew })
    expect((await endOf(task)).task).toMatchObject({ state: 'completed', trouble: null })
  },
)

test.each([
  ['ahead', TWO_MINUTES],
  ['behind', -TWO_MINUTES],
  ['a year ahead', 365 * 24 * HOUR],
])('a backup’s age is the one that home reports, by a clock that is %s', async (_name, skew) => {
  const peer = await HomePeer.greet()
  const homeNow = Date.now() + skew
  for (const frame of peer.channel.send({ type: 'backup', at: homeNow - HOUR }))
    peer.send({ ...frame, at: homeNow })
  await peer.acked()
  const { since } = await runInDurableObject(kernel(), (_, { storage }) => {
    return storage.kv.get<{ since: number }>('watch:backup') ?? { since: 0 }
  })
  expect(Math.abs(Date.now() - HOUR - since)).toBeLessThan(10_000)
})
