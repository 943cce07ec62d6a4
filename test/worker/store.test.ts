/** The store's contract in a real Durable Object with its real SQLite: the same cases as on node:sqlite. */

import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { drizzle } from 'drizzle-orm/durable-sqlite'
import { migrate } from '../../integrations/store/schema/migrate.ts'
import { STORE_MIGRATIONS } from '../../migrations/store.ts'
import { storeContract } from '../store/contract.ts'

storeContract((work) => {
  // An object of its own per case: storage outlives a test where files share one isolate.
  const stub = env.PRINCIPALS.get(env.PRINCIPALS.newUniqueId())
  return runInDurableObject(stub, async (_, state) => {
    await state.storage.deleteAll()
    const db = drizzle(state.storage)
    migrate(db, STORE_MIGRATIONS)
    work(db)
  })
})
