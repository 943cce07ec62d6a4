/**
 * Home Assistant over its REST API: finds what words mean, and answers with what it says, or said over a time. Must not write, or send a word of anybody's to an
 * address but the owner's installation. Called through integrations/tools/port.ts.
 */
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { Tool, ToolCall, ToolOutcome } from '../../../kernel/tool/manifest.ts'
import { createZone } from '../../dates/zone.ts'
import type { HomeToolPowers } from '../package.ts'
import { type Api, areasOf, changesOf, running, statesOf } from './api.ts'
import { readBody } from './body.ts'
import { fitting, meant } from './find.ts'
import { BODY_ACTION, HOMEASSISTANT_MANIFEST, MAX_FITS, MAX_ROWS } from './manifest.ts'
import { KINDS, type Kind, STATES } from './measures.ts'
import { pastOf } from './past.ts'
import { type Entity, entityOf, rowOf } from './shape.ts'
import { spanNamed } from './span.ts'

type Options = Partial<Pick<HomeToolPowers, 'baseUrl' | 'timezone' | 'healthKeeper'>>

interface Asked {
  readonly api: Api
  readonly of: string
  readonly kind: Kind | undefined
  readonly args: ToolCall['args']
  readonly timezone: string
}

export function createHomeassistantTool({ baseUrl, timezone = 'UTC', healthKeeper }: Options = {}): Tool {
  return {
    manifest: {
      ...HOMEASSISTANT_MANIFEST,
      network: baseUrl === undefined ? [] : [new URL(baseUrl).host],
    },
    check: async (call): Promise<Result<string | null>> => {
      if (baseUrl === undefined) return err('service_address_missing')
      const answer = await running({ base: baseUrl, call })
      return answer.ok ? ok(null) : answer
    },
    execute: async (call) => {
      const act = ACTIONS.get(call.action)
      const isOfBody = call.action === BODY_ACTION
      if (act === undefined && !isOfBody) return err('tool_unknown')
      if (baseUrl === undefined) return err('service_address_missing')
      if (act === undefined) return readBody({ base: baseUrl, call }, healthKeeper)
      const { args } = call
      const of = typeof args['of'] === 'string' ? args['of'] : ''
      const kind = KINDS.find((one) => one === args['kind'])
      return act({ api: { base: baseUrl, call }, of, kind, args, timezone })
    },
  }
}

const ACTIONS: ReadonlyMap<string, (asked: Asked) => Promise<ToolOutcome>> = new Map([
  ['homeassistant.state', state],
  ['homeassistant.history', history],
  ['homeassistant.list', list],
])

async function entitiesIn(
  api: Api,
): Promise<Result<{ readonly entities: readonly Entity[]; readonly at: number | null }>> {
  const states = await statesOf(api)
  if (!states.ok) return states
  const areas = await areasOf(api)
  const entities = states.value.records.flatMap((record) => entityOf(record, areas) ?? [])
  return ok({ entities, at: states.value.at })
}

async function state({ api, of, kind }: Asked): Promise<ToolOutcome> {
  const read = await entitiesIn(api)
  if (!read.ok) return read
  const found = meant(read.value.entities, of, kind)
  const [one] = found
  if (one === undefined || found.length > 1) return { ok: true, output: unclear(found) }
  return { ok: true, output: { ...rowOf(one), fits: [] } }
}

async function history({ api, of, kind, args, timezone }: Asked): Promise<ToolOutcome> {
  const read = await entitiesIn(api)
  if (!read.ok) return read
  const { entities, at } = read.value
  if (at === null) return err('tool_result_invalid', { rule: 'date' })
  const span = spanNamed(String(args['period'] ?? ''), at, createZone(timezone))
  if (span === null) return err('tool_arguments_invalid', { rule: 'period' })
  const found = meant(entities, of, kind)
  const [one] = found
  if (one === undefined || found.length > 1) return { ok: true, output: { ...unclear(found), changes: [] } }
  const changes = await changesOf(api, {
    ...{ entity: one.id, ...span },
    whole: one.said.value !== undefined && kind === 'temperature' && one.kind === 'climate',
  })
  if (!changes.ok) return changes
  const { name, area, kind: own, unit, unit_said } = rowOf(one)
  const past = pastOf(changes.value, one, span)
  return {
    ok: true,
    output: {
      ...{ name, kind: own, fits: [] },
      ...(area !== undefined && { area }),
      ...(unit !== undefined && { unit }),
      ...(unit_said !== undefined && { unit_said }),
      ...{ from: new Date(span.from).toISOString(), to: new Date(span.to).toISOString() },
      ...past,
    },
  }
}

async function list({ api, of, kind, args }: Asked): Promise<ToolOutcome> {
  const read = await entitiesIn(api)
  if (!read.ok) return read
  const all = fitting(read.value.entities, of, kind)
  const wanted = STATES.find((one) => one === args['state'])
  const found = wanted === undefined ? all : all.filter(({ said }) => said.state === wanted)
  const asked = wanted !== undefined && all.length > 0 ? { asked: wanted } : {}
  return { ok: true, output: { ...asked, rows: found.slice(0, MAX_ROWS).map(rowOf), total: found.length } }
}

/** Which of them is meant, the owner says. */
function unclear(found: readonly Entity[]) {
  const fits = found.slice(0, MAX_FITS).map(({ name, area }) => ({ name, ...(area !== null && { area }) }))
  if (fits.length === 0) return { nothing: true, fits }
  const more = found.length - fits.length
  return { fits, ...(more > 0 && { more }) }
}
