/**
 * Which items of feeds each conversation was shown, in home's database: digests, tasks and times, nothing of a feed that could be read. Must
 * not decide what is new. Called by home-database.ts; used by the feed tool and by `pfar key forget`.
 */
import { and, desc, eq, inArray, lt } from 'drizzle-orm'
import type { SyncDatabase } from '../../integrations/store/database/database.ts'
import type { FeedItems } from '../../integrations/tools/feed/feed-port.ts'
import { feedItems } from './home-schema.ts'

/** Rows of one feed: twice what is read of one, so that a listed item is not forgotten while it can come again. */
const MOST_ITEMS = 800
/** Rows of one principal, over all feeds: bounds what addresses that nobody asks for any more leave behind. */
const MOST_ROWS = 20_000
/** Milliseconds after which an item that was in no answer is forgotten: half a year. */
const LIFETIME = 180 * 86_400_000
/** Rows in one statement: SQLite binds a bounded number of values. */
const AT_ONCE = 100

export interface FeedItemRows extends FeedItems {
  /** Deletes what is recorded of a principal. */
  forget(principal: string): void
}

export interface FeedItemsInput {
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Whether the answer of this task never came about. */
  readonly isLost: (task: string) => boolean
}

/** The database must have been migrated with `DIRECTIVES_MIGRATIONS`, the set of home. */
export function createFeedItems(db: SyncDatabase, { now, isLost }: FeedItemsInput): FeedItemRows {
  const { principal, feed, digest, task, told, seen } = feedItems
  const isOf = (of: string, at: string) => and(eq(principal, of), eq(feed, at))
  return {
    of(owner, address) {
      const rows = db
        .select({ digest, task, told, seen })
        .from(feedItems)
        .where(isOf(owner, address))
        .orderBy(desc(told))
        .all()
      const lost = [...new Set(rows.map((row) => row.task))].filter(isLost)
      return rows.filter((row) => !lost.includes(row.task))
    },
    note: (listed, digests) =>
      db.transaction((tx) => {
        const at = now()
        const known = tx
          .select({ digest, task })
          .from(feedItems)
          .where(isOf(listed.principal, listed.feed))
          .all()
        const lost = [...new Set(known.map((row) => row.task))].filter(isLost)
        const again = known.filter((row) => lost.includes(row.task)).map((row) => row.digest)
        for (let from = 0; from < again.length; from += AT_ONCE)
          tx.delete(feedItems)
            .where(
              and(isOf(listed.principal, listed.feed), inArray(digest, again.slice(from, from + AT_ONCE))),
            )
            .run()
        for (const one of digests)
          tx.insert(feedItems)
            .values({ ...listed, digest: one, told: at, seen: at })
            .onConflictDoUpdate({ target: [principal, feed, digest], set: { seen: at } })
            .run()
        tx.delete(feedItems)
          .where(and(eq(principal, listed.principal), lt(seen, at - LIFETIME)))
          .run()
        for (const [whole, most] of [
          [isOf(listed.principal, listed.feed), MOST_ITEMS],
          [eq(principal, listed.principal), MOST_ROWS],
        ] as const) {
          const over = tx
            .select({ feed, digest })
            .from(feedItems)
            .where(whole)
            .orderBy(desc(seen))
            .limit(MOST_ITEMS)
            .offset(most)
            .all()
          for (const row of over)
            tx.delete(feedItems)
              .where(and(isOf(listed.principal, row.feed), eq(digest, row.digest)))
              .run()
        }
      }),
    forget: (owner) => {
      db.delete(feedItems).where(eq(principal, owner)).run()
    },
  }
}
