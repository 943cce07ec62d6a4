/**
 * Who is who at Slack: the owner of a token, names of the people in messages, and the conversation that a name means. Must not write. Called by
 * look.ts, unanswered.ts and run.ts.
 */
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import { fieldOf, type JsonRecord, recordOf, stringOf } from '../reading.ts'
import { type Api, ask, askRows } from './api.ts'
import {
  CONVERSATION_ID,
  type Names,
  namesOf,
  PERSON_ID,
  type Place,
  personName,
  placeOf,
  siteOf,
} from './shape.ts'

/** People whose names are asked for in one call, each by a request of its own. */
const MAX_NAMES = 15
/** Rows of a page, fewer than Slack's limit, and pages: a workspace with more is looked through in part. */
const PAGE_ROWS = 500
const MAX_PAGES = 4

export interface Owner {
  readonly id: string
  /** As the owner is called there; null: no such name. */
  readonly name: string | null
  readonly site: string | null
}

/** Refusals: those of `ask`. */
export async function ownerOf(api: Api): Promise<Result<Owner>> {
  const answer = await ask(api, 'auth.test')
  if (!answer.ok) return answer
  const id = stringOf(answer.value, 'user_id')
  if (!PERSON_ID.test(id)) return err('tool_result_invalid', { rule: 'user' })
  const name = stringOf(answer.value, 'user')
  return ok({ id, name: /^[A-Za-z0-9._-]{1,80}$/.test(name) ? name : null, site: siteOf(answer.value) })
}

/** Whom Slack does not name stays without a name: a message counts without it. */
export async function namesFor(api: Api, ids: readonly string[]): Promise<Names> {
  const names = new Map<string, string>()
  for (const user of [...new Set(ids)].slice(0, MAX_NAMES)) {
    const answer = await ask(api, 'users.info', { user })
    if (!answer.ok && answer.reason.code === 'remote_rate_limited') break
    const name = answer.ok ? personName(recordOf(answer.value, 'user')) : ''
    if (name !== '') names.set(user, name)
  }
  return names
}

/** By id, by the name of a channel, or by that of a person. Refusal: remote_not_found, also where several people have that name. */
export async function placeNamed(api: Api, named: string): Promise<Result<Place>> {
  const name = named.trim()
  if (CONVERSATION_ID.test(name)) return placeById(api, name)
  const bare = name.replace(/^[#@]/, '').toLowerCase()
  if (bare === '') return err('remote_not_found')
  if (!name.startsWith('@')) {
    const channel = await channelNamed(api, bare)
    if (!channel.ok || channel.value !== null) return channel.ok ? ok(channel.value as Place) : channel
  }
  return name.startsWith('#') ? err('remote_not_found') : chatWith(api, bare)
}

/** What Slack does not tell of counts as private: its kind is not known. */
export async function placeById(api: Api, id: string): Promise<Result<Place>> {
  const answer = await ask(api, 'conversations.info', { channel: id })
  if (!answer.ok) return answer
  const place = placeOf(recordOf(answer.value, 'channel'))
  return place === null || place.id !== id ? err('tool_result_invalid', { rule: 'channel' }) : ok(place)
}

async function channelNamed(api: Api, name: string): Promise<Result<Place | null>> {
  const query = { types: 'public_channel,private_channel', limit: PAGE_ROWS }
  const found = await askRows(api, 'conversations.list', { list: 'channels', pages: MAX_PAGES, query })
  if (!found.ok) return found
  const isIt = (row: JsonRecord): boolean =>
    [stringOf(row, 'name'), stringOf(row, 'name_normalized')].some((one) => one.toLowerCase() === name)
  const [row] = found.value.rows.filter(isIt)
  return ok(row === undefined ? null : placeOf(row))
}

async function chatWith(api: Api, name: string): Promise<Result<Place>> {
  const query = { limit: PAGE_ROWS }
  const people = await askRows(api, 'users.list', { list: 'members', pages: MAX_PAGES, query })
  if (!people.ok) return people
  const meant = people.value.rows.filter(
    (row) => fieldOf(row, 'deleted') !== true && namesOf(row).includes(name),
  )
  const [person] = meant
  if (person === undefined || meant.length > 1) return err('remote_not_found', { found: meant.length })
  const chats = await askRows(api, 'conversations.list', {
    ...{ list: 'channels', pages: MAX_PAGES },
    query: { types: 'im', limit: PAGE_ROWS },
  })
  if (!chats.ok) return chats
  const row = chats.value.rows.find((chat) => stringOf(chat, 'user') === stringOf(person, 'id'))
  const place = row === undefined ? null : placeOf(row)
  return place === null ? err('remote_not_found') : ok(place)
}
