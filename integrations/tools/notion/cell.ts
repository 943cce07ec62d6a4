/**
 * One cell of a row: finds it, and reads its present and intended value as text of the column's kind. Columns and options come
 * from the database, never from a plan; values that fit none of them are refused. The write sets what was looked up and approved.
 * Must not retry. Called by run.ts.
 */
import { err, type Result } from '../../../kernel/flow/verdict.ts'
import type { ToolOutcome } from '../../../kernel/tool/manifest.ts'
import { readDates } from '../../dates/read.ts'
import { createZone } from '../../dates/zone.ts'
import { fieldOf, type JsonRecord, recordOf, recordsOf, stringOf } from '../reading.ts'
import { UNCLEAR } from '../remote.ts'
import { type Api, getRecord, send } from './api.ts'
import { find, standingOf } from './find.ts'
import { CELL_KINDS, NOTION_TEXT } from './manifest.ts'
import { idIn } from './names.ts'
import { columnsIn, doneBy, optionsOf, plainOf, shapeHead } from './shape.ts'
import { textsOf } from './written.ts'

type CellKind = (typeof CELL_KINDS)[number]

/** Text of a checkbox in any language. */
const BOX = { on: '☑', off: '☐' } as const
const YES =
  /^(?:yes|y|true|on|done|checked|ticked|complete|completed|finished|ja|wahr|an|erledigt|fertig|abgehakt)$/i
const NO =
  /^(?:no|n|false|off|open|not done|undone|unchecked|unticked|to do|to-do|todo|nein|falsch|aus|offen|nicht erledigt|unerledigt)$/i
const DONE = /^(?:done|checked|ticked|complete|completed|finished|erledigt|fertig|abgehakt)$/i
/** Common names of a date column, whatever its owner called it. */
const DUE = /^(?:due|due date|deadline|date|day|when|fällig|fälligkeit|frist|datum|termin)$/i

interface Cell {
  readonly column: string
  readonly as: CellKind
  readonly schema: JsonRecord
}

/**
 * The read by which the kernel learns what a change would do. Refusals: remote_not_found; tool_arguments_invalid for an unknown
 * row, column or value.
 */
export async function findCell(api: Api, timezone: string): Promise<ToolOutcome> {
  const { row, column, to, exactly } = api.call.args
  const found = await find(api, row, 'page')
  if (!found.ok) return found
  const source = await sourceOf(api, found.value.object)
  if (!source.ok) return source
  const wanted = exactly === true ? String(to) : String(to).trim()
  const cell = cellIn(source.value, typeof column === 'string' ? column.trim() : null, wanted)
  if (cell === null) return err('tool_arguments_invalid', { rule: 'column' })
  const asked = { source: source.value, now: api.call.capability.claims.issuedAt, timezone }
  const after = exactly === true ? exactValue(cell, wanted) : valueFor(cell, wanted, asked)
  if (after === null) return err('tool_arguments_invalid', { rule: 'value' })
  const now = recordOf(recordOf(found.value.object, 'properties'), cell.column)
  const [before, isPart] = [textOf(cell.as, now), isPartly(cell.as, now)]
  const standing = await standingOf(api, found.value)
  if (!standing.ok) return standing
  const head = { ...shapeHead(found.value), ...standing.value }
  return {
    ok: true,
    output: {
      ...{ ...head, cell: cell.column, as: cell.as, after },
      ...(before !== '' && { before }),
      ...(isPart && { partly: true }),
    },
  }
}

/** Sets the looked-up value in that column of that row. */
export async function setCell(api: Api): Promise<ToolOutcome> {
  const { id, name, cell, as, after, before, partly } = api.call.args
  const own = idIn(typeof id === 'string' ? id : '')
  const kind = CELL_KINDS.find((one) => one === as)
  // Without the look-up, nobody has approved this cell.
  if (own === null || kind === undefined || typeof cell !== 'string' || typeof after !== 'string')
    return err('tool_arguments_invalid', { rule: 'target' })
  const properties = { [cell]: propertyOf(kind, after) }
  const made = await send(api, 'PATCH', `/v1/pages/${own}`, { properties })
  if (!made.ok)
    return UNCLEAR.has(made.reason.code) ? err('write_outcome_unknown', { after: made.reason.code }) : made
  return {
    ok: true,
    output: {
      id: own,
      within: typeof name === 'string' ? name : '',
      cell,
      after,
      ...(typeof before === 'string' && { before }),
      ...(partly !== true && wasIn(kind, before)),
    },
  }
}

/** A status always has a value. */
function wasIn(as: CellKind, before: unknown): { readonly was?: string } {
  if (typeof before === 'string') return { was: before }
  return as === 'status' ? {} : { was: '' }
}

/** A page outside a database has no columns. */
async function sourceOf(api: Api, page: JsonRecord): Promise<Result<JsonRecord>> {
  const id = idIn(stringOf(recordOf(page, 'parent'), 'data_source_id'))
  return id === null
    ? err('tool_arguments_invalid', { rule: 'row' })
    : getRecord(api, `/v1/data_sources/${id}`)
}

/**
 * The named column; a name such as "due" also means the only date column. Without a name, the column that shows whether a row is
 * done, or the only one with such an option.
 */
function cellIn(source: JsonRecord, named: string | null, to: string): Cell | null {
  const columns = columnsIn(source).flatMap(([column, schema]): readonly Cell[] => {
    const as = kindOf(schema)
    return as === null || column.length > NOTION_TEXT.column ? [] : [{ column, as, schema }]
  })
  if (named !== null) {
    const own = columns.filter(({ column }) => folded(column) === folded(named))
    const dates = columns.filter(({ as }) => as === 'date')
    return onlyOf(own) ?? (own.length === 0 && DUE.test(named) ? onlyOf(dates) : null)
  }
  if (YES.test(to) || NO.test(to)) {
    const done = doneBy(source)
    const by = columns.find(({ column }) => column === done?.column)
    if (by !== undefined && (by.as === 'checkbox' || doneOption(source, to) !== null)) return by
  }
  return onlyOf(columns.filter((cell) => optionIn(cell.schema, to) !== null))
}

function onlyOf(cells: readonly Cell[]): Cell | null {
  const [one, ...others] = cells
  return one === undefined || others.length > 0 ? null : one
}

const KINDS: Readonly<Record<string, CellKind>> = Object.freeze({
  ...({ checkbox: 'checkbox', select: 'select', status: 'status', date: 'date', number: 'number' } as const),
  rich_text: 'text',
})

function kindOf(schema: JsonRecord): CellKind | null {
  const type = stringOf(schema, 'type')
  return Object.hasOwn(KINDS, type) ? (KINDS[type] ?? null) : null
}

interface Asking {
  readonly source: JsonRecord
  readonly now: number
  readonly timezone: string
}

/** The value in the column's form; null if the column cannot hold it. */
function valueFor(
  { column, as, schema }: Cell,
  to: string,
  { source, now, timezone }: Asking,
): string | null {
  switch (as) {
    case 'checkbox':
      return YES.test(to) ? BOX.on : NO.test(to) ? BOX.off : null
    case 'select':
      return optionIn(schema, to)
    case 'status':
      return optionIn(schema, to) ?? (doneBy(source)?.column === column ? doneOption(source, to) : null)
    case 'number':
      return numberIn(to)
    case 'date':
      return dateIn(to, now, timezone)
    case 'text':
      return to === '' || to.length > NOTION_TEXT.value ? null : to
  }
}

/** As `valueFor`, for a value that a cell returned before and that is restored. */
function exactValue({ as, schema }: Cell, to: string): string | null {
  if (to === '') return as === 'status' || as === 'checkbox' ? null : ''
  switch (as) {
    case 'checkbox':
      return to === BOX.on || to === BOX.off ? to : null
    case 'select':
    case 'status':
      return optionsOf(schema).some((option) => stringOf(option, 'name') === to) ? to : null
    case 'number':
      return Number.isFinite(Number(to)) ? to : null
    case 'date':
      return to.split(SPAN).every((at) => MOMENT.test(at)) && to.split(SPAN).length <= 2 ? to : null
    case 'text':
      return to
  }
}

/** Whether a cell holds more than its text shows: a longer text, links or styles, or a date with its own time zone. */
function isPartly(as: CellKind, cell: JsonRecord): boolean {
  if (as === 'date') return stringOf(recordOf(cell, 'date'), 'time_zone') !== ''
  if (as !== 'text') return false
  const parts = recordsOf(cell, 'rich_text')
  return plainOf(cell, 'rich_text').length > NOTION_TEXT.value || !parts.every(isPlainPart)
}

function isPlainPart(part: JsonRecord): boolean {
  const styles = Object.entries(recordOf(part, 'annotations'))
  const isPlain = styles.every(([, value]) => value === false || value === 'default')
  return stringOf(part, 'type') === 'text' && isPlain && stringOf(part, 'href') === ''
}

/** Separator of a date with start and end (ISO 8601). */
const SPAN = '/'
const MOMENT = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/

/** The existing option in its own spelling: Notion would create an unknown option of a select column. */
function optionIn(schema: JsonRecord, to: string): string | null {
  const names = optionsOf(schema).map((option) => stringOf(option, 'name'))
  return names.find((name) => folded(name) === folded(to) && name.length <= NOTION_TEXT.option) ?? null
}

/** The first option of the "done" group; null for a checkbox column. */
function doneOption(source: JsonRecord, to: string): string | null {
  const done = doneBy(source)
  if (done?.by !== 'status') return null
  const wanted = DONE.test(to) ? 'complete' : NO.test(to) ? 'to_do' : null
  return [...done.states].find(([, state]) => state === wanted)?.[0] ?? null
}

/** Refuses a comma before three digits, which may separate thousands. */
function numberIn(text: string): string | null {
  if (!/^-?\d{1,12}(?:[.,]\d{1,6})?$/.test(text) || /[.,]\d{3}$/.test(text)) return null
  return String(Number(text.replace(',', '.')))
}

/** A day, or a time with its offset. */
function dateIn(text: string, now: number, timezone: string): string | null {
  const zone = createZone(timezone)
  const { span, rest } = readDates(text, { now, zone })
  if (
    span === null ||
    /[\p{L}\p{N}]/u.test(rest.replace(/(?<!\p{L})(?:on|at|the|am|an|um|den|der)(?!\p{L})/giu, ''))
  )
    return null
  const from = zone.iso(span.from)
  return span.named === 'time' ? from : from.slice(0, 10)
}

function textOf(as: CellKind, cell: JsonRecord): string {
  const type = stringOf(cell, 'type')
  const value = fieldOf(cell, type)
  if (as === 'checkbox') return value === true ? BOX.on : BOX.off
  if (as === 'number') return typeof value === 'number' ? String(value) : ''
  if (as === 'date') {
    const [start, end] = ['start', 'end'].map((key) => stringOf(recordOf(cell, type), key))
    return [start, end].filter((at) => at !== '').join(SPAN)
  }
  const text = as === 'text' ? plainOf(cell, type) : stringOf(recordOf(cell, type), 'name')
  return text.slice(0, NOTION_TEXT.value)
}

function propertyOf(as: CellKind, value: string): JsonRecord {
  if (value === '') return { [as === 'text' ? 'rich_text' : as]: as === 'text' ? [] : null }
  switch (as) {
    case 'checkbox':
      return { checkbox: value === BOX.on }
    case 'number':
      return { number: Number(value) }
    case 'date': {
      const [start, end] = value.split(SPAN)
      return { date: { start, ...(end !== undefined && { end }) } }
    }
    case 'select':
    case 'status':
      return { [as]: { name: value } }
    case 'text':
      return { rich_text: textsOf(value) }
  }
}

function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()
}
