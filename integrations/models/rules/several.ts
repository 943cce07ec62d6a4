/**
 * Joins the plans of several requests of one message into one, in order. Pure; must not read words. Called by the rules planner.
 */
import type { Json } from '../../../kernel/flow/json.ts'
import type { PromptParts } from '../../../kernel/prompt/parts.ts'
import type { Plan } from '../../../kernel/task/plan.ts'
import type { Moment } from '../../dates/read.ts'
import { createZone, DAY, MINUTE } from '../../dates/zone.ts'

/** One for each prompt, so that what was read of its message is read once. */
const moments = new WeakMap<PromptParts['output'], Moment>()

/** The moment of a prompt, to the minute. */
export function momentOf({ output }: PromptParts): Moment {
  const known = moments.get(output) ?? momentNow(output)
  moments.set(output, known)
  return known
}

function momentNow({ now, timezone }: PromptParts['output']): Moment {
  const zone = createZone(timezone)
  const wall = Date.parse(`${now}:00Z`)
  const day = Math.floor(wall / DAY)
  return { now: zone.instantOf(day, (wall - day * DAY) / MINUTE), zone }
}

/** Of several requests: what fails of one, or is declined, leaves the others. */
export function joined(plans: readonly Plan[]): Plan {
  return inOrder(
    plans.map((plan, at) =>
      at === plans.length - 1
        ? plan
        : { ...plan, steps: plan.steps.map((step) => ({ ...step, independent: true })) },
    ),
  )
}

/** Of one request: a later plan is made only after the one before. */
export function inOrder(plans: readonly Plan[]): Plan {
  let before = 0
  const steps = plans.flatMap((plan) => {
    const moved = plan.steps.map((step) => shifted(step as unknown as Json, before))
    before += plan.steps.length
    return moved
  })
  return { steps: steps as unknown as Plan['steps'], explanation: '' }
}

/** Ids and references of a plan's own steps, after `before` others. */
function shifted(value: Json, before: number, key = ''): Json {
  if (before === 0) return value
  if (typeof value === 'string')
    return ['id', 'from', '$ref'].includes(key)
      ? value.replace(/^s(\d+)(?![\w-])/, (_, at: string) => `s${Number(at) + before}`)
      : value
  if (Array.isArray(value)) return value.map((item: Json) => shifted(item, before))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, shifted(inner as Json, before, name)]),
  )
}

/** References to fields of the message, replaced by the fields. */
export function withValues(plan: Plan, fields: Readonly<Record<string, Json>>): Plan {
  return { ...plan, steps: replaced(plan.steps as unknown as Json, fields) as unknown as Plan['steps'] }
}

/** References to a span of a part of the message, as spans of the message, in which the part begins at `from`. */
export function spansMoved(plan: Plan, from: number): Plan {
  const moved = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(moved)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [
        key,
        key === '$ref' ? movedSpan(String(inner), from) : moved(inner as Json),
      ]),
    )
  }
  return { ...plan, steps: moved(plan.steps as unknown as Json) as unknown as Plan['steps'] }
}

function movedSpan(path: string, from: number): string {
  return path.replace(
    /^(said\.\w+)\[(\d+)\]\[(\d+)\]/,
    (_, root: string, start: string, end: string) =>
      `${root}[${Number(start) + from}][${Number(end) + from}]`,
  )
}

function replaced(value: Json, fields: Readonly<Record<string, Json>>, key = ''): Json {
  if (typeof value === 'string') {
    const field = key === 'matching' ? /^said\.(\w+)$/.exec(value)?.[1] : undefined
    return field === undefined ? value : (fields[field] ?? value)
  }
  if (Array.isArray(value)) return value.map((item: Json) => replaced(item, fields))
  if (typeof value !== 'object' || value === null) return value
  const { $ref: path } = value as { readonly $ref?: Json }
  const field = typeof path === 'string' ? /^said\.(\w+)$/.exec(path)?.[1] : undefined
  if (field !== undefined) return fields[field] ?? null
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, replaced(inner as Json, fields, name)]),
  )
}
