/**
 * The audit of the edge's link and of its models, in the tables that every object has: lines are added, and go out into home's backup as they
 * lie. Must not read one. Called by KernelObject.
 */
import { drizzle } from 'drizzle-orm/durable-sqlite'
import { migrate } from '../integrations/store/migrate.ts'
import { createStore } from '../integrations/store/store.ts'
import type { Store } from '../kernel/powers/ports.ts'
import { STORE_MIGRATIONS } from '../migrations/store.ts'
import { createStorePart, type StorePart } from './store-part.ts'

/** Most wakes write no line, so the tables are looked at with the first. */
export function openAudit(storage: DurableObjectStorage): Pick<Store, 'appendAudit'> {
  const db = drizzle(storage)
  migrate(db, STORE_MIGRATIONS)
  return createStore(db)
}

/** Its rows, for a backup. */
export function auditPart(storage: DurableObjectStorage): StorePart {
  const db = drizzle(storage)
  migrate(db, STORE_MIGRATIONS)
  return createStorePart(storage, db)
}
