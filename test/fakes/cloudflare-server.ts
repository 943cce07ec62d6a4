/**
 * Cloudflare's API v4 as its documentation describes it, as far as the tool uses it: strict about token, method, path, query and body, in its envelopes and
 * pages. Must not answer what Cloudflare would refuse. Called by tests. (cloudflare-api.ts is the part that deployment uses.)
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Served, sendJson, serve } from '../kit/server.ts'

export const TOKEN = `cfut_${'aB3-'.repeat(12)}`
export const ACCOUNT = 'a'.repeat(32)

export type Row = Record<string, unknown>

export interface Asked {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly body: Row | null
}

export interface CloudflareState {
  readonly zones: Row[]
  /** By id of the zone. */
  readonly records: Record<string, Row[]>
  readonly routes: Row[]
  readonly domains: Row[]
  readonly tunnels: Row[]
  /** By name of the Worker. */
  readonly usage: Record<string, Row[]>
  token: string
  /** Answers the next requests in the place of the above; false lets one through. */
  readonly next: ((asked: Asked, response: ServerResponse) => boolean)[]
  readonly asked: Asked[]
}

export function cloudflareState(): CloudflareState {
  return {
    ...{ zones: [], records: {}, routes: [], domains: [], tunnels: [], usage: {} },
    ...{ token: 'active', next: [], asked: [] },
  }
}

export function idOf(number: number): string {
  return number.toString(16).padStart(32, '0')
}

export function zoneRow(number: number, name: string, more: Row = {}): Row {
  const account = { id: ACCOUNT, name: "Owner's Account" }
  return { id: idOf(number), name, status: 'active', paused: false, type: 'full', account, ...more }
}

export function recordRow(number: number, type: string, name: string, content: string, more: Row = {}): Row {
  return {
    ...{ id: idOf(number), type, name, content, proxiable: true, proxied: false, ttl: 1, locked: false },
    ...{ meta: {}, comment: null, tags: [], modified_on: '2026-11-20T09:00:00.123456Z' },
    ...more,
  }
}

export function tunnelRow(number: number, name: string, status: string, more: Row = {}): Row {
  const id = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
  const connections = status === 'healthy' ? [{ id: '1' }, { id: '2' }] : []
  const times = { conns_active_at: '2026-11-26T08:00:00Z', conns_inactive_at: null, deleted_at: null }
  return { id, account_tag: ACCOUNT, name, status, connections, ...times, ...more }
}

export function failing(response: ServerResponse, status: number, code = 10_000): true {
  const errors = [{ code, message: 'text-of-the-service' }]
  sendJson(response, { success: false, errors, messages: [], result: null }, status)
  return true
}

export function serveCloudflare(state: CloudflareState): Promise<Served> {
  return serve((request, response, text) => answer(state, request, response, text))
}

const PAGES = ['page', 'per_page']
const ZONE = '([0-9a-f]{32})'

type Given = (
  state: CloudflareState,
  asked: Asked & { readonly ids: readonly string[] },
) => Row | readonly Row[] | number

const READS: readonly (readonly [path: RegExp, query: readonly string[], answer: Given])[] = [
  [/^\/user\/tokens\/verify$/, [], ({ token }) => ({ id: idOf(1), status: token })],
  [
    /^\/zones$/,
    ['name', ...PAGES],
    ({ zones }, { query }) =>
      zones.filter(({ name }) => query.get('name') === null || name === query.get('name')),
  ],
  [
    new RegExp(`^/zones/${ZONE}/dns_records$`),
    ['name', 'type', ...PAGES],
    ({ records }, { query, ids: [zone = ''] }) =>
      records[zone]?.filter((row) =>
        ['name', 'type'].every((key) => query.get(key) === null || row[key] === query.get(key)),
      ) ?? 404,
  ],
  [new RegExp(`^/zones/${ZONE}/workers/routes$`), [], ({ routes }) => routes],
  [
    /^\/accounts\/([0-9a-f]{32})\/workers\/domains$/,
    ['zone_id'],
    ({ domains }, { query }) => domains.filter(({ zone_id }) => zone_id === query.get('zone_id')),
  ],
  [/^\/accounts\/([0-9a-f]{32})\/cfd_tunnel$/, ['is_deleted', ...PAGES], ({ tunnels }) => tunnels],
]

function answer(
  state: CloudflareState,
  request: IncomingMessage,
  response: ServerResponse,
  text: string,
): unknown {
  const { pathname: path, searchParams: query } = new URL(request.url ?? '', 'http://x')
  if (request.headers.authorization !== `Bearer ${TOKEN}`) return failing(response, 401, 1000)
  const body = text === '' ? null : (JSON.parse(text) as Row)
  const asked = { method: request.method ?? '', path, query, body }
  state.asked.push(asked)
  if (state.next.shift()?.(asked, response) === true) return
  if (asked.method === 'GET' && body === null) return read(state, asked, response)
  if (asked.method === 'DELETE' && body === null) return remove(state, asked, response)
  if (request.headers['content-type'] !== 'application/json') return failing(response, 400)
  if (asked.method === 'PATCH') return change(state, asked, response)
  if (asked.method === 'POST' && path.endsWith('/dns_records')) return make(state, asked, response)
  return asked.method === 'POST' && path === '/graphql'
    ? figures(state, asked, response)
    : failing(response, 405)
}

function read(state: CloudflareState, asked: Asked, response: ServerResponse): unknown {
  for (const [pattern, known, given] of READS) {
    const found = pattern.exec(asked.path)
    if (found === null) continue
    if ([...asked.query.keys()].some((key) => !known.includes(key))) return failing(response, 400)
    const result = given(state, { ...asked, ids: found.slice(1) })
    if (typeof result === 'number') return failing(response, result)
    if (!Array.isArray(result) || !known.includes('page'))
      return sendJson(response, { success: true, errors: [], messages: [], result })
    const [page, per_page] = PAGES.map((key) => Number(asked.query.get(key) ?? '20')) as [number, number]
    const info = {
      page,
      per_page,
      total_count: result.length,
      total_pages: Math.ceil(result.length / per_page),
    }
    const rows = result.slice((page - 1) * per_page, page * per_page)
    return sendJson(response, { success: true, errors: [], messages: [], result: rows, result_info: info })
  }
  return failing(response, 404, 7003)
}

function change(state: CloudflareState, { path, body }: Asked, response: ServerResponse): unknown {
  const [, zone = '', id = ''] = /^\/zones\/([0-9a-f]{32})\/dns_records\/([0-9a-f]{32})$/.exec(path) ?? []
  const row = state.records[zone]?.find((one) => one['id'] === id)
  if (row === undefined) return failing(response, 404, 81_044)
  if (body === null || Object.keys(body).join() !== 'content' || typeof body['content'] !== 'string')
    return failing(response, 400)
  row['content'] = body['content']
  sendJson(response, { success: true, errors: [], messages: [], result: row })
}

const NEW_RECORD = ['type', 'name', 'content', 'ttl', 'proxied']

/** As Cloudflare refuses: what it does not know, another kind's proxy, times, and names where an alias stands or would. */
function make(state: CloudflareState, { path, body }: Asked, response: ServerResponse): unknown {
  const [, zone = ''] = /^\/zones\/([0-9a-f]{32})\/dns_records$/.exec(path) ?? []
  const [rows, of] = [state.records[zone], state.zones.find(({ id }) => id === zone)]
  if (rows === undefined || of === undefined) return failing(response, 404, 7003)
  const { type, name, content, ttl, proxied = false } = body ?? {}
  const isProxiable = ['A', 'AAAA', 'CNAME'].includes(String(type))
  const isInZone = name === of['name'] || String(name).endsWith(`.${String(of['name'])}`)
  const isTime = ttl === 1 || (Number(ttl) >= 60 && Number(ttl) <= 86_400 && proxied === false)
  const isKnown = Object.keys(body ?? {}).every((key) => NEW_RECORD.includes(key))
  if (!isKnown || !isInZone || !isTime || typeof content !== 'string' || content === '')
    return failing(response, 400)
  if (typeof proxied !== 'boolean' || (proxied && !isProxiable)) return failing(response, 400, 9004)
  const there = rows.filter((row) => row['name'] === name)
  if (there.some((row) => row['type'] === type && row['content'] === content))
    return failing(response, 400, 81_058)
  const addresses = ['A', 'AAAA', 'CNAME']
  const excludes = (one: unknown): boolean =>
    addresses.includes(String(one)) &&
    addresses.includes(String(type)) &&
    (one === 'CNAME' || type === 'CNAME')
  if (there.some((row) => excludes(row['type']))) return failing(response, 400, 81_053)
  const made = recordRow(900 + rows.length, String(type), String(name), content, { ttl, proxied })
  rows.push(made)
  sendJson(response, { success: true, errors: [], messages: [], result: made })
}

function remove(state: CloudflareState, { path }: Asked, response: ServerResponse): unknown {
  const [, zone = '', id = ''] = /^\/zones\/([0-9a-f]{32})\/dns_records\/([0-9a-f]{32})$/.exec(path) ?? []
  const rows = state.records[zone] ?? []
  const at = rows.findIndex((one) => one['id'] === id)
  if (at === -1) return failing(response, 404, 81_044)
  rows.splice(at, 1)
  sendJson(response, { success: true, errors: [], messages: [], result: { id } })
}

function figures(state: CloudflareState, { body }: Asked, response: ServerResponse): unknown {
  const { query, variables, ...others } = body ?? {}
  const { account, worker, from, to } = (variables ?? {}) as Record<string, string>
  const isInstant = [from, to].every((at) => /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(String(at)))
  const isKnown = /workersInvocationsAdaptive\(limit: \d+, filter: \{scriptName: \$worker,/.test(
    String(query),
  )
  if (!isKnown || !isInstant || account !== ACCOUNT || Object.keys(others).length > 0)
    return sendJson(response, { data: null, errors: [{ message: 'text-of-the-service' }] })
  const workersInvocationsAdaptive = state.usage[worker ?? ''] ?? []
  sendJson(response, { data: { viewer: { accounts: [{ workersInvocationsAdaptive }] } }, errors: null })
}
