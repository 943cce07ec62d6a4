/**
 * Converts Notion's answers to the declared fields. Titles, texts, names of columns and of options are people's words; the rest
 * is validated. Notion returns null for an empty cell. Pure. Called by the files of this folder.
 */
import { isPlainRecord } from '../../../kernel/flow/json.ts'
import { cleanLine, toDate, toLink } from '../../extractors/page-clean.ts'
import { fieldOf, isAddress, type JsonRecord, recordOf, recordsOf, stringOf } from '../reading.ts'
import {
  type COLUMN_KINDS,
  type KINDS,
  MAX_COLUMNS,
  MAX_OPTIONS,
  NOTION_TEXT,
  type STATES,
} from './manifest.ts'

export type Kind = (typeof KINDS)[number]

export interface Found {
  readonly kind: Kind
  readonly id: string
  /** A page, or the data source of a database. */
  readonly object: JsonRecord
}

type ColumnKind = (typeof COLUMN_KINDS)[number]
export type State = (typeof STATES)[number]

/** Maximum number of parts of one rich text that are read: Notion accepts at most a hundred at once, but people write more. */
const MAX_PARTS = 500

/** The text of a rich text, unformatted. */
export function plainOf(record: JsonRecord, key: string): string {
  return recordsOf(record, key)
    .slice(0, MAX_PARTS)
    .map((part) => stringOf(part, 'plain_text'))
    .join('')
}

/** For a page the column of type `title`, for anything else its own title. */
export function titleOf(object: JsonRecord): string {
  const columns = columnsIn(object)
  const [, column] = columns.find(([, one]) => stringOf(one, 'type') === 'title') ?? []
  const isPage = stringOf(object, 'object') === 'page'
  return cleanLine(isPage ? plainOf(column ?? {}, 'title') : plainOf(object, 'title'), NOTION_TEXT.title)
}

/** Whether it is in the trash. */
export function isGone(object: JsonRecord): boolean {
  return fieldOf(object, 'in_trash') === true
}

export function shapeHead({ kind, id, object }: Found): object {
  return {
    id,
    kind,
    name: titleOf(object),
    ...dated(object, 'last_edited_time', 'edited'),
    ...linked(object),
  }
}

export function linked(object: JsonRecord): { readonly link?: string } {
  const link = toLink(stringOf(object, 'url'))
  return link === null ? {} : { link }
}

function dated(record: JsonRecord, key: string, as: string): object {
  const date = toDate(stringOf(record, key))
  return date === null ? {} : { [as]: date }
}

export function columnsIn(object: JsonRecord): readonly (readonly [string, JsonRecord])[] {
  return Object.entries(recordOf(object, 'properties')).flatMap(([name, column]) =>
    isPlainRecord(column) ? [[name, column] as const] : [],
  )
}

const KIND_OF: Readonly<Record<string, ColumnKind>> = Object.freeze({
  title: 'title',
  rich_text: 'text',
  number: 'number',
  select: 'select',
  multi_select: 'multi_select',
  status: 'status',
  date: 'date',
  created_time: 'date',
  last_edited_time: 'date',
  checkbox: 'checkbox',
  people: 'people',
  url: 'link',
  email: 'email',
  phone_number: 'phone',
})

export function kindOf(column: JsonRecord): ColumnKind {
  const type = stringOf(column, 'type')
  return Object.hasOwn(KIND_OF, type) ? (KIND_OF[type] ?? 'other') : 'other'
}

/** A column of a database, with the names of its options. */
export function shapeSchema(source: JsonRecord): readonly object[] {
  return columnsIn(source)
    .slice(0, MAX_COLUMNS)
    .map(([name, column]) => {
      const options = optionsOf(column).map((option) =>
        cleanLine(stringOf(option, 'name'), NOTION_TEXT.option),
      )
      return {
        column: cleanLine(name, NOTION_TEXT.column),
        kind: kindOf(column),
        ...(options.length > 0 && { options: options.slice(0, MAX_OPTIONS) }),
      }
    })
}

export function optionsOf(column: JsonRecord): readonly JsonRecord[] {
  return recordsOf(recordOf(column, stringOf(column, 'type')), 'options')
}

/** The non-empty cells of a row, except its title. */
export function shapeColumns(page: JsonRecord): readonly object[] {
  return columnsIn(page)
    .flatMap(([name, column]) => {
      const kind = kindOf(column)
      const value = kind === 'title' ? null : cellOf(column, kind)
      return value === null ? [] : [{ column: cleanLine(name, NOTION_TEXT.column), kind, ...value }]
    })
    .slice(0, MAX_COLUMNS)
}

function cellOf(column: JsonRecord, kind: ColumnKind): object | null {
  const type = stringOf(column, 'type')
  const value = fieldOf(column, type)
  switch (kind) {
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? { number: value } : null
    case 'checkbox':
      return typeof value === 'boolean' ? { checked: value } : null
    case 'date':
      return dateOf(value)
    case 'status':
    case 'select':
      return worded(stringOf(recordOf(column, type), 'name'))
    case 'multi_select':
    case 'people':
      return worded(
        recordsOf(column, type)
          .map((one) => stringOf(one, 'name'))
          .filter(Boolean)
          .join(', '),
      )
    case 'text':
      return worded(plainOf(column, type))
    case 'email':
      return typeof value === 'string' && isAddress(value) ? worded(value) : null
    case 'link':
    case 'phone':
      return typeof value === 'string' ? worded(value) : null
    default:
      return computedOf(column, type)
  }
}

/** The value of a formula or of a rollup; null for other kinds. */
function computedOf(column: JsonRecord, type: string): object | null {
  if (type !== 'formula' && type !== 'rollup') return null
  const made = recordOf(column, type)
  const value = fieldOf(made, stringOf(made, 'type'))
  if (typeof value === 'string') return worded(value)
  if (typeof value === 'number' && Number.isFinite(value)) return { number: value }
  return typeof value === 'boolean' ? { checked: value } : dateOf(value)
}

function worded(text: string): object | null {
  const line = cleanLine(text, NOTION_TEXT.value)
  return line === '' ? null : { text: line }
}

/** A date with its end, or the time of an edit. A time without a zone is ambiguous, so only its day is used. */
function dateOf(value: unknown): { readonly date: string } | null {
  if (typeof value === 'string') {
    const date = toDate(value)
    return date === null ? null : { date }
  }
  if (!isPlainRecord(value)) return null
  const date = dayOrTime(stringOf(value, 'start'))
  const until = dayOrTime(stringOf(value, 'end'))
  return date === null ? null : { date, ...(until !== null && { until }) }
}

function dayOrTime(text: string): string | null {
  return toDate(text) ?? toDate(text.slice(0, 10))
}

/** The first date column with a value. */
export function dueOf(page: JsonRecord): { readonly due?: string } {
  const [, column] = columnsIn(page).find(([, one]) => stringOf(one, 'type') === 'date') ?? []
  const date = column === undefined ? null : dateOf(fieldOf(column, 'date'))
  return date === null ? {} : { due: date.date }
}

/** State of a row of this database, by the group of its status, otherwise by its checkbox. */
export function stateOf(page: JsonRecord, done: DoneBy | null): { readonly state?: State } {
  const [, column] = columnsIn(page).find(([name]) => name === done?.column) ?? []
  if (done === null || column === undefined) return {}
  if (done.by === 'checkbox') return { state: fieldOf(column, 'checkbox') === true ? 'complete' : 'to_do' }
  const option = stringOf(recordOf(column, 'status'), 'name')
  return { state: done.states.get(option) ?? 'to_do' }
}

/** The column that shows whether a row is done. */
export type DoneBy =
  | { readonly column: string; readonly by: 'status'; readonly states: ReadonlyMap<string, State> }
  | { readonly column: string; readonly by: 'checkbox' }

const DONE_NAMES = /^(?:done|complete|completed|finished|closed|checked|erledigt|fertig|abgeschlossen)[?!]?$/i

/** Whether it is a checkbox with such a name. */
export function isDoneColumn([name, column]: readonly [string, JsonRecord]): boolean {
  return stringOf(column, 'type') === 'checkbox' && DONE_NAMES.test(name.trim())
}

export function doneBy(source: JsonRecord): DoneBy | null {
  const columns = columnsIn(source)
  const [name, status] = columns.find(([, one]) => stringOf(one, 'type') === 'status') ?? []
  if (name !== undefined && status !== undefined)
    return { column: name, by: 'status', states: statesOf(status) }
  const [box] = columns.find(isDoneColumn) ?? []
  return box === undefined ? null : { column: box, by: 'checkbox' }
}

/** Notion's three groups are in this order in every database; their names may be in another language. */
const GROUPS: readonly State[] = ['to_do', 'in_progress', 'complete']
const GROUP_NAMES: Readonly<Record<string, State>> = Object.freeze({
  'to-do': 'to_do',
  'in progress': 'in_progress',
  complete: 'complete',
})

function statesOf(status: JsonRecord): ReadonlyMap<string, State> {
  const groups = recordsOf(recordOf(status, 'status'), 'groups')
  return new Map(
    groups.flatMap((group, at) => {
      const name = stringOf(group, 'name').toLowerCase()
      const state = (Object.hasOwn(GROUP_NAMES, name) ? GROUP_NAMES[name] : GROUPS[at]) ?? 'to_do'
      const ids = fieldOf(group, 'option_ids')
      const own = new Set(Array.isArray(ids) ? ids : [])
      return optionsOf(status)
        .filter((option) => own.has(fieldOf(option, 'id')))
        .map((option) => [stringOf(option, 'name'), state] as const)
    }),
  )
}
