/**
 * Oura over its API v2: which days are read, and where they are kept. Must not answer with a value that was measured: the health tool does, from what is kept.
 * Called through integrations/tools/port.ts.
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
/** Days of a first call, and of any: what is read within its time limit. */
const FIRST = 92
const MOST_DAYS = 100
/** Days that are read again: the ring tells late, and of a day that was not over there was a part. */
const SETTLES = 3
/** Days of one round of requests: Oura gives at most 30 days of heart rates. */
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

/** By what is kept already. */
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
  // The oldest first: what ends in the middle leaves no gap behind the last day.
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

/** A day more at each end: its documents differ in whether the last day is one of them. Days beside the period are left out. */
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
