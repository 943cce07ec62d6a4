/**
 * Oura over its API v2: which days are read, and where they are kept. Must not answer with a value that was measured: the health tool does, from what is kept.
 * Called through integrations/tools/port.ts.
 */
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { Tool, ToolCall, ToolOutcome } from '../../../kernel/tool/manifest.ts'
import type { HealthKeeper } from '../health/health-port.ts'
import { daysIn as lengthOf, type Period, periodNamed, shifted } from '../health/period.ts'
import type { HomeToolPowers } from '../package.ts'
import { isAddress, stringOf } from '../reading.ts'
import { type Api, documentsOf, personalInfo } from './api.ts'
import { HOST, MOST_DAYS, OURA_MANIFEST } from './manifest.ts'
import { type Documents, daysIn } from './shape.ts'

const SOURCE = 'oura'
/** Days of a first call. */
const FIRST = 92
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
      if (call.action !== 'oura.fetch') return err('tool_unknown')
      return healthKeeper === undefined
        ? err('tool_unavailable')
        : fetchDays({ base, call }, healthKeeper, call)
    },
  }
}

async function fetchDays(api: Api, keeper: HealthKeeper, call: ToolCall): Promise<ToolOutcome> {
  const period = await periodOf(keeper, call)
  if (!period.ok) return period
  const { from, to } = period.value
  const all: string[] = []
  let fresh = 0
  // The oldest first: what ends in the middle leaves no gap behind the last day.
  for (let begin = from; begin <= to; begin = shifted(begin, ROUND)) {
    const round = { from: begin, to: earlier(to, shifted(begin, ROUND - 1)) }
    const documents = await documentsIn(api, round)
    if (!documents.ok) return documents
    const days = daysIn(documents.value, round, keeper.dayAt)
    const kept = await keeper.replace(SOURCE, round, days)
    if (!kept.ok) return kept
    all.push(...Object.keys(days))
    fresh += kept.value
  }
  const newest = all.at(-1)
  return {
    ok: true,
    output: { from, to, days: all.length, fresh, ...(newest !== undefined && { newest }) },
  }
}

async function periodOf(keeper: HealthKeeper, { args: { period } }: ToolCall): Promise<Result<Period>> {
  const today = keeper.today()
  if (typeof period === 'string' && period.trim() !== '') {
    const named = periodNamed(period, today)
    const isShort = named !== null && lengthOf(named) <= MOST_DAYS
    return isShort ? ok(named) : err('tool_arguments_invalid', { rule: 'period' })
  }
  const last = await keeper.last(SOURCE)
  if (!last.ok) return last
  const since = last.value === null ? shifted(today, 1 - FIRST) : shifted(last.value, -SETTLES)
  const earliest = shifted(today, 1 - MOST_DAYS)
  return ok({ from: earlier(today, since > earliest ? since : earliest), to: today })
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

function earlier(one: string, other: string): string {
  return one < other ? one : other
}
