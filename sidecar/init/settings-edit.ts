/**
 * Edits one setting in the text of a `config.toml` and keeps the owner's lines and comments. Pure: text in, text out.
 * Must not change or remove a value other than the expected one: the owner's settings are theirs. Called by
 * settings.ts.
 */
import { isDeepStrictEqual } from 'node:util'
import { parse, stringify } from 'smol-toml'
import { parseConfig } from '../config/config.ts'

export interface SettingEdit {
  /** Name of the table and of the key: `owner`, `timezone`. */
  readonly table: string
  readonly key: string
  /** Null removes the line. */
  readonly value: string | null
  /** The expected present value; null for none. */
  readonly replaces: string | null
}

type Document = Readonly<Record<string, unknown>>

/** Null if another value is set, or the position cannot be found. */
export function withSetting(text: string, edit: SettingEdit): string | null {
  const before = documentOf(text)
  if (before === null || valueIn(before, edit) !== (edit.replaces ?? undefined)) return null
  const changed = changedLines(text, edit)
  const after = documentOf(changed)
  // Checks the parsed result, because a line inside a multi-line string may look like a table.
  const right =
    after !== null &&
    valueIn(after, edit) === (edit.value ?? undefined) &&
    isDeepStrictEqual(without(after, edit), without(before, edit)) &&
    parseConfig(changed).ok
  return right ? changed : null
}

/** Appends a table, such as another `[[models.providers]]`; null if the text is not a valid configuration. */
export function withTable(text: string, table: string): string | null {
  const changed = `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}\n${table}`
  return documentOf(text) !== null && parseConfig(changed).ok ? changed : null
}

/** Null if the table is not in the text exactly as it was added. */
export function withoutTable(text: string, table: string): string | null {
  const at = text.lastIndexOf(`\n${table}`)
  if (at < 0) return null
  const changed = text.slice(0, at) + text.slice(at + table.length + 1)
  return parseConfig(changed).ok ? changed : null
}

function changedLines(text: string, { table, key, value }: SettingEdit): string {
  const lines = text.split('\n')
  const header = lines.findIndex((line) => tableIn(line) === table)
  const added = value === null ? [] : [stringify({ [key]: value }).trimEnd()]
  if (header < 0) {
    const gap = text === '' || text.endsWith('\n') ? '' : '\n'
    return added.length === 0 ? text : `${text}${gap}\n[${table}]\n${added.join('\n')}\n`
  }
  const rest = lines.slice(header + 1)
  const length = rest.findIndex((line) => /^\s*\[/.test(line))
  const own = length < 0 ? rest : rest.slice(0, length)
  const at = own.findIndex((line) => new RegExp(`^\\s*${key}\\s*=`).test(line))
  return lines.toSpliced(header + 1 + Math.max(at, 0), at < 0 ? 0 : 1, ...added).join('\n')
}

function tableIn(line: string): string | null {
  return /^\s*\[\s*([A-Za-z0-9_.-]+)\s*\]\s*(?:#.*)?$/.exec(line)?.[1] ?? null
}

function documentOf(text: string): Document | null {
  try {
    return parse(text)
  } catch {
    return null
  }
}

function valueIn(document: Document, { table, key }: SettingEdit): unknown {
  const found = document[table]
  return typeof found === 'object' && found !== null ? Reflect.get(found, key) : undefined
}

/** Everything except this setting. A table that becomes empty is removed. */
function without(document: Document, { table, key }: SettingEdit): Document {
  const { [table]: found, ...others } = document
  const kept = Object.entries(typeof found === 'object' && found !== null ? found : {}).filter(
    ([name]) => name !== key,
  )
  return kept.length === 0 ? others : { ...others, [table]: Object.fromEntries(kept) }
}
