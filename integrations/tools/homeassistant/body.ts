/**
 * What an installation measured of a body, read into the owner's health data, where the health tool answers from it. Must not answer with a value that was
 * measured, or say which entity it came from. Called by run.ts.
 */
import { err, type Result } from '../../../kernel/flow/verdict.ts'
import type { ToolOutcome } from '../../../kernel/tool/manifest.ts'
import { type JsonRecord, stringOf } from '../reading.ts'
import { type Api, areasOf, changesOf, statesOf } from './api.ts'
import { type BodyEntity, bodyEntityOf, type Days, type Keeper, type Measure, valuesOf } from './of-body.ts'

const SOURCE = 'homeassistant'
/** Milliseconds. */
const DAY = 86_400_000
/** Days of a first call, and of any: an installation keeps ten by itself, and some keep more. */
const MOST_DAYS = 31
/** Days that are read again: a watch tells late, and of a day that was not over there was a part. */
const SETTLES = 3
/** Days of one request: a watch says a heart rate every few seconds. */
const ROUND = 2

export async function readBody(api: Api, keeper: Keeper | undefined): Promise<ToolOutcome> {
  if (keeper === undefined) return err('tool_unavailable')
  const known = await keeper.known(SOURCE)
  if (!known.ok) return known
  const states = await statesOf(api)
  if (!states.ok) return states
  const areas = await areasOf(api)
  const found = states.value.records.flatMap((record) => {
    const entity = bodyEntityOf(record, areas.get(String(record['entity_id'])) ?? '')
    return entity === null ? [] : [entity]
  })
  const of = (measure: Measure): readonly BodyEntity[] => found.filter(({ rule }) => rule.measure === measure)
  // Of two that measure the same nobody says whose body it is.
  const sure = found.filter(({ rule }) => of(rule.measure).length === 1)
  const unsure = new Set(found.filter((one) => !sure.includes(one)).map(({ rule }) => rule.measure)).size
  const today = keeper.today()
  const earliest = shifted(today, 1 - MOST_DAYS)
  const since = known.value === null ? earliest : shifted(known.value.to, -SETTLES)
  const period = { from: since > earliest ? since : earliest, to: today }
  const counts = { sensors: sure.length, unsure }
  if (sure.length === 0) return { ok: true, output: { ...period, ...counts, days: 0, fresh: 0 } }
  const days = await daysOf(api, sure, { keeper, ...period })
  if (!days.ok) return days
  const kept = await keeper.replace(SOURCE, period, days.value)
  if (!kept.ok) return kept
  const newest = kept.value.days.at(-1)
  return {
    ok: true,
    output: {
      ...{ ...period, ...counts, days: kept.value.days.length, fresh: kept.value.fresh },
      ...(newest !== undefined && { newest }),
    },
  }
}

interface Wanted {
  readonly keeper: Keeper
  readonly from: string
  readonly to: string
}

/** A day more at the beginning, as a counter grows from what it said before, and at the end: a day of the owner's is none of the clock's. */
async function daysOf(
  api: Api,
  entities: readonly BodyEntity[],
  { keeper, from, to }: Wanted,
): Promise<Result<Days>> {
  const days = new Map<string, Days[string]>()
  for (const entity of entities) {
    const changes: JsonRecord[] = []
    for (let begin = shifted(from, -1); begin <= shifted(to, 1); begin = shifted(begin, ROUND)) {
      const round = { from: Date.parse(begin), to: Date.parse(shifted(begin, ROUND)) }
      const read = await changesOf(api, { entity: entity.id, ...round, whole: false })
      if (!read.ok) return read
      changes.push(...read.value.filter((change) => isCounter(entity) || isAfter(change, round.from)))
    }
    for (const [day, value] of valuesOf(entity, changes, keeper.dayAt))
      if (day >= from && day <= to) days.set(day, { ...days.get(day), [entity.rule.measure]: value })
  }
  return { ok: true, value: Object.fromEntries(days) }
}

/** What was said before a round is repeated at its beginning: a counter grows from it, and of anything else it is of another day. */
function isAfter(change: JsonRecord, from: number): boolean {
  return Date.parse(stringOf(change, 'last_changed') || stringOf(change, 'last_updated')) > from
}

function isCounter({ rule }: BodyEntity): boolean {
  return rule.way === 'counted'
}

function shifted(day: string, by: number): string {
  return new Date(Date.parse(day) + by * DAY).toISOString().slice(0, 10)
}
