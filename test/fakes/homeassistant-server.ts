/**
 * Home Assistant's REST API as its documentation describes it, as far as the tool uses it: strict about method, token, path and query. Must not answer what an
 * installation would refuse. Called by tests.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Answer, type Served, sendJson, serve } from '../kit/server.ts'

/** Of the form of a JSON web token, of nobody. */
export const TOKEN = `${'eyJhbGciOiJub25lIn0'}.${'a'.repeat(40)}.${'b'.repeat(43)}`

type Row = Record<string, unknown>

export interface HouseState {
  readonly states: Row[]
  /** Changes by entity, oldest first. */
  readonly history: Map<string, Row[]>
  /** Area by entity. */
  readonly areas: Map<string, string>
  /** Tokens that it takes. */
  readonly tokens: Set<string>
  /** Whether they are an administrator's: others may not render templates. */
  admin: boolean
  /** Answers every request in the place of the above, until it is null again. */
  instead: ((response: ServerResponse) => void) | null
  readonly asked: string[]
}

export function houseState(): HouseState {
  return {
    ...{ states: [], history: new Map(), areas: new Map(), tokens: new Set([TOKEN]) },
    ...{ admin: true, instead: null, asked: [] },
  }
}

export function stateOf(entity: string, state: string, attributes: Row = {}): Row {
  return {
    ...{ entity_id: entity, state, attributes },
    last_changed: '2026-11-27T07:00:00.123456+00:00',
    last_reported: '2026-11-27T09:00:00.123456+00:00',
    last_updated: '2026-11-27T09:00:00.123456+00:00',
    context: { id: '01JABC', parent_id: null, user_id: null },
  }
}

export function serveHouse(state: HouseState): Promise<Served> {
  return serve(houseAnswer(state))
}

export function houseAnswer(state: HouseState): Answer {
  return (request, response, body) => answer(state, { request, response, body })
}

interface Asked {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly body: string
}

function answer(state: HouseState, { request, response, body }: Asked): unknown {
  const { method = '', headers } = request
  if (state.instead !== null) return state.instead(response)
  const token = /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1] ?? ''
  if (!state.tokens.has(token)) return response.writeHead(401).end('401: Unauthorized')
  const url = new URL(request.url ?? '', 'http://house')
  state.asked.push(`${method} ${url.pathname}${url.search}`)
  const route = `${method} ${url.pathname}`
  if (route === 'GET /api/') return sendJson(response, { message: 'API running.' })
  if (route === 'GET /api/states' && url.search === '') return sendJson(response, state.states)
  if (route === 'POST /api/template') {
    if (!state.admin) return response.writeHead(401).end('401: Unauthorized')
    const { template } = JSON.parse(body) as { readonly template?: unknown }
    if (headers['content-type'] !== 'application/json' || typeof template !== 'string')
      return sendJson(response, { message: 'text-of-the-service' }, 400)
    return response.writeHead(200, { 'content-type': 'text/plain' }).end(JSON.stringify([...state.areas]))
  }
  const begin = /^\/api\/history\/period\/(.+)$/.exec(decodeURIComponent(url.pathname))?.[1]
  if (method === 'GET' && begin !== undefined) return past(state, { url, begin, response })
  const isKnown = ['/api/', '/api/states', '/api/template'].includes(url.pathname)
  return response.writeHead(isKnown ? 405 : 404).end()
}

const KNOWN = [
  'filter_entity_id',
  'end_time',
  'minimal_response',
  'no_attributes',
  'significant_changes_only',
]
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/

function past(
  { history }: HouseState,
  { url, begin, response }: { readonly url: URL; readonly begin: string; readonly response: ServerResponse },
): unknown {
  const entity = url.searchParams.get('filter_entity_id') ?? ''
  const end = url.searchParams.get('end_time') ?? ''
  const isRight = MOMENT.test(begin) && MOMENT.test(end) && /^[a-z_]+\.[a-z0-9_]+$/.test(entity)
  if (!isRight || ![...url.searchParams.keys()].every((key) => KNOWN.includes(key)))
    return sendJson(response, { message: 'text-of-the-service' }, 400)
  const at = (row: Row): number => Date.parse(String(row['last_changed']))
  const rows = history.get(entity) ?? []
  // The state at the beginning, said to be of then.
  const before = rows.filter((row) => at(row) <= Date.parse(begin)).at(-1)
  const within = rows.filter((row) => at(row) > Date.parse(begin) && at(row) < Date.parse(end))
  const found = [...(before === undefined ? [] : [{ ...before, last_changed: begin }]), ...within]
  const isShort = url.searchParams.has('minimal_response')
  const told = found.map((row, index) =>
    isShort && index > 0 && index < found.length - 1
      ? { state: row['state'], last_changed: row['last_changed'] }
      : { entity_id: entity, attributes: {}, last_updated: row['last_changed'], ...row },
  )
  return sendJson(response, told.length === 0 ? [] : [told])
}
