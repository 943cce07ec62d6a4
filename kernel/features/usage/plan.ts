/**
 * Capacity of a place's hosting plan (B-37): messages a day, calculated from what the provider's counters would have counted and
 * the limits that it publishes. Pure arithmetic and its sentences. Called by usage-report.ts; a place passes counts and limits.
 */
import type { Tell } from '../../wording/words.ts'

export const PLAN_COUNTS = Object.freeze(['rows', 'requests', 'duration'] as const)
/** Rows written, requests, and milliseconds of running time. */
export type PlanCount = (typeof PLAN_COUNTS)[number]

export type PlanSpent = Readonly<Record<PlanCount, number>>

/** A plan as its provider publishes it: limits for a day that begins at 00:00 UTC. */
export interface Plan {
  /** Where the limits are published, and when they were read there. */
  readonly source: string
  readonly asOf: string
  readonly perDay: PlanSpent
}

/** Messages of a period, and what was counted in it. */
export interface Counted extends PlanSpent {
  readonly messages: number
}

export interface PlanReport {
  readonly source: string
  readonly asOf: string
  /** Messages a day that the plan allows if they are like those of `counted`; null before the first message. */
  readonly carries: number | null
  /** The limit that is reached first; null before the first message. */
  readonly binds: PlanCount | null
  /** Number of messages from which the figures per message were calculated. */
  readonly counted: number
  /** Number of messages today. */
  readonly today: number
  readonly limits: readonly {
    readonly of: PlanCount
    readonly perDay: number
    readonly today: number
    /** Amount of one message. */
    readonly each: number
  }[]
}

/** `lately`: a period that contains today and is long enough for a mean. */
export function planReport(plan: Plan, today: Counted, lately: Counted): PlanReport {
  const { source, asOf, perDay } = plan
  const each = (of: PlanCount): number => (lately.messages === 0 ? 0 : lately[of] / lately.messages)
  const limits = PLAN_COUNTS.map((of) => ({
    of,
    perDay: perDay[of],
    today: today[of],
    each: round(each(of)),
  }))
  const first = PLAN_COUNTS.filter((of) => each(of) > 0)
    .map((of) => ({ of, carries: Math.floor(perDay[of] / each(of)) }))
    .toSorted((a, b) => a.carries - b.carries)[0]
  return {
    ...{ source, asOf, carries: first?.carries ?? null, binds: first?.of ?? null },
    ...{ counted: lately.messages, today: today.messages, limits },
  }
}

export function sumOf(all: readonly PlanSpent[]): PlanSpent {
  const sum = (of: PlanCount): number => all.reduce((total, one) => total + one[of], 0)
  return { rows: sum('rows'), requests: sum('requests'), duration: sum('duration') }
}

const NAMES = Object.freeze({
  rows: 'usage.plan_rows',
  requests: 'usage.plan_requests',
  duration: 'usage.plan_duration',
} as const)

export function planText(report: PlanReport, tell: Tell): string {
  const { source, asOf, carries, binds, counted, today, limits } = report
  const used = limits.map(({ of, perDay, today: now, each }) =>
    tell(NAMES[of], { ...amounts(of, { now, each, perDay }), percent: percentOf(now, perDay) }),
  )
  const head =
    carries === null || binds === null
      ? tell('usage.plan_unknown')
      : tell('usage.plan_carries', { carries, counted, binds: tell(`usage.binds_${binds}`) })
  return [
    head,
    tell('usage.plan_today', { today, used: used.join('; ') }),
    tell('usage.plan_source', { source, asOf }),
  ].join(' ')
}

/** Running time: minutes in total, seconds for one message. */
function amounts(
  of: PlanCount,
  { now, each, perDay }: { readonly now: number; readonly each: number; readonly perDay: number },
) {
  if (of !== 'duration') return { now, each, most: perDay }
  return { now: round(now / 60_000), each: round(each / 1_000), most: Math.round(perDay / 60_000) }
}

/** Percentage, with a decimal below 10. */
function percentOf(now: number, perDay: number): number {
  return round((100 * now) / perDay)
}

function round(value: number): number {
  return value < 10 ? Number(value.toFixed(1)) : Math.round(value)
}
