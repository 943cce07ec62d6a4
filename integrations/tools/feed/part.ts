/**
 * Picks the part of a feed that a call asks for: all items or those that this conversation was not shown yet, so many from a place on. An item is
 * known by its own address, or by all of its fields without one; never by its date or title alone, which another item could repeat. Pure. Called by run.ts.
 */
import { digestOf } from '../../../kernel/flow/digest.ts'
import type { Json } from '../../../kernel/flow/json.ts'
import { FEED_LIMITS, type Feed, type FeedItem } from '../../extractors/feed.ts'
import type { ListedItem } from './feed-port.ts'

export interface PartAsked {
  readonly onlyNew: boolean
  /** Most items of the part. */
  readonly count: number
  /** Place of the first one, from 0. */
  readonly from: number
}

/** Absent and odd numbers mean as many as may be, from the first on. */
export function partAsked(args: { readonly [key: string]: Json }): PartAsked {
  return {
    onlyNew: args['only'] === 'new',
    count: wholeIn(args['count'], 1, FEED_LIMITS.items) ?? FEED_LIMITS.items,
    from: wholeIn(args['from'], 0, FEED_LIMITS.read) ?? 0,
  }
}

/** `before`: what this conversation was shown of the feed; `task`: which one asks now. */
/** One answer of the action, as its manifest declares it. */
interface FeedPart extends Pick<Feed, 'title' | 'items'> {
  readonly more: number
  readonly next?: number
  readonly since?: string
}

export function partOf(
  { title, items }: Feed,
  asked: PartAsked,
  { before, task }: { readonly before: readonly ListedItem[]; readonly task: string },
): FeedPart {
  const known = new Map(before.map((row) => [row.digest, row]))
  // A call that is repeated, and the next part of a list, are about the same items as the call before.
  const last = before.reduce((one, row) => Math.max(one, row.told), 0)
  const isSame = (row: ListedItem): boolean => row.task === task || (asked.from > 0 && row.told === last)
  const isMeant = (item: FeedItem): boolean => {
    const row = known.get(itemDigest(item))
    return !asked.onlyNew || row === undefined || isSame(row)
  }
  const meant = items.filter(isMeant)
  const part = meant.slice(asked.from, asked.from + asked.count)
  const next = asked.from + part.length
  const earlier = before.filter((row) => !isSame(row))
  const since = earlier.reduce((one, { seen }) => Math.max(one, seen), 0)
  return {
    title,
    items: part,
    more: Math.max(0, meant.length - next),
    ...(next < meant.length && part.length > 0 && { next }),
    ...(asked.onlyNew && earlier.length > 0 && { since: new Date(since).toISOString() }),
  }
}

export function itemDigest({ title, link, date }: FeedItem): string {
  return digestOf(['feed item', link ?? [title, date ?? null]])
}

function wholeIn(value: Json | undefined, least: number, most: number): number | null {
  return typeof value === 'number' && value >= least ? Math.min(Math.floor(value), most) : null
}
