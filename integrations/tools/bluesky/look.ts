/**
 * The reads of Bluesky, each of one page: timeline, notifications, search, a thread. Reading marks nothing as seen. Must not write. Called by run.ts.
 */
import { err } from '../../../kernel/flow/verdict.ts'
import type { ToolCall, ToolOutcome } from '../../../kernel/tool/manifest.ts'
import type { JsonRecord } from '../reading.ts'
import { DEFAULT_ITEMS, MAX_ITEMS } from './manifest.ts'
import { query, type Session } from './session.ts'
import { cursorOf, hasMore, shapeFeed, shapeNotifications, shapePosts, shapeThread, THREAD } from './shape.ts'
import { uriNamed } from './write.ts'

type Args = ToolCall['args']
type Call = Pick<ToolCall, 'args'>

export async function timeline(session: Session, { args }: Call): Promise<ToolOutcome> {
  const count = countIn(args)
  const answer = await query(session, 'app.bsky.feed.getTimeline', [['limit', count], ...fromIn(args)])
  return answer.ok
    ? { ok: true, output: { posts: shapeFeed(answer.value, count), ...furtherIn(answer.value) } }
    : answer
}

/** How many rows of the server's answer come before, and which answer: `15:`, `0:cursor`. */
const PLACE = /^(\d{1,3}):([\x21-\x7e]{0,250})$/

export async function notifications(session: Session, { args }: Call): Promise<ToolOutcome> {
  const count = countIn(args)
  const all = args['all'] === true
  const [place, before = '0', cursor = ''] = PLACE.exec(String(args['from'] ?? '0:')) ?? []
  if (place === undefined) return err('tool_arguments_invalid', { rule: 'from' })
  // Read ones stand between unread ones, so that more are asked for than are shown.
  const answer = await query(session, 'app.bsky.notification.listNotifications', [
    ['limit', MAX_ITEMS],
    ...(cursor === '' ? [] : ([['cursor', cursor]] as const)),
  ])
  if (!answer.ok) return answer
  const found = shapeNotifications(answer.value).filter(({ unread }) => all || unread)
  const [from, until] = [Number(before), Number(before) + count]
  const isFull = found.length > until || (hasMore(answer.value) && (all || found.length === MAX_ITEMS))
  const after = cursorOf(answer.value)
  const next = found.length > until ? `${until}:${cursor}` : after === null ? null : `0:${after}`
  return {
    ok: true,
    output: {
      notifications: found.slice(from, until),
      more: isFull,
      ...(isFull && next !== null && { next }),
    },
  }
}

export async function search(session: Session, { args }: Call): Promise<ToolOutcome> {
  const count = countIn(args)
  const answer = await query(session, 'app.bsky.feed.searchPosts', [
    ['q', String(args['words'])],
    ['sort', args['sort'] === 'top' ? 'top' : 'latest'],
    ['limit', count],
    ...fromIn(args),
  ])
  return answer.ok
    ? { ok: true, output: { posts: shapePosts(answer.value, count), ...furtherIn(answer.value) } }
    : answer
}

function fromIn({ from }: Args): readonly (readonly ['cursor', string])[] {
  return typeof from === 'string' ? [['cursor', from]] : []
}

function furtherIn(answer: JsonRecord): object {
  const next = cursorOf(answer)
  return { more: hasMore(answer), ...(next !== null && { next }) }
}

export async function thread(session: Session, { args }: Call): Promise<ToolOutcome> {
  const uri = await uriNamed(session, String(args['post']))
  if (!uri.ok) return uri
  const answer = await query(session, 'app.bsky.feed.getPostThread', [
    ['uri', uri.value],
    ['depth', THREAD.below],
    ['parentHeight', THREAD.above],
  ])
  if (!answer.ok) return answer
  const { posts, more } = shapeThread(answer.value, MAX_ITEMS)
  // Of what is blocked or gone the server says no more than that.
  return posts.length === 0 ? err('remote_not_found') : { ok: true, output: { posts, more } }
}

function countIn({ count }: Args): number {
  return typeof count === 'number' && count >= 1 ? Math.min(Math.floor(count), MAX_ITEMS) : DEFAULT_ITEMS
}
