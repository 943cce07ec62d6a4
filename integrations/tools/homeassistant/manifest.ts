/**
 * Home Assistant on the owner's own network: what sensors and devices say, and what they said over a time. All of it is `sensitive`. What measures a body is in none
 * of these answers (of-home.ts): an action of its own reads it into the owner's health data, `regulated:health`. Reads only. Must not contain code. Listed in ../index.ts.
 */
import type { FieldSpec } from '../../../kernel/flow/field.ts'
import type { Compartment } from '../../../kernel/flow/level.ts'
import type { ActionManifest, ToolManifest } from '../../../kernel/tool/manifest.ts'
import { HOMEASSISTANT_CONNECT } from './connect.ts'
import { KINDS, STATES, UNITS } from './measures.ts'

/** Entities of one list; those that a question fits, when it is asked back which is meant; changes of a history, the newest. */
export const MAX_ROWS = 40
export const MAX_FITS = 12
export const MAX_CHANGES = 20

/** UTF-16 units: as typed; of a name; of a state in words of its own. */
const TYPED = 80
export const LONGEST = { name: 120, said: 160, unit: 20 } as const

const READ = {
  semantics: 'read',
  capability: 'home:read',
  ceiling: 'sensitive',
  compartment: null,
  reaches: 'sensitive',
  sink: null,
  offline: {
    policy: { do: 'refuse' },
    why: 'what a home says is of now: later it would be of another time',
  },
} as const satisfies Partial<ActionManifest>

export const BODY_ACTION = 'homeassistant.fetch'

/** As of a ring: without arguments, and dates and counts come out (oura/manifest.ts). */
const OF_BODY = {
  ...{ ...READ, capability: 'health:read', ceiling: 'regulated', compartment: 'health' as Compartment },
  offline: {
    policy: { do: 'refuse' },
    why: 'its result is above what the edge may hold, so it is never asked for from there',
  },
  args: { kind: 'record', fields: {} },
  output: {
    kind: 'record',
    fields: {
      from: { kind: 'date' },
      to: { kind: 'date' },
      /** Sensors that were read; measures that several say, of which none was. */
      sensors: { kind: 'number' },
      unsure: { kind: 'number' },
      /** Days with data, and those of them that were not there before. */
      days: { kind: 'number' },
      fresh: { kind: 'number' },
      newest: { kind: 'date', optional: true },
    },
  },
} as const satisfies Partial<ActionManifest>

const NUMBER = { kind: 'number', optional: true } as const
const FLAG = { kind: 'boolean', optional: true } as const
const DATE = { kind: 'date', optional: true } as const
const STATE = { kind: 'enum', values: STATES, optional: true } as const
const NAME = { kind: 'text', max: LONGEST.name, optional: true } as const

const OF = { kind: 'text', max: TYPED } as const
const KIND = { kind: 'enum', values: KINDS, optional: true } as const

/** Numbers, units and states of closed lists are fields; what is in none of them is a text of the outside. */
const ENTITY: Readonly<Record<string, FieldSpec>> = {
  name: NAME,
  area: NAME,
  kind: KIND,
  value: NUMBER,
  unit: { kind: 'enum', values: UNITS, optional: true },
  unit_said: { kind: 'text', max: LONGEST.unit, optional: true },
  state: STATE,
  /** What a thing that measures is set to do. */
  mode: STATE,
  said: { kind: 'text', max: LONGEST.said, optional: true },
  /** What a thermostat is set to. */
  target: NUMBER,
  since: DATE,
}

const FITS = {
  kind: 'list',
  max: MAX_FITS,
  of: { kind: 'record', fields: { name: NAME, area: NAME } },
} as const

export const HOMEASSISTANT_MANIFEST = Object.freeze<ToolManifest>({
  name: 'homeassistant',
  version: '1.0.0',
  ownerOnly: true,
  places: ['home'],
  network: [],
  redirects: 'same_host',
  selfHosted: true,
  credential: 'homeassistant',
  connect: HOMEASSISTANT_CONNECT,
  actions: [
    {
      ...READ,
      id: 'homeassistant.state',
      description:
        'What one sensor or device at home says now, by words: of is "bedroom" or "washing machine"; kind says what of it is asked.',
      args: { kind: 'record', fields: { of: OF, kind: KIND } },
      output: { kind: 'record', fields: { ...ENTITY, nothing: FLAG, fits: FITS, more: NUMBER } },
    },
    {
      ...READ,
      id: 'homeassistant.history',
      description:
        'How one sensor or device at home was over a time, computed: least, most, mean, last; or when and how long. period as people say it, such as "last night".',
      args: {
        kind: 'record',
        fields: { of: OF, kind: KIND, period: { kind: 'text', max: TYPED } },
      },
      output: {
        kind: 'record',
        fields: {
          ...ENTITY,
          ...{ nothing: FLAG, fits: FITS, more: NUMBER },
          ...{ from: DATE, to: DATE, empty: FLAG },
          ...{ low: NUMBER, high: NUMBER, mean: NUMBER, last: NUMBER },
          /** Of states: which one it was in when not at rest, how often and how many minutes in all. */
          ...{ was: STATE, never: FLAG, times: NUMBER, minutes: NUMBER, rested: STATE },
          changes: {
            kind: 'list',
            max: MAX_CHANGES,
            of: { kind: 'record', fields: { at: { kind: 'date' }, state: STATE } },
          },
        },
      },
    },
    {
      ...READ,
      id: 'homeassistant.list',
      description: 'Sensors and devices at home with what they say, by area, kind or words of their names.',
      args: { kind: 'record', fields: { of: { ...OF, optional: true }, kind: KIND, state: STATE } },
      output: {
        kind: 'record',
        fields: {
          /** The state that was asked for, where there are things in others. */
          asked: STATE,
          rows: { kind: 'list', max: MAX_ROWS, of: { kind: 'record', fields: ENTITY } },
          total: { kind: 'number' },
        },
      },
    },
    {
      ...OF_BODY,
      id: BODY_ACTION,
      description:
        'Reads what Home Assistant measured of the owner (steps, sleep, weight, heart rate) into the health data of the owner.',
    },
  ],
})
