/**
 * Oura over its API v2: determines which days are fetched, and stores them. Must not return a measured value: the health tool
 * answers from the stored data. Called through integrations/tools/port.ts.
 */
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { Tool, ToolOutcome } from '../../../kernel/tool/manifest.ts'
import type { HomeToolPowers } from '../package.ts'
import { isAddress, stringOf } from '../reading.ts'
import { type Api, documentsOf, personalInfo } from './api.ts'
import { HOST, OURA_MANIFEST } from './manifest.ts'
import { type Documents, daysIn, type Keeper } from './shape.ts'

type Period = Parameters<Keeper['replace']>[1]

const SOURCE = 'oura'
/** Milliseconds. */
const DAY = 86_400_000
/** Maximum number of days of a first call, and of any call: as many as can be read within its time limit. */
const FIRST = 92
const MOST_DAYS = 100
/** Number of days that are fetched again: the ring reports late, and the last day was incomplete. */
const SETTLES = 3
/** Days of one round of requests: Oura returns at most 30 days of heart rates. */
const ROUND = 26

type Options = Partial<Pick<HomeToolPowers, 'baseUrl' | 'healthKeeper'>>

export function createOuraTool({ baseUrl, healthKeeper }: Options = {}): Tool {
  const base = baseUrl ?? `https://${HOST}`
  return {
    manifest: { ...OURA_MANIFEST, network: [new URL(base).host] },
    check: async (call): Promise<Result<string | null>> => {
      const info = await personalInfo({ base, call })
      if (!info.ok) return info
      const email = stringOf(info.value, 'email')
      return ok(isAddress(email) ? email : null)
    },
    execute: async (call) => {
      const periodOf = PERIODS.get(call.action)
      if (periodOf === undefined) return err('tool_unknown')
      if (healthKeeper === undefined) return err('tool_unavailable')
      const known = await healthKeeper.known(SOURCE)
      return known.ok
        ? fetchDays({ base, call }, healthKeeper, periodOf(healthKeeper.today(), known.value))
        : known
    },
  }
}

/** Period to fetch, by what is stored already. */
const PERIODS: ReadonlyMap<string, (today: string, known: Period | null) => Period> = new Map([
  ['oura.fetch', newest],
  [
    'oura.older',
    (today: string, known: Period | null) => (known === null ? newest(today, known) : before(known)),
  ],
])

function newest(today: string, known: Period | null): Period {
  const since = known === null ? shifted(today, 1 - FIRST) : shifted(known.to, -SETTLES)
  const earliest = shifted(today, 1 - MOST_DAYS)
  return { from: earlier(today, since > earliest ? since : earliest), to: today }
}

function before({ from }: Period): Period {
  return { from: shifted(from, -MOST_DAYS), to: shifted(from, -1) }
}

async function fetchDays(api: Api, keeper: Keeper, { from, to }: Period): Promise<ToolOutcome> {
  const all: string[] = []
  let fresh = 0
  // Oldest first, so that an interruption leaves no gap before the last stored day.
  for (let begin = from; begin <= to; begin = shifted(begin, ROUND)) {
    const round = { from: begin, to: earlier(to, shifted(begin, ROUND - 1)) }
    const documents = await documentsIn(api, round)
    if (!documents.ok) return documents
    const kept = await keeper.replace(SOURCE, round, daysIn(documents.value, keeper.dayAt))
    if (!kept.ok) return kept
    all.push(...kept.value.days)
    fresh += kept.value.fresh
  }
  const newest = all.at(-1)
  return {
    ok: true,
    output: { from, to, days: all.length, fresh, ...(newest !== undefined && { newest }) },
  }
}

/**
 * Requests one more day at each end, because Oura's documents differ in whether the last day is included. Days outside the period
 * are dropped.
 */
async function documentsIn(api: Api, { from, to }: Period): Promise<Result<Documents>> {
  const [before, after] = [shifted(from, -1), shifted(to, 1)]
  const dates = { start_date: before, end_date: after }
  const moments = { start_datetime: `${before}T00:00:00Z`, end_datetime: `${after}T23:59:59Z` }
  const [sleep, slept, active, ready, rates] = await Promise.all([
    documentsOf(api, 'sleep', dates),
    documentsOf(api, 'daily_sleep', dates),
    documentsOf(api, 'daily_activity', dates),
    documentsOf(api, 'daily_readiness', dates),
    documentsOf(api, 'heartrate', moments),
  ])
  if (!sleep.ok) return sleep
  if (!slept.ok) return slept
  if (!active.ok) return active
  if (!ready.ok) return ready
  if (!rates.ok) return rates
  return ok({
    sleep: sleep.value,
    daily_sleep: slept.value,
    daily_activity: active.value,
    daily_readiness: ready.value,
    heartrate: rates.value,
  })
}

function shifted(day: string, by: number): string {
  return new Date(Date.parse(day) + by * DAY).toISOString().slice(0, 10)
}

function earlier(one: string, other: string): string {
  return one < other ? one : other
}
