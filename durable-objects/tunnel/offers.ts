/**
 * Secrets queued for home in the tunnel outbox, each in a box that only home opens: their number, their age, and the expiry of
 * those that home did not fetch (E-02, L-12). Must not store a box itself, and cannot open one. Called by TunnelObject.
 */
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { OFFER_LIFETIME, type SecretOffer } from '../../kernel/vault/secret-offer.ts'
import type { TunnelOutbox } from './outbox.ts'

/** Most queued secrets: a person types a few; a stolen device must not fill the outbox, which also holds calls. */
export const MAX_OFFERS = 16
/** Milliseconds until the notice of an expired secret is retried, when the owner's object could not be reached. */
const TELL_AGAIN = 3_600_000

const OFFER = 'offer:'

interface Waiting {
  readonly offer: Omit<SecretOffer, 'box'>
  /** Sequence number of its body in the outbox. */
  readonly seq: number
  /** Next time something is due for it, epoch milliseconds. */
  readonly due: number
}

export interface TunnelOffers {
  /** Queues a secret; idempotent. Refusals: edge_locked, home_offline (too many are queued), and as for calls. */
  keep(offer: SecretOffer): Result<true>
  /** Drops the boxes of expired secrets and notifies their owners. Home still receives the rest of the body: that there was one. */
  expire(now: number): Promise<void>
  /** When to call `expire` next, epoch milliseconds; null for never. */
  next(): number | null
}

interface TunnelOffersInput {
  readonly kv: SyncKvStorage
  readonly outbox: Pick<TunnelOutbox, 'isLocked' | 'fitting' | 'put' | 'holds' | 'replace'>
  /** Notifies the person who typed it; false when that fails now. */
  readonly tell: (offer: Omit<SecretOffer, 'box'>) => Promise<boolean>
}

export function createTunnelOffers({ kv, outbox, tell }: TunnelOffersInput): TunnelOffers {
  /** Entries that home has acknowledged are deleted in passing. */
  const waiting = (): readonly Waiting[] => {
    const noted = [...kv.list<Waiting>({ prefix: OFFER })]
    for (const [key, { seq }] of noted) if (!outbox.holds(seq)) kv.delete(key)
    return noted.flatMap(([, one]) => (outbox.holds(one.seq) ? one : []))
  }
  return {
    keep(offer) {
      if (outbox.isLocked()) return err('edge_locked')
      if (kv.get(OFFER + offer.id) !== undefined) return ok(true)
      if (waiting().length >= MAX_OFFERS) return err('home_offline', { waiting: MAX_OFFERS })
      const body = outbox.fitting({ type: 'secret', offer })
      if (!body.ok) return body
      const { box: _, ...bare } = offer
      kv.put(OFFER + offer.id, { offer: bare, seq: outbox.put(body.value), due: offer.at + OFFER_LIFETIME })
      return ok(true)
    },
    async expire(now) {
      for (const one of waiting().filter(({ due }) => due <= now)) {
        outbox.replace(one.seq, { type: 'secret', offer: { ...one.offer, box: null } })
        const told = await tell(one.offer).catch(() => false)
        if (told) kv.delete(OFFER + one.offer.id)
        else kv.put(OFFER + one.offer.id, { ...one, due: now + TELL_AGAIN })
      }
    },
    next: () => waiting().reduce<number | null>((least, { due }) => Math.min(least ?? due, due), null),
  }
}
