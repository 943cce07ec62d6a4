/**
 * Edits the text of `config.toml`, keeping the owner's lines and comments, and replaces the file atomically. Must not change
 * or remove a value that it did not write: the owner's settings are theirs. Called by `pfar init`, `deploy` and `channel`,
 * and by home's channels.
 */

import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { parse, stringify } from 'smol-toml'
import {
  type ChannelDeclaration,
  type TableFile,
  tableLines,
} from '../../integrations/channels/runtime/declaration.ts'
import type { Result } from '../../kernel/flow/verdict.ts'
import { type Config, machineTimezone, parseConfig } from './config.ts'

const TEMPLATE = new URL('config.default.toml', import.meta.url)

/** The commented `config.toml` of a new state folder, with this machine's time zone. */
export function defaultConfig(): string {
  return readFileSync(TEMPLATE, 'utf8').replace('{{timezone}}', machineTimezone())
}

/** Makes the file if there is none. `failed`: it cannot be written. */
export function ensureConfig(path: string): 'there' | 'made' | 'failed' {
  if (existsSync(path)) return 'there'
  try {
    writeFileSync(path, defaultConfig(), { flag: 'wx', mode: 0o600 })
    return 'made'
  } catch {
    return 'failed'
  }
}

/** Number of the line that sets the last part of this key; null if it is not on exactly one line. */
export function lineOfSetting(path: string, key: string): number | null {
  const last = key.split('.').at(-1) ?? ''
  const isIt = (line: string): boolean => line.split('=', 1)[0]?.trim() === last && line.includes('=')
  const lines = (readConfigText(path) ?? '').split('\n')
  const at = lines.findIndex(isIt)
  return at < 0 || lines.findLastIndex(isIt) !== at ? null : at + 1
}

/** Whether the file has the time zone that `ensureConfig` writes: this machine's, on a line of its own. */
export function hasMachineZone(path: string): boolean {
  const line = `timezone = ${JSON.stringify(machineTimezone())}`
  return (readConfigText(path) ?? '').split('\n').includes(line)
}

/** Empty if the file does not exist; null if it cannot be read. */
function readConfigText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? '' : null
  }
}

/** Returns whether the file was replaced. After a crash it holds either the old text or the new one. */
function replaceConfig(path: string, text: string): boolean {
  const draft = `${path}.${process.pid}`
  try {
    writeFileSync(draft, text, { mode: 0o600, flush: true })
    renameSync(draft, path)
    return true
  } catch {
    rmSync(draft, { force: true })
    return false
  }
}

/** False if the file cannot be read or written, or `edit` returns null. */
export function editConfig(path: string, edit: (text: string) => string | null): boolean {
  const text = readConfigText(path)
  const changed = text === null ? null : edit(text)
  return changed !== null && (changed === text || replaceConfig(path, changed))
}

interface SettingEdit {
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

/** Appends a table, such as another `[[models.providers]]`; null if the text is then not a valid configuration. */
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
  const found = table.split('.').reduce<unknown>(memberOf, document)
  return memberOf(found, key)
}

function memberOf(found: unknown, name: string): unknown {
  return typeof found === 'object' && found !== null ? Reflect.get(found, name) : undefined
}

/** Everything except this setting. A table that becomes empty is removed. */
function without(document: Document, { table, key }: SettingEdit): Document {
  return withoutMember(document, [...table.split('.'), key])
}

function withoutMember(document: Document, [name = '', ...more]: readonly string[]): Document {
  const { [name]: found, ...others } = document
  if (more.length === 0) return others
  const inner = withoutMember(typeof found === 'object' && found !== null ? (found as Document) : {}, more)
  return Object.keys(inner).length === 0 ? others : { ...others, [name]: inner }
}

/** What `pfar init` wrote earlier, by name; persistent. */
interface Wrote {
  of(name: string): string | null
  /** Null: removed. */
  note(name: string, value: string | null): void
}

export interface Settings {
  config(): Result<Config>
  /** Whether `pfar init` may change it: it is unset, or `pfar init` wrote the present value. */
  isOwn(setting: string, now: string | null): boolean
  /** False if the owner has to set it by hand. */
  set(setting: string, value: string | null): boolean
  /** Whether `pfar init` added a table under this name. */
  hasAdded(name: string): boolean
  /** Adds a table, replacing the one that it added under this name before. */
  setTable(name: string, table: string | null): boolean
}

export function createSettings(path: string, wrote: Wrote): Settings {
  return {
    config: () => parseConfig(readConfigText(path) ?? ''),
    hasAdded: (name) => wrote.of(name) !== null,
    isOwn: (setting, now) => now === null || now === wrote.of(setting),
    set(setting, value) {
      const [table = '', key = ''] = setting.split('.')
      const written = editConfig(path, (text) =>
        withSetting(text, { table, key, value, replaces: wrote.of(setting) }),
      )
      if (written) wrote.note(setting, value)
      return written
    },
    setTable(name, table) {
      const former = wrote.of(name)
      const written = editConfig(path, (text) => {
        const base = former === null ? text : withoutTable(text, former)
        return base === null || table === null ? base : withTable(base, table)
      })
      if (written) wrote.note(name, table)
      return written
    },
  }
}

/** `there`: the file already has this value. `by_hand`: the owner set another value, or the file cannot be written. */
type Setting = 'written' | 'there' | 'by_hand'

export const edgeLines = (origin: string): string => `[edge]\nurl = "${origin}"`

export function writeEdgeSetting(path: string, origin: string): Setting {
  return appendSetting(path, edgeLines(origin), ({ edge }) => edge === origin)
}

/** `lines`: the table `[tools.mail]`, written for this address. */
export function writeMailSetting(path: string, lines: string, address: string): Setting {
  return appendSetting(path, lines, ({ mail }) => mail?.address === address)
}

/** Adds an entry of `[[tools.calendar.accounts]]`, and the default calendar if given. False if the owner has to do it by hand. */
export function addCalendarAccount(
  path: string,
  {
    table,
    name,
    standard,
  }: { readonly table: string; readonly name: string; readonly standard: string | null },
): boolean {
  return editConfig(path, (text) => {
    const edit = { table: 'tools.calendar', key: 'default', value: standard, replaces: null }
    const base = standard === null ? text : withSetting(text, edit)
    const changed = base === null ? null : withTable(base, table)
    const after = changed === null ? null : parseConfig(changed)
    return after?.ok === true && after.value.calendarAccounts.some((one) => one.name === name)
      ? changed
      : null
  })
}

/** Adds an entry of `[[tools.addressbook.accounts]]` with this name. False if the file cannot be written, or would be invalid. */
export function addAddressbookAccount(path: string, table: string, name: string): boolean {
  return editConfig(path, (text) => {
    const changed = withTable(text, table)
    const after = changed === null ? null : parseConfig(changed)
    return after?.ok === true && after.value.addressbooks.some((one) => one.name === name) ? changed : null
  })
}

/** Sets `account` of `[tools.<service>]`. False if the owner's own line says otherwise, or the file cannot be written. */
export function writeAccountSetting(path: string, service: string, account: string): boolean {
  const setting = { table: `tools.${service}`, key: 'account', value: account }
  return editConfig(path, (text) => {
    const edit = { ...setting, replaces: null }
    const document = documentOf(text)
    return document !== null && valueIn(document, edit) === account ? text : withSetting(text, edit)
  })
}

/**
 * Sets the search engine of `[tools.web]`, and the address of the owner's own one if given. Replaces lines that the owner wrote,
 * because this command states the owner's choice. False if the file cannot be written, or would be invalid.
 */
export function writeSearchSetting(path: string, engine: string, url: string | null): boolean {
  const set = (text: string | null, key: string, value: string): string | null => {
    const document = text === null ? null : documentOf(text)
    if (text === null || document === null) return null
    const edit = { table: 'tools.web', key, value, replaces: null }
    const now = valueIn(document, edit)
    return now === value
      ? text
      : withSetting(text, { ...edit, replaces: typeof now === 'string' ? now : null })
  }
  // The address is set first: a SearXNG without one is invalid.
  return editConfig(path, (text) => set(url === null ? text : set(text, 'searxng', url), 'engine', engine))
}

/** `origin`: address of the owner's service; `fingerprint`: of its confirmed certificate. False if the file cannot be changed. */
export function writeServiceAddress(
  path: string,
  service: string,
  { origin, fingerprint }: { readonly origin: string; readonly fingerprint: string | null },
): boolean {
  const table = `services.${service}`
  const set = (text: string | null, key: string, value: string | null): string | null => {
    const document = text === null ? null : documentOf(text)
    if (text === null || document === null) return null
    const now = valueIn(document, { table, key, value, replaces: null })
    return withSetting(text, { table, key, value, replaces: typeof now === 'string' ? now : null })
  }
  // The old fingerprint is removed first, because it is not valid for another address.
  return editConfig(path, (text) =>
    set(set(set(text, 'fingerprint', null), 'base_url', origin), 'fingerprint', fingerprint),
  )
}

export function foldersTable(folders: readonly string[]): string {
  return `[tools.files]\n${stringify({ folders }).trimEnd()}\n`
}

/** Replaces the table that this wrote for `before`. False if the owner wrote the table, or the file cannot be changed. */
export function writeFoldersSetting(
  path: string,
  before: readonly string[],
  folders: readonly string[],
): boolean {
  return editConfig(path, (text) => {
    const base = before.length === 0 ? text : withoutTable(text, foldersTable(before))
    return base === null ? null : withTable(base, foldersTable(folders))
  })
}

export function healthFolderTable(folder: string): string {
  return `[tools.health]\n${stringify({ folder }).trimEnd()}\n`
}

/** Replaces the table that this wrote for `before` (null: none) by `after`. False if the owner has to change it by hand. */
export function writeHealthFolder(path: string, before: string | null, after: string | null): boolean {
  const table = (folder: string | null): string | null => (folder === null ? null : healthFolderTable(folder))
  return replaceEntry(path, table(before), table(after))
}

/** Removes an entry that was written as `before` (null: none), and adds `after`. False if the owner has to change it by hand. */
export function replaceEntry(path: string, before: string | null, after: string | null): boolean {
  return editConfig(path, (text) => withEntry(text, before, after))
}

/** Whether `replaceEntry` would succeed with the file as it is now. */
export function canReplaceEntry(path: string, before: string | null, after: string | null): boolean {
  const text = readConfigText(path)
  return text !== null && withEntry(text, before, after) !== null
}

function withEntry(text: string, before: string | null, after: string | null): string | null {
  const base = before === null ? text : withoutTable(text, before)
  return base === null || after === null ? base : withTable(base, after)
}

/** Whether the file contains an entry exactly as it was written, so that it can be replaced or removed. */
export function hasEntry(path: string, table: string): boolean {
  const text = readConfigText(path)
  return text !== null && withoutTable(text, table) !== null
}

/** `table`: one entry of `[[models.providers]]` with this name. False if the owner has to add it by hand. */
export function addModelTable(path: string, table: string, name: string): boolean {
  return editConfig(path, (text) => {
    const changed = withTable(text, table)
    const after = changed === null ? null : parseConfig(changed)
    return after?.ok === true && after.value.models.providers.some((one) => one.name === name)
      ? changed
      : null
  })
}

export function removeModelTable(path: string, table: string): boolean {
  return editConfig(path, (text) => withoutTable(text, table))
}

/** Appends a table to the file. `isSet`: whether a configuration already contains it. */
function appendSetting(path: string, lines: string, isSet: (config: Config) => boolean): Setting {
  const text = readConfigText(path)
  if (text === null) return 'by_hand'
  const before = parseConfig(text)
  if (before.ok && isSet(before.value)) return 'there'
  const changed = `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}\n${lines}\n`
  // A duplicate table is invalid TOML: the owner already has one, which only they may change.
  const after = parseConfig(changed)
  if (!after.ok || !isSet(after.value)) return 'by_hand'
  return replaceConfig(path, changed) ? 'written' : 'by_hand'
}

/** `path`: path of `config.toml`. */
export function tableFile(channel: ChannelDeclaration, path: string): TableFile {
  return {
    write(table) {
      const lines = tableLines(channel, table)
      const set = appendSetting(path, lines, ({ channels }) => {
        const there = channels[channel.name]
        return there !== undefined && tableLines(channel, there) === lines
      })
      return set !== 'by_hand'
    },
    remove: (table) => editConfig(path, (text) => withoutTable(text, `${tableLines(channel, table)}\n`)),
  }
}
