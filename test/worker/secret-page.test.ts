/**
 * The one-time page of a credential (L-15), in real workerd: its link is in the question, its script seals a
 * value that home's code opens, and it works once, while its question is open, for its owner only.
 */
import { abortAllDurableObjects } from 'cloudflare:test'
import { exports } from 'cloudflare:workers'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { pageHash } from '../../durable-objects/principal/credentials.ts'
import { closeBox } from '../../integrations/sealing/sealed-box.ts'
import { keyFrom } from '../../integrations/sealing/x25519.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import { type SecretOffer, sealKeyGroups } from '../../kernel/vault/secret-offer.ts'
import { messageFrom, OWNER_ID, update } from '../fakes/telegram-updates.ts'
import { MemoryChannelStore } from '../tunnel/fixtures.ts'
import { everything, hears, kernel, opened } from './credential-place.ts'
import { toBase64Url } from './device.ts'
import { emptyEdge, inside, objectOf, owner, peer } from './edge.ts'
import { HomePeer } from './home-peer.ts'
import { EDGE } from './signed.ts'
import { bring, order } from './telegram.ts'

const TOKEN = 'ya29.pAge-cAnaRy_4417.of-the-0wner'
const SECRET = new Uint8Array(32).fill(78)
const OTHER = new Uint8Array(32).fill(79)
const LINK = /https:\/\/edge\.test\/secret\/([A-Za-z0-9_-]{43})/

beforeAll(() => order({ chats: [OWNER_ID] }))
beforeEach(emptyEdge)
afterAll(async () => {
  await emptyEdge()
  await order({ forget: true })
})

let store: MemoryChannelStore

async function home(secret: Uint8Array | null = SECRET): Promise<HomePeer> {
  store = new MemoryChannelStore()
  const peerHome = await HomePeer.greet(store)
  if (secret !== null) await tellKey(peerHome, secret)
  peerHome.put({ type: 'self', self: { persona: { name: 'Ada', style: null }, services: [] } })
  await peerHome.acked()
  return peerHome
}

async function tellKey(to: HomePeer, secret: Uint8Array): Promise<void> {
  to.put({ type: 'seal_key', key: toBase64Url((await keyFrom(secret)).publicKey) })
  await to.acked()
}

const asked = (): Promise<string> =>
  hears(/^To connect Google/, () => bring(update(messageFrom(OWNER_ID, '/connect google'))))
const nonceIn = (text: string): string => LINK.exec(text)?.[1] ?? ''

const look = (nonce: string): Promise<Response> => exports.default.fetch(`${EDGE}/secret/${nonce}`)
const post = (nonce: string, body: string): Promise<Response> =>
  exports.default.fetch(`${EDGE}/secret/${nonce}`, { method: 'POST', body })
const BOX = toBase64Url(new Uint8Array(60).fill(5))
const boxed = (nonce: string, box = BOX): Promise<Response> => post(nonce, JSON.stringify({ box }))

const unescaped = (text: string): string =>
  text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&')

/** Data attributes in the served page. */
async function dataOf(nonce: string): Promise<Readonly<Record<string, string>>> {
  const html = await (await look(nonce)).text()
  const found = [...html.matchAll(/data-([a-z]+)="([^"]*)"/g)]
  return Object.fromEntries(found.map(([, name = '', value = '']) => [name, unescaped(value)]))
}

/** Sealed with the page's data, as its script does (test/durable-objects/secret-form.test.ts runs that). */
async function closed(nonce: string, value: string): Promise<string> {
  const { key = '', bound = '', purpose = '' } = await dataOf(nonce)
  const publicKey = Uint8Array.fromBase64(key, { alphabet: 'base64url' })
  const text = (words: string) => new TextEncoder().encode(words)
  const box = await closeBox(publicKey, { purpose, bound: text(bound) }, text(value))
  if (!box.ok) throw new Error(box.reason.code)
  return toBase64Url(box.value)
}

async function offerAt(peerHome: HomePeer): Promise<SecretOffer> {
  for (;;) {
    const { body } = await peerHome.take()
    if (body.type === 'secret') return body.offer
  }
}

const over = async (response: Response): Promise<readonly unknown[]> => [
  response.status,
  await response.text(),
]

test('the question shows the link and the fingerprint of home’s key, and fetching the page does not use it up', async () => {
  const peerHome = await home()
  const prompt = await asked()
  const nonce = nonceIn(prompt)
  const groups = sealKeyGroups((await keyFrom(SECRET)).publicKey)
  expect(groups).toMatch(/^(?:[0-9a-f]{4} ){7}[0-9a-f]{4}$/)
  expect(prompt).toContain(groups)
  const first = await look(nonce)
  expect(first.status).toBe(200)
  const html = await first.text()
  expect(html).toContain(groups)
  expect(await (await look(nonce)).text()).toBe(html)
  const box = await closed(nonce, TOKEN)
  expect(await everything()).not.toContain(nonce)
  await abortAllDurableObjects()
  const done = await hears(/pfar secret accept google/, async () =>
    expect(await over(await boxed(nonce, box))).toEqual([200, '{"ok":true}']),
  )
  expect(done).toContain('not used before you accept it')
  const later = await HomePeer.greet(store)
  const offer = await offerAt(later)
  expect([offer.name, offer.principal, await opened(SECRET, offer)]).toEqual([
    'google',
    OWNER_PRINCIPAL,
    TOKEN,
  ])
  const stored = await everything()
  for (const spelling of [TOKEN, btoa(TOKEN).replaceAll('=', ''), nonce])
    expect(stored).not.toContain(spelling)
  later.close()
  peerHome.close()
})

test('the page’s headers allow no other origin and no caching', async () => {
  const peerHome = await home()
  const nonce = nonceIn(await asked())
  const response = await look(nonce)
  const html = await response.text()
  const hash = async (tag: string): Promise<string> => {
    const [, inner = ''] = new RegExp(`<${tag}>([\\s\\S]*)</${tag}>`).exec(html) ?? []
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(inner))
    return `sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}`
  }
  const [script, style] = [await hash('script'), await hash('style')]
  expect(Object.fromEntries(response.headers)).toEqual({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; script-src '${script}'; style-src '${style}'; connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'`,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  })
  expect(html).not.toMatch(/https?:|<form| on[a-z]+=| name="value"|localStorage|sessionStorage|console/)
  peerHome.close()
})

test('a page works once, and of two concurrent submissions one counts', async () => {
  const peerHome = await home()
  const nonce = nonceIn(await asked())
  const box = await closed(nonce, TOKEN)
  const both = await Promise.all([boxed(nonce, box), boxed(nonce, BOX)])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 404])
  expect((await boxed(nonce, box)).status).toBe(404)
  expect((await look(nonce)).status).toBe(404)
  peerHome.close()
})

test('every invalid link gets the same answer', async () => {
  const peerHome = await home()
  const former = nonceIn(await asked())
  const nonce = nonceIn(await asked())
  const forged = `${nonce.slice(0, -4)}AAAA`
  const refusal = await over(await boxed(forged))
  expect(refusal[0]).toBe(404)
  expect(await over(await boxed(former))).toEqual(refusal)
  expect(await over(await boxed('x'))).toEqual(refusal)
  // Home has another key than the one that the chat named.
  await tellKey(peerHome, OTHER)
  expect(await over(await boxed(nonce))).toEqual(refusal)
  await tellKey(peerHome, SECRET)
  const pages = await Promise.all([forged, former, 'x'].map(async (link) => over(await look(link))))
  expect(new Set(pages.map(String)).size).toBe(1)
  expect((await look(nonce)).status).toBe(200)
  await inside(OWNER_PRINCIPAL, ({ storage }) => {
    storage.sql.exec('update approvals set expires_at = ?', Date.now() - 1)
  })
  expect(await over(await boxed(nonce))).toEqual(refusal)
  expect(await over(await look(nonce))).toEqual(pages[0])
  expect(await everything()).not.toContain('"type":"secret"')
  peerHome.close()
})

test('a page belongs to the owner: no other object has it, nor can be asked in the owner’s name', async () => {
  const peerHome = await home()
  const hash = pageHash(nonceIn(await asked()))
  const stranger = peer('alice')
  for (const [object, as, code] of [
    [objectOf(stranger), stranger, 'nothing_found'],
    [objectOf(stranger), OWNER_PRINCIPAL, 'principal_not_allowed'],
    [owner(), stranger, 'principal_not_allowed'],
  ] as const)
    expect(await object.page(as, { hash, box: null })).toMatchObject({ ok: false, reason: { code } })
  peerHome.close()
})

test.each<[string, string, number]>([
  ['more than a box has', JSON.stringify({ box: 'A'.repeat(40_000) }), 413],
  ['no box', '{}', 400],
  ['a value in the clear', JSON.stringify({ value: TOKEN }), 400],
  ['something beside its box', JSON.stringify({ box: BOX, name: 'other' }), 400],
  ['no JSON', TOKEN, 400],
])('%s is refused, and the link still works', async (_name, body, status) => {
  const peerHome = await home()
  const nonce = nonceIn(await asked())
  expect((await post(nonce, body)).status).toBe(status)
  expect((await look(nonce)).status).toBe(200)
  expect(await everything()).not.toContain(TOKEN)
  peerHome.close()
})

test('nothing is taken while the edge is locked, and the link works afterwards', async () => {
  const peerHome = await home()
  const nonce = nonceIn(await asked())
  await kernel().setLocked(true)
  expect((await boxed(nonce)).status).toBe(423)
  await kernel().setLocked(false)
  expect((await boxed(nonce)).status).toBe(200)
  peerHome.close()
})

test('requests for one link are limited by the minute', async () => {
  const peerHome = await home()
  const nonce = nonceIn(await asked())
  const statuses = new Set<number>()
  for (let time = 0; time < 40; time++) statuses.add((await look(nonce)).status)
  expect([...statuses]).toEqual([200, 429])
  // A forged link is not even counted: it wakes nothing.
  const forged = new Set<number>()
  for (let time = 0; time < 40; time++) forged.add((await look(`${nonce.slice(0, -4)}AAAA`)).status)
  expect([...forged]).toEqual([404])
  peerHome.close()
})

test('without a key of home there is no link', async () => {
  const peerHome = await home(null)
  expect(await asked()).not.toMatch(/secret\/|key of your home box/)
  peerHome.close()
})
