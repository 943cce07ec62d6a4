/**
 * Converts Bluesky's answers (lexicons app.bsky.feed.defs and app.bsky.notification.listNotifications) to the declared fields. What people wrote is
 * their text; the rest is checked against its kind, and a row that has no id or author is left out. Pure. Called by look.ts and write.ts.
 */
import { cleanLine, cleanText, toDate, toLink } from '../../extractors/page-clean.ts'
import { fieldOf, type JsonRecord, recordOf, recordsOf, stringOf } from '../reading.ts'
import { BLUESKY_TEXT, MAX_ITEMS, NOTICE_REASONS } from './manifest.ts'
import { pageOf, postIn } from './post-id.ts'
import { isDid, isHandle } from './session.ts'

/** The server has a further page. */
export function hasMore(answer: JsonRecord): boolean {
  return stringOf(answer, 'cursor') !== ''
}

/** Where that begins, in the server's own words; null where it is longer or odder than can be kept. */
export function cursorOf(answer: JsonRecord): string | null {
  const cursor = stringOf(answer, 'cursor')
  return /^[\x21-\x7e]{1,250}$/.test(cursor) ? cursor : null
}

export function shapePosts(answer: JsonRecord, max: number): readonly object[] {
  return recordsOf(answer, 'posts').flatMap(shapePost).slice(0, max)
}

export function shapeFeed(answer: JsonRecord, max: number): readonly object[] {
  return recordsOf(answer, 'feed')
    .flatMap((entry) => {
      const by = authorOf(recordOf(recordOf(entry, 'reason'), 'by'))
      return shapePost(recordOf(entry, 'post')).map((post) => ({
        ...post,
        ...(by !== null && { reposted_by: by }),
      }))
    })
    .slice(0, max)
}

function shapePost(view: JsonRecord): readonly object[] {
  const id = postIn(stringOf(view, 'uri'))
  const author = authorOf(recordOf(view, 'author'))
  if (id?.did === undefined || author === null) return []
  const record = recordOf(view, 'record')
  const embed = mediaOf(recordOf(view, 'embed'))
  const shares = toLink(stringOf(recordOf(embed, 'external'), 'uri'))
  const created = toDate(stringOf(record, 'createdAt')) ?? toDate(stringOf(view, 'indexedAt'))
  return [
    {
      ...{ post: stringOf(view, 'uri'), author, ...named(recordOf(view, 'author')) },
      text: cleanText(stringOf(record, 'text'), BLUESKY_TEXT.post),
      ...(created !== null && { created }),
      ...{ likes: countOf(view, 'likeCount'), reposts: countOf(view, 'repostCount') },
      ...{
        replies: countOf(view, 'replyCount'),
        answers: stringOf(recordOf(recordOf(record, 'reply'), 'parent'), 'uri') !== '',
      },
      pictures: recordsOf(embed, 'images').length,
      ...(shares !== null && { shares }),
      link: pageOf(id),
    },
  ]
}

/** Levels that are asked for, above the post and below it. */
export const THREAD = Object.freeze({ above: 10, below: 6 })

/** What a post answers, from the first on, the post, and its answers one below the other; what is blocked or gone is left out. */
export function shapeThread(
  answer: JsonRecord,
  max: number,
): { readonly posts: readonly object[]; readonly more: boolean } {
  const whole = recordOf(answer, 'thread')
  const before: object[] = []
  let above = recordOf(whole, 'parent')
  for (let level = 1; level <= THREAD.above && Object.keys(above).length > 0; level += 1) {
    before.unshift(...shapePost(recordOf(above, 'post')).map((post) => ({ ...post, depth: -level })))
    above = recordOf(above, 'parent')
  }
  const posts: object[] = [...before]
  let more = false
  const visit = (node: JsonRecord, depth: number): void => {
    if (posts.length >= max) {
      more = true
      return
    }
    posts.push(...shapePost(recordOf(node, 'post')).map((post) => ({ ...post, depth })))
    const replies = recordsOf(node, 'replies')
    if (depth >= THREAD.below) more ||= replies.length > 0
    else for (const reply of replies) visit(reply, depth + 1)
  }
  visit(whole, 0)
  return { posts: posts.slice(0, max), more: more || posts.length > max }
}

/** A quotation with pictures has them one level deeper. */
function mediaOf(embed: JsonRecord): JsonRecord {
  const media = recordOf(embed, 'media')
  return Object.keys(media).length > 0 ? media : embed
}

interface Notice {
  readonly unread: boolean
}

export function shapeNotifications(answer: JsonRecord): readonly Notice[] {
  return recordsOf(answer, 'notifications').flatMap(shapeNotification).slice(0, MAX_ITEMS)
}

function shapeNotification(entry: JsonRecord): readonly Notice[] {
  const author = authorOf(recordOf(entry, 'author'))
  if (author === null) return []
  const reason = stringOf(entry, 'reason')
  // Of a like it is the like itself, which is no post.
  const own = postIn(stringOf(entry, 'uri'))
  const post = own === null ? stringOf(entry, 'reasonSubject') : stringOf(entry, 'uri')
  const id = postIn(post)
  const text = cleanText(stringOf(recordOf(entry, 'record'), 'text'), BLUESKY_TEXT.post)
  const at = toDate(stringOf(entry, 'indexedAt'))
  return [
    {
      reason: NOTICE_REASONS.includes(reason) ? reason : 'other',
      ...{ author, ...named(recordOf(entry, 'author')) },
      ...(text !== '' && { text }),
      ...(id !== null && { post, link: pageOf(id) }),
      unread: fieldOf(entry, 'isRead') !== true,
      ...(at !== null && { at }),
    } as Notice,
  ]
}

/** The handle; the lasting id where the handle is broken (`handle.invalid`) or none. */
function authorOf(profile: JsonRecord): string | null {
  const [handle, did] = [stringOf(profile, 'handle'), stringOf(profile, 'did')]
  if (isHandle(handle) && handle !== 'handle.invalid') return handle
  return isDid(did) ? did : null
}

function named(profile: JsonRecord): object {
  const name = cleanLine(stringOf(profile, 'displayName'), BLUESKY_TEXT.name)
  return name === '' ? {} : { name }
}

function countOf(view: JsonRecord, key: string): number {
  const value = fieldOf(view, key)
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0
}
