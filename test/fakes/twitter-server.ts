/**
 * twitterapi.io as its documentation describes the calls that the tool uses: strict about key, method, path and query. Must not answer what it would refuse.
 * Called by tests.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Served, sendJson, serve } from '../kit/server.ts'

export const KEY = 'new1_0123456789abcdef0123456789abcdef'

type Row = Record<string, unknown>

export interface TwitterState {
  /** What it answers, whatever was asked for. */
  answer: unknown
  /** Other than 200: what it answers to the right key. */
  status: number
  /** The key that it takes. */
  key: string
  /** Path and query of what was let in. */
  readonly asked: string[]
}

export function twitterState(answer: unknown = postsOf([])): TwitterState {
  return { answer, status: 200, key: KEY, asked: [] }
}

export function tweetRow(id: string, text: unknown, more: Row = {}): Row {
  return {
    ...{ type: 'tweet', id, url: `https://x.com/nasa/status/${id}`, text, lang: 'en', isReply: false },
    ...{ retweetCount: 2, replyCount: 1, likeCount: 3, quoteCount: 0, viewCount: 9, bookmarkCount: 0 },
    createdAt: 'Fri Nov 27 09:00:00 +0000 2026',
    author: { type: 'user', userName: 'nasa', name: 'NASA', isBlueVerified: true },
    ...more,
  }
}

/** What a search answers. */
export function postsOf(tweets: readonly Row[], more = false): Row {
  return { tweets, has_next_page: more, next_cursor: '' }
}

/** The posts of an account lie one level deeper. */
export function timelineOf(tweets: readonly Row[]): Row {
  const data = { pin_tweet: null, tweets }
  return { status: 'success', code: 0, msg: 'success', data, has_next_page: false, next_cursor: '' }
}

export function serveTwitter(state: TwitterState): Promise<Served> {
  return serve((request, response) => answer(state, request, response))
}

const QUERIES: Readonly<Record<string, readonly string[]>> = {
  '/twitter/tweet/advanced_search': ['query', 'queryType'],
  '/twitter/user/last_tweets': ['userName'],
  '/oapi/my/info': [],
}

function answer(state: TwitterState, request: IncomingMessage, response: ServerResponse): unknown {
  const url = new URL(request.url ?? '/', 'http://twitter.test')
  const known = QUERIES[url.pathname]
  if (request.headers['x-api-key'] !== state.key || request.headers.authorization !== undefined)
    return sendJson(response, { error: 'Unauthorized', message: 'text-of-the-service' }, 401)
  if (request.method !== 'GET' || known === undefined) return sendJson(response, { detail: 'Not Found' }, 404)
  if ([...url.searchParams.keys()].sort().join() !== known.join()) return sendJson(response, {}, 422)
  if (state.status !== 200)
    return sendJson(response, { error: 'x', message: 'text-of-the-service' }, state.status)
  state.asked.push(url.pathname + url.search)
  return sendJson(response, state.answer)
}
