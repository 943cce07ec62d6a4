/**
 * The kernel's `Store` over synchronous drizzle SQLite: the same at the edge, inside a Durable Object, and at home over
 * node:sqlite. Must not seal, route or decide anything. Called by both places when they build their powers.
 */
import type { Store } from '../../kernel/powers/all-powers.ts'
import { createAgreementStore } from './agreements.ts'
import { createApprovalStore } from './approvals.ts'
import { createAuditStore } from './audit.ts'
import { createContactStore } from './contacts.ts'
import type { MalformedReporter } from './database/columns.ts'
import type { StoreContext, SyncDatabase } from './database/database.ts'
import { createDeliveryStore } from './deliveries.ts'
import { createEventStore, createTurnNumbers } from './events.ts'
import { createGrantStore } from './grants.ts'
import { createLinkStore } from './identity-links.ts'
import { createJobStore } from './jobs.ts'
import { createReminderStore } from './reminders.ts'
import { createSealedStore } from './sealed.ts'
import { createSessionStore } from './session.ts'
import { createSettingStore } from './settings.ts'
import { createShared } from './shared.ts'
import { createTaskStore } from './tasks.ts'
import { createUsageStore } from './usage.ts'
import { createRetractionStore, createWaitingStore } from './waiting.ts'

/**
 * The database must have been migrated with `STORE_MIGRATIONS`. A row that cannot be parsed counts as absent and is reported to
 * `malformed` by table and id; a database error throws, and rolls back the surrounding transaction.
 */
export function createStore(db: SyncDatabase, malformed: MalformedReporter = () => {}): Store {
  const forgetting: (() => void)[] = []
  let depth = 0
  const transaction = <T>(work: () => T): T => {
    depth += 1
    try {
      return db.transaction(() => settled(work()))
    } catch (fault) {
      for (const forget of forgetting) forget()
      throw fault
    } finally {
      depth -= 1
    }
  }
  const atomically = <T>(work: () => T): T => (depth > 0 ? work() : transaction(work))
  const onUndone = (forget: () => void): void => void forgetting.push(forget)
  const turns = createTurnNumbers({ db, onUndone })
  const shared = createShared({ db, onUndone })
  const context: StoreContext = { db, malformed, atomically, onUndone, turns, shared }
  return {
    transaction,
    ...createEventStore(context),
    ...createTaskStore(context),
    ...createSealedStore(context),
    ...createApprovalStore(context),
    ...createGrantStore(context),
    ...createLinkStore(context),
    ...createAgreementStore(context),
    ...createSessionStore(context),
    ...createAuditStore(context),
    ...createDeliveryStore(context),
    ...createReminderStore(context),
    ...createContactStore(context),
    ...createJobStore(context),
    ...createRetractionStore(context),
    ...createSettingStore(context),
    ...createUsageStore(context),
    ...createWaitingStore(context),
  }
}

/** Asynchronous work would continue after the commit, outside the transaction. That is a bug, so it throws and rolls back. */
function settled<T>(result: T): T {
  if (result instanceof Promise) throw new TypeError('a transaction must not wait for anything')
  return result
}
