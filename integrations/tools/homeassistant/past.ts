/**
 * What changes of one entity come to over a span: least, most, mean by time and last of numbers; how often and how long it was not at rest, of states. Computed
 * here, so that no model adds up. Pure. Called by run.ts.
 */
import { type JsonRecord, stringOf } from '../reading.ts'
import { MAX_CHANGES } from './manifest.ts'
import { RESTING, type State } from './measures.ts'
import { type Entity, measuredIn, saidIn } from './shape.ts'
import type { Span } from './span.ts'

interface Change {
  readonly from: number
  readonly to: number
  readonly value?: number
  readonly state?: State
}

const MINUTE = 60_000

/** Fields of the declared output. */
export function pastOf(
  records: readonly JsonRecord[],
  entity: Entity,
  span: Span,
): Readonly<Record<string, unknown>> {
  const changes = changesIn(records, entity, span)
  const numbers = changes.flatMap(({ value, from, to }) => (value === undefined ? [] : [{ value, from, to }]))
  if (numbers.length > 0) return { ...measured(numbers), changes: [] }
  const states = changes.flatMap(({ state, from, to }) => (state === undefined ? [] : [{ state, from, to }]))
  const known = states.filter(({ state }) => state !== 'unknown' && state !== 'unavailable')
  return known.length === 0 ? { empty: true, changes: [] } : { ...timed(known), changes: lastChanges(states) }
}

/** In time, each until the next one; what lies outside of the span is cut off. */
function changesIn(records: readonly JsonRecord[], entity: Entity, { from, to }: Span): readonly Change[] {
  const read = records
    .map((record) => ({
      at: Date.parse(stringOf(record, 'last_changed') || stringOf(record, 'last_updated')),
      record,
    }))
    .filter(({ at }) => !Number.isNaN(at) && at < to)
    .toSorted((a, b) => a.at - b.at)
  return read.flatMap(({ at, record }, index) => {
    const [begin, end] = [Math.max(at, from), Math.min(read[index + 1]?.at ?? to, to)]
    if (end <= begin) return []
    const value = measuredIn(record, entity.domain)
    const { value: counted, state } = saidIn(stringOf(record, 'state'), entity)
    const number = value ?? counted
    return [
      {
        ...{ from: begin, to: end },
        ...(number !== undefined && { value: number }),
        ...(state !== undefined && { state }),
      },
    ]
  })
}

type Numbered = Required<Pick<Change, 'from' | 'to' | 'value'>>
type Stated = Required<Pick<Change, 'from' | 'to' | 'state'>>

function measured(numbers: readonly Numbered[]): Readonly<Record<string, number>> {
  let [low, high, sum, length] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, 0]
  for (const { value, from, to } of numbers) {
    ;[low, high] = [Math.min(low, value), Math.max(high, value)]
    sum += value * (to - from)
    length += to - from
  }
  return { low, high, mean: rounded(sum / length), last: numbers.at(-1)?.value ?? high }
}

function timed(states: readonly Stated[]): Readonly<Record<string, unknown>> {
  const active = states.filter(({ state }) => !RESTING.has(state))
  const rested = states.findLast(({ state }) => RESTING.has(state))?.state
  const was = active.at(-1)?.state
  if (was === undefined) return { never: true, ...(rested !== undefined && { rested }) }
  const same = active.filter(({ state }) => state === was)
  const begun = same.filter(({ from }) => !same.some(({ to }) => to === from))
  const long = same.reduce((sum, { from, to }) => sum + to - from, 0)
  return {
    ...{ was, times: begun.length, minutes: Math.max(1, Math.round(long / MINUTE)) },
    ...(rested !== undefined && { rested }),
  }
}

function lastChanges(states: readonly Stated[]): readonly { readonly at: string; readonly state: State }[] {
  return states
    .filter(({ state }, index) => states[index - 1]?.state !== state)
    .slice(-MAX_CHANGES)
    .map(({ from, state }) => ({ at: new Date(from).toISOString(), state }))
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}
