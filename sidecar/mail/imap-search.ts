/**
 * Runs the server's search in the open folder and ranks the results: how many of the words a mail contains, and whether they
 * occur in subject, sender or recipient. Must not fetch a text. Called by imap-mailbox.ts.
 */
import type { ImapFlow, SearchObject } from 'imapflow'
import type { MailQuery } from '../../integrations/tools/email/mailbox-port.ts'
import { partsOfName } from '../../integrations/tools/email/message/mailbox.ts'

/** Maximum number of mails whose arrival time is requested at once, newest first, until enough are in the requested period. */
const LOOKED_AT = 200
/** Milliseconds. A server compares days in its own time zone, which can be any of these. */
const HOUR = 3_600_000
const DAY = 24 * HOUR
const ZONES = Object.freeze({ east: 14 * HOUR, west: 12 * HOUR })
/** Maximum number of words of a search: each costs two searches of the server. */
const MAX_WORDS = 8
/** Score of a word in subject, sender or recipient, and of one elsewhere. */
const WEIGHT = Object.freeze({ head: 3, text: 1 })

export interface Hit {
  readonly uid: number
  /** Number of the words that the mail contains. */
  readonly words: number
  readonly score: number
}

/** Sorted by ascending rank, equal ones by age, so the best is last. Null if the server refused the search. */
export async function hitsIn(client: ImapFlow, query: MailQuery): Promise<readonly Hit[] | null> {
  const { unread, from, to, since, before } = query
  const base: SearchObject = {
    deleted: false,
    ...(unread !== undefined && { seen: !unread }),
    ...(since !== undefined && { since: firstDay(since) }),
    ...(before !== undefined && { before: dayAfter(before) }),
  }
  const search = async (terms: SearchObject): Promise<ReadonlySet<number> | null> => {
    const uids = await client.search({ ...base, ...terms }, { uid: true })
    return Array.isArray(uids) ? new Set(uids) : null
  }
  const words = wordsOf(query)
  const people = termsOf({ from: partsOfName(from), to: partsOfName(to) })
  const sets: ReadonlySet<number>[] = []
  for (const terms of people.length === 0 && words.length === 0 ? [{}] : people) {
    const now = await search(terms)
    if (now === null) return null
    sets.push(now)
  }
  const isOf = (uid: number): boolean => sets.every((set) => set.has(uid))
  if (words.length === 0)
    return [...(sets[0] ?? [])]
      .filter(isOf)
      .sort((a, b) => a - b)
      .map((uid) => ({ uid, words: 0, score: 0 }))
  const hits = new Map<number, { words: number; score: number }>()
  for (const word of words) {
    const text = await search({ text: word })
    const top =
      text?.size === 0 ? text : await search({ or: [{ subject: word }, { from: word }, { to: word }] })
    if (text === null || top === null) return null
    for (const uid of text) {
      if (!isOf(uid)) continue
      const known = hits.get(uid) ?? { words: 0, score: 0 }
      const weight = top.has(uid) ? WEIGHT.head : WEIGHT.text
      hits.set(uid, { words: known.words + 1, score: known.score + weight })
    }
  }
  return [...hits]
    .map(([uid, hit]) => ({ uid, ...hit }))
    .sort((a, b) => a.words - b.words || a.score - b.score || a.uid - b.uid)
}

/** Each word once, ignoring case. */
export function wordsOf({ words = '' }: MailQuery): readonly string[] {
  const all = words.split(/\s+/).filter((word) => word !== '')
  return [...new Map(all.map((word) => [word.toLowerCase(), word])).values()].slice(0, MAX_WORDS)
}

/** One search takes one text of each kind, so there are as many searches as the longer list has words. */
function termsOf(lists: Readonly<Record<'from' | 'to', readonly string[]>>): readonly SearchObject[] {
  const most = Math.min(Math.max(...Object.values(lists).map(({ length }) => length)), MAX_WORDS)
  return Array.from({ length: most }, (_, index) =>
    Object.fromEntries(
      Object.entries(lists).flatMap(([kind, words]) =>
        words[index] === undefined ? [] : [[kind, words[index]]],
      ),
    ),
  )
}

/** Null for a date without a time, which the server compares itself. */
function instantOf(text: string): number | null {
  return text.includes('T') ? Date.parse(text) : null
}

/** The earliest day that these bounds can have in any time zone. */
function firstDay(since: string): Date {
  const at = instantOf(since)
  return at === null ? new Date(since) : new Date(Math.floor((at - ZONES.west) / DAY) * DAY)
}

function dayAfter(before: string): Date {
  const at = instantOf(before)
  return at === null ? new Date(before) : new Date(Math.floor((at + ZONES.east) / DAY) * DAY + DAY)
}

/**
 * Filters by the time of arrival. Keeps the order of `uids`, and returns at least one more than requested, if there are as many.
 */
export async function newestWithin(
  client: ImapFlow,
  uids: readonly number[],
  { since, before, count }: MailQuery,
): Promise<readonly number[]> {
  const from = since === undefined ? null : instantOf(since)
  const to = before === undefined ? null : instantOf(before)
  if (from === null && to === null) return uids
  const within: number[] = []
  for (let end = uids.length; end > 0 && within.length <= count; end -= LOOKED_AT) {
    const group = uids.slice(Math.max(0, end - LOOKED_AT), end)
    const came = new Map<number, number>()
    for (const { uid, internalDate } of await client.fetchAll(
      [...group],
      { uid: true, internalDate: true },
      { uid: true },
    ))
      came.set(uid, new Date(internalDate ?? 0).getTime())
    const isWithin = (at: number | undefined): boolean =>
      at !== undefined && (from === null || at >= from) && (to === null || at < to)
    within.unshift(...group.filter((uid) => isWithin(came.get(uid))))
  }
  return within
}
