/**
 * Converts Cloudflare's answers to the declared fields, and parses DNS names and values. Contents of records and names of tunnels
 * are text; ids, DNS names, states and times are validated. Pure. Called by the reads and writes of this folder.
 */
import ipaddr from 'ipaddr.js'
import { cleanLine, toDate } from '../../extractors/page-clean.ts'
import { fieldOf, type JsonRecord, recordsOf, stringOf } from '../reading.ts'
import { type CHANGED, CLOUDFLARE_TEXT, TUNNEL_STATES, TYPES, ZONE_STATES } from './manifest.ts'

export type ChangedType = (typeof CHANGED)[number]

const ID = /^[0-9a-f]{32}$/
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** Names as in records: underscores are allowed, and a star at the beginning. */
const DOMAIN = /^(?:\*\.)?(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.){1,20}[a-z0-9-]{2,63}$/
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)$/
const MAX_TXT = 2_048

export function isId(value: unknown): value is string {
  return typeof value === 'string' && ID.test(value)
}

export function idOf(row: JsonRecord): string | null {
  const id = stringOf(row, 'id')
  return ID.test(id) ? id : null
}

/** A DNS name in lower case without a final dot; null for anything else. */
export function domainIn(text: string): string | null {
  const name = text.trim().toLowerCase().replace(/\.$/, '')
  return name.length <= CLOUDFLARE_TEXT.name && DOMAIN.test(name) ? name : null
}

/** Type of a value if none was named; a text record must be named as such. */
export function typeOf(value: string): ChangedType | null {
  if (IPV4.test(value)) return 'A'
  if (value.includes(':')) return ipaddr.IPv6.isValid(value) && !value.includes('%') ? 'AAAA' : null
  return domainIn(value) === null ? null : 'CNAME'
}

/** The value in the form that is written; null if it does not fit the type. */
export function contentOf(type: ChangedType, text: string): string | null {
  const value = text.trim()
  if (type === 'TXT') return value !== '' && value.length <= MAX_TXT && !/\p{C}/u.test(value) ? value : null
  if (typeOf(value) !== type) return null
  return type === 'CNAME' ? domainIn(value) : value
}

export function shapeZone(row: JsonRecord): readonly object[] {
  const [id, name] = [idOf(row), domainIn(stringOf(row, 'name'))]
  if (id === null || name === null) return []
  const state = oneOf(ZONE_STATES, stringOf(row, 'status'))
  return [{ id, name, state, paused: fieldOf(row, 'paused') === true }]
}

export function shapeRecord(row: JsonRecord): readonly object[] {
  const [id, name] = [idOf(row), domainIn(stringOf(row, 'name'))]
  if (id === null || name === null) return []
  const [ttl, proxied] = [fieldOf(row, 'ttl'), fieldOf(row, 'proxied')]
  const changed = toDate(stringOf(row, 'modified_on'))
  return [
    {
      ...{ id, name, type: oneOf(TYPES, stringOf(row, 'type')) },
      content: cleanLine(stringOf(row, 'content'), CLOUDFLARE_TEXT.content),
      ...(typeof proxied === 'boolean' && { proxied }),
      ...(typeof ttl === 'number' && Number.isSafeInteger(ttl) && ttl > 0 && { ttl }),
      ...(changed !== null && { changed }),
    },
  ]
}

/** Type and content for a card, one record per line; ends with a line of dots if there are more. At most `most` UTF-16 units. */
export function linesOf(rows: readonly JsonRecord[], most: number): string {
  const lines = rows.map(
    (row) =>
      `${oneOf(TYPES, stringOf(row, 'type'))} ${cleanLine(stringOf(row, 'content'), CLOUDFLARE_TEXT.content)}`,
  )
  const whole = lines.join('\n')
  return whole.length <= most ? whole : `${whole.slice(0, most - 2)}\n…`
}

export function shapeTunnel(row: JsonRecord): readonly object[] {
  const id = stringOf(row, 'id')
  if (!UUID.test(id)) return []
  const state = oneOf(TUNNEL_STATES, stringOf(row, 'status'))
  const isUp = state === 'healthy' || state === 'degraded'
  const since = toDate(stringOf(row, isUp ? 'conns_active_at' : 'conns_inactive_at'))
  return [
    {
      ...{ id, name: cleanLine(stringOf(row, 'name'), CLOUDFLARE_TEXT.title), state },
      ...(since !== null && { since }),
      connections: recordsOf(row, 'connections').length,
    },
  ]
}

/** The last value stands for anything that is none of the others. */
function oneOf<T extends string>(values: readonly T[], text: string): T {
  return values.find((value) => value === text) ?? (values.at(-1) as T)
}

export function countIn(row: JsonRecord, key: string): number {
  const value = fieldOf(row, key)
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0
}

/** Whether a Worker route (`*.example.com/api/*`) matches a name. */
export function isRouted(pattern: string, name: string): boolean {
  const host =
    pattern
      .replace(/^https?:\/\//i, '')
      .split('/')[0]
      ?.toLowerCase() ?? ''
  return host.startsWith('*') ? name.endsWith(host.slice(1)) : host === name
}
