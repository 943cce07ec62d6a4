/** Home's end of the channel by itself: what it asks for when frames are missing (T-04). */
import { expect, test } from 'vitest'
import type { Frame } from '../../kernel/tunnel/frame.ts'
import { ASK_AGAIN, createTunnelInbox } from '../../sidecar/tunnel-inbox.ts'
import { createWorld } from '../pipeline/world.ts'
import { MemoryChannelStore } from '../tunnel/fixtures.ts'

test('a hole is asked about once, and again when question or answer were lost as well', () => {
  const { disk } = createWorld()
  const sent: Frame[] = []
  let now = 1_000
  const inbox = createTunnelInbox({
    ...{ channel: new MemoryChannelStore(), store: disk.store, timezone: 'Europe/Madrid', now: () => now },
    serve: async () => Promise.reject(new Error('nothing is to run')),
    remember: async () => undefined,
    takeSecret: async () => undefined,
    sealKey: 'k'.repeat(43),
    isWrite: () => false,
    fault: () => undefined,
    lost: () => undefined,
  })
  inbox.attach(
    (frame) => sent.push(frame),
    () => undefined,
    7,
  )
  /** How many hellos a frame with this number brought out. */
  const asked = (seq: number): number => {
    const before = sent.length
    inbox.take({ kind: 'data', seq, body: { type: 'profile', timezone: 'Europe/Madrid' }, at: now })
    return sent.slice(before).filter(({ kind }) => kind === 'hello').length
  }
  expect([asked(3), asked(4)]).toEqual([1, 0])
  now += ASK_AGAIN - 1
  expect(asked(5)).toBe(0)
  now += 1
  expect([asked(6), asked(7)]).toEqual([1, 0])
})
