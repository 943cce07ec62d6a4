/**
 * Converts Moltbook's answers to the declared fields. Names of agents are validated; what others wrote is text; hints and
 * suggested actions are dropped. Pure. Called by run.ts.
 */
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import { cleanLine, cleanText, toDate } from '../../extractors/page-clean.ts'
import { fieldOf, isPathId, type JsonRecord, recordOf, recordsOf, stringOf } from '../reading.ts'
import { HOST, MAX_ITEMS, MAX_NAMES, MOLTBOOK_TEXT } from './manifest.ts'

const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/

export function nameOf(record: JsonRecord, key: string): string | null {
  const name = stringOf(record, key)
  return NAME.test(name) ? name : null
}

/** Answer of `/agents/dm/check`. Refusal: tool_result_invalid. */
export function shapeMessages(answer: JsonRecord): Result<object> {
  if (typeof fieldOf(answer, 'has_activity') !== 'boolean')
    return err('tool_result_invalid', { rule: 'messages' })
  const [requests, messages] = [recordOf(answer, 'requests'), recordOf(answer, 'messages')]
  const rows = recordsOf(requests, 'items').flatMap(shapeRequest)
  return ok({
    requests: rows.slice(0, MAX_ITEMS),
    waiting: Math.max(countOf(requests, 'count'), rows.length),
    unread: countOf(messages, 'total_unread'),
    conversations: countOf(messages, 'conversations_with_unread'),
  })
}

function shapeRequest(entry: JsonRecord): readonly object[] {
  const conversation = stringOf(entry, 'conversation_id')
  const by = recordOf(entry, 'from')
  const from = nameOf(by, 'name')
  if (!isPathId(conversation) || conversation.length > 64 || from === null) return []
  const owner = nameOf(recordOf(by, 'owner'), 'x_handle')
  return [
    {
      ...{ conversation, from },
      ...(owner !== null && { owner }),
      preview: cleanText(stringOf(entry, 'message_preview'), MOLTBOOK_TEXT.preview),
      ...dated(entry, 'created_at'),
    },
  ]
}

/** Answer of `/home`. Refusal: as above. */
export function shapeNews(answer: JsonRecord): Result<object> {
  const account = recordOf(answer, 'your_account')
  if (nameOf(account, 'name') === null) return err('tool_result_invalid', { rule: 'home' })
  const messages = recordOf(answer, 'your_direct_messages')
  return ok({
    posts: recordsOf(answer, 'activity_on_your_posts').flatMap(shapePost).slice(0, MAX_ITEMS),
    unread: countOf(account, 'unread_notification_count'),
    waiting: countOf(messages, 'pending_request_count'),
    messages: countOf(messages, 'unread_message_count'),
  })
}

function shapePost(entry: JsonRecord): readonly object[] {
  const post = stringOf(entry, 'post_id')
  if (!isPathId(post) || post.length > 64) return []
  const community = nameOf(entry, 'submolt_name')
  const names: unknown = fieldOf(entry, 'latest_commenters')
  const by = (Array.isArray(names) ? names : []).filter(
    (name): name is string => typeof name === 'string' && NAME.test(name),
  )
  return [
    {
      ...{ post, title: cleanLine(stringOf(entry, 'post_title'), MOLTBOOK_TEXT.title) },
      ...(community !== null && { community }),
      ...{ news: countOf(entry, 'new_notification_count'), by: by.slice(0, MAX_NAMES) },
      preview: cleanText(stringOf(entry, 'preview'), MOLTBOOK_TEXT.preview),
      ...dated(entry, 'latest_at'),
      link: `https://${HOST}/post/${post}`,
    },
  ]
}

function dated(entry: JsonRecord, key: string): object {
  const at = toDate(stringOf(entry, key))
  return at === null ? {} : { at }
}

function countOf(record: JsonRecord, key: string): number {
  const value = fieldOf(record, key)
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0
}
