/**
 * Secrets that wait for home in the tunnel's outbox, each in a box that home alone opens: how many, since when, and what
 * becomes of one that nobody came for (E-02, L-12). Must not hold a box itself, and cannot open one. Called by TunnelObject.
 */
import type { Body } from '../kernel/tunnel/frame.ts'
import { OFFER_LIFETIME, type SecretOffer } from '../kernel/vault/secret-offer.ts'

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
  /** Whether this one was noted before: asking twice is asking once. */
  has(id: string): boolean
  isFull(): boolean
  add(offer: SecretOffer, seq: number): void
  /** Drops the boxes whose time has passed and tells their owners; home gets the rest of each: that there was one. */
  expire(now: number): Promise<void>
  /** When to call `expire` next, epoch milliseconds; null for never. */
  next(): number | null
}

export interface TunnelOffersInput {
  readonly storage: Pick<DurableObjectStorage, 'kv' | 'sql'>
  /** Tells whoever typed it; false when he could not be told now. */
  readonly tell: (offer: Omit<SecretOffer, 'box'>) => Promise<boolean>
}

export function createTunnelOffers({ storage, tell }: TunnelOffersInput): TunnelOffers {
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
    has: (id) => kv.get(OFFER + id) !== undefined,
    isFull: () => waiting().length >= MAX_OFFERS,
    add({ box: _, ...offer }, seq) {
      kv.put(OFFER + offer.id, { offer, seq, due: offer.at + OFFER_LIFETIME })
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
