/**
 * The health tool: finds the requested days and measure, and returns their numbers. Reads only what home stores; it has no
 * network host. Must not write. Called through integrations/tools/port.ts.
 */
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { Tool, ToolCall, ToolOutcome } from '../../../kernel/tool/manifest.ts'
import type { HomeToolPowers } from '../package.ts'
import type { HealthPort } from './health-port.ts'
import { HEALTH_MANIFEST } from './manifest.ts'
import { MEASURES, type Measure, measureNamed, specOf } from './measures.ts'
import { type Period, periodNamed, shifted } from './period.ts'
import { changeOf, type Days, measureOf, summaryOf, TREND_DAYS, trendOf, workoutsOf } from './shape.ts'

/** Default number of days: for values that are not measured daily, for a change, and for workouts. */
const USUAL = { measured: 30, changed: 90, workouts: 7 } as const

type Action = (health: HealthPort, call: ToolCall) => Promise<ToolOutcome>

const ACTIONS: ReadonlyMap<string, Action> = new Map<string, Action>([
  [
    'health.summary',
    (health, call) =>
      told(health, periodIn(health, call, 1), (days) => summaryOf(days, saysNight(call) ? NIGHT : MEASURES)),
  ],
  ['health.workouts', (health, call) => told(health, periodIn(health, call, USUAL.workouts), workoutsOf)],
  ['health.measure', measured((measure) => (specOf(measure).day === 'mean' ? USUAL.measured : 1), measureOf)],
  ['health.change', measured(() => USUAL.changed, changeOf)],
  ['health.trend', trend],
])

const NIGHT = MEASURES.filter((measure) => specOf(measure).day === 'night')

/** Whether the request is about last night, which is answered with the night's values: the day on which it ended is not over. */
function saysNight({ args: { period } }: ToolCall): boolean {
  return typeof period === 'string' && /\b(?:night|nacht)\b/i.test(period)
}

export function createHealthTool({ health }: Pick<HomeToolPowers, 'health'>): Tool {
  return {
    manifest: HEALTH_MANIFEST,
    execute: async (call) => {
      const action = ACTIONS.get(call.action)
      if (action === undefined) return err('tool_unknown')
      return health === undefined ? err('health_none') : action(health, call)
    },
  }
}

function measured(
  usual: (measure: Measure) => number,
  shape: (days: Days, measure: Measure) => object,
): Action {
  return async (health, call) => {
    const measure = measureNamed(String(call.args['of']))
    if (measure === null) return err('tool_arguments_invalid', { rule: 'measure' })
    return told(health, periodIn(health, call, usual(measure)), (days) => shape(days, measure))
  }
}

async function trend(health: HealthPort, call: ToolCall): Promise<ToolOutcome> {
  const measure = measureNamed(String(call.args['of']))
  if (measure === null) return err('tool_arguments_invalid', { rule: 'measure' })
  // Today's sums are incomplete; its night and its single measurements are complete.
  const to = shifted(health.today(), specOf(measure).day === 'sum' ? -1 : 0)
  const period = ok({ from: shifted(to, 1 - TREND_DAYS), to })
  return told(health, period, (days) => trendOf(days, measure))
}

function periodIn(health: HealthPort, { args: { period } }: ToolCall, usual: number): Result<Period> {
  const today = health.today()
  if (typeof period !== 'string' || period.trim() === '')
    return ok({ from: shifted(today, 1 - usual), to: today })
  const named = periodNamed(period, today)
  return named === null ? err('tool_arguments_invalid', { rule: 'period' }) : ok(named)
}

async function told(
  health: HealthPort,
  period: Result<Period>,
  shape: (days: Days) => object,
): Promise<ToolOutcome> {
  if (!period.ok) return period
  const { from, to } = period.value
  const through = await health.through()
  if (!through.ok) return through
  const months = await health.read(from, to)
  if (!months.ok) return months
  return { ok: true, output: shape({ from, to, months: months.value, through: through.value }) }
}
