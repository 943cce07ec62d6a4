/**
 * Reads of Slack that the owner names: a search, a channel, a thread. What is not said to be a public channel is told of as sensitive. Must not write.
 * Called by run.ts.
 */
import { err } from '../../../kernel/flow/verdict.ts'
import type { ToolCall, ToolOutcome } from '../../../kernel/tool/manifest.ts'
import { fieldOf, nextPart, partIn, recordOf, recordsOf } from '../reading.ts'
import { type Api, ask, askRows, type Rows } from './api.ts'
import { DEFAULT_MESSAGES, MAX_MESSAGES } from './manifest.ts'
import { namesFor, ownerOf, placeById, placeNamed } from './people.ts'
import { countOf, isSpoken, type Place, peopleIn, placeOf, shapeMessage, stampAt, threadIn } from './shape.ts'

type Args = ToolCall['args']

interface Told extends Pick<Rows, 'rows' | 'more'> {
  readonly next?: string | number
}

/** Messages of a page of a thread, and pages: of a longer one the first message and the newest that were read are shown. */
const THREAD_ROWS = 200
const THREAD_PAGES = 3

export async function searchMessages(api: Api, { words, count, part: asked }: Args): Promise<ToolOutcome> {
  const wanted = countIn(count)
  const part = partIn(asked)
  const query = {
    ...{ query: String(words).trim(), sort: 'timestamp', sort_dir: 'desc', count: wanted },
    ...(part > 1 && { page: part }),
  }
  const answer = await ask(api, 'search.messages', query)
  if (!answer.ok) return answer
  const found = recordOf(answer.value, 'messages')
  if (!Array.isArray(fieldOf(found, 'matches'))) return err('tool_result_invalid', { rule: 'json_list' })
  const matches = recordsOf(found, 'matches').slice(0, wanted)
  const names = await namesFor(api, peopleIn(matches))
  const messages = matches.flatMap((row) => {
    const place = placeOf(recordOf(row, 'channel'))
    if (place === null) return []
    return [{ ...placeFields(place), ...shapeMessage(row, { place: place.id, names, site: null }) }]
  })
  const more = countOf(found, 'total') > (part - 1) * wanted + matches.length && matches.length > 0
  return { ok: true, output: { messages, more, ...nextPart(part, more) } }
}

export async function readChannel(api: Api, { channel, from, count, older }: Args): Promise<ToolOutcome> {
  const place = await placeNamed(api, String(channel))
  if (!place.ok) return place
  const oldest = typeof from === 'string' ? { oldest: stampAt(Date.parse(from)) } : {}
  const query = {
    channel: place.value.id,
    limit: countIn(count),
    ...oldest,
    ...(typeof older === 'string' && { cursor: older }),
  }
  const found = await askRows(api, 'conversations.history', { list: 'messages', pages: 1, query })
  // Slack gives the newest first; people read a conversation from its beginning.
  if (!found.ok) return found
  const { rows, more, next } = found.value
  return told(api, place.value, { rows: rows.toReversed(), more, ...(next !== null && { next }) })
}

export async function readThread(api: Api, { thread, part: asked }: Args): Promise<ToolOutcome> {
  const named = threadIn(String(thread))
  if (named === null) return err('tool_arguments_invalid', { rule: 'thread' })
  const place = await placeById(api, named.channel)
  if (!place.ok) return place
  const query = { channel: named.channel, ts: named.ts, limit: THREAD_ROWS }
  const found = await askRows(api, 'conversations.replies', { list: 'messages', pages: THREAD_PAGES, query })
  if (!found.ok) return found
  const [first, ...replies] = found.value.rows
  if (first === undefined) return err('remote_not_found')
  const part = partIn(asked)
  const until = Math.max(0, replies.length - (part - 1) * (MAX_MESSAGES - 1))
  const older = until > MAX_MESSAGES - 1
  const rows = [first, ...replies.slice(Math.max(0, until - MAX_MESSAGES + 1), until)]
  return told(api, place.value, { rows, more: found.value.more || older, ...nextPart(part, older) })
}

async function told(api: Api, place: Place, { rows, ...further }: Told): Promise<ToolOutcome> {
  const spoken = rows.filter(isSpoken).slice(-MAX_MESSAGES)
  const owner = await ownerOf(api)
  if (!owner.ok) return owner
  const names = await namesFor(api, [...(place.user === null ? [] : [place.user]), ...peopleIn(spoken)])
  const where = place.user === null ? place.name : (names.get(place.user) ?? '')
  const messages = spoken.map((row) => ({
    ...shapeMessage(row, { place: place.id, names, site: owner.value.site }),
    replies: countOf(row, 'reply_count'),
  }))
  return {
    ok: true,
    output: { ...placeFields({ ...place, name: where }), messages, ...further },
    ...(place.kind !== 'public' && { level: 'sensitive' }),
  }
}

export function placeFields({ id, kind, name }: Place): object {
  return { conversation: id, kind, ...(name !== '' && { where: name }) }
}

function countIn(count: unknown): number {
  return typeof count === 'number' && count >= 1
    ? Math.min(Math.floor(count), MAX_MESSAGES)
    : DEFAULT_MESSAGES
}
