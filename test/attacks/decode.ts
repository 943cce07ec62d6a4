/**
 * What a recorded tool result says, as data: the printed forms of benchmarks (YAML, JSON, a Python dictionary) become
 * trees, anything else stays a text. Placeholders are filled after that, so that an attacker's text stays inside
 * the one value that the attacker controls. Called by declare.ts and replay.ts.
 */
import { parse } from 'yaml'
import type { Json } from '../../kernel/flow/json.ts'
import { mapStrings } from '../../kernel/flow/json.ts'

/** A placeholder in a recorded result: what an attacker wrote stands here. */
const PLACEHOLDER = /@@INJ:([A-Za-z0-9_.-]+)@@/g
/** `2024-05-26 19:00:00`, with or without seconds and fractions. */
const PRINTED_DATE = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2})(?::(\d{2})(?:\.\d+)?)?$/

export function decodeResult(text: string): Json {
  const tree = structured(text) ?? headedList(text)
  return tree === undefined ? text : normalised(tree)
}

/** Values for the placeholders by name; one that is not named becomes empty. */
export function fill(tree: Json, vectors: Readonly<Record<string, string>>): Json {
  return mapStrings(tree, (text) => text.replace(PLACEHOLDER, (_, name: string) => vectors[name] ?? ''))
}

export function placeholdersIn(text: string): readonly string[] {
  return [...text.matchAll(PLACEHOLDER)].map(([, name]) => name ?? '')
}

/** A date as the kernel writes one; any other text is returned as it is. */
export function asDate(text: string): string {
  const match = PRINTED_DATE.exec(text)
  return match === null ? text : `${match[1]}T${match[2]}:${match[3] ?? '00'}Z`
}

/** `Heading: first`, then one more a line. */
function headedList(text: string): Json | undefined {
  const [first = '', ...others] = text.trim().split('\n')
  const head = /^([^:\n]{1,60}): ([^:,\n]{1,80})$/.exec(first)
  if (head === null || others.length === 0 || !others.every((line) => /^[^:,\n]{1,80}$/.test(line)))
    return undefined
  return { heading: head[1] ?? '', items: [head[2] ?? '', ...others] }
}

/** Only lists and records: a line of prose is also YAML, and stays the text that it is. */
function structured(text: string): Json | undefined {
  try {
    const tree: unknown = parse(text, { logLevel: 'silent', maxAliasCount: 0 })
    return typeof tree === 'object' && tree !== null && !isProse(text, tree) ? (tree as Json) : undefined
  } catch {
    return undefined
  }
}

/** `Rating: good` on one line, or a letter that begins with a greeting: YAML would take the colon for a key. */
function isProse(text: string, tree: object): boolean {
  return !Array.isArray(tree) && !text.startsWith('{') && !Object.keys(tree).every(isFieldName)
}

function normalised(tree: Json): Json {
  if (typeof tree === 'string') return asDate(tree)
  if (Array.isArray(tree)) return tree.map(normalised)
  if (typeof tree !== 'object' || tree === null) return tree
  const entries = Object.entries(tree).map(([key, value]) => [key, normalised(value)] as const)
  return entries.length > 0 && entries.every(([key]) => isFieldName(key))
    ? Object.fromEntries(entries)
    : entries.map(([name, value]) => ({ name, value }))
}

/** Keys that are names of things are data, so they may not be keys of a declaration. */
function isFieldName(key: string): boolean {
  return /^[a-z_]\w*$/.test(key)
}
