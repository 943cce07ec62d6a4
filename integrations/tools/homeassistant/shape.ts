/**
 * One state of Home Assistant to declared fields: numbers, units and states of closed lists; names are texts. Reads own properties alone. Pure. Called by find.ts,
 * run.ts and past.ts.
 */
import { fieldOf, type JsonRecord, recordOf, stringOf } from '../reading.ts'
import { LONGEST } from './manifest.ts'
import { KIND_OF, type Kind, MEANINGS, STATES, type State, UNITS, type Unit } from './measures.ts'
import { isOfHome } from './of-home.ts'

export interface Entity {
  readonly id: string
  readonly domain: string
  /** Empty for none. */
  readonly deviceClass: string
  readonly name: string
  readonly area: string | null
  readonly kind: Kind
  readonly said: Said
  readonly unit: Pick<Row, 'unit' | 'unit_said'>
  readonly target: number | null
  readonly since: string | null
}

/** What a state says: a number, a word of the list, or a text. */
export interface Said {
  readonly value?: number
  readonly state?: State
  readonly said?: string
}

export type Row = Said & {
  readonly name: string
  readonly area?: string
  readonly kind: Kind
  readonly unit?: Unit
  readonly unit_said?: string
  readonly mode?: State
  readonly target?: number
  readonly since?: string
}

/** `sensor.bedroom_temperature`; a longer one is none. */
const ID = /^([a-z_]{1,40})\.([a-z0-9_]{1,200})$/
/** Attributes that hold what is asked about, where the state is a mode. */
const MEASURED: Readonly<Record<string, string>> = {
  ...{ climate: 'current_temperature', water_heater: 'current_temperature', weather: 'temperature' },
}
const KNOWN_STATES: ReadonlySet<string> = new Set(STATES)
const KNOWN_UNITS: ReadonlySet<string> = new Set(UNITS)
/** Beyond it a sensor is broken, and no answer could be read. */
const MOST_VALUE = 1e12

/** Null for what is no entity that can be asked about. */
export function entityOf(record: JsonRecord, areas: ReadonlyMap<string, string>): Entity | null {
  const id = stringOf(record, 'entity_id')
  const [, domain = '', object = ''] = ID.exec(id) ?? []
  const attributes = recordOf(record, 'attributes')
  const deviceClass = stringOf(attributes, 'device_class')
  const named = stringOf(attributes, 'friendly_name').trim()
  const kind = kindOf(domain, deviceClass)
  const measured = MEASURED[domain]
  const mode = saidIn(stringOf(record, 'state'), { domain, deviceClass })
  const value = measured === undefined ? null : numberIn(fieldOf(attributes, measured))
  const area = areas.get(id)?.trim() ?? ''
  const words = `${named} ${object.replaceAll('_', ' ')} ${area}`
  const unit = stringOf(attributes, 'unit_of_measurement')
  if (!isOfHome({ domain, deviceClass, words, unit })) return null
  return {
    ...{ id, domain, deviceClass, kind },
    name: cut(named === '' ? object.replaceAll('_', ' ') : named, LONGEST.name),
    area: area === '' ? null : cut(area, LONGEST.name),
    said: { ...mode, ...(value !== null && { value }) },
    unit: unitOf(domain, attributes),
    target: domain === 'climate' ? numberIn(fieldOf(attributes, 'temperature')) : null,
    since: momentOf(record, 'last_changed'),
  }
}

export function rowOf({ name, area, kind, said, unit, target, since }: Entity): Row {
  const isNumber = said.value !== undefined
  const { state: mode } = said
  return {
    ...{ name, kind },
    ...(isNumber ? { value: said.value, ...unit, ...(mode !== undefined && { mode }) } : said),
    ...(area !== null && { area }),
    ...(target !== null && { target }),
    // A number changes all the time.
    ...(since !== null && !isNumber && { since }),
  }
}

/** What a state says of an entity of this domain, now or in a history. */
export function saidIn(text: string, { domain, deviceClass }: Pick<Entity, 'domain' | 'deviceClass'>): Said {
  const state = text.trim()
  if (domain === 'binary_sensor' && (state === 'on' || state === 'off')) {
    const [on, off] = MEANINGS[deviceClass] ?? (['on', 'off'] as const)
    return { state: state === 'on' ? on : off }
  }
  const value = domain === 'sensor' ? numberIn(state) : null
  if (value !== null) return { value }
  const word = state.toLowerCase()
  if (KNOWN_STATES.has(word)) return { state: word as State }
  return state === '' ? { state: 'unknown' } : { said: cut(state, LONGEST.said) }
}

/** What a climate entity measured, from its attributes. */
export function measuredIn(record: JsonRecord, domain: string): number | null {
  const attribute = MEASURED[domain]
  return attribute === undefined ? null : numberIn(fieldOf(recordOf(record, 'attributes'), attribute))
}

/** As the kernel's dates are written; null for none. */
export function momentOf(record: JsonRecord, key: string): string | null {
  const at = Date.parse(stringOf(record, key))
  return Number.isNaN(at) ? null : new Date(at).toISOString()
}

function kindOf(domain: string, deviceClass: string): Kind {
  const known = Object.hasOwn(KIND_OF, deviceClass) ? KIND_OF[deviceClass] : undefined
  return known ?? (Object.hasOwn(KIND_OF, domain) ? KIND_OF[domain] : undefined) ?? 'other'
}

/** A thermostat says its unit nowhere: it is that of the installation. */
function unitOf(domain: string, attributes: JsonRecord): Entity['unit'] {
  const said = stringOf(attributes, domain === 'weather' ? 'temperature_unit' : 'unit_of_measurement').trim()
  const unit = said === '' && MEASURED[domain] !== undefined ? '°' : said.replace('μ', 'µ')
  if (unit === '') return {}
  return KNOWN_UNITS.has(unit) ? { unit: unit as Unit } : { unit_said: cut(unit, LONGEST.unit) }
}

/** Numbers come as strings. */
export function numberIn(value: unknown): number | null {
  const number =
    typeof value === 'string' &&
    /^[+-]?(?:\d{1,15}(?:\.\d{1,15})?|\.\d{1,15})(?:e[+-]?\d{1,2})?$/i.test(value.trim())
      ? Number(value)
      : value
  if (typeof number !== 'number' || !Number.isFinite(number) || Math.abs(number) > MOST_VALUE) return null
  return Math.round(number * 1_000) / 1_000
}

/** Never in the middle of a character. */
function cut(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')
}
