/**
 * Slack's Web API as a user token sees it, as its documentation describes the methods that the tool uses: strict about token, method, path and query; pages by
 * cursor, errors with status 200. Must not answer what Slack would refuse. Called by tests.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Served, sendJson, serve } from '../kit/server.ts'

export const TOKEN = `xoxp-${'1234567890'.repeat(3)}-${'ab'.repeat(16)}`
export const ME = 'U0000000ME'
export const SITE = 'https://acme.slack.com/'

export type Row = Record<string, unknown>

export interface Asked {
  readonly method: string
  readonly query: URLSearchParams
}

export interface SlackAccount {
  /** Conversations by id; those without `is_member: false` are the owner's. */
  readonly places: Row[]
  /** Messages by conversation, in any order; of a thread by `<conversation>/<ts>`. */
  readonly said: Record<string, Row[]>
  readonly people: Row[]
  readonly found: Row[]
  /** Rows of a page; Slack's own may be shorter than what was asked for, too. */
  page: number
  /** Answers the next requests in the place of the above; false lets one through. */
  readonly next: ((asked: Asked, response: ServerResponse) => boolean)[]
  readonly asked: Asked[]
}

export function slackAccount(): SlackAccount {
  return { places: [], said: {}, people: [person(ME, 'owner')], found: [], page: 100, next: [], asked: [] }
}

export function person(id: string, name: string, more: Row = {}): Row {
  const profile = { display_name: name, real_name: `${name} Smith` }
  return { id, team_id: 'T1', name: name.toLowerCase(), deleted: false, is_bot: false, profile, ...more }
}

export function channel(id: string, name: string, more: Row = {}): Row {
  const kinds = { is_channel: true, is_group: false, is_im: false, is_mpim: false, is_private: false }
  return { id, name, name_normalized: name, ...kinds, is_archived: false, ...more }
}

export function chat(id: string, user: string, more: Row = {}): Row {
  return { id, user, is_im: true, is_org_shared: false, is_archived: false, updated: 1, ...more }
}

/** `minutes`: after 2026-11-27T10:00:00Z. */
export function said(minutes: number, user: string, text: string, more: Row = {}): Row {
  const seconds = Date.parse('2026-11-27T10:00:00Z') / 1_000 + minutes * 60
  return { type: 'message', ts: `${seconds}.000100`, user, text, team: 'T1', ...more }
}

export function refused(response: ServerResponse, error: string): true {
  sendJson(response, { ok: false, error, text: 'text-of-the-service' })
  return true
}

export function serveSlackAccount(state: SlackAccount): Promise<Served> {
  return serve((request, response) => answer(state, request, response))
}

const LISTED = ['cursor', 'limit']
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  'auth.test': [],
  'users.info': ['user'],
  'users.list': LISTED,
  'users.conversations': ['types', 'exclude_archived', ...LISTED],
  'conversations.list': ['types', 'exclude_archived', ...LISTED],
  'conversations.info': ['channel'],
  'conversations.history': ['channel', 'oldest', 'latest', ...LISTED],
  'conversations.replies': ['channel', 'ts', ...LISTED],
  'search.messages': ['query', 'sort', 'sort_dir', 'count', 'page'],
}

function answer(state: SlackAccount, request: IncomingMessage, response: ServerResponse): unknown {
  const url = new URL(request.url ?? '', 'http://x')
  const method = url.pathname.replace('/api/', '')
  const known = KNOWN[method]
  if (request.method !== 'GET' || known === undefined || !url.pathname.startsWith('/api/'))
    return sendJson(response, { ok: false, error: 'unknown_method' })
  if (request.headers.authorization !== `Bearer ${TOKEN}`) return refused(response, 'invalid_auth')
  const asked = { method, query: url.searchParams }
  state.asked.push(asked)
  const strange = [...url.searchParams.keys()].some((name) => !known.includes(name))
  const limit = url.searchParams.get('limit') ?? '100'
  if (strange || !/^[1-9]\d{0,2}$/.test(limit)) return refused(response, 'invalid_arguments')
  if (state.next.shift()?.(asked, response) === true) return
  const rows = ANSWERS[method]?.(state, url.searchParams)
  if (typeof rows === 'string') return refused(response, rows)
  sendJson(response, { ok: true, ...rows })
}

type Given = (state: SlackAccount, query: URLSearchParams) => Row | string

const ANSWERS: Readonly<Record<string, Given>> = {
  'auth.test': () => ({ url: SITE, team: 'Acme', user: 'owner', team_id: 'T1', user_id: ME }),
  'users.info': ({ people }, query) => {
    const user = people.find(({ id }) => id === query.get('user'))
    return user === undefined ? 'user_not_found' : { user }
  },
  'users.list': (state, query) => paged(state, query, 'members', state.people),
  'users.conversations': (state, query) =>
    paged(
      state,
      query,
      'channels',
      ofTypes(state, query).filter((row) => row['is_member'] !== false),
    ),
  'conversations.list': (state, query) => paged(state, query, 'channels', ofTypes(state, query)),
  'conversations.info': ({ places }, query) => {
    const found = places.find(({ id }) => id === query.get('channel'))
    return found === undefined ? 'channel_not_found' : { channel: found }
  },
  'conversations.history': (state, query) => {
    const id = query.get('channel') ?? ''
    if (!state.places.some((row) => row['id'] === id)) return 'channel_not_found'
    const oldest = query.get('oldest') ?? '0'
    if (!/^\d+\.\d{6}$/.test(`${oldest}${oldest === '0' ? '.000000' : ''}`)) return 'invalid_ts_oldest'
    const rows = (state.said[id] ?? []).filter((row) => Number(row['ts']) > Number(oldest))
    const newest = rows.toSorted((a, b) => Number(b['ts']) - Number(a['ts']))
    return paged(state, query, 'messages', newest)
  },
  'conversations.replies': (state, query) => {
    const rows = state.said[`${query.get('channel')}/${query.get('ts')}`]
    return rows === undefined ? 'thread_not_found' : paged(state, query, 'messages', rows)
  },
  'search.messages': ({ found }, query) => {
    if ((query.get('query') ?? '').trim() === '') return 'No query passed'
    const [size, page] = [Number(query.get('count') ?? 20), Number(query.get('page') ?? 1)]
    const matches = found.slice((page - 1) * size, page * size)
    return { query: query.get('query'), messages: { total: found.length, matches, paging: {} } }
  },
}

function ofTypes({ places }: SlackAccount, query: URLSearchParams): readonly Row[] {
  const types = (query.get('types') ?? 'public_channel').split(',')
  return places.filter((row) => {
    const type = row['is_im']
      ? 'im'
      : row['is_mpim']
        ? 'mpim'
        : row['is_private']
          ? 'private_channel'
          : 'public_channel'
    return types.includes(type)
  })
}

function paged(
  state: SlackAccount,
  query: URLSearchParams,
  list: string,
  rows: readonly Row[],
): Row | string {
  const cursor = query.get('cursor')
  const from = cursor === null ? 0 : Number(/^next-(\d+)==$/.exec(cursor)?.[1] ?? Number.NaN)
  if (Number.isNaN(from)) return 'invalid_cursor'
  const to = from + Math.min(Number(query.get('limit') ?? 100), state.page)
  const more = to < rows.length
  return {
    [list]: rows.slice(from, to),
    has_more: more,
    response_metadata: { next_cursor: more ? `next-${to}==` : '' },
  }
}
