/**
 * The contract of every `Store`, as one suite that runs on node:sqlite and inside a Durable Object. The caller opens a fresh
 * migrated database per case, in which the work runs synchronously. Called by test/store and test/worker.
 */
import { describe, it } from 'vitest'
import type { MalformedRow } from '../../integrations/store/database/columns.ts'
import type { SyncDatabase } from '../../integrations/store/database/database.ts'
import { createStore } from '../../integrations/store/store.ts'
import { AGREEMENTS } from './cases-people.ts'
import { AUDIT, DELIVERIES, SEALED, SESSION } from './cases-session.ts'
import { SHARED } from './cases-shared.ts'
import { USAGE } from './cases-usage.ts'
import { APPROVALS, EVENTS, LINKS, TASKS, TRANSACTIONS, USES } from './cases-work.ts'
import type { Cases } from './records.ts'

export type WithDatabase = (work: (db: SyncDatabase) => void) => void | Promise<void>

const SUITES: readonly (readonly [string, Cases])[] = [
  ['events', EVENTS],
  ['tasks and effects', TASKS],
  ['transactions', TRANSACTIONS],
  ['sealed rows', SEALED],
  ['capability uses', USES],
  ['approvals', APPROVALS],
  ['identity links', LINKS],
  ['agreements', AGREEMENTS],
  ['session', SESSION],
  ['audit', AUDIT],
  ['deliveries', DELIVERIES],
  ['usage of models', USAGE],
  ['shared values', SHARED],
]

export function storeContract(withDatabase: WithDatabase): void {
  describe.each(SUITES)('store: %s', (_, cases) => {
    it.each(cases)('%s', (__, work) =>
      withDatabase((db) => {
        const malformed: MalformedRow[] = []
        work(
          createStore(db, (row) => malformed.push(row)),
          db,
          malformed,
        )
      }),
    )
  })
}
