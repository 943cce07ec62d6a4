/** Outbox of channels that are read by polling, such as the terminal's. Called by createStore. */
import { and, asc, desc, eq, gt, sql } from 'drizzle-orm'
import { once } from '../../kernel/flow/once.ts'
import type { Store } from '../../kernel/powers/all-powers.ts'
import type { OutboxRow } from '../../kernel/powers/stores.ts'
import { atMost, type StoreContext, slots } from './database/database.ts'
import { createNumbers } from './database/numbers.ts'
import { deliveries } from './schema/schema.ts'

type DeliveryStore = Pick<
  Store,
  'putDelivery' | 'deliveriesAfter' | 'lastDelivery' | 'findDelivery' | 'recentDeliveries'
>

export function createDeliveryStore(context: StoreContext): DeliveryStore {
  const { db, malformed, atomically, shared } = context
  const number = createNumbers(context, deliveries)
  const insert = once(() =>
    db
      .insert(deliveries)
      .values(
        slots('seq', 'id', 'sink', 'principal', 'task', 'turn', 'kind', 'approval', 'text', 'label', 'at'),
      )
      .onConflictDoNothing({ target: deliveries.id })
      .returning({ seq: deliveries.seq })
      .prepare(),
  )
  const named = once(() =>
    db
      .select()
      .from(deliveries)
      .where(eq(deliveries.id, sql.placeholder('id')))
      .prepare(),
  )
  const current = once(() =>
    db
      .select({ text: deliveries.text, sink: deliveries.sink, kind: deliveries.kind })
      .from(deliveries)
      .where(eq(deliveries.id, sql.placeholder('id')))
      .prepare(),
  )
  const after = once(() =>
    db
      .select()
      .from(deliveries)
      .where(and(eq(deliveries.sink, sql.placeholder('sink')), gt(deliveries.seq, sql.placeholder('after'))))
      .orderBy(asc(deliveries.seq))
      .limit(atMost(sql.placeholder('limit')))
      .prepare(),
  )
  const last = once(() =>
    db
      .select()
      .from(deliveries)
      .where(eq(deliveries.task, sql.placeholder('task')))
      .orderBy(desc(deliveries.seq))
      .limit(atMost(1))
      .prepare(),
  )
  const read = ({
    text,
    ...row
  }: typeof deliveries.$inferSelect): readonly (OutboxRow & { seq: number })[] => {
    const ref = shared.readRef(text, () => malformed({ table: 'deliveries', id: row.id }))
    return ref === undefined ? [] : [{ ...row, text: ref }]
  }
  return {
    putDelivery(row) {
      const text = shared.refText(row.text)
      // Fast path for a new delivery, which nearly all are: one statement.
      if (insert().get({ ...row, seq: number(), text }) !== undefined) return
      atomically(() => {
        // An unchanged delivery keeps its number. A changed text gets a new one, or readers past the old number would miss it.
        const known = current().get({ id: row.id })
        if (known?.sink === row.sink && shared.isSameRef(known.text, row.text)) {
          // A finished card becomes a notice with the same number, because there is nothing new to read.
          const { kind, approval } = row
          if (known.kind !== kind)
            db.update(deliveries).set({ kind, approval }).where(eq(deliveries.id, row.id)).run()
          return
        }
        db.delete(deliveries).where(eq(deliveries.id, row.id)).run()
        insert().get({ ...row, seq: number(), text })
      })
    },
    findDelivery: (id) => named().all({ id }).flatMap(read)[0] ?? null,
    recentDeliveries: (sink, limit) =>
      db
        .select()
        .from(deliveries)
        .where(eq(deliveries.sink, sink))
        .orderBy(desc(deliveries.seq))
        .limit(limit)
        .all()
        .flatMap(read),
    lastDelivery: (task) => last().all({ task }).flatMap(read)[0] ?? null,
    deliveriesAfter: (sink, seq, limit) => after().all({ sink, after: seq, limit }).flatMap(read),
  }
}
