/**
 * `ChannelStore` of the tunnel over synchronous drizzle SQLite: outbox, received pieces and the two counters of one end. Must not
 * number or order anything itself; the kernel's channel does. Called by TunnelObject and by home's tunnel client.
 */
import { and, asc, count, eq, gt, gte, lte, sql, sum } from 'drizzle-orm'
import { once } from '../../kernel/flow/once.ts'
import { ok } from '../../kernel/flow/verdict.ts'
import { parseBody } from '../../kernel/tunnel/body.ts'
import type { ChannelStore } from '../../kernel/tunnel/channel.ts'
import type { Carried } from '../../kernel/tunnel/frame.ts'
import { readDocument } from './database/columns.ts'
import { atMost, type SyncDatabase, slots } from './database/database.ts'
import { cursors, out, pieces } from './schema/channel-schema.ts'

/** SQLite's value for no limit. */
const ALL = -1

/** The database must have been migrated with `TUNNEL_MIGRATIONS`. */
export function createChannelStore(db: SyncDatabase): ChannelStore {
  const cursor = once(() =>
    db
      .select({ value: cursors.value })
      .from(cursors)
      .where(eq(cursors.name, sql.placeholder('name')))
      .prepare(),
  )
  const move = once(() =>
    db
      .insert(cursors)
      .values(slots('name', 'value'))
      .onConflictDoUpdate({ target: cursors.name, set: { value: sql`excluded.value` } })
      .prepare(),
  )
  const insert = once(() =>
    db
      .insert(out)
      .values(slots('seq', 'bytes', 'body'))
      .prepare(),
  )
  const drop = once(() =>
    db
      .delete(out)
      .where(lte(out.seq, sql.placeholder('upTo')))
      .prepare(),
  )
  const after = once(() =>
    db
      .select({ seq: out.seq, body: out.body })
      .from(out)
      .where(gt(out.seq, sql.placeholder('after')))
      .orderBy(asc(out.seq))
      .limit(atMost(sql.placeholder('most')))
      .prepare(),
  )
  const sizes = once(() =>
    db
      .select({ seq: out.seq, bytes: out.bytes })
      .from(out)
      .orderBy(asc(out.seq))
      .limit(atMost(sql.placeholder('most')))
      .prepare(),
  )
  const waiting = once(() =>
    db
      .select({ count: count(), bytes: sum(out.bytes) })
      .from(out)
      .prepare(),
  )
  const position = (name: 'sent' | 'received'): number => cursor().get({ name })?.value ?? 0
  return {
    allocate: () => position('sent') + 1,
    putOut: (rows) =>
      db.transaction(() => {
        for (const { seq, bytes, body } of rows) insert().run({ seq, bytes, body: JSON.stringify(body) })
        const last = rows.at(-1)
        if (last !== undefined) move().run({ name: 'sent', value: last.seq })
      }),
    out: (seq, most = ALL) => after().all({ after: seq, most }).map(readBody),
    sizes: (most) => sizes().all({ most }),
    waiting() {
      const found = waiting().get()
      return { count: found?.count ?? 0, bytes: Number(found?.bytes ?? 0) }
    },
    dropOut: (upTo) => void drop().run({ upTo }),
    received: () => position('received'),
    setReceived: (seq) => void move().run({ name: 'received', value: seq }),
    putPiece: ({ seq, ...kept }, text) =>
      void db
        .insert(pieces)
        .values({ seq, ...kept, text })
        .onConflictDoUpdate({ target: pieces.seq, set: { ...kept, text } })
        .run(),
    pieces: () => {
      const { seq, n, of, sum, bytes } = pieces
      return db.select({ seq, n, of, sum, bytes }).from(pieces).orderBy(asc(pieces.seq)).all()
    },
    texts(first, last) {
      const within = and(gte(pieces.seq, first), lte(pieces.seq, last))
      const found = db.select({ text: pieces.text }).from(pieces).where(within).orderBy(asc(pieces.seq)).all()
      if (found.length !== last - first + 1) throw new Error(`pieces ${first} to ${last} are not all there`)
      return found.map(({ text }) => text)
    },
    dropPieces: (upTo) => void db.delete(pieces).where(lte(pieces.seq, upTo)).run(),
  }
}

/**
 * A damaged body cannot be skipped: the peer would wait for its number without end. So this throws, and the tunnel stops with an
 * error.
 */
function readBody(row: { readonly seq: number; readonly body: string }): { seq: number; body: Carried } {
  const found = readDocument<Carried>(row.body, ['type'], () => {})
  const body = found?.type === 'piece' ? ok(found) : parseBody(found)
  if (!body.ok) throw new Error(`outbox row ${row.seq} is damaged`)
  return { seq: row.seq, body: body.value }
}
