/**
 * `regulated:health` at the edge, in workerd: none of its sinks takes it, its place cannot hold it, and a home that sends it none the less, labelled
 * as such by what led to it or by what it reports, has it refused before it is stored or told.
 */
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { EDGE_SINKS } from '../../durable-objects/directory.ts'
import { EDGE_CHAT } from '../../integrations/channels/index.ts'
import type { HomeAnswer, HomeCall } from '../../kernel/features/places/home-port.ts'
import { type Label, labelOf } from '../../kernel/flow/label.ts'
import type { Compartment } from '../../kernel/flow/level.ts'
import { checkPlace } from '../../kernel/flow/place.ts'
import { checkEgress, type Policy } from '../../kernel/flow/policy.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import { dumpStorage } from './dump.ts'
import { emptyEdge, endOf, inside, say } from './edge.ts'
import { HomePeer } from './home-peer.ts'

const HEALTH: Label = labelOf([
  { origin: 'tool:health.read', field: 'pulse', level: 'regulated', compartment: 'health' as Compartment },
])
/** As an object of the owner has it, with the chat of a bot. */
const [first] = EDGE_SINKS
const POLICY: Policy = {
  ...{ owner: OWNER_PRINCIPAL, allowLists: [], flowGrants: [], writeGrants: [], linkedChats: [] },
  sinks: [...EDGE_SINKS, ...(first === undefined ? [] : [{ ...first, id: EDGE_CHAT.sink }])],
}

describe('the sinks of the edge', () => {
  it.each(POLICY.sinks.map(({ id }) => [id] as const))('%s takes none', (sink) => {
    const verdict = checkEgress(POLICY, { label: HEALTH, sink, template: 'any', now: 0 })
    expect(verdict).toMatchObject({ allow: false, code: 'compartment_missing' })
  })

  it('are all there are, and one for the bot', () => expect(POLICY.sinks).toHaveLength(EDGE_SINKS.length + 1))

  it('nor may its place hold it', () => expect(checkPlace('edge', HEALTH).allow).toBe(false))
})

let home: HomePeer
beforeAll(async () => {
  await emptyEdge()
  home = await HomePeer.greet()
})
afterAll(async () => {
  home.close()
  await emptyEdge()
})

const BUSY = { from: '2026-11-27T04:17:00Z', to: '2026-11-27T04:43:00Z', busy: true }
type Given = Extract<HomeAnswer, { readonly ok: true }>

/** What the edge asks of home; what it tells of earlier turns comes in between. */
async function asked(): Promise<HomeCall> {
  for (;;) {
    const { body } = await home.take()
    if (body.type === 'home_call') return body.call
  }
}

/** What the owner is told when home answers so. */
async function told(over: (call: HomeCall) => Partial<Given>) {
  const { task } = await say('when am I free on Friday?')
  const call = await asked()
  const { id, step, provenance } = call
  const answer = { id, task, step, ok: true, label: 'internal', inputs: provenance, reported: null } as const
  home.put({ type: 'home_answer', answer: { ...answer, output: { slots: [BUSY] }, ...over(call) } })
  await home.acked()
  const report = await endOf(task)
  return { report, stored: await inside(OWNER_PRINCIPAL, ({ storage }) => dumpStorage(storage)) }
}

test('what home may say is told', async () => {
  const { report } = await told(() => ({}))
  expect([report.task.state, report.task.trouble]).toEqual(['completed', null])
  expect(report.reply).toMatch(/0?4:17|0?5:17/)
})

const PULSE = { from: '2026-11-27T11:17:00Z', to: '2026-11-27T11:43:00Z', busy: true }

test.each<[what: string, code: string, over: (call: HomeCall) => Partial<Given>]>([
  [
    'by what led to it',
    'compartment_missing',
    ({ provenance }) => ({ inputs: { ...provenance, label: HEALTH } }),
  ],
  ['by what it reports', 'place_not_cleared', () => ({ reported: 'regulated' })],
])('health, %s, is refused with %s, told to nobody and not kept', async (_what, code, over) => {
  const { report, stored } = await told((call) => ({ output: { slots: [PULSE] }, ...over(call) }))
  expect(report.reply).toContain(code)
  expect(report.reply).not.toMatch(/1[12]:17|1[12]:43/)
  expect(stored).not.toMatch(/11:17:00|11:43:00/)
})
