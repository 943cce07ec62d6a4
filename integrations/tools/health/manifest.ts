/**
 * The owner's health data, by day: numbers, dates and words of closed lists, so that it contains no text that a device or an app
 * wrote. All of it is `regulated:health`: only home stores it, and only local models read it. Must not contain code. Listed in
 * ../index.ts.
 */
import type { FieldSpec, RecordSpec } from '../../../kernel/flow/field.ts'
import type { Compartment } from '../../../kernel/flow/level.ts'
import type { ActionManifest, ToolManifest } from '../../../kernel/tool/manifest.ts'
import { ACTIVITIES, MEASURES, UNITS } from './measures.ts'
import { HEALTH_SOURCES } from './sources.ts'

/** Maximum number of workouts in one answer, newest first. */
export const MAX_WORKOUTS = 60

/** Maximum UTF-16 units of typed text. */
const TYPED = 60

const HEALTH = 'health' as Compartment

const READ = {
  ...({ semantics: 'read', capability: 'health:read', ceiling: 'regulated', compartment: HEALTH } as const),
  ...({ reaches: 'sensitive', sink: null } as const),
  offline: {
    policy: { do: 'refuse' },
    why: 'its result is above what the edge may hold, so it is never asked for from there',
  },
} as const satisfies Partial<ActionManifest>

const NUMBER = { kind: 'number', optional: true } as const
const FLAG = { kind: 'boolean', optional: true } as const
const DATE = { kind: 'date', optional: true } as const
const UNIT = { kind: 'enum', values: UNITS } as const
const MEASURE = { kind: 'enum', values: MEASURES } as const

/** Source of the figure, and source that filled missing days; set if a source besides the default one measured something. */
const SOURCE = { kind: 'enum', values: HEALTH_SOURCES, optional: true } as const
const FROM = { by: SOURCE, also: SOURCE, also_counted: NUMBER }

/** In the owner's words: "last week", "since October", "2026-11-01 to 2026-11-07". */
const PERIOD = { kind: 'text', max: TYPED, optional: true } as const
const OF: RecordSpec = {
  kind: 'record',
  fields: { of: { kind: 'text', max: TYPED }, period: PERIOD },
}

/** The requested period; `ends`: the last day with data, if it is before its end. */
const SPAN: Readonly<Record<string, FieldSpec>> = {
  from: { kind: 'date' },
  to: { kind: 'date' },
  ends: DATE,
  empty: FLAG,
}

export const HEALTH_MANIFEST = Object.freeze<ToolManifest>({
  name: 'health',
  version: '1.0.0',
  ownerOnly: true,
  places: ['home'],
  network: [],
  credential: null,
  actions: [
    {
      ...READ,
      id: 'health.summary',
      description: 'All that was measured of the owner on a day or over a period; period as people say it.',
      args: { kind: 'record', fields: { period: PERIOD } },
      output: {
        kind: 'record',
        fields: {
          ...SPAN,
          rows: {
            kind: 'list',
            max: MEASURES.length,
            of: {
              kind: 'record',
              fields: {
                measure: MEASURE,
                unit: UNIT,
                value: NUMBER,
                each: NUMBER,
                counted: { kind: 'number' },
                ...FROM,
              },
            },
          },
          workouts: { kind: 'number' },
          several: FLAG,
        },
      },
    },
    {
      ...READ,
      id: 'health.measure',
      description:
        'One measure of the owner over a period: of is steps, sleep, heart rate, weight, blood pressure and so on.',
      args: OF,
      output: {
        kind: 'record',
        fields: {
          ...SPAN,
          ...{ measure: MEASURE, unit: UNIT, on: DATE, value: NUMBER, ...FROM },
          /** `total`: sum of all days, `each`: per day; `average`: mean of the days. `partly`: some days have no data. */
          ...{
            total: FLAG,
            average: FLAG,
            told: FLAG,
            partly: FLAG,
            each: NUMBER,
            low: NUMBER,
            high: NUMBER,
          },
          ...{ counted: { kind: 'number' }, asked: { kind: 'number' } },
          ...{ latest: NUMBER, latest_day: DATE },
          ...{ deep: NUMBER, rem: NUMBER, light: NUMBER },
          /** For blood pressure: the lower value. */
          lower: NUMBER,
        },
      },
    },
    {
      ...READ,
      id: 'health.change',
      description: 'How one measure of the owner changed from the beginning of a period to its end.',
      args: OF,
      output: {
        kind: 'record',
        fields: {
          ...SPAN,
          ...{ measure: MEASURE, unit: UNIT, first: NUMBER, first_day: DATE, last: NUMBER, last_day: DATE },
          ...FROM,
          /** Set if the values are means of weeks with data. */
          ...{ weekly: FLAG, up: NUMBER, down: NUMBER, same: FLAG, counted: { kind: 'number' } },
        },
      },
    },
    {
      ...READ,
      id: 'health.trend',
      description: 'One measure of the owner in the last seven days against the four weeks before.',
      args: { kind: 'record', fields: { of: { kind: 'text', max: TYPED } } },
      output: {
        kind: 'record',
        fields: {
          ...SPAN,
          ...{ measure: MEASURE, unit: UNIT, recent: NUMBER, before: NUMBER, percent: NUMBER },
          ...FROM,
          ...{ up: NUMBER, down: NUMBER, same: FLAG, told: FLAG },
          ...{ counted: { kind: 'number' }, counted_before: { kind: 'number' } },
        },
      },
    },
    {
      ...READ,
      id: 'health.workouts',
      description: 'Workouts of the owner in a period: day, kind, length, distance and energy.',
      args: { kind: 'record', fields: { period: PERIOD } },
      output: {
        kind: 'record',
        fields: {
          ...SPAN,
          workouts: {
            kind: 'list',
            max: MAX_WORKOUTS,
            of: {
              kind: 'record',
              fields: {
                day: { kind: 'date' },
                activity: { kind: 'enum', values: ACTIVITIES },
                minutes: { kind: 'number' },
                ...{ km: NUMBER, kcal: NUMBER },
              },
            },
          },
          total: { kind: 'number' },
          more: { kind: 'boolean' },
        },
      },
    },
  ],
})
