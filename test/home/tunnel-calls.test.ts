/** Calls and memories of the edge at home: run once, answered once, whatever the link does (T-04, T-13). */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Body } from '../../kernel/tunnel/frame.ts'
import { MAX_BODY_BYTES } from '../../kernel/tunnel/piece.ts'
import { callBody, homeAnswer, openMemory } from '../tunnel/fixtures.ts'
import { answers, tunnelBench, up } from './fixtures/tunnel-link.ts'
import { pause, until } from './fixtures/wait.ts'

const { databaseFile, edgeFor, startHome } = tunnelBench()

describe('memories', () => {
  const body = (id: string): Body => ({ type: 'memory', memory: openMemory(id) })

  test('are stored one after another in the order of arrival, and not answered', async () => {
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
    expect(edge.received.map(({ type }) => type).sort()).toEqual([
      'grants',
      'home_answer',
      'links',
      'people',
      'profile',
      'seal_key',
      'self',
    ])
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

/** Milliseconds: each lost frame is asked for again after a while, longer on a busy machine. */
const BUSY = 25_000

describe('calls', () => {
  test('run and are answered', async () => {
    const edge = await edgeFor()
    const home = startHome(edge)
    await up(home)
    edge.send(callBody('c1'))
    expect(await until(() => answers(edge)[0])).toEqual(homeAnswer('c1'))
    await until(() => home.database.channel.out(0).length === 0)
  })

  test('run concurrently: a slow one delays no other', async () => {
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
    // The loss of the last frame becomes visible in the answer to the next beat.
    await until(() => answers(edge).length === 12, BUSY)
    expect(edge.connections()).toBe(1)
    expect(
      answers(edge)
        .map(({ id }) => id)
        .sort(),
    ).toEqual([...ids].sort())
    expect([...home.runs].sort()).toEqual([...ids].sort())
  })

  test('that arrive out of order are requested again and run in order', async () => {
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

  test('that finish while the link is down are answered when it is back', async () => {
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

  test('of an edge that lost its state run from the first (E-16)', async () => {
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

  test('whose frame is repeated while they run do not run again', async () => {
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

  test('sent twice under one id have one run and one answer', async () => {
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

  test('that throw are answered as an internal fault without details', async () => {
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

  test('with an answer too large for the link are refused instead', async () => {
    const edge = await edgeFor()
    const home = startHome(edge, {
      serve: async (call) => homeAnswer(call.id, 'x'.repeat(MAX_BODY_BYTES)),
    })
    await up(home)
    edge.send(callBody('c1'))
    expect(await until(() => answers(edge)[0])).toMatchObject({ ok: false, reason: 'response_too_large' })
  })

  test('run at most eight at a time', async () => {
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

  test('replaced by another body have no effect and delay nothing', async () => {
    const edge = await edgeFor()
    const home = startHome(edge)
    await up(home)
    edge.send({ type: 'profile', timezone: 'UTC' })
    edge.send(callBody('c1'))
    await until(() => answers(edge).length === 1)
    expect(home.runs).toEqual(['c1'])
  })
})

test('the database contains no plaintext of a tool’s answer', async () => {
  const file = databaseFile()
  const edge = await edgeFor()
  const home = startHome(edge, {
    file,
    serve: async (call) => homeAnswer(call.id, { note: 'canary-dentist' }),
  })
  await up(home)
  edge.fate = (frame) => (frame.kind === 'ack' ? 'lose' : 'pass')
  edge.send(callBody('c1'))
  await until(() => answers(edge).length === 1)
  expect(answers(edge)[0]).toMatchObject({ output: { note: 'canary-dentist' } })
  for (const name of [file, `${file}-wal`])
    expect(readFileSync(name, 'latin1')).not.toContain('canary-dentist')
})
