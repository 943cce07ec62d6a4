/**
 * `ChannelStore` of the tunnel over synchronous drizzle SQLite: the outbox and the two counters of one end. Must not
 * number or order anything itself; the kernel's channel does. Called by TunnelObject and by home's tunnel client.
 */
import { asc, eq, gt, lte, sql } from 'drizzle-orm'
import { type Body, parseBody } from '../../kernel/tunnel/body.ts'
import type { ChannelStore } from '../../kernel/tunnel/channel.ts'
import { cursors, out } from './channel-schema.ts'
import { readDocument } from './columns.ts'
import { lazy, type SyncDatabase, slots } from './database.ts'

/** SQLite's word for no limit. */
const ALL = -1

/** The database must have been migrated with `TUNNEL_MIGRATIONS`. */
export function createChannelStore(db: SyncDatabase): ChannelStore {
  const cursor = lazy(() =>
    db
      .select({ value: cursors.value })
      .from(cursors)
      .where(eq(cursors.name, sql.placeholder('name')))
      .prepare(),
  )
  const move = lazy(() =>
    db
      .insert(cursors)
      .values(slots('name', 'value'))
      .onConflictDoUpdate({ target: cursors.name, set: { value: sql`excluded.value` } })
      .prepare(),
  )
  const after = lazy(() =>
    db
      .select()
      .from(out)
      .where(gt(out.seq, sql.placeholder('after')))
      .orderBy(asc(out.seq))
      .limit(sql.placeholder('most'))
      .prepare(),
  )
  const position = (name: 'sent' | 'received'): number => cursor().get({ name })?.value ?? 0
  return {
    allocate: () => position('sent') + 1,
    putOut: (seq, body) =>
      db.transaction(() => {
        db.insert(out)
          .values({ seq, body: JSON.stringify(body) })
          .run()
        move().run({ name: 'sent', value: seq })
      }),
    out: (seq, most = ALL) => after().all({ after: seq, most }).map(readBody),
    dropOut: (upTo) => void db.delete(out).where(lte(out.seq, upTo)).run(),
    received: () => position('received'),
    setReceived: (seq) => void move().run({ name: 'received', value: seq }),
  }
}

/** A damaged body cannot be left out: the peer would wait for its number without end. So the tunnel stops, aloud. */
function readBody(row: { readonly seq: number; readonly body: string }): { seq: number; body: Body } {
  const body = parseBody(readDocument<Body>(row.body, ['type'], () => {}))
  if (!body.ok) throw new Error(`outbox row ${row.seq} is damaged`)
  return { seq: row.seq, body: body.value }
}
