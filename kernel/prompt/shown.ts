/**
 * How typed values look in a prompt's text: few tokens, since a local model's latency is its prompt's length, and still
 * JSON, so that no line of a value can look like a section. Shows nothing that the value does not hold, and hides nothing
 * but what its place says. Must not decide what may be seen. Pure; called by layout.ts.
 */
import { canonicalJson, type Json, mapStrings } from '../flow/json.ts'
import { formatMinute } from '../wording/output.ts'
import type { ContentView, MetadataView } from './parts.ts'

/** Items from which on a list of records is told as columns and rows: with fewer, the columns cost what they save. */
const LEAST_ROWS = 2
/** Earlier results that a planner sees whole, whatever was asked. */
const NEWEST = 2
/** The size that nearly every handle has; only another one is told. */
const USUAL_SIZE = 'line'

/**
 * Records for a planner, a line each: values as they are, a handle as `<kind …>`, named by where it stands. Of an older
 * result: how long its lists are, so that it can be referred to, and the items in which a word of the request stands, unless a
 * newer one says the same.
 */
export function metadataText(views: readonly MetadataView[]): readonly string[] {
  const told = new Set<string>()
  return views.map(({ root, action, fields }) => {
    if (!isOld(root)) return `${root} ${lineOf(action, handled(fields as Json))}`
    const line = lineOf(action, briefly(fields as Json))
    if (told.has(line)) return `${root} ${lineOf(action, briefly(fields as Json, true))}`
    told.add(line)
    return `${root} ${line}`
  })
}

function lineOf(action: string, shown: Json): string {
  return `${action} ${canonicalJson(tabled(withoutSeconds(shown)))}`
}

/** `w1` is the newest. */
function isOld(root: string): boolean {
  return root.startsWith('w') && Number(root.slice(1)) > NEWEST
}

/** Whether a word of the request stands in any handle. */
function isRanked(value: Json): boolean {
  if (Array.isArray(value)) return value.some(isRanked)
  return isFields(value) && ('rank' in value || Object.values(value).some(isRanked))
}

/** How long its lists are and, unless a newer result says the same, what of it a word of the request stands in. */
function briefly(fields: Json, isTold = false): Json {
  if (!isFields(fields)) return {}
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]): (readonly [string, Json])[] => {
      const items = itemsOf(value)
      if (items === null) return !isTold && isRanked(value) ? [[name, handled(value)]] : []
      const ranked = items.flatMap((item, at) =>
        !isTold && isRanked(item) ? [[`${name}[${at}]`, handled(item)] as const] : [],
      )
      return items.length === 0 ? [] : [[name, `${items.length} items`], ...ranked]
    }),
  )
}

/** The items of a list as a planner's view has them. */
function itemsOf(value: Json): readonly Json[] | null {
  const isList = isFields(value) && Object.keys(value).length === 2 && 'count' in value
  return isList && Array.isArray(value['items']) ? value['items'] : null
}

/**
 * The whole of a result, for a writer, in moments of the person's own time: `YYYY-MM-DDTHH:MM`, with seconds where it has
 * some; and the hour alone, where the moment before it in the same record is of that day.
 */
export function contentText({ content }: ContentView, timezone: string): string {
  return canonicalJson(tabled(inTime(content, timezone)))
}

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::(\d\d)(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/
const WHOLE_MINUTE = /^(\d{4}-\d\d-\d\dT\d\d:\d\d):00(?:\.0+)?(Z|[+-]\d\d:\d\d)$/
const DAY = 'YYYY-MM-DD'.length

function inTime(value: Json, timezone: string): Json {
  if (typeof value === 'string') return localMoment(value, timezone) ?? value
  if (Array.isArray(value)) return value.map((each: Json) => inTime(each, timezone))
  if (!isFields(value)) return value
  let day = ''
  // In the order in which they are told.
  const fields = Object.keys(value)
    .sort()
    .map((name): [string, Json] => {
      const field = value[name] ?? null
      const moment = typeof field === 'string' ? localMoment(field, timezone) : null
      if (moment === null) return [name, inTime(field, timezone)]
      const isSameDay = moment.startsWith(day) && day !== ''
      day = moment.slice(0, DAY)
      return [name, isSameDay ? moment.slice(DAY + 1) : moment]
    })
  return Object.fromEntries(fields)
}

/** A model is no good at clocks. Null for what is no moment, or none that there is. */
function localMoment(text: string, timezone: string): string | null {
  const found = MOMENT.exec(text)
  const at = found === null ? Number.NaN : Date.parse(text)
  if (found === null || Number.isNaN(at)) return null
  const [, seconds = '00'] = found
  return `${formatMinute(at, timezone)}${seconds === '00' ? '' : `:${seconds}`}`
}

/** A planner's moments keep their zone, as it hands them on. */
function withoutSeconds(fields: Json): Json {
  return mapStrings(fields, (text) => text.replace(WHOLE_MINUTE, '$1$2'))
}

type Fields = { readonly [key: string]: Json }

function isFields(value: Json): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A reference repeats where its handle stands, and a count how long its list is: both are left out. */
function handled(value: Json): Json {
  if (Array.isArray(value)) return value.map((each: Json) => handled(each))
  if (!isFields(value)) return value
  const items = itemsOf(value)
  if (items !== null) return handled(items)
  const { kind, ref, size, ...more } = value
  if (typeof kind === 'string' && typeof ref === 'string') {
    const facts = Object.entries(more).map(([name, fact]) => `; ${name} ${String(fact)}`)
    return `<${kind}${size === USUAL_SIZE || size === undefined ? '' : ` ${String(size)}`}${facts.join('')}>`
  }
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, handled(each)]))
}

/**
 * Lists of records as columns and rows, so that each name is told once, and so is what is the same in `each` of them. What
 * a record lacks is null.
 */
function tabled(value: Json): Json {
  if (Array.isArray(value)) {
    const items: readonly Json[] = value
    return items.length >= LEAST_ROWS && items.every(isFields) ? tableOf(items) : items.map(tabled)
  }
  if (!isFields(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, tabled(each)]))
}

function tableOf(records: readonly Fields[]): Json {
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))].sort()
  const cells = names.map((name) => records.map((record) => tabled(record[name] ?? null)))
  const isSame = (of: readonly Json[]): boolean => new Set(of.map((cell) => canonicalJson(cell))).size === 1
  const each = names.flatMap((name, at) =>
    isSame(cells[at] ?? []) ? [[name, cells[at]?.[0] ?? null] as const] : [],
  )
  const columns = names.filter((_, at) => !isSame(cells[at] ?? []))
  const varied = cells.filter((of) => !isSame(of))
  const rows = records.map((_, row) => varied.map((of) => of[row] ?? null))
  return each.length === 0 ? { columns, rows } : { each: Object.fromEntries(each), columns, rows }
}
