/**
 * Fills a sentence of a package with the fields of a result (DESIGN §9), in one pass, so that untrusted text is never parsed as a
 * sentence, and stays in its line. Must not know a tool. Called by told.ts and by the renderers of single kinds of results.
 */
import type { Json } from '../../../kernel/flow/json.ts'
import { type Clock, date, dateAndName, dayOf, moment, range } from './clock.ts'
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
 * times; `{name:count}` is a long number. `[a|b|c]` yields the first part whose fields all exist, or nothing; `{name?}`,
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
  if (typeof value === 'number')
    return form === 'count' ? value.toLocaleString('en-GB') : String(Math.round(value * 10) / 10)
  if (typeof value !== 'string' || value === '') return null
  if (values !== undefined && Object.hasOwn(values, value)) return values[value] ?? null
  const wall = clock.read(value)
  switch (form) {
    case 'day':
      return wall === null ? null : date(dayOf(wall), clock.now)
    case 'moment':
      return wall === null ? null : moment(wall, clock.now)
    case 'span': {
      const end = fieldIn(until ?? '', filling)
      const to = typeof end === 'string' ? clock.read(end) : null
      return wall === null || to === null ? null : range(wall, to, clock.now)
    }
    case 'named':
      return wall === null ? null : dateAndName(dayOf(wall), clock.now)
    default:
      return line(value, form === undefined ? undefined : Number(form)) || null
  }
}
