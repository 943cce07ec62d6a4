/**
 * Builds the filter of a query from the owner's words and the requested state, by the columns that the database has. Columns and
 * options come from Notion's answer, never from a plan. Pure. Called by look.ts.
 */
import { type JsonRecord, stringOf } from '../reading.ts'
import { columnsIn, type DoneBy, doneBy, optionsOf, type State } from './shape.ts'

/** Maximum number of conditions on each side of a filter: Notion refuses more than a hundred. */
const MAX_CONDITIONS = 40

interface Wanted {
  readonly words?: string
  readonly state?: 'open' | 'complete'
}

/** Null: every row. */
export function filterOf(source: JsonRecord, { words, state }: Wanted): JsonRecord | null {
  const done = state === undefined ? null : doneBy(source)
  const parts = [
    ...(done === null || state === undefined ? [] : stateFilters(done, state)),
    ...(words === undefined || words.trim() === '' ? [] : [wordsFilter(source, words.trim())]),
  ]
  const [only] = parts
  return only === undefined ? null : parts.length === 1 ? only : { and: parts }
}

/** "Open" is everything that is not complete, so that a row without a status is included. */
function stateFilters(done: DoneBy, wanted: 'open' | 'complete'): readonly JsonRecord[] {
  const { column } = done
  if (done.by === 'checkbox') return [{ property: column, checkbox: { equals: wanted === 'complete' } }]
  const complete = [...done.states].filter(([, state]: readonly [string, State]) => state === 'complete')
  const names = complete.map(([name]) => name).slice(0, MAX_CONDITIONS)
  if (wanted === 'open') return names.map((name) => ({ property: column, status: { does_not_equal: name } }))
  return names.length === 0
    ? [{ property: column, status: { is_empty: true } }]
    : [{ or: names.map((name) => ({ property: column, status: { equals: name } })) }]
}

/** Matches the title, a text, or the name of an option. */
function wordsFilter(source: JsonRecord, words: string): JsonRecord {
  const conditions = columnsIn(source).flatMap(([property, column]): readonly JsonRecord[] => {
    const type = stringOf(column, 'type')
    if (type === 'title' || type === 'rich_text') return [{ property, [type]: { contains: words } }]
    if (type !== 'select' && type !== 'status' && type !== 'multi_select') return []
    const same = optionsOf(column)
      .map((option) => stringOf(option, 'name'))
      .find((name) => name.toLowerCase() === words.toLowerCase())
    if (same === undefined) return []
    return [{ property, [type]: type === 'multi_select' ? { contains: same } : { equals: same } }]
  })
  return { or: conditions.slice(0, MAX_CONDITIONS) }
}
