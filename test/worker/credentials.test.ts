/**
 * A credential that the owner sends in a chat of the edge (L-12 – L-14, L-16, M-28), in real workerd: sealed for home before any
 * object stores it, its message deleted; waiting tasks survive evictions and continue once home reports the service as connected.
 */
import { abortAllDurableObjects } from 'cloudflare:test'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { keyFrom } from '../../integrations/sealing/x25519.ts'
import type { HomeCall } from '../../kernel/features/places/home-port.ts'
import type { SyncedSelf } from '../../kernel/self/synced-self.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import type { SecretOffer } from '../../kernel/vault/secret-offer.ts'
import { wordsFor } from '../../kernel/wording/words.ts'
import { messageFrom, OWNER_ID, update } from '../fakes/telegram-updates.ts'
import { MemoryChannelStore } from '../tunnel/fixtures.ts'
import { everything, hears, opened } from './credential-place.ts'
import { toBase64Url } from './device.ts'
import { emptyEdge, until } from './edge.ts'
import { HomePeer } from './home-peer.ts'
import { askedFor, bring, order, standingIn } from './telegram.ts'

const TOKEN = 'ya29.cAnaRy-tokEn_7319.of-the-0wner'
const SECRET = new Uint8Array(32).fill(77)
const NONE: SyncedSelf = { persona: { name: 'Ada', style: null }, services: [] }
const CONNECTED: SyncedSelf = { ...NONE, services: [{ name: 'google', tools: 5, categories: ['calendar'] }] }

beforeAll(() => order({ chats: [OWNER_ID] }))
beforeEach(emptyEdge)
afterAll(async () => {
  await emptyEdge()
  await order({ forget: true })
})

let store: MemoryChannelStore

/** Home connects, sends its description, and stays connected. */
async function home(self: SyncedSelf): Promise<HomePeer> {
  store = new MemoryChannelStore()
  const peer = await HomePeer.greet(store)
  peer.put({ type: 'seal_key', key: toBase64Url((await keyFrom(SECRET)).publicKey) })
  peer.put({ type: 'self', self })
  await peer.acked()
  await peer.acked()
  return peer
}

const says = (text: string): Promise<unknown> => bring(update(messageFrom(OWNER_ID, text)))

/** The next body of this type that home receives. */
async function toldOf<T extends 'secret' | 'home_call'>(peer: HomePeer, type: T) {
  for (;;) {
    const { body } = await peer.take()
    if (body.type === type) return body
  }
}

test('a credential is sealed for home before anything is stored, its message is deleted, and the waiting task survives an eviction', async () => {
  const peer = await home(NONE)
  const prompt = await hears(/^To connect Google/, () => says('/connect google'))
  expect(prompt).toContain('you accept it there')
  peer.close()
  await peer.closed
  await abortAllDurableObjects()
  const message = messageFrom(OWNER_ID, TOKEN)
  await hears(/pfar secret accept google/, () => bring(update(message)))
  // Delivered again, in an update with another number.
  await bring(update(message))
  const deleted = await until(
    async () => (await askedFor(OWNER_ID)).filter(({ method }) => method === 'deleteMessage'),
    (asked) => asked.some(({ args }) => args['message_id'] === message.message_id),
  )
  expect(deleted.length).toBeGreaterThan(0)
  const stored = await everything()
  for (const spelling of [TOKEN, btoa(TOKEN).replaceAll('=', '')]) expect(stored).not.toContain(spelling)
  expect(JSON.stringify(await standingIn(OWNER_ID))).not.toContain(TOKEN)
  const again = await HomePeer.greet(store)
  const { offer } = (await toldOf(again, 'secret')) as { readonly offer: SecretOffer }
  expect([offer.name, offer.principal, await opened(SECRET, offer)]).toEqual([
    'google',
    OWNER_PRINCIPAL,
    TOKEN,
  ])
  await hears(/^Google is connected/, async () => again.put({ type: 'self', self: CONNECTED }))
  again.close()
})

test('a task that home could not serve waits for the credential, and asks home once more', async () => {
  const peer = await home(NONE)
  await says('am I free tomorrow at 10?')
  const { call: first } = (await toldOf(peer, 'home_call')) as { readonly call: HomeCall }
  const { id, task, step } = first
  await hears(/access to Google first/, async () =>
    peer.put({ type: 'home_answer', answer: { id, task, step, ok: false, reason: 'credential_missing' } }),
  )
  await abortAllDurableObjects()
  const later = await HomePeer.greet(store)
  later.put({ type: 'self', self: CONNECTED })
  const { call: second } = (await toldOf(later, 'home_call')) as { readonly call: HomeCall }
  expect([second.task, second.step, second.tool, second.id === id]).toEqual([task, step, first.tool, false])
  later.close()
})

test('/cancel ends the wait, and the next message is an ordinary one', async () => {
  const peer = await home(NONE)
  await hears(/^To connect Google/, () => says('/connect google'))
  await hears(new RegExp(wordsFor('credential_cancelled')), () => says('cancel'))
  await hears(/took it out before anything read it/, () =>
    says('sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJ'),
  )
  expect(await everything()).not.toContain('"type":"secret"')
  peer.close()
})
