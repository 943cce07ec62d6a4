/**
 * Sealed bytes at rest, split into parts where one row could not hold them (T-12). Must not see plaintext: its input is encrypted
 * already. Called by createStore.
 */
import { and, asc, eq, isNotNull, isNull, lt, lte, sql } from 'drizzle-orm'
import { once } from '../../kernel/flow/once.ts'
import type { SealedRow, SealedStore } from '../../kernel/powers/sealed-port.ts'
import { atMost, type StoreContext, slots } from './database/database.ts'
import { dropForgotten } from './forgotten.ts'
import { sealed, sealedParts } from './schema/schema.ts'

/** Most bytes in one row. A Durable Object refuses a row above 2 MB, and a 5 MB mail must not be lost (T-12). */
export const PART_BYTES = 1_000_000

export function createSealedStore({ db, malformed, atomically, onUndone }: StoreContext): SealedStore {
  const put = once(() =>
    db
      .insert(sealed)
      .values(slots('id', 'principal', 'store', 'version', 'label', 'parts', 'bytes', 'until'))
      .onConflictDoNothing()
      .returning({ id: sealed.id })
      .prepare(),
  )
  const get = once(() =>
    db
      .select()
      .from(sealed)
      .where(eq(sealed.id, sql.placeholder('id')))
      .prepare(),
  )
  const remove = once(() =>
    db
      .delete(sealed)
      .where(eq(sealed.id, sql.placeholder('id')))
      .returning({ parts: sealed.parts, until: sealed.until })
      .prepare(),
  )
  const expired = once(() =>
    db
      .select({ id: sealed.id })
      .from(sealed)
      .where(lte(sealed.until, sql.placeholder('now')))
      .prepare(),
  )
  const next = once(() =>
    db
      .select({ until: sealed.until })
      .from(sealed)
      .where(isNotNull(sealed.until))
      .orderBy(asc(sealed.until))
      .limit(atMost(1))
      .prepare(),
  )
  const bound = once(() =>
    db
      .update(sealed)
      .set({ until: sql`${sql.placeholder('until')}` })
      .where(and(eq(sealed.id, sql.placeholder('id')), isNull(sealed.until)))
      .prepare(),
  )
  /** Cached earliest expiry, read after every message; undefined when it must be queried. */
  let soonest: number | null | undefined
  onUndone(() => {
    soonest = undefined
  })
  const deleteOne = (id: string): void => {
    const gone = remove().get({ id })
    if (gone?.until === soonest) soonest = undefined
    if ((gone?.parts ?? 0) > 0) db.delete(sealedParts).where(eq(sealedParts.id, id)).run()
  }
  const continued = (row: typeof sealed.$inferSelect): Uint8Array | undefined => {
    const rest = db
      .select({ bytes: sealedParts.bytes })
      .from(sealedParts)
      .where(eq(sealedParts.id, row.id))
      .orderBy(asc(sealedParts.n))
      .all()
    return rest.length === row.parts ? joined([row.bytes, ...rest.map((part) => part.bytes)]) : undefined
  }
  return {
    putSealed(row) {
      if (row.until !== null && soonest !== undefined) soonest = Math.min(soonest ?? row.until, row.until)
      // Fast path for a new and small row, which nearly all are: one statement.
      if (row.bytes.length <= PART_BYTES && put().get({ ...row, parts: 0 }) !== undefined) return
      atomically(() => {
        deleteOne(row.id)
        const [bytes = row.bytes, ...rest] = split(row.bytes)
        put().get({ ...row, bytes, parts: rest.length })
        for (const [n, part] of rest.entries())
          db.insert(sealedParts).values({ id: row.id, n, bytes: part }).run()
      })
    },
    getSealed(id): SealedRow | null {
      const row = get().get({ id })
      if (row === undefined) return null
      const { parts, ...columns } = row
      const bytes = parts === 0 ? row.bytes : continued(row)
      if (bytes !== undefined) return { ...columns, bytes }
      malformed({ table: 'sealed', id })
      return null
    },
    deleteSealed(ids) {
      if (ids.length === 0) return
      atomically(() => {
        for (const id of ids) deleteOne(id)
      })
    },
    boundSealed(ids, until) {
      soonest = undefined
      atomically(() => {
        for (const id of ids) bound().run({ id, until })
      })
    },
    unboundSealed(id) {
      soonest = undefined
      db.update(sealed).set({ until: null }).where(eq(sealed.id, id)).run()
    },
    keepSealed(ids, until) {
      soonest = undefined
      atomically(() => {
        for (const id of ids)
          db.update(sealed)
            .set({ until })
            .where(sql`${eq(sealed.id, id)} and ${lt(sealed.until, until)}`)
            .run()
      })
    },
    nextExpiry: () => {
      soonest = soonest === undefined ? (next().get()?.until ?? null) : soonest
      return soonest
    },
    expireSealed(now) {
      const due = expired().all({ now })
      if (due.length === 0) return 0
      return atomically(() => {
        for (const { id } of due) deleteOne(id)
        dropForgotten(db, now)
        return due.length
      })
    },
  }
}

function split(bytes: Uint8Array): readonly Uint8Array[] {
  if (bytes.length <= PART_BYTES) return [bytes]
  const count = Math.ceil(bytes.length / PART_BYTES)
  return Array.from({ length: count }, (_, n) => bytes.slice(n * PART_BYTES, (n + 1) * PART_BYTES))
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
