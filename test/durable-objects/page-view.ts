/**
 * A one-time page for the test's own home, and how that home opens what the page sends. Called by secret-form.test.ts and by
 * test/e2e/secret-page.test.ts.
 */
import type { PageView } from '../../durable-objects/principal/credentials.ts'
import { openClosedBox } from '../../integrations/sealing/sealed-box.ts'
import { keyFrom } from '../../integrations/sealing/x25519.ts'
import { OFFER_PURPOSE, offerBound, sealKeyGroups, sealKeyId } from '../../kernel/vault/secret-offer.ts'

const SECRET = new Uint8Array(32).fill(80)
export const { publicKey } = await keyFrom(SECRET)
export const VIEW: PageView = {
  ...{ title: 'A "service" <b>', service: 'google', until: Date.UTC(2026, 10, 23, 4) },
  ...{ key: Buffer.from(publicKey).toString('base64url'), fingerprint: sealKeyGroups(publicKey) },
  offer: {
    id: 'page-1',
    principal: 'principal:owner',
    name: 'google',
    key: sealKeyId(publicKey),
    at: 1_763_000_000_000,
  },
}

/** `body`: as the page posts it. Returns the typed value, or why it does not open. */
export async function opened(body: string): Promise<string> {
  const { box } = JSON.parse(body) as { readonly box: string }
  const address = { purpose: OFFER_PURPOSE, bound: offerBound(VIEW.offer) }
  const plain = await openClosedBox(SECRET, address, new Uint8Array(Buffer.from(box, 'base64url')))
  return plain.ok ? new TextDecoder().decode(plain.value) : plain.reason.code
}
