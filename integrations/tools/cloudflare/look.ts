/**
 * The reads of Cloudflare: zones, records, tunnels, figures of a Worker. Must not write. Called by run.ts.
 */
import { err } from '../../../kernel/flow/verdict.ts'
import type { ToolCall, ToolOutcome } from '../../../kernel/tool/manifest.ts'
import { partIn, recordOf, recordsOf } from '../reading.ts'
import { type Api, getRows, graphql } from './api.ts'
import { DEFAULT_HOURS, MAX_HOURS, MAX_ROWS } from './manifest.ts'
import { accountsOf, zoneOf } from './records.ts'
import { countIn, domainIn, shapeRecord, shapeTunnel, shapeZone } from './shape.ts'

const HOUR = 3_600_000
/** Maximum number of accounts that are queried, one after another. */
const MAX_ACCOUNTS = 5
const WORKER = /^[a-z0-9][a-z0-9_-]{0,62}$/

/** https://developers.cloudflare.com/analytics/graphql-api/tutorials/querying-workers-metrics */
export const USAGE =
  'query Usage($account: string!, $worker: string!, $from: Time!, $to: Time!) { viewer { accounts(filter: {accountTag: $account}) { workersInvocationsAdaptive(limit: 1000, filter: {scriptName: $worker, datetime_geq: $from, datetime_leq: $to}) { sum { requests errors subrequests } dimensions { status } } } } }'

export async function listZones(api: Api, { args }: ToolCall): Promise<ToolOutcome> {
  const found = await getRows(api, '/zones', {}, partIn(args['part']))
  if (!found.ok) return found
  const { rows, ...further } = found.value
  return { ok: true, output: { zones: rows.flatMap(shapeZone).slice(0, MAX_ROWS), ...further } }
}

export async function listRecords(api: Api, { args }: ToolCall): Promise<ToolOutcome> {
  const name = domainIn(String(args['name']))
  if (name === null) return err('tool_arguments_invalid', { rule: 'name' })
  const zone = await zoneOf(api, name)
  if (!zone.ok) return zone
  const query = {
    ...(name !== zone.value.name && { name }),
    ...(typeof args['type'] === 'string' && { type: args['type'] }),
  }
  const found = await getRows(api, `/zones/${zone.value.id}/dns_records`, query, partIn(args['part']))
  if (!found.ok) return found
  const { rows, ...further } = found.value
  return {
    ok: true,
    output: { zone: zone.value.name, records: rows.flatMap(shapeRecord).slice(0, MAX_ROWS), ...further },
  }
}

export async function tunnelStatus(api: Api): Promise<ToolOutcome> {
  const accounts = await accountsOf(api)
  if (!accounts.ok) return accounts
  const tunnels: object[] = []
  let more = accounts.value.length > MAX_ACCOUNTS
  for (const account of accounts.value.slice(0, MAX_ACCOUNTS)) {
    const found = await getRows(api, `/accounts/${account}/cfd_tunnel`, { is_deleted: 'false' })
    if (!found.ok) return found
    tunnels.push(...found.value.rows.flatMap(shapeTunnel))
    more ||= found.value.more
  }
  return {
    ok: true,
    output: { tunnels: tunnels.slice(0, MAX_ROWS), more: more || tunnels.length > MAX_ROWS },
  }
}

export async function workerUsage(api: Api, { args, capability }: ToolCall): Promise<ToolOutcome> {
  const worker = String(args['worker']).trim().toLowerCase()
  if (!WORKER.test(worker)) return err('tool_arguments_invalid', { rule: 'worker' })
  const accounts = await accountsOf(api)
  if (!accounts.ok) return accounts
  const hours = hoursIn(args['hours'])
  const to = capability.claims.issuedAt
  const span = { from: new Date(to - hours * HOUR).toISOString(), to: new Date(to).toISOString() }
  const sums = { requests: 0, errors: 0, subrequests: 0 }
  let isKnown = false
  for (const account of accounts.value.slice(0, MAX_ACCOUNTS)) {
    const data = await graphql(api, USAGE, { account, worker, ...span })
    if (!data.ok) return data
    const found = recordsOf(recordOf(data.value, 'viewer'), 'accounts')
    for (const row of found.flatMap((one) => recordsOf(one, 'workersInvocationsAdaptive'))) {
      isKnown = true
      const sum = recordOf(row, 'sum')
      sums.requests += countIn(sum, 'requests')
      sums.errors += countIn(sum, 'errors')
      sums.subrequests += countIn(sum, 'subrequests')
    }
  }
  // A Worker that was never called and one that does not exist have the same result.
  return isKnown ? { ok: true, output: { hours, ...sums } } : err('remote_not_found')
}

function hoursIn(hours: unknown): number {
  return typeof hours === 'number' && hours >= 1 ? Math.min(Math.floor(hours), MAX_HOURS) : DEFAULT_HOURS
}
