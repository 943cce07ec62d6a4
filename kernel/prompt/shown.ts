/**
 * How typed values are written in a prompt: few tokens, because a local model's latency depends on the prompt's length, and as
 * JSON, so that no line of a value looks like a section. Shows only what the value contains, and hides only what each function
 * says. Must not decide what may be seen. Pure; called by layout.ts.
 */
import { canonicalJson, type Json, mapStrings } from '../flow/json.ts'
import { formatMinute } from '../wording/output.ts'
import type { ContentView, MetadataView } from './parts.ts'

/** Minimum number of records shown as columns and rows: with fewer, the columns cost as much as they save. */
const LEAST_ROWS = 2
/** Number of newest earlier results that a planner always sees in full. */
const NEWEST = 2
/** The size of nearly every handle. Only other sizes are shown. */
const USUAL_SIZE = 'line'

/**
 * Records for a planner, one per line: values as they are, a handle as `<kind …>`, named by its position. Older results show
 * the lengths of their lists, so that they can be referenced, and the items that contain a word of the request, unless a newer
 * result shows the same.
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

/** Whether any handle contains a word of the request. */
function isRanked(value: Json): boolean {
  if (Array.isArray(value)) return value.some(isRanked)
  return isFields(value) && ('rank' in value || Object.values(value).some(isRanked))
}

/** Lengths of its lists and, unless a newer result shows the same, the items that contain a word of the request. */
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

/** The items of a list in a planner's view. */
function itemsOf(value: Json): readonly Json[] | null {
  const isList = isFields(value) && Object.keys(value).length === 2 && 'count' in value
  return isList && Array.isArray(value['items']) ? value['items'] : null
}

/**
 * The whole result for a writer, with times in the person's time zone: `YYYY-MM-DDTHH:MM`, with seconds if not zero, and only
 * the time of day where the previous time in the same record is on the same day.
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
  // In the order of display.
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

/** Local time, because models convert time zones badly. Null for a text that is no valid time. */
function localMoment(text: string, timezone: string): string | null {
  const found = MOMENT.exec(text)
  const at = found === null ? Number.NaN : Date.parse(text)
  if (found === null || Number.isNaN(at)) return null
  const [, seconds = '00'] = found
  return `${formatMinute(at, timezone)}${seconds === '00' ? '' : `:${seconds}`}`
}

/** A planner's times keep their zone, because the planner passes them on. */
function withoutSeconds(fields: Json): Json {
  return mapStrings(fields, (text) => text.replace(WHOLE_MINUTE, '$1$2'))
}

type Fields = { readonly [key: string]: Json }

function isFields(value: Json): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Removes a handle's reference and a list's count, which its position and length already show. */
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
 * Lists of records as columns and rows: each name once, and in `each` the values that all records share. Missing values are
 * null.
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
