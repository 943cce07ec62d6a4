/**
 * The verb `compute` (DESIGN §10): arithmetic by code over numbers and dates. The result bears the
 * labels and taints of all operands. Deterministic; must not call a model. Called by drive.ts.
 */
import type { Json } from '../../flow/json.ts'
import { combine, type Labeled, test } from '../../flow/labeled.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import type { Actions, OwnerFacts } from '../../powers/ports.ts'
import { keepText, RAW_LIFETIME, type SealedKeeping, type SealedReading } from '../../powers/sealed.ts'
import type { ApprovalStore, StoreOf, TaskStore } from '../../powers/stores.ts'
import type { ComputeStep, ValueKind } from '../../task/plan.ts'
import type { StepResult, Task } from '../../task/task.ts'
import { localMoment, zonedMinute } from '../../wording/output.ts'
import { operandValue } from '../resolve.ts'
import type { Found } from './value.ts'

const HALF_DAY = 12 * 60
const MINUTE = 60_000
const UNITS = Object.freeze({ minutes: MINUTE, hours: 60 * MINUTE, days: 24 * 60 * MINUTE })
/** Half-up at this many decimals: the operands are amounts, percentages and counts, not measurements. */
const DECIMALS = 4

/**
 * Refusals: value_unsuitable for operands that the operation is not defined for, and those of resolving them.
 */
export async function compute(
  powers: SealedReading & SealedKeeping & Actions & OwnerFacts & StoreOf<TaskStore & ApprovalStore>,
  task: Task,
  step: ComputeStep,
): Promise<Result<StepResult>> {
  const operands: Labeled[] = []
  for (const operand of step.of) {
    const value = await operandValue(powers, task, operand)
    if (!value.ok) return value
    operands.push(value.value)
  }
  const { timezone } = powers.profile()
  const result = combine<Json, Json>(operands, (values) => calculate(step, values, timezone))
  if (test(result, (value) => value === null)) return err('value_unsuitable', { step: step.id })
  const found = combine<Json, string>([result], ([value]) =>
    JSON.stringify({ value: value ?? null, around: null } satisfies Found),
  )
  const is: ValueKind = test(result, (value) => typeof value === 'number') ? 'number' : 'date'
  const until = powers.now() + RAW_LIFETIME
  const ref = await keepText(powers, { principal: task.principal, store: 'sessions', until }, found)
  return ok({ kind: 'value', ref, is })
}

/** A number, a date, or null. Lists among the operands count as their items. */
export function calculate(
  { op, unit = 'minutes' }: Pick<ComputeStep, 'op' | 'unit'>,
  operands: readonly Json[],
  timezone: string,
): number | string | null {
  if (op === 'count') {
    const [first] = operands
    return operands.length === 1 && Array.isArray(first) ? first.length : operands.length
  }
  const values = operands.flat(3) as readonly Json[]
  const numbers = values.filter(
    (value): value is number => typeof value === 'number' && Number.isFinite(value),
  )
  const dates = values.filter((value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)))
  const [first, second] = values
  if (op === 'shift')
    return values.length === 2 && typeof first === 'string' && typeof second === 'number'
      ? shifted(first, second, { unit, timezone })
      : null
  if (op === 'on_day')
    return values.length === 2 && dates.length === 2 ? onDay(String(first), String(second), timezone) : null
  if (op === 'near')
    return values.length === 2 && dates.length === 2 ? nearest(String(first), String(second), timezone) : null
  if (op === 'difference' && values.length === 2 && dates.length === 2)
    return rounded((Date.parse(String(first)) - Date.parse(String(second))) / UNITS[unit])
  if (values.length === 0) return null
  if (op === 'min' || op === 'max') {
    if (dates.length === values.length)
      return [...dates].sort((a, b) => instant(a) - instant(b)).at(op === 'min' ? 0 : -1) as string
    return numbers.length === values.length ? Math[op](...numbers) : null
  }
  if (numbers.length !== values.length) return null
  if (op === 'sum') return rounded(numbers.reduce((sum, value) => sum + value, 0))
  if (op === 'product') return rounded(numbers.reduce((product, value) => product * value, 1))
  const [a, b] = numbers
  if (numbers.length !== 2 || a === undefined || b === undefined) return null
  if (op === 'difference') return rounded(a - b)
  return b === 0 ? null : rounded((a / b) * 100)
}

function instant(date: Json): number {
  return Date.parse(String(date))
}

function rounded(value: number): number | null {
  const scale = 10 ** DECIMALS
  const result = Math.round((value + Number.EPSILON * Math.sign(value)) * scale) / scale
  return Number.isFinite(result) ? result : null
}

/** Moves a date. Days keep the time of day in the owner's zone, also across a change to or from summer time. */
function shifted(
  date: string,
  by: number,
  { unit, timezone }: { readonly unit: keyof typeof UNITS; readonly timezone: string },
): string | null {
  const start = Date.parse(date)
  if (Number.isNaN(start) || Math.abs(by * UNITS[unit]) > 4_000 * UNITS.days) return null
  if (date.length === 10)
    return unit === 'days' ? new Date(start + by * UNITS.days).toISOString().slice(0, 10) : null
  const end = start + by * UNITS[unit]
  if (unit !== 'days') return zonedMinute(end, timezone)
  const wanted = Date.parse(`${wall(start, timezone)}Z`) + by * UNITS.days
  const drift = [0, 60, -60, 30, -30].find(
    (minutes) => Date.parse(`${wall(end + minutes * MINUTE, timezone)}Z`) === wanted,
  )
  return zonedMinute(end + (drift ?? 0) * MINUTE, timezone)
}

/** `2026-11-27T13:00` */
function wall(at: number, timezone: string): string {
  return localMoment(at, timezone).replace(' ', 'T')
}

/** Moves a time by twelve hours into the requested half of the day. A day without a time stays as it is. */
function nearest(time: string, to: string, timezone: string): string | null {
  if (time.length === 10 || to.length === 10) return time
  const minutes = (at: number): number => {
    const [hour = 0, minute = 0] = wall(at, timezone).slice(11).split(':').map(Number)
    return hour * 60 + minute
  }
  const [given, wanted] = [minutes(Date.parse(time)), minutes(Date.parse(to))]
  const other = given < HALF_DAY ? given + HALF_DAY : given - HALF_DAY
  if (Math.abs(given - wanted) <= Math.abs(other - wanted)) return time
  const day = wall(Date.parse(time), timezone).slice(0, 10)
  const clock = [Math.floor(other / 60), other % 60].map((part) => String(part).padStart(2, '0')).join(':')
  return atWall(`${day}T${clock}`, timezone)
}

/**
 * The time of day on that day, in the owner's zone. A day without a time stays one; a
 * time that summer time skips moves on by the same amount.
 */
function onDay(time: string, day: string, timezone: string): string | null {
  const isDay = (date: string): boolean => date.length === 10
  const on = isDay(day) ? day : wall(Date.parse(day), timezone).slice(0, 10)
  if (isDay(time)) return on
  return atWall(`${on}T${wall(Date.parse(time), timezone).slice(11)}`, timezone)
}

function atWall(clock: string, timezone: string): string {
  const wanted = Date.parse(`${clock}Z`)
  const drifts = [wanted - UNITS.days, wanted + UNITS.days].map(
    (at) => Date.parse(`${wall(at, timezone)}Z`) - at,
  )
  const fits = drifts.map((drift) => wanted - drift)
  const right = fits.find((at) => Date.parse(`${wall(at, timezone)}Z`) === wanted)
  return zonedMinute(right ?? Math.max(...fits), timezone)
}
