/**
 * Shared parts of the tests of credentials at the edge: three empty objects, the bot's next message, the boxes for home, and
 * everything that the edge stored. Called by credentials.test.ts and secret-page.test.ts.
 */
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { KERNEL_NAME, TUNNEL_NAME } from '../../durable-objects/names.ts'
import { openClosedBox } from '../../integrations/sealing/sealed-box.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import { OFFER_PURPOSE, offerBound, type SecretOffer } from '../../kernel/vault/secret-offer.ts'
import { OWNER_ID } from '../fakes/telegram-updates.ts'
import { dumpStorage } from './dump.ts'
import { inside, until } from './edge.ts'
import { standingIn } from './telegram.ts'

export const kernel = () => env.KERNEL.getByName(KERNEL_NAME)
export const tunnel = () => env.TUNNEL.getByName(TUNNEL_NAME)

/** The bot's newest message that was not there before and matches. */
export async function hears(words: RegExp, say: () => Promise<unknown>): Promise<string> {
  const known = new Set((await standingIn(OWNER_ID)).map(({ id }) => id))
  await say()
  const found = await until(
    async () => (await standingIn(OWNER_ID)).filter(({ id, text }) => !known.has(id) && words.test(text)),
    ({ length }) => length > 0,
  )
  return found[0]?.text ?? ''
}

/** Content of a box, or why it does not open with home's `secret`. */
export async function opened(secret: Uint8Array, offer: SecretOffer): Promise<string> {
  const box = Uint8Array.fromBase64(offer.box ?? '', { alphabet: 'base64url' })
  const plain = await openClosedBox(secret, { purpose: OFFER_PURPOSE, bound: offerBound(offer) }, box)
  return plain.ok ? new TextDecoder().decode(plain.value) : plain.reason.code
}

/** Everything stored in the three objects, as text. */
export async function everything(): Promise<string> {
  const dumps = await Promise.all([
    runInDurableObject(kernel() as DurableObjectStub, (_, { storage }) => dumpStorage(storage)),
    runInDurableObject(tunnel() as DurableObjectStub, (_, { storage }) => dumpStorage(storage)),
    inside(OWNER_PRINCIPAL, ({ storage }) => dumpStorage(storage)),
  ])
  return dumps.join('\n')
}
