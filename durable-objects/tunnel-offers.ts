/**
 * Secrets that wait for home in the tunnel's outbox, each in a box that home alone opens: how many, since when, and what
 * becomes of one that nobody came for (E-02, L-12). Must not hold a box itself, and cannot open one. Called by TunnelObject.
 */
import { err, ok, type Result } from '../kernel/flow/verdict.ts'
import type { Body } from '../kernel/tunnel/frame.ts'
import { OFFER_LIFETIME, type SecretOffer } from '../kernel/vault/secret-offer.ts'
import type { TunnelOutbox } from './tunnel-outbox.ts'

/** At once: a person types a few; a stolen device must not fill the outbox, which calls wait in too. */
export const MAX_OFFERS = 16
/** Milliseconds until the owner is told again that one expired, when his object could not be reached. */
const TELL_AGAIN = 3_600_000

const OFFER = 'offer:'

interface Waiting {
  readonly offer: Omit<SecretOffer, 'box'>
  /** Number of its body. */
  readonly seq: number
  /** When something is to be done about it, epoch milliseconds. */
  readonly due: number
}

export interface TunnelOffers {
  /** Puts it into the outbox; asking twice is asking once. Refusals: edge_locked, home_offline (too many wait), and as for calls. */
  keep(offer: SecretOffer): Result<true>
  /** Drops the boxes whose time has passed and tells their owners; home gets the rest of each: that there was one. */
  expire(now: number): Promise<void>
  /** When to call `expire` next, epoch milliseconds; null for never. */
  next(): number | null
}

export interface TunnelOffersInput {
  readonly storage: Pick<DurableObjectStorage, 'kv' | 'sql'>
  readonly outbox: Pick<TunnelOutbox, 'isLocked' | 'fitting' | 'put'>
  /** Tells whoever typed it; false when he could not be told now. */
  readonly tell: (offer: Omit<SecretOffer, 'box'>) => Promise<boolean>
}

export function createTunnelOffers({ storage, outbox, tell }: TunnelOffersInput): TunnelOffers {
  const { kv, sql } = storage
  const waits = (seq: number): boolean =>
    sql.exec('select 1 from tunnel_out where seq = ?', seq).toArray().length > 0
  /** Those that home has are dropped on the way. */
  const waiting = (): readonly Waiting[] => {
    const noted = [...kv.list<Waiting>({ prefix: OFFER })]
    for (const [key, { seq }] of noted) if (!waits(seq)) kv.delete(key)
    return noted.flatMap(([, one]) => (waits(one.seq) ? one : []))
  }
  /** The number stays, or home would wait for it without end. */
  const empty = ({ offer, seq }: Waiting): void => {
    const body: Body = { type: 'secret', offer: { ...offer, box: null } }
    sql.exec('update tunnel_out set body = ? where seq = ?', JSON.stringify(body), seq)
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
        empty(one)
        const told = await tell(one.offer).catch(() => false)
        if (told) kv.delete(OFFER + one.offer.id)
        else kv.put(OFFER + one.offer.id, { ...one, due: now + TELL_AGAIN })
      }
    },
    next: () => waiting().reduce<number | null>((least, { due }) => Math.min(least ?? due, due), null),
  }
}
