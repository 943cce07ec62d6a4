/**
 * Home's database: one SQLite file (0600, WAL) for tasks, sessions, audit, deliveries, directive files, notes, health data and
 * the tunnel. Stores every value sealed, unless it is `public`. Called by foundation.ts, the commands on keys and secrets, and
 * the tests.
 */

import { createChannelStore } from '../../integrations/store/channel-store.ts'
import type { MalformedReporter } from '../../integrations/store/database/columns.ts'
import type { SyncDatabase } from '../../integrations/store/database/database.ts'
import { migrate } from '../../integrations/store/schema/migrate.ts'
import { sealed } from '../../integrations/store/schema/schema.ts'
import { createStore } from '../../integrations/store/store.ts'
import type { DirectiveStore } from '../../kernel/features/directives/port.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { Store } from '../../kernel/powers/all-powers.ts'
import type { TaskState } from '../../kernel/task/task.ts'
import type { ChannelStore } from '../../kernel/tunnel/channel.ts'
import { DIRECTIVES_MIGRATIONS } from '../../migrations/directives.ts'
import { STORE_MIGRATIONS } from '../../migrations/store.ts'
import { TUNNEL_MIGRATIONS } from '../../migrations/tunnel.ts'
import { createDirectiveStore } from './directive-store.ts'
import { createFeedItems, type FeedItemRows } from './feed-items.ts'
import { createHealthRows, type HealthRows } from './health-rows.ts'
import { createHomeNotes, type HomeNotes } from './home-notes.ts'
import { openSqlite } from './sqlite-bridge.ts'

export interface HomeDatabase {
  readonly store: Store
  readonly directives: DirectiveStore
  readonly channel: ChannelStore
  readonly notes: HomeNotes
  readonly health: HealthRows
  readonly feedItems: FeedItemRows
  /** Database for the tables of the channels. */
  readonly channels: SyncDatabase
  /** Whether there are sealed rows. Only the keys that sealed them can open them. */
  holdsRecords(): boolean
  close(): void
}

/** Opens and migrates. Refusal: storage_failed (no database, or one that a newer version wrote). */
export function openHomeDatabase(path: string, malformed?: MalformedReporter): Result<HomeDatabase> {
  try {
    const file = openSqlite(path)
    migrate(file.db, STORE_MIGRATIONS)
    migrate(file.db, TUNNEL_MIGRATIONS)
    migrate(file.db, DIRECTIVES_MIGRATIONS)
    const directives = createDirectiveStore(file.db, malformed)
    const health = createHealthRows(file.db)
    const store = createStore(file.db, malformed)
    const isLost = (task: string): boolean => isWithoutAnswer(store.findTask(task)?.task.state.at)
    return ok({
      store,
      directives,
      channel: createChannelStore(file.db),
      notes: createHomeNotes(file.db),
      health,
      feedItems: createFeedItems(file.db, { now: () => Date.now(), isLost }),
      channels: file.db,
      holdsRecords: () =>
        file.db.select({ id: sealed.id }).from(sealed).limit(1).get() !== undefined ||
        directives.current().length > 0 ||
        health.months().length > 0,
      close: () => file.close(),
    })
  } catch {
    const problem =
      'it is damaged, not a database, or written by a newer version; pfar restore --replace brings back a backup'
    return err('storage_failed', { file: 'home.sqlite', problem })
  }
}

/** A task that is gone has ended long ago. */
function isWithoutAnswer(at: TaskState['at'] | undefined): boolean {
  return at === 'failed' || at === 'cancelled'
}
