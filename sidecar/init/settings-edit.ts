/**
 * One setting put into the text of a `config.toml` beside its owner's lines and comments. Pure: text in, text out. Must not change or
 * remove a value that is not the one it was told to replace: what its owner set is his. Called by settings.ts.
 */
import { isDeepStrictEqual } from 'node:util'
import { parse, stringify } from 'smol-toml'
import { parseConfig } from '../config.ts'

export interface SettingEdit {
  /** Of the table and of the key: `owner`, `timezone`. */
  readonly table: string
  readonly key: string
  /** Null takes the line away. */
  readonly value: string | null
  /** What may stand there now; null for nothing. */
  readonly replaces: string | null
}

type Document = Readonly<Record<string, unknown>>

/** Null where something else stands there, or where its place cannot be found in the text. */
export function withSetting(text: string, edit: SettingEdit): string | null {
  const before = documentOf(text)
  if (before === null || valueIn(before, edit) !== (edit.replaces ?? undefined)) return null
  const changed = changedLines(text, edit)
  const after = documentOf(changed)
  // A line in a text of several lines only looks like a table: what it came to is looked at, not how.
  const right =
    after !== null &&
    valueIn(after, edit) === (edit.value ?? undefined) &&
    isDeepStrictEqual(without(after, edit), without(before, edit)) &&
    parseConfig(changed).ok
  return right ? changed : null
}

/** A table of its own at the end, such as one more `[[models.providers]]`; null where the text is none to add to. */
export function withTable(text: string, table: string): string | null {
  const changed = `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}\n${table}`
  return documentOf(text) !== null && parseConfig(changed).ok ? changed : null
}

/** Null where it does not stand there as it was added. */
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

/** All that is not this setting; a table that holds nothing else counts as none. */
function without(document: Document, { table, key }: SettingEdit): Document {
  const { [table]: found, ...others } = document
  const kept = Object.entries(typeof found === 'object' && found !== null ? found : {}).filter(
    ([name]) => name !== key,
  )
  return kept.length === 0 ? others : { ...others, [table]: Object.fromEntries(kept) }
}
