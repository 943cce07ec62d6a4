/**
 * Identity links at the edge, where each principal has an object of its own (F-15, F-16, E-21): codes go to home, home syncs the
 * link, and one chat reads the other's words while the link lasts.
 */
import { abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { KERNEL_NAME, TUNNEL_NAME } from '../../durable-objects/names.ts'
import { PrincipalObject } from '../../durable-objects/principal/principal.ts'
import { LINK_TRUST } from '../../durable-objects/registry/links.ts'
import { TunnelObject } from '../../durable-objects/tunnel/tunnel.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import type { SyncedLink } from '../../kernel/tunnel/synced.ts'
import { wordsFor } from '../../kernel/wording/words.ts'
import { dumpStorage } from './dump.ts'
import { answersTo, endOf, inside, objectOf, peer, say, sayAs } from './edge.ts'
import { HomePeer } from './home-peer.ts'

const kernel = () => env.KERNEL.getByName(KERNEL_NAME)
const tunnel = () => env.TUNNEL.getByName(TUNNEL_NAME)
const CODE = 'ABCD-EFGH-JKMN'

beforeEach(async () => {
  vi.useRealTimers()
  for (const object of [kernel(), tunnel()])
    await runInDurableObject(object, (_, { storage }) => storage.deleteAll())
  await abortAllDurableObjects()
})
afterEach(() => void vi.restoreAllMocks())
afterAll(() => void vi.useRealTimers())

/** Each test has people of its own, since a session outlives it. */
let people = 0
function twoOf(): readonly [string, string, string] {
  people += 1
  return [`ann${people}`, `ann${people}-elsewhere`, `carl${people}`]
}

function link(id: string, one: string, other: string): SyncedLink {
  const end = (user: string) => ({ principal: peer(user), sink: `sink:whatsapp:${user}` })
  return { id, ends: [end(one), end(other)] }
}

async function tell(home: HomePeer, links: readonly SyncedLink[]): Promise<void> {
  const seq = home.put({ type: 'links', links: [...links] })
  let acked = 0
  while (acked < seq) acked = (await home.acked()).seq
}

const turns = new Map<string, number>()
/** Answer of the scripted model, which repeats its prompt. */
async function answer(user: string, text: string): Promise<string> {
  const count = (turns.get(user) ?? 0) + 1
  turns.set(user, count)
  await sayAs(user, text)
  return (await answersTo(user, count)).at(-1)?.text ?? ''
}

const audited = (user: string) =>
  inside(peer(user), ({ storage }) =>
    [...storage.sql.exec<{ kind: string; facts: string }>('select kind, facts from audit order by seq')].map(
      ({ kind, facts }) => ({ kind, ...JSON.parse(facts) }),
    ),
  )

test('a link lets each chat read the other’s words, and ends at once', async () => {
  const [ann, elsewhere] = twoOf()
  const home = await HomePeer.greet()
  await answer(ann, 'my plant is called basil-7731')
  expect(await answer(elsewhere, 'what is it called?')).not.toContain('basil-7731')
  await tell(home, [link('l1', ann, elsewhere)])
  const read = await answer(elsewhere, 'and now?')
  expect(read).toContain('basil-7731')
  expect(read).toContain('(in another chat)')
  expect(await answer(ann, 'hello')).toContain('what is it called?')
  // Each object has its own rows only.
  expect(await inside(peer(elsewhere), ({ storage }) => dumpStorage(storage))).not.toContain('basil-7731')
  expect(await audited(ann)).toEqual(
    expect.arrayContaining([
      { kind: 'identity_changed', link: 'l1', state: 'live', by: 'home' },
      { kind: 'egress', of: 'linked', sink: `sink:whatsapp:${elsewhere}`, lines: expect.any(Number) },
    ]),
  )
  await tell(home, [])
  expect(await answer(elsewhere, 'and after?')).not.toContain('basil-7731')
  expect(await answer(ann, 'and here?')).not.toContain('what is it called?')
  expect(await audited(elsewhere)).toContainEqual({
    ...{ kind: 'identity_changed', link: 'l1', state: 'removed', by: 'home' },
  })
})

test('a link gives no access to a third chat', async () => {
  const [ann, elsewhere, carl] = twoOf()
  const home = await HomePeer.greet()
  await answer(carl, 'my bird is called finch-1180')
  await answer(ann, 'hello')
  await tell(home, [link('l1', ann, elsewhere), link('l2', elsewhere, carl)])
  expect(await answer(elsewhere, 'my birds?')).toContain('finch-1180')
  expect(await answer(ann, 'my birds?')).not.toContain('finch-1180')
})

/** Lines of `of`, requested in the name of another principal. */
const lines = async (of: string, principal: string, over: object = {}) => {
  const asker = { principal, sink: principal.replace('principal:whatsapp:peer:', 'sink:whatsapp:'), turns: 3 }
  const found = await objectOf(peer(of)).linkedLines(peer(of), { ...asker, template: 'fake_peers', ...over })
  return found.ok ? found.value.map(({ text }) => text) : found.reason.code
}

test('the object that holds the lines checks home’s links, and refuses a wrong chat, a wrong template and a home away for long', async () => {
  const [ann, elsewhere, carl] = twoOf()
  const home = await HomePeer.greet()
  await answer(ann, 'my cat is called tabby-2209')
  expect(await lines(ann, peer(elsewhere))).toBe('principal_not_allowed')
  await tell(home, [link('l1', ann, elsewhere)])
  expect(await lines(ann, peer(elsewhere))).toContain('my cat is called tabby-2209')
  expect(await lines(ann, peer(carl))).toBe('principal_not_allowed')
  expect(await lines(ann, peer(ann))).toBe('principal_not_allowed')
  expect(await lines(ann, OWNER_PRINCIPAL)).toBe('principal_not_allowed')
  expect(await lines(ann, peer(elsewhere), { template: 'none' })).toBe('template_none_matches')
  expect(await lines(ann, peer(elsewhere), { sink: 'sink:openline:owner' })).toBe('sink_wrong_principal')
  // Another chat of the same person is not verified, so nothing is shown there.
  expect(await lines(ann, peer(elsewhere), { sink: 'sink:whatsapp:other' })).toEqual([])
  home.close()
  await home.closed
  expect(await lines(ann, peer(elsewhere))).toContain('my cat is called tabby-2209')
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + LINK_TRUST + 60_000 })
  expect(await lines(ann, peer(elsewhere))).toBe('home_offline')
  expect(await answer(elsewhere, 'my cat?')).not.toContain('tabby-2209')
})

test('an account whose chat is with home cannot be read through a link at the edge', async () => {
  const [ann, elsewhere] = twoOf()
  const home = await HomePeer.greet()
  await answer(ann, 'my dog is called rex-3301')
  const { ends } = link('l1', ann, elsewhere)
  await tell(home, [{ id: 'l1', ends: [{ ...ends[0], sink: null }, ends[1]] }])
  expect(await lines(ann, peer(elsewhere))).toBe('principal_not_allowed')
  expect(await answer(elsewhere, 'my dog?')).not.toContain('rex-3301')
})

test('the owner reads the linked chat, and that chat reads the owner’s words on the open line', async () => {
  const [ann] = twoOf()
  const home = await HomePeer.greet()
  await answer(ann, 'my boat is called gull-6120')
  const owner = { principal: OWNER_PRINCIPAL, sink: 'sink:openline:owner' }
  await tell(home, [{ id: 'l1', ends: [owner, { principal: peer(ann), sink: `sink:whatsapp:${ann}` }] }])
  const { task } = await say('my kite is called swift-9054')
  await endOf(task, OWNER_PRINCIPAL)
  expect(await answer(ann, 'what do I have?')).toContain('swift-9054')
  const asked = { ...owner, template: 'owner_open', turns: 9 }
  const found = await objectOf(peer(ann)).linkedLines(peer(ann), asked)
  expect(found.ok && found.value.map(({ text }) => text)).toContain('my boat is called gull-6120')
})

test('a link code goes to home, sealed while it waits, and its sender learns nothing', async () => {
  const [ann] = twoOf()
  const said = await answer(ann, `link ${CODE.toLowerCase()}`)
  expect(said).toBe(wordsFor('identity_code'))
  expect(await runInDurableObject(tunnel(), (_, { storage }) => dumpStorage(storage))).not.toMatch(
    /abcd-efgh/i,
  )
  const home = await HomePeer.greet()
  const { body } = await home.take()
  const of = { principal: peer(ann), sink: `sink:whatsapp:${ann}`, code: CODE.toLowerCase() }
  expect(body).toEqual({ type: 'link_code', said: { ...of, event: expect.stringMatching(/^t[0-9a-f]+$/) } })
})

test('of a flood of codes ten an hour reach home', async () => {
  const [ann] = twoOf()
  for (let n = 0; n < 12; n += 1) await sayAs(ann, `link ${CODE}`)
  await answersTo(ann, 12)
  const home = await HomePeer.greet()
  for (let n = 0; n < 10; n += 1) expect((await home.take()).body.type).toBe('link_code')
  expect(await home.silent()).toBe(true)
})

test('the edge accepts no code from home', async () => {
  const home = await HomePeer.greet()
  home.put({
    type: 'link_code',
    said: { event: 'e1', principal: peer('x'), sink: 'sink:whatsapp:x', code: CODE },
  })
  expect((await home.next('refused')).code).toBe('frame_malformed')
})

const greeting = async (home: HomePeer): Promise<readonly string[] | undefined> => {
  for (;;) {
    const frame = JSON.parse(await home.hear()) as { kind: string; unlinked?: readonly string[] }
    if (frame.kind === 'hello') return frame.unlinked
  }
}

test('a link that the owner ends at the edge ends at once; home is told, and its older sync does not restore it', async () => {
  const [ann, elsewhere, carl] = twoOf()
  const home = await HomePeer.greet()
  const told = [link('l1', ann, elsewhere), link('l2', elsewhere, carl)]
  await tell(home, told)
  await answer(ann, 'my plant is called basil-7731')
  expect((await endOf((await say('/unlink')).task)).reply).toMatch(/^Which of these\?/)
  const named = peer(ann).replace('principal:', '').replace(':peer:', ':')
  expect((await endOf((await say(`/unlink ${named}`)).task)).reply).toMatch(
    /^Unlinked: .* It holds here at once/,
  )
  expect(await greeting(home)).toEqual(['l1'])
  expect(await lines(ann, peer(elsewhere))).toBe('principal_not_allowed')
  await abortAllDurableObjects()
  const again = await HomePeer.connect(home.store)
  const hello = await again.next('hello')
  expect(hello.unlinked).toEqual(['l1'])
  again.channel.onHello(hello)
  again.send(again.channel.hello(hello.epoch))
  await tell(again, told)
  expect(await lines(ann, peer(elsewhere))).toBe('principal_not_allowed')
  expect(await answer(elsewhere, 'my plant?')).not.toContain('basil-7731')
  expect(await audited(ann)).toContainEqual({
    ...{ kind: 'identity_changed', link: 'l1', state: 'removed', by: 'home' },
  })
  // Home has made it final.
  await tell(again, told.slice(1))
  expect((await (await HomePeer.connect()).next('hello')).unlinked).toEqual([])
})

/** `/unlink`, when there is one link. */
async function unlink(): Promise<string | null> {
  return (await endOf((await say('/unlink')).task)).reply
}

const isRemoved = async (user: string): Promise<boolean> =>
  (await audited(user)).some(({ kind, state }) => kind === 'identity_changed' && state === 'removed')

test.each([
  ['an object', () => vi.spyOn(PrincipalObject.prototype, 'setLinks'), ['l1']],
  ['the tunnel', () => vi.spyOn(TunnelObject.prototype, 'setUnlinked'), []],
] as const)(
  'an end that %s could not be told is in force, and the alarm completes it',
  async (_, telling, first) => {
    const [ann, elsewhere] = twoOf()
    const home = await HomePeer.greet()
    await tell(home, [link('l1', ann, elsewhere)])
    const failing = telling().mockImplementationOnce(async () => {
      throw new Error('not now')
    })
    expect(await unlink()).toMatch(/^Unlinked: /)
    expect(failing).toHaveBeenCalled()
    expect(await lines(ann, peer(elsewhere))).toBe('principal_not_allowed')
    expect((await (await HomePeer.connect(home.store)).next('hello')).unlinked).toEqual(first)
    // Objects after the failing one were told.
    expect(await isRemoved(elsewhere)).toBe(true)
    await runDurableObjectAlarm(kernel())
    expect([await isRemoved(ann), await isRemoved(elsewhere)]).toEqual([true, true])
    expect((await (await HomePeer.connect(home.store)).next('hello')).unlinked).toEqual(['l1'])
    expect(await unlink()).toBe('No two accounts are linked here.')
  },
)

test('an end that did not reach home reaches it with home’s next sync of links', async () => {
  const [ann, elsewhere] = twoOf()
  const home = await HomePeer.greet()
  await tell(home, [link('l1', ann, elsewhere)])
  // State of an edge that stopped before its tunnel was told.
  await runInDurableObject(kernel(), (_, { storage }) => storage.kv.put('links-unlinked', ['l1']))
  expect((await kernel().setLinks([link('l1', ann, elsewhere)])).ok).toBe(true)
  expect(await greeting(home)).toEqual(['l1'])
  expect(await lines(ann, peer(elsewhere))).toBe('principal_not_allowed')
})

test('an end by the owner during home’s sync of links: neither undoes the other', async () => {
  const [ann, elsewhere, carl] = twoOf()
  const home = await HomePeer.greet()
  const told = [link('l1', ann, elsewhere), link('l2', elsewhere, carl)]
  await tell(home, told.slice(0, 1))
  const [set, ended] = await Promise.all([kernel().setLinks(told), kernel().endLink('l1')])
  expect([set.ok, ended.ok]).toEqual([true, true])
  expect(await kernel().liveLinks()).toEqual([{ id: 'l2', ends: [peer(elsewhere), peer(carl)] }])
  expect([await isRemoved(ann), await isRemoved(carl)]).toEqual([true, false])
})
