/**
 * Table of secrets that were typed at the edge and not yet accepted, in `secrets.sqlite`, each in its sealed box (E-02,
 * L-12). Must not hold an unsealed value. Called by secret-file.ts, offer-desk.ts and `pfar secret list`.
 */
import { and, asc, count, eq, isNotNull, lt } from 'drizzle-orm'
import type { SecretOffer } from '../../kernel/vault/secret-offer.ts'
import type { SqliteFile } from '../store/sqlite-bridge.ts'
import { offers } from './secret-schema.ts'

export type OfferRow = typeof offers.$inferSelect

/** An offer that waits for the owner's decision. */
export type WaitingOffer = OfferRow & { readonly box: string }

export interface OfferFile {
  /** Pending offers, oldest first. */
  waiting(): readonly WaitingOffer[]
  /** Whether this id was received before, decided or not. */
  knows(id: string): boolean
  count(): number
  add(offer: SecretOffer, arrivedAt: number): void
  /** Deletes the boxes of all offers under this name after a decision. Returns how many. */
  settle(name: string): number
  /** Deletes boxes that arrived before `boxes`, and rows that arrived before `rows`. Epoch milliseconds. */
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
