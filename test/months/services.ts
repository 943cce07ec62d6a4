/**
 * What a simulated month gives a world: every tool that its jobs read with, itself, over a client of its own to a server of servers.ts, and days of health data.
 * Holds no expectation. Called by simulate.ts.
 */

import { createScopedHttp } from '../../integrations/http/scoped-client.ts'
import { migrate } from '../../integrations/store/schema/migrate.ts'
import { createHealthTool } from '../../integrations/tools/health/run.ts'
import type { Tool } from '../../kernel/tool/manifest.ts'
import { DIRECTIVES_MIGRATIONS } from '../../migrations/directives.ts'
import { createHealthStore, type HealthStore } from '../../sidecar/health/health-store.ts'
import { createPinnedTransport } from '../../sidecar/pages/pinned-transport.ts'
import { createHealthRows } from '../../sidecar/store/health-rows.ts'
import { openSqlite } from '../../sidecar/store/sqlite-bridge.ts'
import { httpTool } from '../pipeline/saved-requests.ts'
import { createDisk, type ScriptedTool, type WorldOptions } from '../pipeline/world.ts'
import { tokenFor } from '../tools/calls.ts'
import { type Servers, type Service, startServers } from './servers.ts'

const DAY = 86_400_000

/** Steps of each day from forty before the first one; the owner let the terminal show them. */
async function healthOf(from: number, days: number, now: () => number): Promise<HealthStore> {
  const { db } = openSqlite(':memory:')
  migrate(db, DIRECTIVES_MIGRATIONS)
  const { sealer } = createDisk().keys.ring
  const health = createHealthStore({ rows: createHealthRows(db), sealer, now, timezone: 'Europe/Madrid' })
  const months = new Map<string, Record<string, { steps: { value: number } }>>()
  for (let day = -40; day <= days; day += 1) {
    const date = new Date(from + day * DAY).toISOString().slice(0, 10)
    const month = months.get(date.slice(0, 7)) ?? {}
    months.set(date.slice(0, 7), { ...month, [date]: { steps: { value: 9_000 + day } } })
  }
  await health.keep(
    'apple',
    [...months].map(([month, of]) => ({ month, days: of, workouts: [] })),
  )
  return health
}

export interface Month extends Pick<Servers, 'feed' | 'added' | 'close'> {
  readonly options: WorldOptions
}

/** `from`: epoch milliseconds of the first day. */
export async function servicesOf({
  from,
  days,
  now,
}: {
  readonly from: number
  readonly days: number
  readonly now: () => number
}): Promise<Month> {
  const health = await healthOf(from, days, now)
  const servers = await startServers({ now, health })
  const transport = createPinnedTransport()
  const exemptOrigins = servers.services.map(({ origin }) => origin)
  const own: Service = {
    ...{ tool: createHealthTool({ health }), origin: '', key: null },
    actions: ['health.summary', 'health.workouts'],
  }
  const call =
    (tool: Tool, { key }: Service, action: string): ScriptedTool =>
    (args) => {
      const { claims, mac } = tokenFor(action)
      return tool.execute({
        ...{ action, args: args as never },
        credential: key === null ? null : { scheme: 'bearer', value: typeof key === 'string' ? key : key() },
        capability: { claims: { ...claims, issuedAt: now() }, mac },
        http: createScopedHttp({ hosts: tool.manifest.network, exemptOrigins, transport }),
      })
    }
  const tools = [...servers.services, own].flatMap((service) => {
    const filled = daily(service, now)
    return service.actions.map((action): [string, ScriptedTool] => {
      const asked = call(service.tool, service, action)
      return [
        action,
        async (args) => {
          await filled()
          return asked(args)
        },
      ]
    })
  })
  return {
    options: { tools: Object.fromEntries(tools), health, manifests: [httpTool(servers.http).manifest] },
    feed: servers.feed,
    added: servers.added,
    async close() {
      await transport.close()
      await servers.close()
    },
  }
}

/** Has a service hold what came until now, from a week before it is first asked; calls at the same time wait for the same. */
function daily({ fill }: Service, now: () => number): () => Promise<void> {
  let next: number | null = null
  let filled = Promise.resolve()
  return () => {
    const today = Math.floor(now() / DAY)
    for (let day = next ?? today - 6; day <= today; day += 1)
      filled = filled.then(async () => {
        await fill?.(day)
      })
    next = today + 1
    return filled
  }
}
