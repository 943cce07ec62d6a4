/**
 * Key pair of the boxes that the edge seals for home: typed secrets, messages of the owner, and keys of
 * backed-up stores (DESIGN §6, E-02, E-13). Holds the public key and opens boxes. Must not keep their
 * content. Called by offer-service.ts and edge-transfer.ts; edge-connection.ts sends the public key.
 */
import { openClosedBox } from '../../integrations/sealing/sealed-box.ts'
import { keyFrom } from '../../integrations/sealing/x25519.ts'
import type { RemoteMessage } from '../../kernel/features/places/handover-port.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { EXPORT_PURPOSE, partBound } from '../../kernel/tunnel/edge-part.ts'
import {
  QUEUE_PURPOSE,
  type QueuedMessage,
  queuedBound,
  unpackMessage,
} from '../../kernel/tunnel/queued-message.ts'
import { type KeyRing, SEALING_PURPOSE } from '../../kernel/vault/key-ring.ts'
import { OFFER_PURPOSE, offerBound, type SecretOffer, sealKeyId } from '../../kernel/vault/secret-offer.ts'

export interface SealingKey {
  /** For the edge, base64url. */
  readonly publicKey: string
  /**
   * Opens a box. Refusals: key_wrong (sealed to a key that home does not have or has destroyed),
   * record_unreadable (altered, or for another name, person or time), secret_expired (the edge deleted it).
   */
  open(offer: SecretOffer): Promise<Result<string>>
  /** Key for the rows of an edge store in a backup. Refusals: key_wrong, record_unreadable. */
  openPart(
    part: { readonly id: string; readonly principal: string },
    sealed: { readonly key: string; readonly box: string },
  ): Promise<Result<Uint8Array>>
  /** A message that the owner wrote at the edge. Refusals: those of `open`, frame_malformed. */
  openSaid(kept: QueuedMessage): Promise<Result<RemoteMessage>>
}

/** Uses the current key and the former one, for boxes that were sealed before the key was renewed. */
export async function createSealingKey(ring: Pick<KeyRing, 'ownKeys'>): Promise<SealingKey> {
  const held = await Promise.all(
    ring.ownKeys(SEALING_PURPOSE).map(async (secret) => {
      const { publicKey } = await keyFrom(secret)
      return { secret, publicKey, id: sealKeyId(publicKey) }
    }),
  )
  return {
    publicKey: Buffer.from(held[0]?.publicKey ?? []).toString('base64url'),
    async open(offer) {
      const known = held.find(({ id }) => id === offer.key)
      if (offer.box === null) return err('secret_expired', { offer: offer.id })
      if (known === undefined) return err('key_wrong', { offer: offer.id })
      const address = { purpose: OFFER_PURPOSE, bound: offerBound(offer) }
      const box = new Uint8Array(Buffer.from(offer.box, 'base64url'))
      const plain = await openClosedBox(known.secret, address, box)
      if (!plain.ok) return err(plain.reason.code, { ...plain.reason.facts, offer: offer.id })
      const value = new TextDecoder().decode(plain.value)
      plain.value.fill(0)
      return ok(value)
    },
    async openPart(part, { key, box }) {
      const known = held.find(({ id }) => id === key)
      if (known === undefined) return err('key_wrong', { part: part.id })
      const address = { purpose: EXPORT_PURPOSE, bound: partBound(part) }
      return openClosedBox(known.secret, address, new Uint8Array(Buffer.from(box, 'base64url')))
    },
    async openSaid({ box, ...kept }) {
      const known = held.find(({ id }) => id === kept.key)
      if (box === null) return err('secret_expired')
      if (known === undefined) return err('key_wrong')
      const address = { purpose: QUEUE_PURPOSE, bound: queuedBound(kept) }
      const plain = await openClosedBox(known.secret, address, new Uint8Array(Buffer.from(box, 'base64url')))
      return plain.ok ? unpackMessage(kept.id, plain.value) : plain
    },
  }
}
