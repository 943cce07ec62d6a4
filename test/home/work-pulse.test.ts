/**
 * Home reports that it is working after two seconds and then every four, with codes from a closed list, and never more
 * often than the edge accepts frames that may be lost (C-32).
 */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { WorkProgress } from '../../kernel/features/deliveries/work-port.ts'
import type { Delivery } from '../../kernel/powers/ports.ts'
import { type EphemeralBody, encodeFrame, parseFrame } from '../../kernel/tunnel/frame.ts'
import { createHandover, type Handover } from '../../sidecar/tunnel/handover.ts'

const SINK = 'sink:telegram:open'
const HOW: WorkProgress = { doing: 'reading_message', step: 2, steps: 4 }
const THEN: WorkProgress = { doing: 'writing_answer', step: 4, steps: 4 }
/** Half of what the edge accepts in a minute: texts and reports share the limit. */
const MOST = 30

let out: EphemeralBody[]
let handover: Handover
let live: boolean
beforeEach(() => {
  vi.useFakeTimers()
  out = []
  live = true
  handover = createHandover(() => live)
  handover.attach((body) => out.push(body))
})
afterEach(() => vi.useRealTimers())

const at = (how: WorkProgress | null, over: object = {}): void =>
  handover.work.working({ sink: SINK, task: 't1', event: 's1', how, ...over })
const pass = (milliseconds: number): Promise<unknown> => vi.advanceTimersByTimeAsync(milliseconds)
const works = (): readonly unknown[] => out.map((body) => (body.type === 'work' ? body.work : body))

it('work of less than two seconds is not reported', async () => {
  at(HOW)
  await pass(1_900)
  await handover.work.rests({ sink: SINK, task: 't1', back: false })
  await pass(60_000)
  expect(out).toEqual([])
})

it('longer work is reported with its present state, and its end without a result', async () => {
  at(HOW)
  await pass(2_000)
  at(THEN)
  await pass(4_000)
  await handover.work.rests({ sink: SINK, task: 't1', back: false })
  await pass(60_000)
  expect(works()).toEqual([
    { on: 'said', id: 's1', how: HOW },
    { on: 'said', id: 's1', how: THEN },
    { on: 'rest', id: 's1' },
  ])
  for (const body of out) expect(parseFrame(encodeFrame({ kind: 'ephemeral', body })).ok).toBe(true)
})

it('work that continues by itself keeps its indicator', async () => {
  at(HOW)
  await pass(2_000)
  await handover.work.rests({ sink: SINK, task: 't1', back: true })
  expect(works()).toHaveLength(1)
})

it.each<[string, () => void]>([
  ['in a chat of home’s', () => at(HOW, { sink: 'sink:telegram:private' })],
  [
    'without the acknowledgement',
    () => {
      live = false
      at(HOW)
    },
  ],
  [
    'with no edge',
    () => {
      handover.detach()
      at(HOW)
    },
  ],
])('with %s nothing is reported', async (_what, begin) => {
  begin()
  await pass(20_000)
  expect(out).toEqual([])
})

it('a call of the edge is reported by its id while it runs', async () => {
  const { promise, resolve } = Promise.withResolvers<string>()
  const run = handover.during({ id: 'c1', task: 't9' }, () => promise)
  await pass(6_000)
  resolve('done')
  expect(await run).toBe('done')
  await pass(60_000)
  const work = { on: 'call', id: 'c1', task: 't9' }
  expect(works()).toEqual([work, work])
})

it('a call that failed is no longer reported', async () => {
  await expect(
    handover.during({ id: 'c1', task: 't9' }, () => Promise.reject(new Error('x'))),
  ).rejects.toThrow()
  await pass(60_000)
  expect(out).toEqual([])
})

it('many tasks together use half of the edge’s limit, and take turns', async () => {
  const runs = Array.from({ length: 20 }, (_, at) =>
    handover.during({ id: `c${at}`, task: 't' }, () => new Promise(() => undefined)),
  )
  expect(runs).toHaveLength(20)
  await pass(60_000)
  expect(out.length).toBeLessThanOrEqual(MOST)
  expect(new Set(works().map((work) => (work as { id: string }).id)).size).toBe(20)
})

it('a text names the owner’s message that it answers, while that is worked on', async () => {
  const delivery: Delivery = {
    ...{ id: 'd1', sink: SINK, principal: 'p', task: 't1', turn: 1, kind: 'answer', approval: null },
    ...{ text: 'words', label: 'sensitive', at: 1, previews: 'off' },
  }
  at(HOW)
  void handover.send(delivery)
  await handover.work.rests({ sink: SINK, task: 't1', back: false })
  void handover.send({ ...delivery, id: 'd2' })
  expect(out.map((body) => body.type === 'deliver' && body.handed.said)).toEqual(['s1', undefined])
})
