/** Sealed months of health data in home's database. Must not seal or open. Called by home-database.ts; used by sidecar/health/health-store.ts. */
import { and, asc, eq } from 'drizzle-orm'
import type { SyncDatabase } from '../../integrations/store/database/database.ts'
import { healthMonths } from './home-schema.ts'

export type HealthRow = typeof healthMonths.$inferSelect

export interface HealthRows {
  /** Replaces the rows of the same source and month; all rows in one transaction. */
  put(rows: readonly HealthRow[]): void
  /** Oldest first. */
  months(): readonly Pick<HealthRow, 'source' | 'month'>[]
  get(source: string, month: string): HealthRow | null
  /** Deletes all rows; returns how many there were. */
  clear(): number
}

/** The database must have been migrated with `DIRECTIVES_MIGRATIONS`, the set of home. */
export function createHealthRows(db: SyncDatabase): HealthRows {
  const { source, month } = healthMonths
  return {
    put: (rows) =>
      db.transaction((tx) => {
        for (const row of rows)
          tx.insert(healthMonths)
            .values(row)
            .onConflictDoUpdate({ target: [source, month], set: row })
            .run()
      }),
    months: () => db.select({ source, month }).from(healthMonths).orderBy(asc(month), asc(source)).all(),
    get: (of, at) =>
      db
        .select()
        .from(healthMonths)
        .where(and(eq(source, of), eq(month, at)))
        .get() ?? null,
    clear: () => db.delete(healthMonths).returning({ month }).all().length,
  }
}
