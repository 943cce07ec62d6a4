/**
 * Home Assistant's REST API (https://developers.home-assistant.io/docs/api/rest/) over the client of one call. Reads only: the one POST renders a template of this
 * file, without a word of anybody's. Must not retry, or put the service's text into a reason. Called by run.ts.
 */
import { isPlainRecord } from '../../../kernel/flow/json.ts'
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { ToolCall } from '../../../kernel/tool/manifest.ts'
import type { JsonRecord } from '../reading.ts'
import { callAnyJson, callJson } from '../remote.ts'

export interface Api {
  /** Without a slash at the end. */
  readonly base: string
  readonly call: Pick<ToolCall, 'credential' | 'http'>
}

export interface Read {
  readonly records: readonly JsonRecord[]
  /** Epoch milliseconds by the service's own clock: a tool has none. Null where the answer does not say. */
  readonly at: number | null
}

/** Entities of one installation, changes of one history: what is more is not read. */
export const MOST = { entities: 20_000, changes: 50_000 } as const

/** The area of each entity that has one. */
const AREAS =
  '{% set ns = namespace(r=[]) %}{% for a in areas() %}{% for e in area_entities(a) %}{% set ns.r = ns.r + [[e, area_name(a)]] %}{% endfor %}{% endfor %}{{ ns.r | to_json }}'

/** Whether it takes the token. */
export function running({ base, call }: Api): Promise<Result<JsonRecord>> {
  return callJson(call, { method: 'GET', url: `${base}/api/` })
}

/** Refusals: those of `callAnyJson`; tool_result_invalid for no list, or one that is too long. */
export async function statesOf({ base, call }: Api): Promise<Result<Read>> {
  const answer = await callAnyJson(call, { method: 'GET', url: `${base}/api/states` })
  if (!answer.ok) return answer
  const { json, headers } = answer.value
  if (!Array.isArray(json)) return err('tool_result_invalid', { rule: 'states' })
  if (json.length > MOST.entities) return err('tool_result_invalid', { rule: 'states', max: MOST.entities })
  const at = Date.parse(headers['date'] ?? '')
  return ok({ records: json.filter(isPlainRecord), at: Number.isNaN(at) ? null : at })
}

/** Names of areas by entity. Tokens of users that are no administrators may not ask for them: then there are none. */
export async function areasOf({ base, call }: Api): Promise<ReadonlyMap<string, string>> {
  const answer = await callAnyJson(call, {
    ...{ method: 'POST', url: `${base}/api/template`, body: { template: AREAS } },
    headers: { accept: 'text/plain' },
  })
  const pairs = answer.ok && Array.isArray(answer.value.json) ? answer.value.json : []
  return new Map(
    pairs.flatMap((pair: unknown): readonly (readonly [string, string])[] => {
      const [entity, area] = Array.isArray(pair) ? (pair as readonly unknown[]) : []
      return typeof entity === 'string' && typeof area === 'string' ? [[entity, area]] : []
    }),
  )
}

interface Wanted {
  readonly entity: string
  /** Epoch milliseconds. */
  readonly from: number
  readonly to: number
  /** With attributes: a thermostat's temperature is one. */
  readonly whole: boolean
}

/** Changes of one entity between two moments, the state at the first one included; refusals as above. */
export async function changesOf(
  { base, call }: Api,
  { entity, from, to, whole }: Wanted,
): Promise<Result<readonly JsonRecord[]>> {
  const query = new URLSearchParams({ filter_entity_id: entity, end_time: new Date(to).toISOString() })
  const begin = encodeURIComponent(new Date(from).toISOString())
  const url = `${base}/api/history/period/${begin}?${query}${whole ? '' : '&minimal_response&no_attributes'}`
  const answer = await callAnyJson(call, { method: 'GET', url })
  if (!answer.ok) return answer
  const { json } = answer.value
  if (!Array.isArray(json)) return err('tool_result_invalid', { rule: 'history' })
  const own: unknown = json[0] ?? []
  if (!Array.isArray(own)) return err('tool_result_invalid', { rule: 'history' })
  if (own.length > MOST.changes) return err('tool_result_invalid', { rule: 'history', max: MOST.changes })
  return ok(own.filter(isPlainRecord))
}
