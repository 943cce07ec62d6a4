/**
 * Pairing at the edge (B-03, B-04), where each person has an object of its own: the code goes to home, home's sync makes the person
 * paired, and a revocation counts at the next event and during a task. The rules themselves: test/pipeline/people.test.ts.
 */
import { abortAllDurableObjects, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { KERNEL_NAME, TUNNEL_NAME } from '../../durable-objects/names.ts'
import type { SyncedPerson } from '../../kernel/tunnel/synced.ts'
import { wordsFor } from '../../kernel/wording/words.ts'
import { dumpStorage } from './dump.ts'
import {
  answersTo,
  emptyTunnel,
  endOf,
  inside,
  objectOf,
  peer,
  refuseDeliveries,
  sayAs,
  sentTo,
  until,
} from './edge.ts'
import { HomePeer } from './home-peer.ts'

const kernel = () => env.KERNEL.getByName(KERNEL_NAME)
const CODE = 'ABCD-EFGH-JKMN'

beforeEach(async () => {
  vi.useRealTimers()
  await emptyTunnel()
  await runInDurableObject(kernel(), (_, { storage }) => storage.deleteAll())
  await abortAllDurableObjects()
})
afterAll(() => void vi.useRealTimers())

/** Each test has people of its own, since a session outlives it. */
let people = 0
function somebody(): string {
  people += 1
  return `paired${people}`
}

const told = (user: string, over: Partial<SyncedPerson> = {}): SyncedPerson => ({
  ...{
    id: `a-${user}`,
    principal: peer(user),
    sink: `sink:whatsapp:${user}`,
    templates: ['paired_scheduling'],
  },
  ...{ expiresAt: Date.now() + 86_400_000, ...over },
})

async function tell(home: HomePeer, agreed: readonly SyncedPerson[]): Promise<void> {
  const seq = home.put({ type: 'people', people: [...agreed] })
  for (let acked = 0; acked < seq; ) acked = (await home.acked()).seq
}

const audited = (user: string, kind: string) =>
  inside(peer(user), ({ storage }) =>
    [...storage.sql.exec<{ facts: string }>('select facts from audit where kind = ? order by seq', kind)].map(
      ({ facts }) => JSON.parse(facts) as Record<string, unknown>,
    ),
  )

const classes = async (user: string) =>
  (await audited(user, 'task_created')).map((facts) => [facts['class'], facts['template']])

async function says(user: string, text: string): Promise<string | null> {
  const { task } = await sayAs(user, text)
  return (await endOf(task, peer(user))).task.trouble
}

const WELCOME = wordsFor('agreement_made')
const welcomed = (user: string) =>
  until(
    () => sentTo(user),
    (sent) => sent.some(({ text }) => text === WELCOME),
  )

test('a code goes to home, sealed while it waits, and is never in a history', async () => {
  const bob = somebody()
  await says(bob, `pair ${CODE}`)
  const kept = await Promise.all([
    inside(peer(bob), ({ storage }) => dumpStorage(storage)),
    runInDurableObject(env.TUNNEL.getByName(TUNNEL_NAME), (_, { storage }) => dumpStorage(storage)),
  ])
  for (const dump of kept) expect(dump).not.toMatch(/ABCD-?EFGH-?JKMN/i)
  expect((await answersTo(bob, 1)).map(({ text }) => text)).toEqual([wordsFor('identity_code')])
  const home = await HomePeer.greet()
  expect((await home.take()).body).toMatchObject({
    type: 'link_code',
    said: { principal: peer(bob), sink: `sink:whatsapp:${bob}`, code: CODE, as: 'person' },
  })
  expect(await classes(bob)).toEqual([['third_party', 'fake_peers']])
})

test('home’s sync pairs a person with one notice, and a revocation makes the next message a stranger’s', async () => {
  const [bob, eve] = [somebody(), somebody()]
  const home = await HomePeer.greet()
  for (const who of [bob, eve]) await says(who, 'hello')
  await tell(home, [told(bob)])
  await welcomed(bob)
  // Also after an eviction, and when synced again.
  await abortAllDurableObjects()
  const back = await HomePeer.greet(home.store)
  await tell(back, [told(bob)])
  for (const who of [bob, eve]) await says(who, 'am I known?')
  await tell(back, [])
  for (const who of [bob, eve]) await says(who, 'and now?')
  const stranger = ['third_party', 'fake_peers']
  expect(await classes(bob)).toEqual([stranger, ['paired', 'paired_scheduling'], stranger])
  expect(await classes(eve)).toEqual([stranger, stranger, stranger])
  expect((await sentTo(bob)).filter(({ text }) => text === WELCOME)).toHaveLength(1)
  expect(await audited(bob, 'agreement_changed')).toEqual([
    { agreement: `a-${bob}`, state: 'live', by: 'home' },
    { agreement: `a-${bob}`, state: 'revoked', by: 'home' },
  ])
})

test('an agreement applies in its own chat, and not beyond its end', async () => {
  const bob = somebody()
  const home = await HomePeer.greet()
  await tell(home, [told(bob, { sink: 'sink:whatsapp:elsewhere' })])
  const event = { id: crypto.randomUUID(), at: Date.now(), kind: 'message', place: 'edge' }
  const source = { adapter: 'whatsapp', user: bob, chat: bob, group: false }
  const words = { text: 'hello', quoted: [], attachments: [], replyTo: null }
  const received = await objectOf(peer(bob)).receive(peer(bob), { ...event, ...words, source })
  expect(received).toMatchObject({ reason: { code: 'template_none_matches' } })
  await tell(home, [told(bob, { id: 'over', expiresAt: Date.now() - 1 })])
  await says(bob, 'hello')
  expect(await classes(bob)).toEqual([['third_party', 'fake_peers']])
})

test('an answer that waits for its chat is not sent once the agreement is revoked', async () => {
  const bob = somebody()
  const home = await HomePeer.greet()
  await says(bob, 'hello')
  await tell(home, [told(bob)])
  await welcomed(bob)
  const before = (await sentTo(bob)).length
  await refuseDeliveries(1_000)
  const { task } = await sayAs(bob, 'hello again')
  expect((await endOf(task, peer(bob))).task).toMatchObject({ state: 'completed' })
  await tell(home, [])
  const ended = await until(
    async () => (await audited(bob, 'egress')).filter((facts) => 'ended' in facts),
    ({ length }) => length > 0,
  )
  expect(ended).toMatchObject([{ ok: false, code: 'agreement_ended' }])
  expect(await sentTo(bob)).toHaveLength(before)
  await refuseDeliveries(0)
})

test('only the person’s own object accepts an agreement', async () => {
  const [bob, eve] = [somebody(), somebody()]
  await says(bob, 'hello')
  await says(eve, 'hello')
  expect(await objectOf(peer(bob)).setAgreements(peer(eve), [told(eve)])).toMatchObject({
    reason: { code: 'principal_not_allowed' },
  })
})
