/**
 * Grants at the edge (F-13, X-05): home's sync reaches strangers' objects, an answer of home is sent under a grant, and a
 * revocation counts at the next step, wherever a task stands. The rules themselves: test/pipeline/edge-grants.test.ts.
 */
import { abortAllDurableObjects, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { GRANT_TRUST } from '../../durable-objects/grants.ts'
import { KERNEL_NAME, objectName, TUNNEL_NAME } from '../../durable-objects/names.ts'
import type { HomeCall } from '../../kernel/features/places/home-port.ts'
import type { Result } from '../../kernel/flow/verdict.ts'
import type { TaskReport } from '../../kernel/runtime/report.ts'
import type { SyncedGrant } from '../../kernel/tunnel/synced.ts'
import { NAME_KEY } from './bindings.ts'
import { inside, objectOf, refuseDeliveries, until } from './edge.ts'
import { HomePeer } from './home-peer.ts'

const kernel = () => env.KERNEL.getByName(KERNEL_NAME)
const tunnel = () => env.TUNNEL.getByName(TUNNEL_NAME)

beforeEach(async () => {
  vi.useRealTimers()
  for (const object of [kernel(), tunnel()])
    await runInDurableObject(object, (_, { storage }) => storage.deleteAll())
  await abortAllDurableObjects()
})
afterAll(() => void vi.useRealTimers())

const nameOf = (user: string): string => `principal:telegram:peer:${user}`

function grant(id: string, over: Partial<SyncedGrant> = {}): SyncedGrant {
  const fields = ['slots[].busy', 'slots[].from', 'slots[].to']
  const terms = { template: 'scheduling', action: 'calendar.freebusy', daysAhead: 14 }
  return { id, ...terms, fields, expiresAt: Date.now() + 86_400_000, ...over }
}

async function tell(home: HomePeer, grants: readonly SyncedGrant[]): Promise<void> {
  const seq = home.put({ type: 'grants', grants: [...grants] })
  for (let acked = 0; acked < seq; ) acked = (await home.acked()).seq
}

/** A stranger sends a message; resolves with the task's id. */
async function asks(user: string): Promise<string> {
  const source = { adapter: 'telegram', user, chat: user, group: false }
  const event = { id: crypto.randomUUID(), at: Date.now(), source, kind: 'message', place: 'edge' }
  const words = { text: 'is there a free slot tomorrow?', quoted: [], attachments: [], replyTo: null }
  const received = await objectOf(nameOf(user)).receive(nameOf(user), { ...event, ...words })
  if (!received.ok) throw new Error(received.reason.code)
  return received.value.task
}

async function asked(home: HomePeer): Promise<HomeCall> {
  const { body } = await home.take()
  if (body.type !== 'home_call') throw new Error(body.type)
  return body.call
}

const BUSY = { from: '2026-01-01T09:00:00Z', to: '2026-01-01T09:30:00Z', busy: true }

async function answers(home: HomePeer, call: HomeCall): Promise<void> {
  const { id, task, step, provenance } = call
  const given = { id, task, step, label: 'internal', inputs: provenance, reported: null }
  home.put({ type: 'home_answer', answer: { ...given, ok: true, output: { slots: [BUSY] } } })
  await home.acked()
}

/** The last reply, or the one before the owner is asked, and the reason of a refusal. */
async function told(user: string, task: string): Promise<readonly [string, string | null]> {
  const stored = await until(
    async (): Promise<Result<TaskReport>> => objectOf(nameOf(user)).report(nameOf(user), task),
    (found) => found.ok && ['awaiting_approval', 'completed', 'failed'].includes(found.value.task.state),
  )
  if (!stored.ok) throw new Error(stored.reason.code)
  return [stored.value.reply ?? '', stored.value.task.trouble]
}

/** Number of answers that wait for the chat. */
const waiting = (user: string) =>
  inside(
    nameOf(user),
    ({ storage }) => storage.sql.exec<{ n: number }>('select count(*) as n from waiting_deliveries').one().n,
  )

/** Whether each attempt to send succeeded, without abandoned ones. */
const sent = (user: string) =>
  inside(nameOf(user), ({ storage }) =>
    [...storage.sql.exec<{ facts: string }>("select facts from audit where kind = 'egress' order by seq")]
      .map(({ facts }) => JSON.parse(facts) as { ok: boolean; ended?: true })
      .filter(({ ended }) => ended !== true)
      .map(({ ok }) => ok),
  )

/** Reason codes of the denials. */
const denials = (user: string) =>
  inside(nameOf(user), ({ storage }) =>
    [
      ...storage.sql.exec<{ facts: string }>("select facts from audit where kind = 'denial' order by seq"),
    ].map(({ facts }) => (JSON.parse(facts) as { code: string }).code),
  )

test('a stranger is refused until home syncs a grant, and then gets what home releases', async () => {
  const home = await HomePeer.greet()
  const before = await asks('ann')
  expect(await told('ann', before)).toMatchObject([expect.not.stringMatching(/09:00/), 'grant_missing'])
  await tell(home, [grant('g1')])
  const task = await asks('ann')
  const call = await asked(home)
  expect(call).toMatchObject({ principal: nameOf('ann'), sink: 'sink:telegram:ann', template: 'scheduling' })
  await answers(home, call)
  expect(await told('ann', task)).toMatchObject([/09:00/, null])
})

test('an answer that waits for its chat is not sent once home revokes the grant', async () => {
  const home = await HomePeer.greet()
  await tell(home, [grant('g1')])
  await refuseDeliveries(1_000)
  const task = await asks('bea')
  await answers(home, await asked(home))
  expect(await told('bea', task)).toMatchObject([expect.anything(), null])
  expect(await waiting('bea')).toBe(1)
  await tell(home, [])
  await until(
    () => waiting('bea'),
    (count) => count === 0,
  )
  expect(await denials('bea')).toEqual(['write_down'])
  expect(await sent('bea')).not.toContain(true)
  await refuseDeliveries(0)
})

test('a grant is valid no longer than home could have revoked it, nor beyond its own end', async () => {
  const home = await HomePeer.greet()
  await tell(home, [grant('g1')])
  await asks('cid')
  await answers(home, await asked(home))
  home.close()
  await home.closed
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + GRANT_TRUST + 1 })
  const late = await asks('cid')
  expect(await told('cid', late)).toMatchObject([expect.not.stringMatching(/09:00/), 'grant_missing'])
  const other = await asks('dan')
  expect(await told('dan', other)).toMatchObject([expect.not.stringMatching(/09:00/), 'grant_missing'])
})

test('an evicted object fetches the grants again, and a running one receives changes', async () => {
  const home = await HomePeer.greet()
  const held = () => kernel().grantsFor(objectName(NAME_KEY, nameOf('eve')))
  expect((await held()).grants).toEqual([])
  await tell(home, [grant('g1'), grant('g2')])
  expect((await held()).grants.map(({ id }) => id)).toEqual(['g1', 'g2'])
  await tell(home, [grant('g2')])
  await abortAllDurableObjects()
  expect((await held()).grants.map(({ id, perDay, sink }) => [id, perDay, sink])).toEqual([
    ['g2', 0, 'reply_to_sender'],
  ])
})

test('a grant’s end is sent as a duration, so the two clocks need not agree', async () => {
  const home = await HomePeer.greet()
  const ahead = 7_200_000
  const at = Date.now() - ahead
  const body = { type: 'grants', grants: [grant('g1', { expiresAt: at + 1_000 })] } as const
  home.send({ kind: 'data', seq: 1, body, at })
  await home.acked()
  const { grants } = await kernel().grantsFor('any')
  const [{ expiresAt } = { expiresAt: 0 }] = grants
  expect(Math.abs(expiresAt - Date.now() - 1_000)).toBeLessThan(20_000)
})
