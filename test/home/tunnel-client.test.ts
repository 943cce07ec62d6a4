/**
 * Home's end of the tunnel on a real WebSocket, a real database file and a scripted edge: calls run once and are
 * answered once, whatever the link does (T-01 – T-06, T-11, T-13).
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import type { HomeAnswer, HomeCall, OpenMemory } from '../../kernel/powers/ports.ts'
import { HOME_WAIT } from '../../kernel/runtime/home-call.ts'
import { type Body, PROTOCOL_VERSION } from '../../kernel/tunnel/frame.ts'
import { loadDeviceKey } from '../../sidecar/device-key.ts'
import { openEdgePins } from '../../sidecar/edge-pins.ts'
import { type HomeDatabase, openHomeDatabase } from '../../sidecar/home-database.ts'
import { sealOutbox } from '../../sidecar/sealed-outbox.ts'
import { openStateFolder } from '../../sidecar/state-folder.ts'
import { openTunnel, type TunnelClient } from '../../sidecar/tunnel-client.ts'
import { createTunnelInbox } from '../../sidecar/tunnel-inbox.ts'
import { retryDelay, TUNNEL_TIMING } from '../../sidecar/tunnel-timing.ts'
import { callBody, homeAnswer, homeCall, openMemory } from '../tunnel/fixtures.ts'
import { EDGE_PUBLIC_KEY, type FakeEdge, startFakeEdge } from './fixtures/edge.ts'
import { pause, until } from './fixtures/wait.ts'

const FAST = { ...TUNNEL_TIMING, beat: 40, firstRetry: 20, maxRetry: 60, stable: 5_000, safeMode: 100_000 }
const opened = openStateFolder(mkdtempSync(join(tmpdir(), 'pfar-tunnel-')))
if (!opened.ok) throw new Error('no folder')
const folder = opened.value
const loaded = loadDeviceKey(folder)
if (!loaded.ok) throw new Error('no key')
const key = loaded.value
const devices = [{ id: key.id, publicKey: new Uint8Array(Buffer.from(key.publicKey, 'base64url')) }]
const pins = openEdgePins(folder)
const master = new Uint8Array(32).fill(7)

/** Milliseconds for a process to start on a busy machine. */
const START = 20_000

interface Home {
  readonly edge: FakeEdge
  readonly database: HomeDatabase
  readonly client: TunnelClient
  readonly runs: string[]
  readonly faults: () => number
  /** Codes of what home refused of the edge: its audit. */
  readonly refusals: string[]
}

const cleanups: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

async function edgeFor(input: Partial<Parameters<typeof startFakeEdge>[0]> = {}): Promise<FakeEdge> {
  const edge = await startFakeEdge({ devices, ...input })
  pins.pin({ url: edge.url, publicKey: EDGE_PUBLIC_KEY, version: 0 })
  cleanups.push(() => edge.close())
  return edge
}

let files = 0
function databaseFile(): string {
  files += 1
  return folder.file(`home-${files}.sqlite`)
}

function startHome(
  edge: FakeEdge,
  over: {
    file?: string
    serve?: (call: HomeCall) => Promise<HomeAnswer>
    remember?: (memory: OpenMemory) => Promise<void>
    timing?: Partial<typeof FAST>
    pinned?: boolean
  } = {},
): Home {
  const opening = openHomeDatabase(over.file ?? databaseFile())
  if (!opening.ok) throw new Error('no database')
  const database = opening.value
  const runs: string[] = []
  const refusals: string[] = []
  let faults = 0
  const inbox = createTunnelInbox({
    channel: sealOutbox(database.channel, {
      key: master,
      random: (n) => crypto.getRandomValues(new Uint8Array(n)),
    }),
    store: database.store,
    serve: async (call) => {
      runs.push(call.id)
      return over.serve === undefined ? homeAnswer(call.id) : over.serve(call)
    },
    remember: over.remember ?? (async () => undefined),
    takeSecret: async () => undefined,
    sealKey: 'k'.repeat(43),
    isWrite: (tool) => tool === 'calendar.create_event',
    timezone: 'Europe/Berlin',
    now: Date.now,
    fault: () => {
      faults += 1
    },
  })
  const timing = { ...FAST, ...over.timing }
  const client = openTunnel({
    ...{ edge: edge.url, key, inbox, timing },
    pins: over.pinned === false ? { ...pins, pinOf: () => null } : pins,
    refusedEdge: ({ code }) => refusals.push(code),
    now: Date.now,
    random: Math.random,
  })
  cleanups.push(async () => {
    await client.stop()
    database.close()
  })
  return { edge, database, client, runs, refusals, faults: () => faults }
}

const answers = (edge: FakeEdge) =>
  edge.received.flatMap((body) => (body.type === 'home_answer' ? [body.answer] : []))
const profiles = (edge: FakeEdge) => edge.received.filter((body) => body.type === 'profile')
const up = (home: Home) => until(() => home.client.status().state === 'up' && home.edge.greeted())
const write = (id: string): Body => ({
  type: 'home_call',
  call: homeCall(id, { tool: 'calendar.create_event' }),
})

describe('connection', () => {
  test('is signed, greets, and tells the profile', async () => {
    const edge = await edgeFor()
    const home = startHome(edge)
    await up(home)
    await until(() => profiles(edge).length === 1)
    expect(edge.received[0]).toEqual({ type: 'profile', timezone: 'Europe/Berlin' })
  })

  test('another device is refused, and home says so and waits long', async () => {
    const edge = await edgeFor({ devices: [] })
    const home = startHome(edge)
    await until(() => home.client.status().trouble === 'signature_invalid')
    await pause(150)
    expect(edge.connections()).toBe(0)
    expect(home.client.status()).toMatchObject({ state: 'down', trouble: 'signature_invalid' })
  })

  test.each([
    ['that was never paired', {}, false],
    ['with another key', { signKey: new Uint8Array(32).fill(22) }, true],
    ['that signs nothing', { signKey: null }, true],
  ])('an edge %s gets nothing of home, and home says so and waits long', async (_name, wrong, pinned) => {
    const edge = await edgeFor(wrong)
    const home = startHome(edge, { pinned })
    await until(() => home.client.status().trouble === 'edge_not_pinned')
    await until(() => edge.frames.length === 1)
    await pause(150)
    expect(edge.frames).toEqual([{ kind: 'refused', code: 'edge_not_pinned' }])
    expect([edge.connections(), home.refusals]).toEqual([1, ['edge_not_pinned']])
  })

  test('a proof of another connection proves nothing', async () => {
    const edge = await edgeFor({ replayProof: true })
    const home = startHome(edge)
    await up(home)
    edge.drop()
    await until(() => home.client.status().trouble === 'edge_not_pinned')
    expect(home.refusals).toEqual(['edge_not_pinned'])
  })

  test('an edge that speaks an older version than it did is refused as a downgrade (T-11)', async () => {
    const edge = await edgeFor()
    pins.pin({ url: edge.url, publicKey: EDGE_PUBLIC_KEY, version: PROTOCOL_VERSION + 1 })
    const home = startHome(edge)
    await until(() => home.client.status().trouble === 'version_downgraded')
    expect([home.refusals, edge.greeted()]).toEqual([['version_downgraded'], false])
  })

  test('an edge that never says hello is left', async () => {
    const edge = await edgeFor({ silent: true })
    const home = startHome(edge, { timing: { handshake: 60 } })
    await until(() => edge.connections() === 2)
    await until(() => home.client.status().trouble === 'hello_overdue')
    expect(edge.frames).toEqual([])
  })

  test('another version is told so and left alone (T-11)', async () => {
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

  test('an edge that greets again may have no hello of home: it gets one, before what it asks for', async () => {
    const edge = await edgeFor()
    const home = startHome(edge)
    await up(home)
    await until(() => profiles(edge).length === 1 && home.database.channel.out(0).length === 0)
    const before = edge.frames.length
    edge.raw(JSON.stringify({ ...edge.frames[0], epoch: 1, received: 2, base: 0, last: 0 }))
    const again = await until(() => edge.frames[before])
    expect(again).toMatchObject({ kind: 'hello', last: 2 })
  })

  test('a newer connection fences this one, which does not fight (T-05)', async () => {
    const edge = await edgeFor()
    const home = startHome(edge)
    await up(home)
    edge.raw('{"kind":"refused","code":"frame_fenced"}')
    await until(() => home.client.status().trouble === 'frame_fenced')
    await pause(200)
    expect(edge.connections()).toBe(1)
  })

  test('an edge that has proved nothing cannot end the dialling for good', async () => {
    const edge = await edgeFor({ silent: true })
    const home = startHome(edge)
    await until(() => edge.connections() === 1)
    edge.raw('{"kind":"refused","code":"frame_fenced"}')
    await until(() => home.client.status().trouble === 'edge_not_pinned')
    expect(home.refusals).toEqual(['edge_not_pinned'])
  })

  test('garbage from the edge ends the connection with its reason, and another follows', async () => {
    const edge = await edgeFor()
    const home = startHome(edge)
    await up(home)
    edge.raw('{"kind":"data","seq":1,"body":{"type":"shell"}}')
    await until(() => edge.frames.some((f) => f.kind === 'refused' && f.code === 'frame_malformed'))
    await until(() => edge.connections() === 2)
  })

  test('three beats without an answer end it (T-06)', async () => {
    const edge = await edgeFor()
    const home = startHome(edge)
    await up(home)
    await until(() => home.client.status().rtt !== null)
    await until(() => edge.frames.some((f) => f.kind === 'ephemeral'))
    edge.beats = false
    await until(() => edge.connections() === 2)
  })

  test('an edge that is away is dialled again until it is back', async () => {
    const edge = await edgeFor()
    edge.reject = 503
    const home = startHome(edge)
    await until(() => home.client.status().trouble === 'remote_unavailable')
    edge.reject = null
    await up(home)
  })
})

describe('back-off', () => {
  test('the longest pauses still leave a task that waits for home several tries', () => {
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
  ])('attempt %i with chance %f waits about %i ms', (attempt, chance, wait) => {
    expect(retryDelay(attempt, TUNNEL_TIMING, () => chance)).toBeCloseTo(wait, -2)
  })
})

describe('memories', () => {
  const body = (id: string): Body => ({ type: 'memory', memory: openMemory(id) })

  test('are kept one after another, in the order in which they were told, and not answered', async () => {
    const edge = await edgeFor()
    const gate = Promise.withResolvers<void>()
    const kept: string[] = []
    const home = startHome(edge, {
      remember: async ({ id }) => {
        if (id === 'slow') await gate.promise
        kept.push(id)
      },
    })
    await up(home)
    edge.send(body('slow'))
    edge.send(body('quick'))
    edge.send(callBody('c1'))
    await until(() => answers(edge).length === 1)
    expect(kept).toEqual([])
    gate.resolve()
    await until(() => home.database.channel.received() === 3)
    expect(kept).toEqual(['slow', 'quick'])
    expect(edge.received.map(({ type }) => type).sort()).toEqual(['home_answer', 'profile', 'seal_key'])
  })

  test('that could not be stored are not acknowledged and come again', async () => {
    const edge = await edgeFor()
    let attempts = 0
    const home = startHome(edge, {
      remember: async () => {
        attempts += 1
        if (attempts === 1) throw new Error('the disk is full')
      },
    })
    await up(home)
    edge.send(body('m1'))
    await until(() => home.database.channel.received() === 1)
    expect([attempts, home.faults()]).toEqual([2, 1])
  })
})

describe('calls', () => {
  test('run and are answered', async () => {
    const edge = await edgeFor()
    const home = startHome(edge)
    await up(home)
    edge.send(callBody('c1'))
    expect(await until(() => answers(edge)[0])).toEqual(homeAnswer('c1'))
    await until(() => home.database.channel.out(0).length === 0)
  })

  test('run side by side: a slow one holds up nobody', async () => {
    const edge = await edgeFor()
    const gate = Promise.withResolvers<void>()
    const home = startHome(edge, {
      serve: async (call) => {
        if (call.id === 'slow') await gate.promise
        return homeAnswer(call.id)
      },
    })
    await up(home)
    edge.send(callBody('slow'))
    edge.send(callBody('quick'))
    await until(() => answers(edge).some(({ id }) => id === 'quick'))
    expect(answers(edge).map(({ id }) => id)).toEqual(['quick'])
    expect(home.database.channel.received()).toBe(0)
    gate.resolve()
    await until(() => answers(edge).length === 2)
    await until(() => home.database.channel.received() === 2)
  })

  test.each([
    ['lost', 'lose'],
    ['repeated', 'twice'],
  ] as const)('survive when every second frame is %s', async (_name, fate) => {
    const edge = await edgeFor()
    let count = 0
    edge.fate = (frame) => {
      if (frame.kind !== 'data') return 'pass'
      count += 1
      return count % 2 === 0 ? fate : 'pass'
    }
    const home = startHome(edge)
    await up(home)
    const ids = Array.from({ length: 12 }, (_, index) => `c${index}`)
    for (const id of ids) edge.send(callBody(id))
    // What is lost at the very end is only missed at the next greeting.
    await until(async () => {
      if (answers(edge).length === 12) return true
      edge.drop()
      await pause(100)
      return false
    })
    expect(
      answers(edge)
        .map(({ id }) => id)
        .sort(),
    ).toEqual([...ids].sort())
    expect([...home.runs].sort()).toEqual([...ids].sort())
  })

  test('arriving in the wrong order are asked for again and run in order', async () => {
    const edge = await edgeFor()
    const home = startHome(edge)
    await up(home)
    edge.fate = (frame) => (frame.kind === 'data' ? 'hold' : 'pass')
    for (const id of ['c1', 'c2', 'c3']) edge.send(callBody(id))
    edge.fate = () => 'pass'
    edge.release()
    await until(() => answers(edge).length === 3)
    expect(home.runs).toEqual(['c1', 'c2', 'c3'])
    expect(edge.frames.filter((frame) => frame.kind === 'hello').length).toBe(2)
  })

  test('answered while the link is down are answered when it is back', async () => {
    const edge = await edgeFor()
    const gate = Promise.withResolvers<void>()
    const home = startHome(edge, { serve: (call) => gate.promise.then(() => homeAnswer(call.id)) })
    await up(home)
    edge.send(callBody('c1'))
    await until(() => home.runs.length === 1)
    edge.reject = 503
    edge.drop()
    await until(() => home.client.status().state === 'down')
    gate.resolve()
    await until(() => home.database.channel.received() === 1)
    expect(home.database.channel.out(0).some(({ body }) => body.type === 'home_answer')).toBe(true)
    edge.reject = null
    await until(() => answers(edge).length === 1)
    expect(home.runs).toEqual(['c1'])
  })

  test('of an edge that lost its state are run from the first (E-16)', async () => {
    const file = databaseFile()
    const before = startHome(await edgeFor(), { file })
    await up(before)
    before.edge.send(callBody('c1'))
    await until(() => before.database.channel.received() === 1 && before.database.channel.out(0).length === 0)
    await before.client.stop()
    const after = startHome(await edgeFor(), { file })
    await up(after)
    after.edge.send(callBody('c2'))
    expect(await until(() => answers(after.edge)[0])).toEqual(homeAnswer('c2'))
  })

  test('whose frame comes again while they run, do not run again', async () => {
    const edge = await edgeFor()
    const gate = Promise.withResolvers<void>()
    const home = startHome(edge, { serve: (call) => gate.promise.then(() => homeAnswer(call.id)) })
    await up(home)
    edge.send(callBody('c1'))
    await until(() => home.runs.length === 1)
    edge.drop()
    await until(() => edge.connections() === 2)
    await up(home)
    gate.resolve()
    await until(() => answers(edge).length === 1)
    await pause(50)
    expect(home.runs).toEqual(['c1'])
    expect(answers(edge)).toHaveLength(1)
  })

  test('asked twice under one id have one run and one answer', async () => {
    const edge = await edgeFor()
    const home = startHome(edge)
    await up(home)
    edge.send(callBody('c1'))
    edge.send(callBody('c1'))
    edge.send(callBody('c2'))
    await until(() => answers(edge).length === 2)
    // And again, long after the answer.
    edge.send(callBody('c1'))
    edge.send(callBody('c3'))
    await until(() => answers(edge).some(({ id }) => id === 'c3'))
    expect(home.runs).toEqual(['c1', 'c2', 'c3'])
    expect(answers(edge).map(({ id }) => id)).toEqual(['c1', 'c2', 'c3'])
  })

  test('that throw are answered as our fault, and say nothing of it', async () => {
    const edge = await edgeFor()
    const home = startHome(edge, { serve: () => Promise.reject(new Error('the secret subject')) })
    await up(home)
    edge.send(callBody('c1'))
    expect(await until(() => answers(edge)[0])).toMatchObject({
      id: 'c1',
      ok: false,
      reason: 'internal_fault',
    })
  })

  test('with an answer too large for a frame are refused in its place', async () => {
    const edge = await edgeFor()
    const home = startHome(edge, {
      serve: async (call) =>
        ({ ...homeAnswer(call.id), ok: true, output: 'x'.repeat(1_100_000) }) as HomeAnswer,
    })
    await up(home)
    edge.send(callBody('c1'))
    expect(await until(() => answers(edge)[0])).toMatchObject({ ok: false, reason: 'response_too_large' })
  })

  test('run eight at a time', async () => {
    const edge = await edgeFor()
    const gate = Promise.withResolvers<void>()
    const home = startHome(edge, { serve: (call) => gate.promise.then(() => homeAnswer(call.id)) })
    await up(home)
    for (let n = 0; n < 20; n += 1) edge.send(callBody(`c${n}`))
    await until(() => home.runs.length === 8)
    await pause(100)
    expect(home.runs).toHaveLength(8)
    gate.resolve()
    await until(() => answers(edge).length === 20)
  })

  test('for something else than a call have no effect and hold up nobody', async () => {
    const edge = await edgeFor()
    const home = startHome(edge)
    await up(home)
    edge.send({ type: 'profile', timezone: 'UTC' })
    edge.send(callBody('c1'))
    await until(() => answers(edge).length === 1)
    expect(home.runs).toEqual(['c1'])
  })
})

describe('a home that is killed between call and answer', () => {
  interface Killable {
    readonly runs: () => readonly string[]
    kill(): Promise<void>
  }
  const spawnHome = (edge: FakeEdge, serve: 'answer' | 'hang'): Killable => {
    const log = folder.file(`${serve}.runs`)
    const script = fileURLToPath(new URL('./fixtures/tunnel-home.ts', import.meta.url))
    const child = spawn(process.execPath, [script, folder.path, edge.url, serve, log], { stdio: 'inherit' })
    const gone = new Promise<void>((resolve) => child.on('exit', () => resolve()))
    const kill = (): Promise<void> => {
      child.kill('SIGKILL')
      return gone
    }
    cleanups.push(kill)
    const runs = () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [])
    return { runs, kill }
  }

  test('runs the read again, never the write, and answers each once', { timeout: 60_000 }, async () => {
    const edge = await edgeFor()
    const first = spawnHome(edge, 'hang')
    await until(() => edge.connections() === 1, START)
    edge.send(write('w1'))
    edge.send(callBody('r1'))
    await until(() => first.runs().length === 2)
    await first.kill()
    expect(answers(edge)).toEqual([])

    const second = spawnHome(edge, 'answer')
    await until(() => answers(edge).length === 2, START)
    expect(second.runs()).toEqual(['r1'])
    expect(answers(edge).find(({ id }) => id === 'w1')).toMatchObject({
      ok: false,
      reason: 'write_outcome_unknown',
    })
    await second.kill()
    const third = spawnHome(edge, 'answer')
    await until(() => edge.connections() === 3, START)
    edge.send(callBody('r2'))
    await until(() => answers(edge).some(({ id }) => id === 'r2'))
    expect(answers(edge)).toHaveLength(3)
    expect(third.runs()).toEqual(['r1', 'r2'])
  })
})

test('what a tool answered does not lie in the database in plain', async () => {
  const file = databaseFile()
  const edge = await edgeFor()
  const home = startHome(edge, {
    file,
    serve: async (call) =>
      ({ ...homeAnswer(call.id), ok: true, output: { note: 'canary-dentist' } }) as HomeAnswer,
  })
  await up(home)
  edge.fate = (frame) => (frame.kind === 'ack' ? 'lose' : 'pass')
  edge.send(callBody('c1'))
  await until(() => answers(edge).length === 1)
  expect(answers(edge)[0]).toMatchObject({ output: { note: 'canary-dentist' } })
  for (const name of [file, `${file}-wal`])
    expect(readFileSync(name, 'latin1')).not.toContain('canary-dentist')
})
