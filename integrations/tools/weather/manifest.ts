/**
 * Open-Meteo's forecast for a place (https://open-meteo.com/en/docs, no key). The service receives only the name of the place and
 * its coordinates, not the requested day. Must not contain code. Listed in ../index.ts.
 */
import type { ToolManifest } from '../../../kernel/tool/manifest.ts'

export const GEOCODING = 'geocoding-api.open-meteo.com'
export const FORECAST = 'api.open-meteo.com'

/** Number of days in one answer. */
export const DAYS = 7

export const SKIES = [
  ...['clear', 'cloudy', 'fog', 'drizzle', 'rain', 'snow', 'showers', 'thunderstorm', 'unknown'],
] as const

export const WEATHER_MANIFEST = Object.freeze<ToolManifest>({
  name: 'weather',
  version: '1.0.0',
  ownerOnly: true,
  places: ['edge', 'home'],
  network: [FORECAST, GEOCODING],
  credential: null,
  actions: [
    {
      id: 'weather.forecast',
      description: 'The weather of the coming seven days at one place.',
      terms: ['regnen', 'schneien', 'raining', 'snowing'],
      semantics: 'read',
      capability: 'weather:read',
      offline: { policy: { do: 'degrade' }, why: 'the edge asks for it itself' },
      args: { kind: 'record', fields: { place: { kind: 'text', max: 80, disclosed: true } } },
      output: {
        kind: 'record',
        fields: {
          place: { kind: 'text', max: 200 },
          days: {
            kind: 'list',
            max: DAYS,
            of: {
              kind: 'record',
              fields: {
                date: { kind: 'date' },
                sky: { kind: 'enum', values: SKIES },
                /** Degrees Celsius. */
                low: { kind: 'number' },
                high: { kind: 'number' },
                /** Millimetres; per cent. */
                rain: { kind: 'number' },
                chance: { kind: 'number', optional: true },
                /** Kilometres an hour. */
                wind: { kind: 'number' },
              },
            },
          },
        },
      },
      ceiling: 'public',
      compartment: null,
      reaches: 'public',
      sink: null,
    },
  ],
})
