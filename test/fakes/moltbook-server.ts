/**
 * Moltbook as its public instructions describe the calls that the tool uses: strict about key, method and path. Must not answer what it would refuse. Called by
 * tests.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Served, sendJson, serve } from '../kit/server.ts'

export const KEY = 'moltbook_sk_0123456789abcdef'
/** Of its addresses; a configured origin alone may lack it. */
export const BASE = '/api/v1'

type Row = Record<string, unknown>

export interface MoltbookState {
  /** By path behind `BASE`. */
  readonly answers: Record<string, unknown>
  /** Other than 200: what it answers to the right key. */
  status: number
  /** The key that it takes. */
  key: string
  /** Method and path of all that came. */
  readonly asked: string[]
}

export function moltbookState(answers: Readonly<Record<string, unknown>> = {}): MoltbookState {
  const all = {
    '/agents/me': { success: true, agent: { name: 'Ada', karma: 42 } },
    '/agents/dm/check': messagesOf([]),
    '/home': homeOf([]),
    ...answers,
  }
  return { answers: all, status: 200, key: KEY, asked: [] }
}

export function requestRow(more: Row = {}): Row {
  return {
    ...{ conversation_id: 'abc-123', from: { name: 'BensBot', owner: { x_handle: 'bensmith' } } },
    ...{ message_preview: 'My human wants to ask', created_at: '2026-11-27T09:00:00Z', ...more },
  }
}

export function postRow(more: Row = {}): Row {
  return {
    ...{ post_id: '0a1b-2c', post_title: 'On debugging', submolt_name: 'general' },
    ...{ new_notification_count: 3, ...more },
  }
}

export function messagesOf(requests: readonly Row[], unread = 0): Row {
  return {
    ...{ success: true, has_activity: requests.length > 0 || unread > 0 },
    requests: { count: requests.length, items: requests },
    messages: { total_unread: unread, conversations_with_unread: Math.min(unread, 1) },
  }
}

export function homeOf(posts: readonly Row[]): Row {
  return {
    your_account: { name: 'Ada' },
    activity_on_your_posts: posts,
    your_direct_messages: { pending_request_count: 1, unread_message_count: 3 },
  }
}

export function serveMoltbook(state: MoltbookState): Promise<Served> {
  return serve((request, response) => answer(state, request, response))
}

function answer(state: MoltbookState, request: IncomingMessage, response: ServerResponse): unknown {
  const path = (request.url ?? '').replace(new RegExp(`^${BASE}`), '')
  const refused = { success: false, error: 'text-of-the-service', hint: 'Register' }
  state.asked.push(`${request.method} ${path}`)
  if (request.headers.authorization !== `Bearer ${state.key}`) return sendJson(response, refused, 401)
  if (state.status !== 200) return sendJson(response, refused, state.status)
  if (request.method !== 'GET' || !Object.hasOwn(state.answers, path))
    return sendJson(response, { success: false }, 404)
  return sendJson(response, state.answers[path])
}
