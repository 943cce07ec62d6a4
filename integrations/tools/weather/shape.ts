/**
 * Converts Open-Meteo's answers to the declared fields. The place name is untrusted text; everything else is a number, a date or
 * a word of a closed set. Pure; must not send requests. Called by run.ts.
 */
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import { cleanLine } from '../../extractors/page-clean.ts'
import { fieldOf, type JsonRecord, recordOf, recordsOf, stringOf } from '../reading.ts'
import { DAYS, type SKIES } from './manifest.ts'

/** UTF-16 units. */
const PLACE = 200

export interface Found {
  readonly place: string
  /** Degrees. */
  readonly latitude: number
  readonly longitude: number
}

/** The most likely place with that name. Refusals: remote_not_found if there is none, tool_result_invalid. */
export function shapePlace(answer: JsonRecord): Result<Found> {
  const [found] = recordsOf(answer, 'results')
  if (found === undefined) return err('remote_not_found')
  const [latitude, longitude] = [numberOf(found, 'latitude'), numberOf(found, 'longitude')]
  if (latitude === null || longitude === null) return err('tool_result_invalid', { rule: 'coordinates' })
  const names = ['name', 'admin1', 'country'].map((key) => stringOf(found, key)).filter((name) => name !== '')
  return ok({ place: cleanLine([...new Set(names)].join(', '), PLACE), latitude, longitude })
}

/** One record per complete day. Refusal: tool_result_invalid if there is none. */
export function shapeForecast(answer: JsonRecord): Result<readonly object[]> {
  const daily = recordOf(answer, 'daily')
  const column = (key: string): readonly unknown[] => {
    const values = fieldOf(daily, key)
    return Array.isArray(values) ? values : []
  }
  const [codes, lows, highs] = [
    column('weather_code'),
    column('temperature_2m_min'),
    column('temperature_2m_max'),
  ]
  const [rains, winds] = [column('precipitation_sum'), column('wind_speed_10m_max')]
  const chances = column('precipitation_probability_max')
  const days = column('time')
    .slice(0, DAYS)
    .flatMap((date, at) => {
      const [low, high, rain, wind] = [lows[at], highs[at], rains[at], winds[at]]
      if (typeof date !== 'string' || ![low, high, rain, wind].every(Number.isFinite)) return []
      const chance = chances[at]
      return [
        { date, sky: skyOf(codes[at]), low, high, rain, wind, ...(Number.isFinite(chance) && { chance }) },
      ]
    })
  return days.length > 0 ? ok(days) : err('tool_result_invalid', { rule: 'daily' })
}

/** From the weather code of the World Meteorological Organization (4677, as Open-Meteo lists it). */
export function skyOf(code: unknown): (typeof SKIES)[number] {
  if (typeof code !== 'number') return 'unknown'
  return SKY_FROM.findLast(([from]) => code >= from)?.[1] ?? 'unknown'
}

const SKY_FROM: readonly (readonly [from: number, sky: (typeof SKIES)[number]])[] = [
  ...([
    [0, 'clear'],
    [2, 'cloudy'],
    [45, 'fog'],
    [51, 'drizzle'],
    [61, 'rain'],
    [71, 'snow'],
  ] as const),
  ...([
    [80, 'showers'],
    [85, 'snow'],
    [95, 'thunderstorm'],
    [100, 'unknown'],
  ] as const),
]

function numberOf(record: JsonRecord, key: string): number | null {
  const value = fieldOf(record, key)
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}
