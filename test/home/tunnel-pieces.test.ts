/**
 * Bodies larger than one frame between home and an edge, across lost connections and restarts; loss of the last frame;
 * queued pieces (T-04, T-12).
 */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Body, Frame } from '../../kernel/tunnel/frame.ts'
import { callBody, homeAnswer, openMemory } from '../tunnel/fixtures.ts'
import type { FakeEdge } from './fixtures/edge.ts'
import { answers, tunnelBench, up } from './fixtures/tunnel-link.ts'
import { until } from './fixtures/wait.ts'

const { databaseFile, edgeFor, startHome } = tunnelBench()

/** Characters of a mail of five megabytes. */
const LONG = 5_000_000
const canary = (letter: string): string => `canary-${letter.repeat(LONG)}`
const memory = (id: string, text: string): Body => ({ type: 'memory', memory: openMemory(id, text) })

/** Drops the connection when the third piece leaves the edge, and again at one that the window held back. */
function cutTwice(edge: FakeEdge): void {
  const cuts = new Set([2, 13])
  edge.fate = (frame) => {
    if (frame.kind !== 'data' || frame.body.type !== 'piece' || !cuts.delete(frame.body.n)) return 'pass'
    queueMicrotask(() => edge.drop())
    return 'lose'
  }
}

test('an answer of five megabytes arrives completely and once', async () => {
  const edge = await edgeFor()
  const text = canary('a')
  const home = startHome(edge, { serve: async (call) => homeAnswer(call.id, { text }) })
  await up(home)
  edge.send(callBody('c1'))
  edge.send(callBody('c2'))
  await until(() => answers(edge).length === 2, 30_000)
  for (const answer of answers(edge)) expect(answer.ok && answer.output).toEqual({ text })
  expect(home.runs).toEqual(['c1', 'c2'])
  await until(() => home.database.channel.out(0).length === 0)
})

test('a memory of five megabytes resumes where the link was lost, and is stored sealed until it is complete', async () => {
  const edge = await edgeFor()
  const file = databaseFile()
  const kept: string[] = []
  const gate = Promise.withResolvers<void>()
  const home = startHome(edge, {
    file,
    remember: async ({ content }) => {
      await gate.promise
      kept.push(JSON.stringify(content))
    },
  })
  await up(home)
  cutTwice(edge)
  const body = memory('m1', canary('b'))
  edge.send(body)
  await until(() => home.database.channel.pieces().length > 10, 30_000)
  for (const name of [file, `${file}-wal`]) expect(readFileSync(name, 'latin1')).not.toContain('bbbbbbbb')
  gate.resolve()
  await until(() => kept.length === 1, 30_000)
  await until(() => home.database.channel.pieces().length === 0)
  expect(kept[0] === JSON.stringify(body.type === 'memory' && body.memory.content)).toBe(true)
  expect([edge.connections(), home.faults()]).toEqual([3, 0])
})

test('a restarted home resumes with the pieces that it has', async () => {
  const edge = await edgeFor()
  const file = databaseFile()
  const kept: string[] = []
  const remember = async ({ id }: { readonly id: string }) => void kept.push(id)
  const before = startHome(edge, { file, remember })
  await up(before)
  edge.fate = (frame) =>
    frame.kind === 'data' && frame.body.type === 'piece' && frame.body.n >= 6 ? 'lose' : 'pass'
  edge.send(memory('m1', canary('c')))
  await until(() => before.database.channel.received() === 6, 30_000)
  await before.client.stop()
  const sent: number[] = []
  edge.fate = (frame) => {
    if (frame.kind === 'data' && frame.body.type === 'piece') sent.push(frame.body.n)
    return 'pass'
  }
  startHome(edge, { file, remember })
  await until(() => kept.length === 1, 30_000)
  expect(Math.min(...sent)).toBe(6)
})

/** Lost once: only a beat follows that reveals it. */
const LAST: readonly (readonly [string, 'fate' | 'hears', Frame['kind']])[] = [
  ['a call', 'fate', 'data'],
  ['the acknowledgement of an answer', 'fate', 'ack'],
  ['an answer', 'hears', 'data'],
  ['the acknowledgement of a call', 'hears', 'ack'],
]

test.each(LAST)('the loss of the last frame is detected at the next beat: %s', async (_name, way, kind) => {
  const edge = await edgeFor()
  const home = startHome(edge)
  await up(home)
  await until(() => edge.received.length === 6 && home.database.channel.out(0).length === 0)
  let lost = false
  const loses = (frame: Frame): boolean => {
    const mine = !lost && frame.kind === kind
    lost ||= mine
    return mine
  }
  if (way === 'fate') edge.fate = (frame) => (loses(frame) ? 'lose' : 'pass')
  else edge.hears = (frame) => !loses(frame)
  edge.send(callBody('c1'))
  await until(() => answers(edge).length === 1 && edge.waiting() === 0)
  await until(() => home.database.channel.out(0).length === 0)
  expect([lost, home.runs, edge.connections()]).toEqual([true, ['c1'], 1])
})

test('an edge without pending frames gets only beats', async () => {
  const edge = await edgeFor()
  const home = startHome(edge)
  await up(home)
  edge.send(callBody('c1'))
  await until(() => answers(edge).length === 1 && home.database.channel.out(0).length === 0)
  await until(() => edge.frames.some(({ kind }) => kind === 'ephemeral'))
  const heard = edge.frames.length
  const beats = edge.beaten()
  // Longer than the silence after which a loss is looked for.
  await until(() => edge.beaten() > beats + 50)
  expect(edge.frames.slice(heard)).toEqual([])
})

test('an edge that violates the rules for pieces is refused with the reason', async () => {
  const edge = await edgeFor()
  const home = startHome(edge)
  await up(home)
  const piece = { type: 'piece', of: 2, sum: 'a'.repeat(64), text: 'x' }
  for (const n of [0, 1]) edge.raw(JSON.stringify({ kind: 'data', seq: n + 1, body: { ...piece, n } }))
  await until(() => edge.frames.some((frame) => frame.kind === 'refused' && frame.code === 'frame_malformed'))
  expect([home.refusals, home.database.channel.pieces()]).toEqual([['frame_malformed'], []])
})

test('a body whose first pieces were lost with the state of one side is dropped and audited', async () => {
  const edge = await edgeFor()
  const home = startHome(edge)
  await up(home)
  const piece = { type: 'piece', of: 2, sum: 'a'.repeat(64), text: 'x' }
  edge.raw(JSON.stringify({ kind: 'data', seq: 1, body: { ...piece, n: 1 } }))
  await until(() => home.database.channel.received() === 1)
  expect([home.refusals, home.client.status().state]).toEqual([['frame_gap'], 'up'])
})
