/**
 * Audit of the edge's link and models, in the same tables that every object has. Lines are only appended, and exported to home's
 * backup unread. Must not read a line. Called by KernelObject.
 */
import { drizzle } from 'drizzle-orm/durable-sqlite'
import type { SyncDatabase } from '../../integrations/store/database.ts'
import { migrate } from '../../integrations/store/migrate.ts'
import { createStore } from '../../integrations/store/store.ts'
import type { ReasonFacts } from '../../kernel/flow/verdict.ts'
import type { Store } from '../../kernel/powers/all-powers.ts'
import type { AuditKind } from '../../kernel/powers/stores.ts'
import { STORE_MIGRATIONS } from '../../migrations/store.ts'
import { createStorePart, type StorePart } from '../store-part.ts'

export interface KernelAudit {
  /** Appends a line that belongs to no task: ids and codes only. */
  note(kind: AuditKind, facts: ReasonFacts): void
  /** The audit rows, for a backup. */
  part(): StorePart
}

export function createKernelAudit(storage: DurableObjectStorage): KernelAudit {
  let open: Pick<Store, 'appendAudit'> | null = null
  return {
    note(kind, facts) {
      // Most wake-ups write no line, so the tables are migrated at the first line.
      open ??= createStore(migrated(storage))
      const nobody = { trace: null, task: null, principal: null }
      open.appendAudit({ at: Date.now(), place: 'edge', kind, ...nobody, facts })
    },
    part: () => createStorePart(storage, migrated(storage)),
  }
}

function migrated(storage: DurableObjectStorage): SyncDatabase {
  const db = drizzle(storage)
  migrate(db, STORE_MIGRATIONS)
  return db
}
