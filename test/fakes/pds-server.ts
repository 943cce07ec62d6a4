/**
 * A server of the AT Protocol (PDS) as the public lexicons describe it, as far as the tool uses it: strict about session, method, path, query and body, with
 * answers and errors as they are given there. Must not answer what a PDS would refuse. Called by tests.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Served, serve } from '../kit/server.ts'

export const HANDLE = 'ada.test'
export const DID = 'did:plc:adaadaadaadaadaadaadaada'
export const APP_PASSWORD = 'abcd-efgh-ijkl-mnop'
export const LOGIN = `${HANDLE}:${APP_PASSWORD}`
export const CID = 'bafyreigdmqpykrgxyaxtlafqpqhzrb7qy2rh75nldvfd4tucqmqqme5yje'

type Row = Record<string, unknown>

export interface Asked {
  readonly method: string
  readonly nsid: string
  readonly query: URLSearchParams
  readonly body: Row | null
}

export interface PdsState {
  feed: Row[]
  notifications: Row[]
  found: Row[]
  /** What `getPostThread` answers. */
  thread: Row
  /** By their ids. */
  readonly posts: Record<string, Row>
  /** Accounts by handle. */
  readonly accounts: Record<string, string>
  /** Records that were created. */
  readonly made: Row[]
  /** Answers the next requests after signing in, in the place of the above; null for one that is let through. */
  readonly next: (((asked: Asked, response: ServerResponse) => void) | null)[]
  /** What a sign-in answers instead. */
  signIn: ((response: ServerResponse) => void) | null
  readonly asked: Asked[]
  sessions: number
}

export function pdsState(): PdsState {
  return {
    ...{ feed: [], notifications: [], found: [], thread: {}, posts: {}, made: [], next: [], asked: [] },
    ...{ accounts: { [HANDLE]: DID }, signIn: null, sessions: 0 },
  }
}

export function profileRow(handle = 'bob.test', more: Row = {}): Row {
  const did = `did:plc:${handle.replace(/\W/g, '').padEnd(24, '2')}`
  return { did, handle, displayName: 'Bob', avatar: 'https://cdn.example/a.jpg', labels: [], ...more }
}

export function postRow(key: string, text: unknown, more: Row = {}): Row {
  const author = profileRow()
  return {
    ...{ uri: `at://${String(author['did'])}/app.bsky.feed.post/${key}`, cid: CID, author },
    record: { $type: 'app.bsky.feed.post', text, createdAt: '2026-11-26T09:00:00.123Z', langs: ['en'] },
    ...{ replyCount: 1, repostCount: 2, likeCount: 3, quoteCount: 0, indexedAt: '2026-11-26T09:00:01.000Z' },
    ...{ viewer: { threadMuted: false }, labels: [] },
    ...more,
  }
}

export function noticeRow(reason: string, more: Row = {}): Row {
  const author = profileRow()
  const collection = reason === 'like' ? 'app.bsky.feed.like' : 'app.bsky.feed.post'
  return {
    ...{ uri: `at://${String(author['did'])}/${collection}/3n`, cid: CID, author, reason, isRead: false },
    ...{ record: { $type: collection, createdAt: '2026-11-26T10:00:00.000Z' }, labels: [] },
    indexedAt: '2026-11-26T10:00:00.000Z',
    ...more,
  }
}

export async function servePds(state: PdsState): Promise<Served> {
  return serve((request, response, text) => answer(state, request, response, text))
}

function send(response: ServerResponse, body: unknown, status = 200, headers: Row = {}): void {
  const all = { 'content-type': 'application/json; charset=utf-8', ...headers } as Record<string, string>
  response.writeHead(status, all).end(JSON.stringify(body))
}

export function refuse(response: ServerResponse, status: number, error: string, headers: Row = {}): void {
  send(response, { error, message: `text-of-the-service about ${error}` }, status, headers)
}

function answer(state: PdsState, request: IncomingMessage, response: ServerResponse, text: string): unknown {
  const url = new URL(request.url ?? '/', 'http://pds.test')
  const nsid = /^\/xrpc\/([A-Za-z0-9.]+)$/.exec(url.pathname)?.[1] ?? ''
  const method = request.method ?? ''
  const isJson = /^application\/json/.test(request.headers['content-type'] ?? '')
  if (method === 'POST' && !isJson) return refuse(response, 400, 'InvalidRequest')
  const body = text === '' ? null : (JSON.parse(text) as Row)
  const asked = { method, nsid, query: url.searchParams, body }
  if (nsid === 'com.atproto.server.createSession') return signIn(state, asked, response)
  const session = request.headers.authorization ?? ''
  if (session === '') return refuse(response, 401, 'AuthMissing')
  // A later session of the same account ends none: two calls at the same time have one each.
  const nth = Number(/^Bearer session-(\d+)-of-ada$/.exec(session)?.[1])
  if (!(nth >= 1 && nth <= state.sessions)) return refuse(response, 400, 'InvalidToken')
  state.asked.push(asked)
  const instead = state.next.shift()
  if (instead !== undefined && instead !== null) return instead(asked, response)
  const found = METHODS[nsid]
  if (found === undefined) return refuse(response, 501, 'MethodNotImplemented')
  if (found.method !== method) return refuse(response, 405, 'InvalidRequest')
  return found.answer(state, asked, response)
}

function signIn(state: PdsState, { method, body }: Asked, response: ServerResponse): unknown {
  if (state.signIn !== null) return state.signIn(response)
  const { identifier, password, ...strange } = body ?? {}
  if (method !== 'POST' || Object.keys(strange).length > 0) return refuse(response, 400, 'InvalidRequest')
  if (![HANDLE, DID].includes(String(identifier)) || password !== APP_PASSWORD)
    return refuse(response, 401, 'AuthenticationRequired')
  state.sessions += 1
  const token = `session-${state.sessions}-of-ada`
  return send(response, {
    accessJwt: token,
    refreshJwt: `refresh-of-ada`,
    handle: HANDLE,
    did: DID,
    active: true,
  })
}

interface Method {
  readonly method: 'GET' | 'POST'
  readonly answer: (state: PdsState, asked: Asked, response: ServerResponse) => unknown
}

const METHODS: Readonly<Record<string, Method>> = {
  'app.bsky.feed.getTimeline': listed(({ feed }) => feed, 'feed', []),
  'app.bsky.notification.listNotifications': listed(
    ({ notifications }) => notifications,
    'notifications',
    [],
  ),
  'app.bsky.feed.searchPosts': listed(({ found }) => found, 'posts', ['q', 'sort']),
  'app.bsky.feed.getPosts': {
    method: 'GET',
    answer: ({ posts }, { query }, response) =>
      send(response, { posts: query.getAll('uris').flatMap((uri) => posts[uri] ?? []) }),
  },
  'app.bsky.feed.getPostThread': {
    method: 'GET',
    answer: ({ thread }, { query }, response) =>
      query.get('uri') === null ? refuse(response, 400, 'InvalidRequest') : send(response, { thread }),
  },
  'com.atproto.identity.resolveHandle': {
    method: 'GET',
    answer: ({ accounts }, { query }, response) => {
      const did = accounts[query.get('handle') ?? '']
      return did === undefined ? refuse(response, 400, 'InvalidRequest') : send(response, { did })
    },
  },
  'com.atproto.repo.createRecord': { method: 'POST', answer: createRecord },
}

/** With a cursor where there is more. */
function listed(of: (state: PdsState) => readonly Row[], field: string, params: readonly string[]): Method {
  return {
    method: 'GET',
    answer: (state, { query }, response) => {
      const limit = Number(query.get('limit') ?? 50)
      const strange = [...query.keys()].some((key) => !['limit', 'cursor', ...params].includes(key))
      const isLacking = params.some((param) => (query.get(param) ?? '') === '')
      if (strange || isLacking || !(limit >= 1 && limit <= 100))
        return refuse(response, 400, 'InvalidRequest')
      const from = Number(/^next-(\d+)$/.exec(query.get('cursor') ?? 'next-0')?.[1])
      if (Number.isNaN(from)) return refuse(response, 400, 'InvalidRequest')
      const rows = of(state)
      return send(response, {
        [field]: rows.slice(from, from + limit),
        ...(rows.length > from + limit && { cursor: `next-${from + limit}` }),
      })
    },
  }
}

/** By app.bsky.feed.post: length, and facets that lie within the bytes of the text. */
function createRecord(state: PdsState, { body }: Asked, response: ServerResponse): unknown {
  const { repo, collection, record, ...strange } = body ?? {}
  const post = (record ?? {}) as Row
  const text = post['text']
  const isPost =
    collection === 'app.bsky.feed.post' && post['$type'] === collection && typeof text === 'string'
  if (repo !== DID || !isPost || Object.keys(strange).length > 0)
    return refuse(response, 400, 'InvalidRequest')
  const bytes = Buffer.from(text, 'utf8')
  const graphemes = [...new Intl.Segmenter().segment(text)].length
  const facets = (post['facets'] ?? []) as { index: { byteStart: number; byteEnd: number } }[]
  const fits = facets.every(
    ({ index: { byteStart, byteEnd } }) => byteStart < byteEnd && byteEnd <= bytes.length,
  )
  const isDated = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(String(post['createdAt']))
  if (bytes.length > 3_000 || graphemes > 300 || !fits || !isDated)
    return refuse(response, 400, 'InvalidRecord')
  state.made.push(post)
  const uri = `at://${DID}/app.bsky.feed.post/3made${state.made.length}`
  return send(response, { uri, cid: CID, commit: { cid: CID, rev: '3k' }, validationStatus: 'valid' })
}
