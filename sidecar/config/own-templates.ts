/**
 * The owner's own templates: `templates/*.toml` of the state folder, read by the loader of the shipped ones and read again while
 * home runs. If a file is invalid, its former version stays in use, and a sentence names the file and the line. Must not write.
 * Called by powers.ts.
 */
import { closeSync, openSync, readdirSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { parse, TomlError } from 'smol-toml'
import { isPlainRecord } from '../../kernel/flow/json.ts'
import type { Refusal } from '../../kernel/flow/verdict.ts'
import { EFFECT_IDS } from '../../kernel/powers/effects.ts'
import { parseTemplate } from '../../kernel/template/load.ts'
import { admitOwn } from '../../kernel/template/own.ts'
import type { Template } from '../../kernel/template/template.ts'
import type { Registry } from '../../kernel/tool/registry.ts'
import { tell } from '../../kernel/wording/words.ts'

/** Maximum number of files that are read: a folder of thousands must not delay home's start. */
const MOST_FILES = 64
/** Maximum bytes of one file, several times the longest shipped one. */
const MOST_BYTES = 65_536
const FOLDER = 'templates'

export interface TaskTemplates {
  /** The shipped templates and the owner's own, as last read. */
  now(): readonly Template[]
  /** One sentence for each file of the owner's that could not be used. */
  notices(): readonly string[]
  /** Reads the owner's files again. True if the result differs from before. */
  reload(): boolean
}

interface OwnFile {
  readonly text: string
  readonly template: Template
}

interface Faulty {
  readonly reason: Refusal
  readonly line: number
}

/** `state`: absolute path of the state folder. */
export function openTemplates(
  state: string,
  shipped: readonly Template[],
  registry: Registry,
): TaskTemplates {
  let standing: ReadonlyMap<string, OwnFile> = new Map()
  let notices: readonly string[] = []
  let all = shipped
  const reload = (): boolean => {
    const read = readOwn(join(state, FOLDER), { standing, shipped, registry })
    const seen = JSON.stringify([[...standing].map(([name, { text }]) => [name, text]), notices])
    ;({ standing, notices } = read)
    all = [...shipped, ...[...standing.values()].map(({ template }) => template)]
    return seen !== JSON.stringify([[...standing].map(([name, { text }]) => [name, text]), notices])
  }
  reload()
  return { now: () => all, notices: () => notices, reload }
}

interface Before {
  readonly standing: ReadonlyMap<string, OwnFile>
  readonly shipped: readonly Template[]
  readonly registry: Registry
}

/** Reads the files in the order of their names, so that the same folder always gives the same templates. */
function readOwn(folder: string, { standing, shipped, registry }: Before) {
  const next = new Map<string, OwnFile>()
  const notices: string[] = []
  for (const name of tomlIn(folder)) {
    const text = readText(join(folder, name))
    const beside = [...shipped, ...[...next.values()].map(({ template }) => template)]
    const read = text === null ? unread() : templateIn(text, { registry, beside })
    const former = standing.get(name)
    if (read.ok) next.set(name, { text: text ?? '', template: read.value })
    else {
      const kept = former !== undefined && admitOwn(former.template, beside).ok
      if (kept) next.set(name, former)
      notices.push(faultWords(name, read.faulty, kept))
    }
  }
  return { standing: next, notices }
}

type Read = { readonly ok: true; readonly value: Template } | { readonly ok: false; readonly faulty: Faulty }

function templateIn(
  text: string,
  { registry, beside }: { readonly registry: Registry; readonly beside: readonly Template[] },
): Read {
  const decoded = decode(text)
  if (!decoded.ok) return { ok: false, faulty: decoded.faulty }
  const loaded = parseTemplate(decoded.value, registry, EFFECT_IDS)
  const admitted = loaded.ok ? admitOwn(loaded.value.template, beside) : loaded
  if (admitted.ok) return admitted
  const { reason } = admitted
  const key = keyOf(
    reason,
    (without) => {
      const rest = Object.fromEntries(Object.entries(decoded.value).filter(([name]) => name !== without))
      const parsed = parseTemplate(rest, registry, EFFECT_IDS)
      const field = parsed.ok ? null : parsed.reason.facts['field']
      return field !== reason.facts['field'] && field !== without
    },
    Object.keys(decoded.value),
  )
  return {
    ok: false,
    faulty: { reason: { ...reason, facts: { ...reason.facts, field: key } }, line: lineOf(text, key) },
  }
}

function decode(
  text: string,
):
  | { readonly ok: true; readonly value: Record<string, unknown> }
  | { readonly ok: false; readonly faulty: Faulty } {
  const bad = (line: number) =>
    ({ ok: false, faulty: { reason: { code: 'template_malformed', facts: {} }, line } }) as const
  try {
    const value: unknown = parse(text)
    return isPlainRecord(value) ? { ok: true, value } : bad(1)
  } catch (thrown) {
    return bad(thrown instanceof TomlError ? thrown.line : 1)
  }
}

const unread = (): Read => ({
  ok: false,
  faulty: { reason: { code: 'template_malformed', facts: { field: FOLDER } }, line: 1 },
})

/** The key that a refusal is about. For an unknown key it is the one whose removal changes the refusal. */
function keyOf({ code, facts }: Refusal, mends: (key: string) => boolean, keys: readonly string[]): string {
  if (code === 'template_name_taken') return 'template_id'
  if (code === 'template_ambiguous') return 'triggers'
  const field = facts['field']
  if (typeof field !== 'string') return 'tool' in facts ? 'allowed_tools' : 'plans'
  return field.startsWith('(') ? (keys.find(mends) ?? field) : field
}

/** The line of the last part of the path that occurs in the file; 1 if none occurs, as for a missing key. */
function lineOf(text: string, path: string): number {
  const lines = text.split('\n')
  const names = path.split('.').filter((part) => /^[a-z_]+$/.test(part))
  for (const name of names.reverse()) {
    const at = lines.findIndex((line) => new RegExp(`^\\s*(?:\\[+\\s*)?${name}\\b`).test(line))
    if (at >= 0) return at + 1
  }
  return 1
}

function faultWords(file: string, { reason: { code, facts }, line }: Faulty, kept: boolean): string {
  const key = String(facts['field'] ?? '')
  const why = tell(whyOf(code, key), { key, tool: String(facts['tool'] ?? facts['other'] ?? '') })
  return tell(kept ? 'templates.fault_kept' : 'templates.fault', { file: `${FOLDER}/${file}`, line, why })
}

function whyOf(code: Refusal['code'], key: string) {
  if (code === 'template_malformed') return key === '' ? 'templates.no_toml' : 'templates.malformed'
  if (code === 'template_name_taken') return 'templates.name_taken'
  if (code === 'template_ambiguous') return 'templates.ambiguous'
  if (code === 'template_class_mismatch') return 'templates.beyond_class'
  return 'templates.bad_plan'
}

function tomlIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^[a-z0-9][a-z0-9_-]{0,63}\.toml$/i.test(name))
      .sort()
      .slice(0, MOST_FILES)
  } catch {
    return []
  }
}

/** Null for a file that cannot be read or is too long. */
function readText(path: string): string | null {
  let file: number | null = null
  try {
    file = openSync(path, 'r')
    const bytes = Buffer.alloc(MOST_BYTES + 1)
    const length = readSync(file, bytes, 0, MOST_BYTES + 1, 0)
    return length > MOST_BYTES ? null : bytes.toString('utf8', 0, length)
  } catch {
    return null
  } finally {
    if (file !== null) closeSync(file)
  }
}
