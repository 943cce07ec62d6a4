/**
 * The searchable units of an archived result: the rows of a list, or the whole result. Pure. Called by
 * memory-search.ts.
 */
import { isPlainRecord, type Json, stringsIn } from '../../flow/json.ts'

/** Maximum rows of one result that are searched. */
export const MOST_ROWS = 50

export function rowTexts(value: Json): readonly string[] {
  const rows = isPlainRecord(value) ? Object.values(value).flatMap((one) => rowsOf(one as Json)) : []
  return (rows.length === 0 ? [value] : rows.slice(0, MOST_ROWS)).map((row) => stringsIn(row).join(', '))
}

function rowsOf(value: Json): readonly Json[] {
  return Array.isArray(value) && value.length > 0 && value.every((row) => isPlainRecord(row))
    ? (value as Json[])
    : []
}
