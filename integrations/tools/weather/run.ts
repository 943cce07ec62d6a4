/**
 * Finds a place by name and requests its weather: two requests to Open-Meteo, without a key. Must not send anything but the
 * name and the coordinates that were returned for it. Called through integrations/tools/port.ts.
 */
import { err } from '../../../kernel/flow/verdict.ts'
import type { Tool, ToolCall, ToolOutcome } from '../../../kernel/tool/manifest.ts'
import { callJson } from '../remote.ts'
import { DAYS, FORECAST, GEOCODING, WEATHER_MANIFEST } from './manifest.ts'
import { shapeForecast, shapePlace } from './shape.ts'

const DAILY =
  'weather_code,temperature_2m_min,temperature_2m_max,precipitation_sum,precipitation_probability_max,wind_speed_10m_max'

export function createWeatherTool(): Tool {
  return { manifest: WEATHER_MANIFEST, execute: forecast }
}

async function forecast(call: ToolCall): Promise<ToolOutcome> {
  if (call.action !== 'weather.forecast') return err('tool_unknown')
  const named = new URLSearchParams({
    name: String(call.args['place']),
    count: '1',
    language: 'en',
    format: 'json',
  })
  const answer = await ask(call, `https://${GEOCODING}/v1/search?${named}`)
  const found = answer.ok ? shapePlace(answer.value) : answer
  if (!found.ok) return found
  const { place, latitude, longitude } = found.value
  const where = new URLSearchParams({
    ...{ latitude: String(latitude), longitude: String(longitude), daily: DAILY },
    ...{ timezone: 'auto', forecast_days: String(DAYS) },
  })
  const told = await ask(call, `https://${FORECAST}/v1/forecast?${where}`)
  const days = told.ok ? shapeForecast(told.value) : told
  return days.ok ? { ok: true, output: { place, days: days.value } } : days
}

function ask(call: ToolCall, url: string): ReturnType<typeof callJson> {
  return callJson(call, { method: 'GET', url, keyless: true })
}
