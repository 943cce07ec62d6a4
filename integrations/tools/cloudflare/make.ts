/**
 * Creates a DNS record, or restores a removed one, in the zone that was looked up and approved, without looking up a name. A
 * restored record must have the valid mark of its removal. Must not retry a write. Called by run.ts.
 */
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { ToolCall, ToolOutcome } from '../../../kernel/tool/manifest.ts'
import { fieldOf, type JsonRecord, stringOf } from '../reading.ts'
import { UNCLEAR } from '../remote.ts'
import { type Api, getRows, post } from './api.ts'
import { type BESIDE, CARRIED, TTL } from './making.ts'
import { CHANGED } from './manifest.ts'
import { isMarked } from './mark.ts'
import { changedType, workerAt, zoneOf } from './records.ts'
import { type ChangedType, contentOf, domainIn, isId, linesOf } from './shape.ts'

/** Record types that Cloudflare can proxy. */
const PROXIED: readonly string[] = ['A', 'AAAA', 'CNAME']

/**
 * The read by which the kernel learns which records a new one would be beside. Refusals: tool_arguments_invalid,
 * remote_not_found.
 */
export async function findPlace(api: Api, { args }: Pick<ToolCall, 'args'>): Promise<ToolOutcome> {
  const name = domainIn(String(args['name']))
  const type = changedType(args)
  const content = type === null ? null : contentOf(type, String(args['to']))
  if (name === null || type === null || content === null)
    return err('tool_arguments_invalid', { rule: 'record' })
  const zone = await zoneOf(api, name)
  if (!zone.ok) return zone
  const found = await getRows(api, `/zones/${zone.value.id}/dns_records`, { name })
  if (!found.ok) return found
  const rows = found.value.rows.filter((row) => domainIn(stringOf(row, 'name')) === name)
  const there = linesOf(rows, CARRIED)
  const place = { zone: zone.value.id, domain: zone.value.name, kind: type, ...(there !== '' && { there }) }
  const worker = await workerAt(api, zone.value, name)
  return { ok: true, output: { ...place, beside: besideOf(type, content, rows), worker } }
}

/** An address and an alias exclude each other; name servers answer for everything below their name. */
function besideOf(type: ChangedType, content: string, rows: readonly JsonRecord[]): (typeof BESIDE)[number] {
  const types = rows.map((row) => stringOf(row, 'type'))
  const isSame = (row: JsonRecord): boolean =>
    stringOf(row, 'type') === type && stringOf(row, 'content').toLowerCase() === content.toLowerCase()
  if (rows.length === 0) return 'nothing'
  if (rows.some(isSame)) return 'same'
  if (types.includes('CNAME') || type === 'CNAME') return 'alone'
  return types.includes('NS') ? 'delegated' : 'others'
}

export function createRecord(api: Api, call: ToolCall): Promise<ToolOutcome> {
  return make(api, call.args, call.args['kind'])
}

/** Refusal: tool_arguments_invalid for a record without a valid mark of its removal. */
export async function putBack(api: Api, { args, credential }: ToolCall): Promise<ToolOutcome> {
  const { name, to, type, proxied, ttl, mark } = args
  const row = { name, kind: type, content: to, proxied, ttl }
  if (!isMarked(row, String(mark), credential)) return err('tool_arguments_invalid', { rule: 'mark' })
  return make(api, args, type)
}

async function make(api: Api, args: ToolCall['args'], kind: unknown): Promise<ToolOutcome> {
  const type = CHANGED.find((one) => one === kind)
  const [name, content] = [
    domainIn(String(args['name'])),
    type === undefined ? null : contentOf(type, String(args['to'])),
  ]
  if (type === undefined || name === null || content === null)
    return err('tool_arguments_invalid', { rule: 'value' })
  // Writes only to a zone that was looked up.
  if (!isId(args['zone'])) return err('tool_arguments_invalid', { rule: 'zone' })
  const how = howOf(type, args)
  if (!how.ok) return how
  const body = { type, name, content, ...how.value }
  const made = await post(api, `/zones/${args['zone']}/dns_records`, body)
  if (!made.ok) {
    const { code } = made.reason
    return UNCLEAR.has(code) ? err('write_outcome_unknown', { after: code }) : made
  }
  const isIt = domainIn(stringOf(made.value, 'name')) === name && isId(fieldOf(made.value, 'id'))
  return isIt
    ? { ok: true, output: { name, kind: type, content } }
    : err('write_outcome_unknown', { after: 'tool_result_invalid' })
}

/** For a proxied record, Cloudflare sets the TTL itself. */
function howOf(type: ChangedType, { proxied, ttl }: ToolCall['args']): Result<JsonRecord> {
  const isProxied = proxied === true
  if (isProxied && !PROXIED.includes(type)) return err('tool_arguments_invalid', { rule: 'proxied' })
  const isTime = typeof ttl === 'number' && Number.isInteger(ttl)
  const isFit = isTime && (ttl === TTL.automatic || (ttl >= TTL.least && ttl <= TTL.most))
  if (ttl !== undefined && !isFit) return err('tool_arguments_invalid', { rule: 'ttl' })
  if (isProxied && isTime && ttl !== TTL.automatic) return err('tool_arguments_invalid', { rule: 'ttl' })
  const time = { ttl: isTime ? ttl : TTL.automatic }
  return ok(PROXIED.includes(type) ? { ...time, proxied: isProxied } : time)
}
