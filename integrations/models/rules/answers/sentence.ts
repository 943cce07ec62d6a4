/**
 * Fills a sentence of a package with the fields of a result (DESIGN §9), in one pass, so that untrusted text is never parsed as a
 * sentence, and stays in its line. Must not know a tool. Called by told.ts and by the renderers of single kinds of results.
 */

import type { Json } from '../../../../kernel/flow/json.ts'
import { listed, numberWords, plainNumber } from '../../../../kernel/wording/output.ts'
import { tell } from '../../../../kernel/wording/words.ts'
import { type Clock, date, dateAndName, dayOf, moment, range, within } from './clock.ts'
import { fieldOf } from './content.ts'
import { line } from './text.ts'

export interface Filling {
  readonly item: Json
  readonly clock: Clock
  /** Words for single values. */
  readonly values?: Readonly<Record<string, string>>
  /** Values that are no fields: counts, positions, what was asked. They override fields of the same name. */
  readonly own?: Readonly<Record<string, Json>>
}

const SLOT = /\{(\w+)(?:-(\w+))?(?::(\w+))?\}/g
const CONDITION = /\{(\w+)(?:(=|>|!=)(\w+))?\?\}/g
const OPTIONAL = /\[([^\]]*)\]/g

/**
 * `{name}` is a field, `{name:60}` its beginning; `{at:day}`, `{at:named}` (tomorrow), `{at:moment}` and `{from-to:span}` are
 * times; `{from-to:days}` says within which days (today, on Friday, between two); `{name:count}` is a long number, `{name:exact}` one with all its digits, `{name:length}` minutes as hours, and `{name:amount}` a number with its `unit`; a list of texts is joined. `[a|b|c]` yields the first part whose fields all exist, or nothing; `{name?}`,
 * `{name=1?}`, `{name>1?}` and `{name!=other?}` are conditions, which yield no text.
 */
export function filled(sentence: string, filling: Filling): string {
  const has = (part: string): boolean =>
    [...part.matchAll(CONDITION)].every(([, name = '', how = '', than = '']) =>
      holds(name, how, than, filling),
    ) && [...part.matchAll(SLOT)].every(([, ...slot]) => shown(slot, filling) !== null)
  return sentence
    .replace(OPTIONAL, (_, parts: string) => parts.split('|').find(has) ?? '')
    .replace(CONDITION, '')
    .replace(SLOT, (_, ...slot: readonly string[]) => shown(slot, filling) ?? '')
}

function fieldIn(name: string, { item, own }: Filling): Json | undefined {
  return own !== undefined && Object.hasOwn(own, name) ? own[name] : fieldOf(item, name)
}

function holds(name: string, how: string, than: string, filling: Filling): boolean {
  const value = fieldIn(name, filling)
  if (how === '') return value === true
  if (how === '!=') {
    const [one, other] = [value, fieldIn(than, filling)].map((text) =>
      typeof text === 'string' ? line(text) : '',
    )
    return one !== '' && one !== other
  }
  return typeof value === 'number' && (how === '=' ? value === Number(than) : value > Number(than))
}

function shown([name = '', until, form]: readonly (string | undefined)[], filling: Filling): string | null {
  const { clock, values } = filling
  const value = fieldIn(name, filling)
  if (typeof value === 'number') return numberShown(value, form, filling)
  if (Array.isArray(value)) return listShown(value, form)
  if (typeof value !== 'string' || value === '') return null
  if (values !== undefined && Object.hasOwn(values, value)) return values[value] ?? null
  const wall = clock.read(value)
  switch (form) {
    case 'day':
      return wall === null ? null : date(dayOf(wall), clock.now)
    case 'moment':
      return wall === null ? null : moment(wall, clock.now)
    case 'days':
    case 'span': {
      const end = fieldIn(until ?? '', filling)
      const to = typeof end === 'string' ? clock.read(end) : null
      return wall === null || to === null ? null : (form === 'days' ? within : range)(wall, to, clock.now)
    }
    case 'named':
      return wall === null ? null : dateAndName(dayOf(wall), clock.now)
    default:
      return line(value, form === undefined ? undefined : Number(form)) || null
  }
}

/** The texts of a list, as far as there is room. */
function listShown(value: readonly Json[], form: string | undefined): string | null {
  const texts = value.flatMap((one) => (typeof one === 'string' && one !== '' ? [one] : []))
  return texts.length === 0 ? null : line(listed(texts), form === undefined ? undefined : Number(form))
}

function numberShown(value: number, form: string | undefined, filling: Filling): string {
  if (form === 'exact') return plainNumber(value)
  const unit = form === 'amount' ? fieldIn('unit', filling) : undefined
  if (form === 'length' || unit === 'minutes') return lengthShown(Math.round(value))
  if (form !== 'count' && unit === undefined) return plainNumber(Math.round(value * 10) / 10)
  const name = typeof unit === 'string' ? ` ${filling.values?.[unit] ?? unit}` : ''
  return `${numberWords(value)}${name}`
}

/** `6 h 30 min`. */
function lengthShown(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  if (hours === 0) return tell('rules.minutes', { minutes: rest })
  return rest === 0 ? tell('rules.hours', { hours }) : tell('rules.hours_minutes', { hours, minutes: rest })
}
