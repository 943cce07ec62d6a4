/**
 * Secrets that were typed at the edge and that the owner has not accepted, in `secrets.sqlite`: each in the box that it came
 * in (E-02, L-12). Must not hold a value that is not sealed. Called by secret-file.ts, offer-desk.ts and `pfar secret list`.
 */
import { and, asc, count, eq, isNotNull, lt } from 'drizzle-orm'
import type { SecretOffer } from '../../kernel/vault/secret-offer.ts'
import type { SqliteFile } from '../sqlite-bridge.ts'
import { offers } from './secret-schema.ts'

export type OfferRow = typeof offers.$inferSelect

/** One that waits for the owner's word. */
export type WaitingOffer = OfferRow & { readonly box: string }

export interface OfferFile {
  /** Those that wait, oldest first. */
  waiting(): readonly WaitingOffer[]
  /** Whether it came before, decided or not. */
  knows(id: string): boolean
  count(): number
  add(offer: SecretOffer, arrivedAt: number): void
  /** The owner decided about all that wait under this name: their boxes go. Returns how many. */
  settle(name: string): number
  /** Boxes that arrived before `boxes` go, whole rows before `rows`. Epoch milliseconds. */
  expire(before: { readonly boxes: number; readonly rows: number }): void
}

export function createOfferFile(db: SqliteFile['db']): OfferFile {
  const waits = isNotNull(offers.box)
  return {
    waiting: () =>
      db
        .select()
        .from(offers)
        .where(waits)
        .orderBy(asc(offers.arrivedAt), asc(offers.id))
        .all()
        .flatMap((row) => (row.box === null ? [] : [{ ...row, box: row.box }])),
    knows: (id) => db.select({ id: offers.id }).from(offers).where(eq(offers.id, id)).get() !== undefined,
    count: () => db.select({ n: count() }).from(offers).get()?.n ?? 0,
    add: (offer, arrivedAt) =>
      db.transaction(
        () =>
          void db
            .insert(offers)
            .values({ ...offer, arrivedAt })
            .run(),
      ),
    settle: (name) =>
      db.transaction(
        () =>
          db
            .update(offers)
            .set({ box: null })
            .where(and(eq(offers.name, name), waits))
            .returning({ id: offers.id })
            .all().length,
      ),
    expire: ({ boxes, rows }) =>
      db.transaction(() => {
        db.update(offers)
          .set({ box: null })
          .where(and(waits, lt(offers.arrivedAt, boxes)))
          .run()
        db.delete(offers).where(lt(offers.arrivedAt, rows)).run()
      }),
  }
}
