/** Cloudflare over its API (I-19): maps actions to calls. Called through integrations/tools/port.ts. */
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { Tool, ToolCall, ToolOutcome } from '../../../kernel/tool/manifest.ts'
import { stringOf } from '../reading.ts'
import { type Api, getRecord } from './api.ts'
import { listRecords, listZones, tunnelStatus, workerUsage } from './look.ts'
import { createRecord, findPlace, putBack } from './make.ts'
import { CLOUDFLARE_MANIFEST, HOST } from './manifest.ts'
import { findRecord, updateRecord } from './records.ts'
import { findRemoved, removeRecord } from './remove.ts'

const ACTIONS: ReadonlyMap<string, (api: Api, call: ToolCall) => Promise<ToolOutcome>> = new Map([
  ['cloudflare.zones', listZones],
  ['cloudflare.dns_list', listRecords],
  ['cloudflare.find_record', findRecord],
  ['cloudflare.tunnel_status', tunnelStatus],
  ['cloudflare.worker_usage', workerUsage],
  ['cloudflare.dns_update', updateRecord],
  ['cloudflare.find_place', findPlace],
  ['cloudflare.find_removed', findRemoved],
  ['cloudflare.dns_create', createRecord],
  ['cloudflare.dns_delete', removeRecord],
  ['cloudflare.dns_put_back', putBack],
])

export function createCloudflareTool({ baseUrl }: { readonly baseUrl?: string } = {}): Tool {
  const base = (baseUrl ?? `https://${HOST}/client/v4`).replace(/\/+$/, '')
  return {
    manifest: { ...CLOUDFLARE_MANIFEST, network: [new URL(base).host] },
    check: async (call): Promise<Result<string | null>> => {
      const token = await getRecord({ base, call }, '/user/tokens/verify')
      if (!token.ok) return token
      return stringOf(token.value, 'status') === 'active' ? ok(null) : err('remote_unauthorized')
    },
    execute: async (call) => (await ACTIONS.get(call.action)?.({ base, call }, call)) ?? err('tool_unknown'),
  }
}
