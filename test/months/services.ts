/**
 * Services of a simulated month, as jobs ask them: what is new each day or week, two that the owner saved requests of, and days of health data. Holds no
 * expectation. Called by simulate.ts.
 */

import { migrate } from '../../integrations/store/schema/migrate.ts'
import { createHealthTool } from '../../integrations/tools/health/run.ts'
import type { HttpSetting } from '../../integrations/tools/http/setting.ts'
import { err, ok } from '../../kernel/flow/verdict.ts'
import type { HttpRequest, Tool, ToolOutcome } from '../../kernel/tool/manifest.ts'
import { DIRECTIVES_MIGRATIONS } from '../../migrations/directives.ts'
import { createHealthStore, type HealthStore } from '../../sidecar/health/health-store.ts'
import { createHealthRows } from '../../sidecar/store/health-rows.ts'
import { openSqlite } from '../../sidecar/store/sqlite-bridge.ts'
import { mail, POST, PR, TWEET, WAITS } from '../pipeline/job-world.ts'
import { httpTool, settingOf } from '../pipeline/saved-requests.ts'
import { createDisk, type ScriptedTool, type WorldOptions } from '../pipeline/world.ts'
import { tokenFor } from '../tools/calls.ts'

const DAY = 86_400_000
const SERVICE = 'https://saved.example'
const SAVED: HttpSetting = {
  hosts: [],
  saved: ['owner_surf_forecast', 'owner_crypto_digest'].flatMap(
    (template) => settingOf(template, SERVICE).saved,
  ),
}

/** What the services of saved requests answer, other each day. */
function answerOn(day: number, url: string): unknown {
  const hours = Array.from({ length: 24 }, (_, hour) => hour)
  const at = day * (DAY / 1_000)
  if (url.includes('/price'))
    return {
      bitcoin: { eur: 70_000 + day, eur_24h_change: 1.5, last_updated_at: at },
      ethereum: { eur: 2_600 + day, eur_24h_change: -0.4, last_updated_at: at },
    }
  return {
    hourly: {
      time: hours.map((hour) => new Date(day * DAY + hour * 3_600_000).toISOString().slice(0, 16)),
      wave_height: hours.map((hour) => 1 + (day % 9) / 10 + hour / 100),
      wave_period: hours.map(() => 11 + (day % 3)),
      wave_direction: hours.map(() => 312),
    },
  }
}

/** What comes anew each day, of some each week; one service is away on every third morning. */
function toolsAt(now: () => number): Readonly<Record<string, ScriptedTool>> {
  const day = (): number => Math.floor(now() / DAY)
  const weekly = (): number => Math.floor(day() / 7)
  const gives =
    (output: () => unknown): ScriptedTool =>
    () => ({ ok: true, output: output() })
  const more = false
  return {
    'calendar.list_events': gives(() => ({ events: [], more })),
    'email.list': () =>
      day() % 3 === 0 && now() % DAY < DAY / 12
        ? err('remote_unavailable')
        : { ok: true, output: { emails: [mail(`m${day()}`)], more } },
    'github.list_prs': gives(() => ({
      items: [{ ...PR, item: `acme/site#${weekly()}`, number: weekly() }],
      more,
    })),
    'github.list_notifications': gives(() => ({ notifications: [], more })),
    'moltbook.check_dms': gives(() => ({ requests: [], waiting: 0, unread: day() % 5, conversations: 1 })),
    'moltbook.check_notifications': gives(() => ({ posts: [], unread: 0, waiting: 0, messages: 0 })),
    'bluesky.notifications': gives(() => ({ notifications: [], more })),
    'bluesky.timeline': gives(() => ({
      posts: [{ ...POST, post: `at://did:plc:a/app.bsky.feed.post/${day()}` }],
      more,
    })),
    'twitter.user_tweets': gives(() => ({ tweets: [{ ...TWEET, id: String(day()) }], more })),
    'slack.list_unanswered': gives(() => ({
      waiting: [{ ...WAITS, at: new Date(weekly() * 7 * DAY).toISOString() }],
      ...{ more, partial: false },
    })),
    'web.feed': gives(() => ({
      title: 'Jobs',
      items: [{ title: `Engineer ${weekly()}`, link: `https://board.example/${weekly()}` }],
      more: 0,
    })),
    'http.saved': (args) => run(httpTool(SAVED), 'http.saved', args, day()),
  }
}

/** A tool itself, over a client that answers for its service. */
async function run(
  tool: Tool,
  action: string,
  args: Parameters<ScriptedTool>[0],
  day: number,
): Promise<ToolOutcome> {
  const http = {
    request: async ({ url }: HttpRequest) =>
      ok({ status: 200, headers: {}, body: JSON.stringify(answerOn(day, url)), url }),
  }
  return tool.execute({ action, args: args as never, http, credential: null, capability: tokenFor(action) })
}

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

/** `from`: epoch milliseconds of the first day. */
export async function servicesOf({
  from,
  days,
  now,
}: {
  readonly from: number
  readonly days: number
  readonly now: () => number
}): Promise<WorldOptions> {
  const health = await healthOf(from, days, now)
  const summaries = createHealthTool({ health })
  const summary: ScriptedTool = (args) => run(summaries, 'health.summary', args, 0)
  return {
    tools: { ...toolsAt(now), 'health.summary': summary },
    ...{ health, manifests: [httpTool(SAVED).manifest] },
  }
}
