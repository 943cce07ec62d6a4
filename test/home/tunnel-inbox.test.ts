/** Home's end of the channel alone: what it requests when frames are missing, and what it does not accept (T-04). */

import { expect, test } from 'vitest'
import { MOST_WAITING, WINDOW } from '../../kernel/tunnel/channel.ts'
import type { Frame } from '../../kernel/tunnel/frame.ts'
import { ASK_AGAIN, createTunnelInbox, type TunnelInbox } from '../../sidecar/tunnel/tunnel-inbox.ts'
import { NO_PAUSE } from '../fakes/pause.ts'
import { createWorld } from '../pipeline/world.ts'
import {
  callBody,
  homeAnswer,
  homeFacts,
  MemoryChannelStore,
  NO_BOTH_LINES,
  NO_FILES,
  NO_LENDER,
} from '../tunnel/fixtures.ts'

interface Rig {
  readonly inbox: TunnelInbox
  readonly store: MemoryChannelStore
  readonly sent: Frame[]
  readonly runs: string[]
  readonly clock: { now: number }
  /** Releases the answers to calls. */
  readonly answer: () => void
}

/** An inbox that is connected and has exchanged hellos. */
function rig(pausing: { readonly promise: Promise<void> } = { promise: Promise.resolve() }): Rig {
  const { disk } = createWorld()
  const sent: Frame[] = []
  const runs: string[] = []
  const clock = { now: 1_000 }
  const store = new MemoryChannelStore()
  const gate = Promise.withResolvers<void>()
  const inbox = createTunnelInbox({
    files: NO_FILES,
    lender: NO_LENDER,
    pause: {
      ...NO_PAUSE,
      receive: ({ word }) => void runs.push(`pause ${word?.do}`),
      over: () => pausing.promise,
    },
    unlinked: (links) => void runs.push(`unlinked ${links}`),
    bothLines: {
      ...NO_BOTH_LINES,
      cardWaits: () => void runs.push('card'),
      unsent: ({ lost }) => void runs.push(`unsent ${lost}`),
    },
    ...{
      channel: store,
      store: disk.store,
      now: () => clock.now,
    },
    serve: async ({ id }) => {
      runs.push(id)
      await gate.promise
      return homeAnswer(id)
    },
    remember: async () => undefined,
    takeSecret: async () => undefined,
    takeCode: async () => undefined,
    facts: () => homeFacts('Europe/Madrid'),
    isWrite: () => false,
    fault: () => undefined,
    lost: () => undefined,
  })
  inbox.attach(
    (frame) => sent.push(frame),
    () => undefined,
    7,
  )
  inbox.take({ kind: 'hello', version: 4, epoch: 1, received: 0, base: 0, last: 0, proof: null })
  return { inbox, store, sent, runs, clock, answer: () => gate.resolve() }
}

const countOf = (sent: readonly Frame[], kind: Frame['kind']): number =>
  sent.filter((frame) => frame.kind === kind).length

test('a gap is asked about once, and again if the request or its answer was lost', () => {
  const { inbox, sent, clock } = rig()
  /** Number of hellos sent in response to a frame with this number. */
  const asked = (seq: number): number => {
    const before = countOf(sent, 'hello')
    inbox.take({ kind: 'data', seq, body: { type: 'profile', timezone: 'Europe/Madrid' }, at: clock.now })
    return countOf(sent, 'hello') - before
  }
  expect([asked(3), asked(4)]).toEqual([1, 0])
  clock.now += ASK_AGAIN - 1
  expect(asked(5)).toBe(0)
  clock.now += 1
  expect([asked(6), asked(7)]).toEqual([1, 0])
})

test('a frame beyond the window is neither taken nor acknowledged', async () => {
  const { inbox, runs, store, answer } = rig()
  for (let seq = 1; seq <= WINDOW.frames + 5; seq += 1)
    inbox.take({ kind: 'data', seq, body: callBody(`c${seq}`) })
  answer()
  await inbox.settled()
  expect([runs.length, store.received()]).toEqual([WINDOW.frames, WINDOW.frames])
})

test('calls of an edge that takes no answers wait at the edge, and are requested afterwards', async () => {
  const { inbox, runs, store, sent, clock, answer } = rig()
  answer()
  const waiting = store.waiting.bind(store)
  store.waiting = () => ({ ...waiting(), bytes: MOST_WAITING.bytes })
  inbox.take({ kind: 'data', seq: 1, body: callBody('c1') })
  await inbox.settled()
  expect([runs, store.received(), countOf(sent, 'ack')]).toEqual([[], 0, 0])
  store.waiting = waiting
  clock.now += ASK_AGAIN
  const before = countOf(sent, 'hello')
  inbox.beat({ base: 0, sent: 1 })
  expect(countOf(sent, 'hello') - before).toBe(1)
})

/**
 * After a second of silence: the edge's `base` and `sent`, what home has taken, and the frames that the beat causes.
 */
const BEATS: readonly (readonly [string, number, number, readonly Frame['kind'][]])[] = [
  ['nothing is owed', 1, 1, []],
  ['a body that never came', 1, 2, ['hello']],
  ['an acknowledgement that never came', 0, 1, ['ack']],
]

test.each(BEATS)('a beat after silence: %s', async (_name, base, last, brings) => {
  const { inbox, store, sent, clock } = rig()
  inbox.take({ kind: 'data', seq: 1, body: { type: 'profile', timezone: 'Europe/Madrid' } })
  await inbox.settled()
  inbox.take({ kind: 'ack', seq: store.allocate() - 1 })
  const before = sent.length
  clock.now += ASK_AGAIN - 1
  inbox.beat({ base, sent: last })
  expect(sent.slice(before)).toEqual([])
  clock.now += 1
  inbox.beat({ base, sent: last })
  expect(sent.slice(before).map(({ kind }) => kind)).toEqual(brings)
})

test('a pending approval of the edge is reported', () => {
  const { inbox, runs } = rig()
  inbox.take({ kind: 'ephemeral', body: { type: 'card_waits' } })
  expect(runs).toEqual(['card'])
})

test('an answer that is queued or lost at the edge is reported', () => {
  const { inbox, runs } = rig()
  for (const lost of [null, 'credential_rejected'] as const)
    inbox.take({ kind: 'ephemeral', body: { type: 'unsent', unsent: { kind: 'answer', age: 1, lost } } })
  expect(runs).toEqual(['unsent null', 'unsent credential_rejected'])
})

test('the owner’s pause order at the edge is applied before other frames, each time', () => {
  const { inbox, runs } = rig()
  const hello = { kind: 'hello', version: 4, epoch: 1, received: 0, base: 0, last: 0, proof: null } as const
  const pause = { now: 2_000, word: { do: 'pause', at: 1_000, sink: 'sink:openline:owner' } } as const
  inbox.take({ ...hello, pause, unlinked: ['l1'] })
  inbox.take({ ...hello, unlinked: [] })
  expect(runs).toEqual(['pause pause', 'unlinked l1'])
})

test('a call that arrives during a pause starts and is acknowledged afterwards', async () => {
  const pausing = Promise.withResolvers<void>()
  const { inbox, runs, sent, answer } = rig(pausing)
  answer()
  inbox.take({ kind: 'data', seq: 1, body: callBody('c1') })
  await Promise.resolve()
  expect([runs, countOf(sent, 'ack')]).toEqual([[], 0])
  pausing.resolve()
  await inbox.settled()
  expect([runs, countOf(sent, 'ack')]).toEqual([['c1'], 1])
})
