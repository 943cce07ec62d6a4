/**
 * Converts typed values to the cells of a new row, each in the database's first column of its kind. A value without a column
 * refuses the row. Must not take a column's name from a plan. Pure. Called by write.ts.
 */
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { ToolCall } from '../../../kernel/tool/manifest.ts'
import { type JsonRecord, stringOf } from '../reading.ts'
import { columnsIn, isDoneColumn } from './shape.ts'
import { textsOf } from './written.ts'

const PEOPLE_NAMES = /participant|attendee|people|person|guest|teilnehm|personen|gäste/i
const TOPIC_NAMES = /topic|subject|theme|tag|thema|themen/i
const AGREED_NAMES = /action|agreed|task|to-?dos?|next step|vereinbar|aufgabe/i

/** Refusal: tool_arguments_invalid without any value, and for a value without a column. */
export function cellsOf(source: JsonRecord, args: ToolCall['args']): Result<JsonRecord> {
  const { date, number, people, topics, agreed, done } = args
  const wanted = [
    ...(typeof date === 'string' ? [[firstOf(source, 'date'), { date: { start: date } }] as const] : []),
    ...(typeof number === 'number' ? [[firstOf(source, 'number'), { number }] as const] : []),
    ...(Array.isArray(people)
      ? [[firstOf(source, 'rich_text', PEOPLE_NAMES), { rich_text: textsOf(people.join(', ')) }] as const]
      : []),
    ...optionsFor(topics, firstOf(source, 'multi_select', TOPIC_NAMES)),
    ...optionsFor(agreed, firstOf(source, 'multi_select', AGREED_NAMES)),
    ...(typeof done === 'boolean'
      ? [[columnsIn(source).find(isDoneColumn)?.[0], { checkbox: done }] as const]
      : []),
  ]
  const cells = wanted.flatMap(([column, cell]) => (column === undefined ? [] : [[column, cell] as const]))
  if (cells.length === 0 || cells.length < wanted.length)
    return err('tool_arguments_invalid', { rule: 'columns' })
  const title = firstOf(source, 'title')
  const day = typeof date === 'string' && title !== undefined
  return ok({
    ...Object.fromEntries(cells),
    // The row's title is its day, so it contains nobody's words.
    ...(day && { [title]: { title: textsOf(date.slice(0, 10)) } }),
  })
}

/** Notion creates options that a column lacks. An empty list needs no column. */
function optionsFor(values: unknown, column: string | undefined) {
  if (!Array.isArray(values) || values.length === 0) return []
  const options = values.map((value) => ({ name: String(value).replaceAll('_', ' ') }))
  return [[column, { multi_select: options }] as const]
}

function firstOf(source: JsonRecord, type: string, names?: RegExp): string | undefined {
  const columns = columnsIn(source).filter(([, column]) => stringOf(column, 'type') === type)
  return columns.find(([name]) => names === undefined || names.test(name))?.[0]
}
