/**
 * Feeds: RSS 2.0 and 1.0, Atom and JSON Feed as one list of items, cleaned and bounded. XML is taken apart by the reader of the place; the
 * rest is pure. All content is outside text. Must not fetch. Called by integrations/tools/feed.
 */
import { isPlainRecord } from '../../kernel/flow/json.ts'
import { type JsonRecord, recordsOf, stringOf } from '../tools/reading.ts'
import { cleanLine, toDate, toLink } from './page-clean.ts'

/** `items`: of one part. A job tells each item once, so it has to see all of them, however many came since it last looked. `read`: of one feed. */
export const FEED_LIMITS = Object.freeze({ items: 200, title: 300, read: 400, text: 4_000 })

/** An item as a parser found it; empty where there is nothing. */
export interface RawItem {
  readonly id: string
  readonly title: string
  readonly link: string
  readonly date: string
}

export interface RawFeed {
  readonly title: string
  readonly items: readonly RawItem[]
}

/** Null for XML that is no feed. Throws on failure. */
export type FeedReader = (xml: string) => Promise<RawFeed | null> | RawFeed | null

export interface FeedItem {
  readonly title: string
  readonly link?: string
  readonly date?: string
}

export interface Feed {
  readonly title: string
  /** All that were read, `FEED_LIMITS.read` at most. */
  readonly items: readonly FeedItem[]
}

/** The newest items first; those without a date in the order of the feed, which is newest first by custom. */
export function createFeed(raw: RawFeed, url: string): Feed {
  const seen = new Set<string>()
  const items = raw.items.flatMap((item) => {
    const link = item.link === '' ? null : toLink(item.link, url)
    const date = toDate(fullYear(item.date))
    const title = cleanLine(item.title, FEED_LIMITS.title)
    const key = item.id || link || title
    if (key === '' || seen.has(key)) return []
    seen.add(key)
    return [{ title, ...(link !== null && { link }), ...(date !== null && { date }) }]
  })
  const newest = items.every(({ date }) => date !== undefined)
    ? items.toSorted((a, b) => Date.parse(b.date ?? '') - Date.parse(a.date ?? ''))
    : items
  return {
    title: cleanLine(raw.title, FEED_LIMITS.title),
    items: newest.slice(0, FEED_LIMITS.read),
  }
}

/** JSON Feed 1.0 and 1.1 (https://jsonfeed.org/version/1.1); null for any other JSON. */
export function readJsonFeed(text: string): RawFeed | null {
  const feed = parsed(text)
  if (feed === null || !stringOf(feed, 'version').startsWith('https://jsonfeed.org/version/1')) return null
  const items = recordsOf(feed, 'items')
    .slice(0, FEED_LIMITS.read)
    .map((item) => ({
      id: stringOf(item, 'id'),
      title: stringOf(item, 'title') || stringOf(item, 'content_text').slice(0, FEED_LIMITS.text),
      link: stringOf(item, 'url') || stringOf(item, 'external_url'),
      date: stringOf(item, 'date_published') || stringOf(item, 'date_modified'),
    }))
  return { title: stringOf(feed, 'title'), items }
}

function parsed(text: string): JsonRecord | null {
  try {
    const value: unknown = JSON.parse(text)
    return isPlainRecord(value) ? value : null
  } catch {
    return null
  }
}

/** RFC 822 has years of two digits and names of American time zones, which feeds still use. */
function fullYear(date: string): string {
  return date
    .trim()
    .replace(/^((?:[A-Za-z]{3}, *)?\d{1,2} [A-Za-z]{3}) (\d{2}) /, '$1 20$2 ')
    .replace(/ ([A-Z]{3})$/, (all, zone: string) =>
      Object.hasOwn(ZONES, zone) ? ` ${ZONES[zone] ?? ''}` : all,
    )
}

const ZONES: Readonly<Record<string, string>> = {
  EST: '-0500',
  EDT: '-0400',
  CST: '-0600',
  CDT: '-0500',
  MST: '-0700',
  MDT: '-0600',
  PST: '-0800',
  PDT: '-0700',
}
