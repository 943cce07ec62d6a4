/** The weather: two requests to Open-Meteo, its answers as declared fields, and the question whole at both places, without a model. */
import { describe, expect, it } from 'vitest'
import { TOOL_MANIFESTS } from '../../integrations/tools/registered.ts'
import { createWeatherTool } from '../../integrations/tools/weather/run.ts'
import { shapeForecast, shapePlace, skyOf } from '../../integrations/tools/weather/shape.ts'
import { parseFields } from '../../kernel/flow/field.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { HttpRequest, HttpResponse, ToolCall } from '../../kernel/tool/manifest.ts'
import { answer, onlyOne, TOOLS } from '../pipeline/approvals-owner.ts'
import { createWorld, type World } from '../pipeline/world.ts'
import { tokenFor } from './calls.ts'

const PLACE = {
  results: [{ name: 'Lisbon', admin1: 'Lisbon', country: 'Portugal', latitude: 38.7, longitude: -9.1 }],
}
const DAYS = ['2026-11-20', '2026-11-21', '2026-11-22']
const FORECAST = {
  daily: {
    ...{ time: DAYS, weather_code: [0, 63, 95], temperature_2m_min: [9.4, 10, 11] },
    ...{ temperature_2m_max: [16, 14.2, 13], precipitation_sum: [0, 6.5, 12] },
    ...{ precipitation_probability_max: [2, 90, null], wind_speed_10m_max: [12, 20, 31] },
  },
}

/** Answers by host; what was asked, in order. */
function service(place: unknown, forecast: unknown) {
  const asked: URL[] = []
  const request = async ({ url, headers }: HttpRequest): Promise<Result<HttpResponse>> => {
    expect(headers).not.toHaveProperty('authorization')
    asked.push(new URL(url))
    const body = new URL(url).host.startsWith('geocoding') ? place : forecast
    if (body === null) return err('remote_unavailable')
    return ok({ status: 200, body: JSON.stringify(body), headers: {}, url } as unknown as HttpResponse)
  }
  const call = (args: object): ToolCall =>
    ({
      ...{ action: 'weather.forecast', args, credential: null, http: { request } },
      capability: tokenFor('weather.forecast'),
    }) as unknown as ToolCall
  return { asked, call }
}

describe('the tool', () => {
  it('sends the name of the place, and then where it lies; nothing else', async () => {
    const { asked, call } = service(PLACE, FORECAST)
    const told = await createWeatherTool().execute(call({ place: 'Lisbon & Sintra' }))
    const [action] = TOOL_MANIFESTS.find(({ name }) => name === 'weather')?.actions ?? []
    if (!told.ok || action === undefined) throw new Error('nothing was told')
    expect(parseFields(action.output, told.output, 'refuse').ok).toBe(true)
    expect(told.output).toMatchObject({
      place: 'Lisbon, Portugal',
      days: [{ sky: 'clear' }, { sky: 'rain' }, { wind: 31 }],
    })
    expect(asked.map(({ host }) => host)).toEqual(['geocoding-api.open-meteo.com', 'api.open-meteo.com'])
    expect(asked[0]?.searchParams.get('name')).toBe('Lisbon & Sintra')
    expect([...(asked[1]?.searchParams.keys() ?? [])].sort()).toEqual([
      'daily',
      'forecast_days',
      'latitude',
      'longitude',
      'timezone',
    ])
  })

  it.each([
    ['no place of that name', {}, FORECAST, 'remote_not_found'],
    ['a place without coordinates', { results: [{ name: 'X' }] }, FORECAST, 'tool_result_invalid'],
    ['a service that is away', null, FORECAST, 'remote_unavailable'],
    ['a forecast that is away', PLACE, null, 'remote_unavailable'],
    ['a forecast without days', PLACE, { daily: { time: 'soon' } }, 'tool_result_invalid'],
    ['an answer of another kind', PLACE, [], 'tool_result_invalid'],
  ])('%s', async (_, place, forecast, code) => {
    const { call } = service(place, forecast)
    expect(await createWeatherTool().execute(call({ place: 'X' }))).toMatchObject({
      ok: false,
      reason: { code },
    })
  })

  it('takes nothing for a number, a day or a sky that is none', () => {
    const odd = {
      daily: { ...FORECAST.daily, temperature_2m_min: ['cold', 10, 11], weather_code: ['x', 3, 999] },
    }
    expect(shapeForecast(odd)).toMatchObject({ ok: true, value: [{ sky: 'cloudy' }, { sky: 'unknown' }] })
    expect(shapePlace({ results: [{ name: 'A\n> B', latitude: 1, longitude: 2 }] })).toMatchObject({
      value: { place: 'A > B' },
    })
    expect([0, 1, 3, 45, 55, 67, 77, 81, 86, 96, -1, null].map(skyOf)).toEqual([
      'clear',
      'clear',
      'cloudy',
      'fog',
      'drizzle',
      'rain',
      'snow',
      'showers',
      'snow',
      'thunderstorm',
      'unknown',
      'unknown',
    ])
  })
})

const told = ({ sent }: World): string => sent.findLast(({ kind }) => kind === 'answer')?.text ?? ''

function weatherWorld(place: 'home' | 'edge'): World {
  const { call } = service(PLACE, FORECAST)
  const forecast = (args: object) => createWeatherTool().execute(call(args))
  return createWorld({ place, pushes: true, tools: { ...TOOLS, 'weather.forecast': forecast } })
}

describe.each(['home', 'edge'] as const)('asked at %s, without a model', (place) => {
  it('one card names the words and both hosts; the yes tells the day that was meant', async () => {
    const world = weatherWorld(place)
    await world.say('will it rain in Lisbon tomorrow?')
    const { id, card } = await onlyOne(world)
    expect(card).toContain('place: Lisbon\n')
    expect(card).toContain('Goes to a service of others (open-meteo.com).')
    expect(world.calls).toEqual([])
    await answer(world, id, { place })
    expect(world.calls).toEqual([{ tool: 'weather.forecast', args: { place: 'Lisbon' } }])
    expect(told(world)).toBe(
      'Lisbon, Portugal:\n- Sat 21 Nov (tomorrow): rain, 10 to 14.2 °C, 6.5 mm of rain or snow (90 % likely), wind up to 20 km/h',
    )
  })

  it.each([
    ['what is the weather in New York City', 'New York City'],
    ['how cold is it in São Paulo?', 'São Paulo'],
    ["what's the weather like in Lisbon on Friday", 'Lisbon'],
    ['weather forecast for Faro', 'Faro'],
    ['is it going to rain in 東京 today', '東京'],
  ])('%s', async (words, told) => {
    const world = weatherWorld(place)
    await world.say(words)
    expect((await onlyOne(world)).card).toContain(`place: ${told}\n`)
  })

  it('a day beyond the forecast is said to be one', async () => {
    const world = weatherWorld(place)
    await world.say('will it rain in Lisbon on 20 December?')
    await answer(world, (await onlyOne(world)).id, { place })
    expect(told(world)).toMatch(/seven days ahead is all there is/)
  })
})
