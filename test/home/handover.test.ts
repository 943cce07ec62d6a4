/**
 * Delivery to the owner's chat at the edge (DESIGN §1, H-17): only with an acknowledgement in force and a connection. A
 * delivery that the edge does not report fails for now, and invented reports are ignored.
 */
import { expect, it } from 'vitest'
import type { HandoverResult } from '../../kernel/features/places/handover-port.ts'
import type { Result } from '../../kernel/flow/verdict.ts'
import type { Delivery } from '../../kernel/powers/ports.ts'
import type { EphemeralBody } from '../../kernel/tunnel/frame.ts'
import { MOST_DELIVERED } from '../../kernel/tunnel/queued-message.ts'
import { createHandover, type Handover } from '../../sidecar/tunnel/handover.ts'

const DELIVERY: Delivery = {
  ...{ id: 'd1', sink: 'sink:telegram:open', principal: 'principal:owner', task: 't1', turn: 1 },
  ...{ kind: 'answer', approval: null, text: 'words', label: 'sensitive', at: 1, previews: 'off' },
}

interface Rig {
  readonly handover: Handover
  readonly out: EphemeralBody[]
  readonly live: { is: boolean }
}

function rig(): Rig {
  const live = { is: true }
  const out: EphemeralBody[] = []
  const handover = createHandover(() => live.is, 200)
  handover.attach((body) => out.push(body))
  return { handover, out, live }
}

const codeOf = (result: Result<unknown>): unknown =>
  result.ok ? 'yes' : [result.reason.code, result.reason.facts['retryAfter']].filter(Boolean).join(' ')

it.each<[string, HandoverResult, string]>([
  ['it stands there', { id: 'd1', ok: true }, 'yes'],
  ['refused', { id: 'd1', ok: false, reason: 'write_down' }, 'write_down'],
  ['later', { id: 'd1', ok: false, reason: 'remote_rate_limited', after: 3_000 }, 'remote_rate_limited 3000'],
  ['no reason that there is', { id: 'd1', ok: false, reason: 'constructor' }, 'remote_rejected'],
  ['of another', { id: 'd2', ok: true }, 'network_failed'],
])('the edge reports: %s', async (_what, told, code) => {
  const { handover, out } = rig()
  const sent = handover.send(DELIVERY)
  handover.take(told)
  expect(codeOf(await sent)).toBe(code)
  expect(out).toEqual([
    { type: 'deliver', handed: { id: 'd1', kind: 'answer', text: 'words', label: 'sensitive' } },
  ])
})

it.each<[string, (rig: Rig) => void, Partial<Delivery>, string]>([
  ['no acknowledgement', ({ live }) => Object.assign(live, { is: false }), {}, 'grant_missing'],
  ['no edge', ({ handover }) => handover.detach(), {}, 'network_failed'],
  ['too much', () => undefined, { text: 'x'.repeat(MOST_DELIVERED + 1) }, 'frame_too_large'],
])('with %s nothing is sent', async (_what, change, over, code) => {
  const made = rig()
  change(made)
  expect(codeOf(await made.handover.send({ ...DELIVERY, ...over }))).toBe(code)
  expect(made.out).toEqual([])
})

it('deliveries in flight fail for now when the link is lost', async () => {
  const { handover } = rig()
  const sent = handover.send(DELIVERY)
  handover.detach()
  expect(codeOf(await sent)).toBe('network_failed')
})

it('of an approval only a notice is sent, and the refusal directs it to a chat of home’s', async () => {
  const { handover, out } = rig()
  const sent = handover.send({ ...DELIVERY, kind: 'card', approval: 'a1', text: 'Shall I tell eve?' })
  handover.take({ id: 'd1:there', ok: true })
  expect(codeOf(await sent)).toBe('approval_place_too_low')
  expect(out).toMatchObject([{ handed: { kind: 'notice', label: 'public' } }])
  expect(JSON.stringify(out)).not.toContain('eve')
})

it('the handover serves one chat only', () => {
  const { handover } = rig()
  const held = ['sink:telegram:open', 'sink:telegram:private', 'sink:telegram:66', 'sink:openline:owner']
  expect(held.filter((sink) => handover.holds(sink))).toEqual(['sink:telegram:open'])
})
