/** Home locks the edge: the frame is reliable, and "done" is reported only after the edge's acknowledgement (T-10). */
import { expect, it } from 'vitest'
import type { Body } from '../../kernel/tunnel/frame.ts'
import { lockEdge } from '../../sidecar/tunnel/edge-connection.ts'
import { MemoryChannelStore, outRow } from '../tunnel/fixtures.ts'

function outbox(acknowledged: boolean) {
  const channel = new MemoryChannelStore()
  const told: Body[] = []
  const tell = (body: Body): number => {
    const seq = channel.allocate()
    channel.putOut([outRow(seq, body)])
    told.push(body)
    if (acknowledged) channel.dropOut(seq)
    return seq
  }
  return { channel, told, inbox: { tell } }
}

it.each([
  ['the edge has it', true],
  ['the edge is away: it waits in the outbox', false],
])('%s', { timeout: 15_000 }, async (_name, done) => {
  const { channel, told, inbox } = outbox(done)
  expect(await lockEdge({ inbox, channel }, true)).toEqual({ ok: true, value: { done } })
  expect(told).toEqual([{ type: 'lock', locked: true }])
  expect(channel.out(0)).toHaveLength(done ? 0 : 1)
})
