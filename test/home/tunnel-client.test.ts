/** The connection that home opens: signed, authenticated, kept up, and given up (T-01, T-02, T-05, T-06, T-11). */
import { describe, expect, test } from 'vitest'
import { HOME_WAIT } from '../../kernel/features/places/home-call.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import { PROTOCOL_VERSION } from '../../kernel/tunnel/frame.ts'
import { retryDelay, TUNNEL_TIMING } from '../../sidecar/tunnel/tunnel-timing.ts'
import { EDGE_PUBLIC_KEY, type FakeEdge } from './fixtures/edge.ts'
import { tunnelBench, up } from './fixtures/tunnel-link.ts'
import { pause, until } from './fixtures/wait.ts'

const { edgeFor, pins, startHome } = tunnelBench()
const profiles = (edge: FakeEdge) => edge.received.filter((body) => body.type === 'profile')

describe('connection', () => {
  test('is signed, sends hello, and sends the profile', async () => {
    const edge = await edgeFor()
    const home = startHome(edge)
    await up(home)
    await until(() => profiles(edge).length === 1)
    expect(edge.received[0]).toEqual({ type: 'profile', timezone: 'Europe/Berlin' })
  })

  test('of an unknown device is refused; home reports it and uses the long delay', async () => {
    const edge = await edgeFor({ devices: [] })
    const home = startHome(edge)
    await until(() => home.client.status().trouble === 'signature_invalid')
    await pause(150)
    expect(edge.connections()).toBe(0)
    expect(home.client.status()).toMatchObject({ state: 'down', trouble: 'signature_invalid' })
    expect(home.notices).toEqual([])
  })

  test.each([
    ['that was never paired', {}, false],
    ['with another key', { signKey: new Uint8Array(32).fill(22) }, true],
    ['that signs nothing', { signKey: null }, true],
  ])(
    'to an edge %s carries no data of home’s; home reports it and uses the long delay',
    async (_name, wrong, pinned) => {
      const edge = await edgeFor(wrong)
      const home = startHome(edge, { pinned })
      await until(() => home.client.status().trouble === 'edge_not_pinned')
      await until(() => edge.frames.length === 1)
      await pause(150)
      expect(edge.frames).toEqual([{ kind: 'refused', code: 'edge_not_pinned' }])
      expect([edge.connections(), home.refusals]).toEqual([1, ['edge_not_pinned']])
      expect(home.notices).toEqual(['edge_not_pinned'])
    },
  )

  test('with the proof of another connection is refused', async () => {
    const edge = await edgeFor({ replayProof: true })
    const home = startHome(edge)
    await up(home)
    edge.drop()
    await until(() => home.client.status().trouble === 'edge_not_pinned')
    expect(home.refusals).toEqual(['edge_not_pinned'])
  })

  test('to an edge with a lower version than before is refused as a downgrade (T-11)', async () => {
    const edge = await edgeFor()
    pins.pin({ url: edge.url, publicKey: EDGE_PUBLIC_KEY, version: PROTOCOL_VERSION + 1 })
    const home = startHome(edge)
    await until(() => home.client.status().trouble === 'version_downgraded')
    expect([home.refusals, edge.greeted()]).toEqual([['version_downgraded'], false])
  })

  test('to an edge that never says hello is closed', async () => {
    const edge = await edgeFor({ silent: true })
    const home = startHome(edge, { timing: { handshake: 60 } })
    await until(() => edge.connections() === 2)
    await until(() => home.client.status().trouble === 'hello_overdue')
    expect(edge.frames).toEqual([])
  })

  test('to an edge of another version is closed with that reason and retried rarely (T-11)', async () => {
    const edge = await edgeFor({
      hello: { kind: 'hello', version: PROTOCOL_VERSION + 1, epoch: 1, received: 0 },
    })
    const home = startHome(edge)
    await until(() => home.client.status().trouble === 'version_incompatible')
    await until(() => edge.frames.some((f) => f.kind === 'refused' && f.code === 'version_incompatible'))
    await pause(150)
    expect(edge.connections()).toBe(1)
    expect(home.client.status().state).toBe('down')
  })

  test.each<[string, ReasonCode]>([
    ['another version', 'version_incompatible'],
    ['a device that was revoked', 'device_revoked'],
  ])(
    'refused by the edge because of %s is retried rarely, and the owner is notified once (T-11)',
    async (_name, code) => {
      const edge = await edgeFor()
      const home = startHome(edge, { timing: { safeMode: 20 } })
      await up(home)
      const until3 = edge.connections() + 3
      edge.refuse = code
      edge.drop()
      await until(() => edge.connections() > until3)
      expect(home.notices).toEqual([code])
      expect(home.client.status()).toMatchObject({ state: 'down', trouble: code })
      edge.refuse = null
      await up(home)
      edge.refuse = code
      edge.drop()
      await until(() => home.notices.length === 2)
    },
  )

  test('with a second hello of the edge gets home’s hello again, before the requested data', async () => {
    const edge = await edgeFor()
    const home = startHome(edge)
    await up(home)
    await until(() => profiles(edge).length === 1 && home.database.channel.out(0).length === 0)
    const before = edge.frames.length
    edge.raw(JSON.stringify({ ...edge.frames[0], epoch: 1, received: 3, base: 0, last: 0 }))
    // What waits for nobody, such as a model's state, may come in between.
    const again = await until(() => edge.frames.slice(before).find(({ kind }) => kind !== 'ephemeral'))
    expect(again).toMatchObject({ kind: 'hello', last: 6 })
  })

  test('is fenced by a newer one, and home does not reconnect (T-05)', async () => {
    const edge = await edgeFor()
    const home = startHome(edge)
    await up(home)
    edge.raw('{"kind":"refused","code":"frame_fenced"}')
    await until(() => home.client.status().trouble === 'frame_fenced')
    await pause(200)
    expect(edge.connections()).toBe(1)
  })

  test('to an unproven edge cannot stop home from dialling for good', async () => {
    const edge = await edgeFor({ silent: true })
    const home = startHome(edge)
    await until(() => edge.connections() === 1)
    edge.raw('{"kind":"refused","code":"frame_fenced"}')
    await until(() => home.client.status().trouble === 'edge_not_pinned')
    expect(home.refusals).toEqual(['edge_not_pinned'])
  })

  test('with a malformed frame of the edge is closed with its reason, and another follows', async () => {
    const edge = await edgeFor()
    const home = startHome(edge)
    await up(home)
    edge.raw('{"kind":"data","seq":1,"body":{"type":"shell"}}')
    await until(() => edge.frames.some((f) => f.kind === 'refused' && f.code === 'frame_malformed'))
    await until(() => edge.connections() === 2)
  })

  test('is closed after three beats without an answer (T-06)', async () => {
    const edge = await edgeFor()
    const home = startHome(edge)
    await up(home)
    await until(() => home.client.status().rtt !== null)
    await until(() => edge.frames.some((f) => f.kind === 'ephemeral'))
    edge.beats = false
    await until(() => edge.connections() === 2)
  })

  test('to an unreachable edge is retried until it is back', async () => {
    const edge = await edgeFor()
    edge.reject = 503
    const home = startHome(edge)
    await until(() => home.client.status().trouble === 'remote_unavailable')
    edge.reject = null
    await up(home)
  })
})

describe('back-off', () => {
  test('with the longest delays still leaves a task that waits for home several attempts', () => {
    let spent = 0
    let tries = 0
    for (; spent <= HOME_WAIT; tries += 1) spent += retryDelay(tries, TUNNEL_TIMING, () => 0.999)
    expect(tries).toBeGreaterThanOrEqual(6)
  })
  test.each([
    [0, 0, 20],
    [0, 0.5, 250],
    [0, 0.999, 500],
    [1, 0.5, 500],
    [3, 0.5, 2_000],
    [6, 0.999, 30_000],
    [50, 0.999, 30_000],
    [50, 0, 20],
  ])('before attempt %i with random value %f is about %i ms', (attempt, chance, wait) => {
    expect(retryDelay(attempt, TUNNEL_TIMING, () => chance)).toBeCloseTo(wait, -2)
  })
})
