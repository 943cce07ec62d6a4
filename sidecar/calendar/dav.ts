/**
 * CalDAV requests (RFC 4791): queries and the parsing of their responses, one resource with its version, and conditional writes.
 * The password is put into one header only. Must not retry. Called by caldav.ts, carddav.ts and `pfar connect`.
 */

import { checkStatus } from '../../integrations/tools/remote.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { Credential, HttpRequest, HttpResponse, ScopedHttp } from '../../kernel/tool/manifest.ts'
import { stampOf } from './stamp.ts'
import { childrenOf, nodeAt, readXml, type XmlNode } from './xml.ts'

export const DAV = 'DAV:'
const CAL = 'urn:ietf:params:xml:ns:caldav'
const MULTISTATUS = 207
/** The server has no room: nothing was written (RFC 4918 §11.5). */
const NO_ROOM = 507

export interface Server {
  /** Origin. */
  readonly server: string
  readonly user: string
  readonly credential: Credential | null
  readonly http: ScopedHttp
}

export interface DavCalendar {
  readonly path: string
  readonly name: string
  readonly writable: boolean
}

export interface Resource {
  readonly path: string
  /** Empty if the server sends none. */
  readonly etag: string
  readonly body: string
}

type Asked = Pick<HttpRequest, 'method' | 'headers' | 'body'> & { readonly path: string }

/** Refusals: those of the client, and credential_missing. */
async function send({ server, user, credential, http }: Server, asked: Asked): Promise<Result<HttpResponse>> {
  if (credential === null) return err('credential_missing')
  const url = URL.parse(asked.path, server)
  // A path from a response or an id may point to another server.
  if (url === null || url.origin !== new URL(server).origin)
    return err('host_not_allowed', { rule: 'origin' })
  const headers = { ...asked.headers, authorization: basic(user, credential.value) }
  const { method, body } = asked
  return http.request({ method, url: url.href, headers, ...(body !== undefined && { body }) })
}

function basic(user: string, password: string): string {
  const bytes = new TextEncoder().encode(`${user}:${password}`)
  return `Basic ${btoa(String.fromCharCode(...bytes))}`
}

export function statusOf(answer: HttpResponse): Result<true> {
  if (answer.status === NO_ROOM) return err('remote_rejected', { status: NO_ROOM })
  return checkStatus(answer)
}

interface Row {
  readonly path: string
  /** The element `prop` with the properties that were found. */
  readonly found: XmlNode
}

/** Refusals: those of `send` and of the status; tool_result_invalid for a response that is no multistatus. */
export async function multistatus(
  server: Server,
  asked: Omit<Asked, 'headers'> & { readonly depth: '0' | '1' },
): Promise<Result<readonly Row[]>> {
  const { depth, ...request } = asked
  const headers = { depth, 'content-type': 'application/xml; charset=utf-8', accept: 'application/xml' }
  const answer = await send(server, { ...request, headers })
  if (!answer.ok) return answer
  const status = statusOf(answer.value)
  if (!status.ok) return status
  if (answer.value.status !== MULTISTATUS) return err('tool_result_invalid', { rule: 'multistatus' })
  const root = readXml(answer.value.body)
  if (!root.ok) return root
  if (root.value.ns !== DAV || root.value.name !== 'multistatus')
    return err('tool_result_invalid', { rule: 'multistatus' })
  // A truncated report (RFC 6578, RFC 4918) is not a complete list.
  const isCut = childrenOf(root.value, DAV, 'response').some((one) =>
    /\s507\b/.test(nodeAt(one, [DAV, 'status'])?.text ?? ''),
  )
  if (isCut) return err('tool_result_invalid', { rule: 'cut' })
  return ok(childrenOf(root.value, DAV, 'response').flatMap((one) => rowOf(one, server.server)))
}

function rowOf(response: XmlNode, origin: string): readonly Row[] {
  const path = pathOf(nodeAt(response, [DAV, 'href'])?.text ?? '', origin)
  const found = childrenOf(response, DAV, 'propstat')
    .filter((one) => /\s200\b/.test(nodeAt(one, [DAV, 'status'])?.text ?? ''))
    .flatMap((one) => childrenOf(one, DAV, 'prop'))
  const children = found.flatMap((prop) => prop.children)
  const [first] = found
  return path === null || first === undefined ? [] : [{ path, found: { ...first, children } }]
}

/** The path of a URL on this server; null for another server. */
export function pathOf(href: string, origin: string): string | null {
  const url = URL.parse(href.trim(), origin)
  return url === null || url.origin !== new URL(origin).origin ? null : url.pathname
}

const PROPFIND_HEAD = `<?xml version="1.0" encoding="utf-8"?><D:propfind xmlns:D="${DAV}" xmlns:C="${CAL}"><D:prop>`
const PROPFIND_END = '</D:prop></D:propfind>'

function propfind(...properties: readonly string[]): string {
  return `${PROPFIND_HEAD}${properties.map((name) => `<${name}/>`).join('')}${PROPFIND_END}`
}

export interface Discovered {
  /** Absolute URL, because it may be on another server. */
  readonly home: URL
  readonly address: string | null
}

/**
 * Finds the owner's collection of calendars from any address of the server (RFC 5397, RFC 4791 §6.2.1). Further refusal:
 * remote_not_found.
 */
export async function discover(server: Server, path: string): Promise<Result<Discovered>> {
  const asked = propfind('D:current-user-principal', 'C:calendar-home-set', 'C:calendar-user-address-set')
  let at = path
  for (let steps = 0; steps < 3; steps += 1) {
    const rows = await multistatus(server, { method: 'PROPFIND', path: at, depth: '0', body: asked })
    if (!rows.ok) return rows
    const [row] = rows.value
    const home = row && nodeAt(row.found, [CAL, 'calendar-home-set'], [DAV, 'href'])?.text.trim()
    const url = home ? URL.parse(home, server.server) : null
    if (row !== undefined && url !== null) return ok({ home: url, address: addressIn(row.found) })
    const next = row && nodeAt(row.found, [DAV, 'current-user-principal'], [DAV, 'href'])?.text
    const principal = next ? pathOf(next, server.server) : null
    if (principal === null || principal === at) break
    at = principal
  }
  return err('remote_not_found', { rule: 'home' })
}

function addressIn(found: XmlNode): string | null {
  const set = nodeAt(found, [CAL, 'calendar-user-address-set'])
  const mails = (set === null ? [] : childrenOf(set, DAV, 'href')).flatMap(({ text }) => {
    const mail = /^mailto:(.+)$/i.exec(text.trim())?.[1]
    return mail === undefined ? [] : [decoded(mail).toLowerCase()]
  })
  return mails[0] ?? null
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export async function calendarsIn(server: Server, home: string): Promise<Result<readonly DavCalendar[]>> {
  const body = propfind(
    ...['D:resourcetype', 'D:displayname', 'D:current-user-privilege-set'],
    'C:supported-calendar-component-set',
  )
  const rows = await multistatus(server, { method: 'PROPFIND', path: home, depth: '1', body })
  if (!rows.ok) return rows
  // Sorted, because servers list them in any order.
  return ok(rows.value.flatMap(calendarOf).sort((a, b) => (a.path < b.path ? -1 : 1)))
}

function calendarOf({ path, found }: Row): readonly DavCalendar[] {
  const type = nodeAt(found, [DAV, 'resourcetype'])
  if (type === null || childrenOf(type, CAL, 'calendar').length === 0) return []
  const kinds = nodeAt(found, [CAL, 'supported-calendar-component-set'])
  const takes =
    kinds === null ? [] : childrenOf(kinds, CAL, 'comp').map(({ attributes }) => attributes['name'])
  // A collection that contains only tasks has no events.
  if (takes.length > 0 && !takes.includes('VEVENT')) return []
  const rights = nodeAt(found, [DAV, 'current-user-privilege-set'])
  const granted = (rights === null ? [] : childrenOf(rights, DAV, 'privilege')).flatMap((one) =>
    one.children.map(({ name }) => name),
  )
  const writable = rights === null || granted.some((name) => ['all', 'write', 'write-content'].includes(name))
  return [{ path, name: nodeAt(found, [DAV, 'displayname'])?.text ?? '', writable }]
}

/** Whether the server mails invitations itself (RFC 6638 §2). */
export async function sendsInvitations(server: Server, path: string): Promise<boolean> {
  const body = propfind('D:resourcetype')
  const headers = { depth: '0', 'content-type': 'application/xml; charset=utf-8' }
  const answer = await send(server, { method: 'PROPFIND', path, body, headers })
  return answer.ok && /\bcalendar-auto-schedule\b/.test(answer.value.headers['dav'] ?? '')
}

/** The resources with events in this period. The server expands recurrences to find them, and sends each resource whole. */
export async function resourcesWithin(
  server: Server,
  path: string,
  { start, end }: { readonly start: number; readonly end: number },
): Promise<Result<readonly Resource[]>> {
  const range = `<C:time-range start="${stampOf(start)}" end="${stampOf(end)}"/>`
  const filter = `<C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT">${range}</C:comp-filter></C:comp-filter>`
  const prop = '<D:prop><D:getetag/><C:calendar-data/></D:prop>'
  const body = `<?xml version="1.0" encoding="utf-8"?><C:calendar-query xmlns:D="${DAV}" xmlns:C="${CAL}">${prop}<C:filter>${filter}</C:filter></C:calendar-query>`
  const rows = await multistatus(server, { method: 'REPORT', path, depth: '1', body })
  if (!rows.ok) return rows
  return ok(
    rows.value.flatMap(({ path: at, found }) => {
      const data = nodeAt(found, [CAL, 'calendar-data'])
      const etag = etagOf(nodeAt(found, [DAV, 'getetag'])?.text)
      return data === null ? [] : [{ path: at, etag, body: data.text }]
    }),
  )
}

/** Refusals: those of `send` and of the status. */
export async function readResource(server: Server, path: string): Promise<Result<Resource>> {
  const answer = await send(server, { method: 'GET', path, headers: { accept: 'text/calendar' } })
  if (!answer.ok) return answer
  const status = statusOf(answer.value)
  if (!status.ok) return status
  return ok({ path, etag: etagOf(answer.value.headers['etag']), body: answer.value.body })
}

/** A compressing proxy marks the versions of its responses as weak; the version for a write must not be weak. */
function etagOf(text: string | undefined): string {
  return (text ?? '').trim().replace(/^W\//, '')
}

/**
 * Writes only to that version, or only if nothing exists yet (`etag` null). Refusals: those of `send` and of the status; 412 is
 * remote_rejected.
 */
export async function writeResource(
  server: Server,
  { path, etag, body }: { readonly path: string; readonly etag: string | null; readonly body: string },
): Promise<Result<true>> {
  const condition = etag === null ? { 'if-none-match': '*' } : { 'if-match': etag }
  const headers = { ...condition, 'content-type': 'text/calendar; charset=utf-8' }
  const answer = await send(server, { method: 'PUT', path, headers, body })
  return answer.ok ? statusOf(answer.value) : answer
}

export async function deleteResource(
  server: Server,
  { path, etag }: { readonly path: string; readonly etag: string },
): Promise<Result<true>> {
  const answer = await send(server, { method: 'DELETE', path, headers: { 'if-match': etag } })
  return answer.ok ? statusOf(answer.value) : answer
}
