/**
 * The plan that a request of a package stands for, with its slots filled: by a reference to what was understood of the message, or by words of
 * it as they were typed. Pure; must not know a tool. Called by the rules planner, and by package.ts for what templates take.
 */
import type { Json } from '../../kernel/flow/json.ts'
import type { Argument } from '../../kernel/task/plan.ts'
import type { Phrase } from './phrase.ts'

/** What each slot is called among the fields of a message. */
const FIELDS = {
  ...{ who: 'person', what: 'topic', address: 'url', mail: 'email', unread: 'unread', count: 'count' },
  ...{ 'when.from': 'from', 'when.to': 'to' },
} as const

export type SaidField = (typeof FIELDS)[keyof typeof FIELDS]

export interface Filling {
  /** Text of the slots that a sentence took. */
  readonly taken?: Readonly<Record<string, string>>
  /** Path of the one of a list that is meant. */
  readonly one?: string
  /** Whether a field was said; what was not is left out. Absent: every field may have been. */
  readonly has?: (field: SaidField) => boolean
}

/** `before`: how many steps go before, whose numbers are taken. */
export function plannedSteps(plan: Phrase['plan'], filling: Filling, before = 0): readonly Json[] {
  return plan.map((step, index) => ({ ...filledStep(step, filling), id: `s${before + index + 1}` }))
}

function filledStep(step: Phrase['plan'][number], filling: Filling): { readonly [key: string]: Json } {
  return filled(step, filling) as { readonly [key: string]: Json }
}

/** Whether a slot of a request was filled. */
export function isSaid(
  slot: keyof NonNullable<Phrase['needs']>,
  has: (field: SaidField) => boolean,
): boolean {
  return slot === 'when' ? has('from') && has('to') : has(FIELDS[slot])
}

/** `{place}` alone is what was said there, `{when.from}` what was understood; undefined for what was not. */
function filled(value: Json, filling: Filling): Json | undefined {
  if (typeof value === 'string') return slotFilled(value, filling)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items = value.map((item: Json) => filled(item, filling)).filter((item) => item !== undefined)
    return items.length === 0 && value.length > 0 ? undefined : items
  }
  const entries = Object.entries(value).map(([key, inner]) => [key, filled(inner as Json, filling)] as const)
  return Object.fromEntries(entries.filter(([, inner]) => inner !== undefined)) as Json
}

function slotFilled(value: string, { taken = {}, one, has }: Filling): Json | undefined {
  const slot = /^\{([\w.]+)\}$/.exec(value)?.[1] ?? ''
  if (Object.hasOwn(taken, slot)) return taken[slot]
  if (one !== undefined && slot.startsWith('one.')) return reference(`${one}${slot.slice('one'.length)}`)
  if (!isField(slot)) return value
  return has === undefined || has(FIELDS[slot]) ? reference(`said.${FIELDS[slot]}`) : undefined
}

function isField(slot: string): slot is keyof typeof FIELDS {
  return Object.hasOwn(FIELDS, slot)
}

function reference(path: string): Json {
  return { $ref: path } satisfies Argument as Json
}
