/**
 * Finds one DNS record by name, checks whether a Worker answers there, and changes its value. The change uses the record and zone
 * that were looked up and approved, and looks up no name. Must not retry a write. Called by the other files of this folder.
 */
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { ToolCall, ToolOutcome } from '../../../kernel/tool/manifest.ts'
import { fieldOf, type JsonRecord, recordOf, stringOf } from '../reading.ts'
import { UNCLEAR } from '../remote.ts'
import { type Api, getAll, getRows, patch } from './api.ts'
import { CHANGED, CLOUDFLARE_TEXT, type WORKERS } from './manifest.ts'
import { type ChangedType, contentOf, domainIn, idOf, isId, isRouted, typeOf } from './shape.ts'

type WorkerPlace = (typeof WORKERS)[number]

export interface Zone {
  readonly id: string
  readonly name: string
  readonly account: string | null
}

/** The zone that contains a name: the longest match. Refusal: remote_not_found. */
export async function zoneOf(api: Api, name: string): Promise<Result<Zone>> {
  const labels = name.replace(/^\*\./, '').split('.')
  // Tries the name itself down to a domain of two labels.
  for (let at = 0; at <= labels.length - 2; at += 1) {
    const wanted = labels.slice(at).join('.')
    const found = await getRows(api, '/zones', { name: wanted })
    if (!found.ok) return found
    const row = found.value.rows.find((one) => domainIn(stringOf(one, 'name')) === wanted)
    const id = row === undefined ? null : idOf(row)
    if (row !== undefined && id !== null) return ok({ id, name: wanted, account: accountOf(row) })
  }
  return err('remote_not_found', { rule: 'zone' })
}

/** Accounts of the zones that the token can access. Refusal: remote_not_found if there are none. */
export async function accountsOf(api: Api): Promise<Result<readonly string[]>> {
  const zones = await getRows(api, '/zones')
  if (!zones.ok) return zones
  const accounts = [...new Set(zones.value.rows.flatMap((row) => accountOf(row) ?? []))]
  return accounts.length === 0 ? err('remote_not_found', { rule: 'account' }) : ok(accounts)
}

function accountOf(zone: JsonRecord): string | null {
  return idOf(recordOf(zone, 'account'))
}

/** Refusals: tool_arguments_invalid; remote_not_found, also if several records have that name and type. */
export async function findRecord(api: Api, { args }: Pick<ToolCall, 'args'>): Promise<ToolOutcome> {
  const name = domainIn(String(args['name']))
  const type = changedType(args)
  if (name === null || type === null) return err('tool_arguments_invalid', { rule: 'record' })
  const zone = await zoneOf(api, name)
  if (!zone.ok) return zone
  const found = await getRows(api, `/zones/${zone.value.id}/dns_records`, { name, type })
  if (!found.ok) return found
  const [row, ...others] = found.value.rows.filter(
    (one) => stringOf(one, 'type') === type && domainIn(stringOf(one, 'name')) === name,
  )
  const record = row === undefined ? null : idOf(row)
  const from = row === undefined ? '' : stringOf(row, 'content')
  if (record === null || others.length > 0 || from.length > CLOUDFLARE_TEXT.content)
    return err('remote_not_found', { rule: 'record' })
  const worker = await workerAt(api, zone.value, name)
  return { ok: true, output: { zone: zone.value.id, record, kind: type, from, worker } }
}

/** The type, derived from the value if none is named; null for a value that does not fit the type. */
export function changedType({ type, to }: ToolCall['args']): ChangedType | null {
  const value = typeof to === 'string' ? to.trim() : ''
  const said = CHANGED.find((one) => one === type) ?? (type === undefined ? typeOf(value) : null)
  return said === null || contentOf(said, value) === null ? null : said
}

/** The Worker may be PFAR's own edge, so an unreadable result is not treated as "none". */
export async function workerAt(api: Api, { id, account }: Zone, name: string): Promise<WorkerPlace> {
  const routes = await getAll(api, `/zones/${id}/workers/routes`)
  const domains =
    account === null ? null : await getAll(api, `/accounts/${account}/workers/domains`, { zone_id: id })
  const patterns = routes.ok ? routes.value.filter((row) => stringOf(row, 'script') !== '') : []
  const hosts =
    domains?.ok === true ? domains.value.map((row) => stringOf(row, 'hostname').toLowerCase()) : []
  if (hosts.includes(name) || patterns.some((row) => isRouted(stringOf(row, 'pattern'), name))) return 'here'
  if (!routes.ok || domains?.ok !== true) return 'unsure'
  return hosts.length + patterns.length > 0 ? 'in_zone' : 'none'
}

export async function updateRecord(api: Api, { args }: ToolCall): Promise<ToolOutcome> {
  const { zone, record, kind, name } = args
  const type = CHANGED.find((one) => one === kind)
  const content = type === undefined ? null : contentOf(type, String(args['to']))
  if (type === undefined || content === null) return err('tool_arguments_invalid', { rule: 'value' })
  // Writes only to a zone and record that were looked up.
  if (!isId(zone) || !isId(record)) return err('tool_arguments_invalid', { rule: 'record' })
  const made = await patch(api, `/zones/${zone}/dns_records/${record}`, { content })
  if (!made.ok) {
    const { code } = made.reason
    return UNCLEAR.has(code) ? err('write_outcome_unknown', { after: code }) : made
  }
  const changed = domainIn(stringOf(made.value, 'name'))
  if (changed === null || changed !== domainIn(String(name)) || fieldOf(made.value, 'content') === undefined)
    return err('write_outcome_unknown', { after: 'tool_result_invalid' })
  return { ok: true, output: { name: changed, kind: type, content } }
}
