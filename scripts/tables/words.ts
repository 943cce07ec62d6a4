/**
 * Reads the words of a unit from `words/<language>.toml` (STYLE 11). A translation has exactly the keys that people read, with
 * the same `{placeholders}`; what a program reads stays English. Must not know what a unit is. Called by features.ts,
 * languages.ts and tools.ts.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, type TomlTable } from 'smol-toml'

const ROOT = join(import.meta.dirname, '../..')
export const ENGLISH = 'en'

/** Words of a folder in a language. Throws for a translation with a missing key, an extra key, or other placeholders. */
export function wordsIn(folder: string, language: string): TomlTable {
  const english = fileIn(folder, ENGLISH)
  if (language === ENGLISH) return english
  if (!existsSync(join(ROOT, folder, 'words', `${language}.toml`)))
    throw new Error(`${folder} has no words/${language}.toml`)
  const own = fileIn(folder, language)
  const [first, ...more] = gapsIn(english, own)
  if (first !== undefined)
    throw new Error(
      `${folder}/words/${language}.toml ${first}${more.length > 0 ? `, and ${more.length} more` : ''}`,
    )
  return merged(english, own) as TomlTable
}

function fileIn(folder: string, language: string): TomlTable {
  return parse(readFileSync(join(ROOT, folder, 'words', `${language}.toml`), 'utf8'))
}

/** Keys that a program reads: whole tables, and the form of an answer. */
const FOR_PROGRAMS: readonly RegExp[] = [
  /(?:^|\.)(?:phrases|finds)$/,
  /^typed\./,
  /\.answer\.(?:as|list|day|first|of|quote|longest|about\.fields|about\.besides)$/,
]

type Leaf = string | readonly string[]

/** Faults of a translation, a line each; empty if there are none. */
export function gapsIn(english: TomlTable, own: TomlTable): readonly string[] {
  const wanted = new Map(leaves(english).filter(([key]) => !FOR_PROGRAMS.some((one) => one.test(key))))
  const given = new Map(leaves(own))
  return [
    ...[...wanted.keys()].filter((key) => !given.has(key)).map((key) => `lacks ${key}`),
    ...[...given].flatMap(([key, text]) => {
      const of = wanted.get(key)
      if (of === undefined) return [`has ${key}, which nobody reads`]
      return placeholders(of).join() === placeholders(text).join() ? [] : [`has other placeholders in ${key}`]
    }),
  ]
}

/** Texts of a table, by dotted path. */
function leaves(table: TomlTable, path = ''): readonly (readonly [key: string, text: Leaf])[] {
  return Object.entries(table).flatMap(([name, value]) => {
    const key = path === '' ? name : `${path}.${name}`
    if (typeof value === 'object' && !Array.isArray(value)) return leaves(value as TomlTable, key)
    return [[key, Array.isArray(value) ? value.map(String) : String(value)] as const]
  })
}

/** Placeholders of each text separately, so that the texts of a list keep their order. */
function placeholders(text: Leaf): readonly string[] {
  return [text].flat().map((one) => [...new Set(one.match(/\{[^}]*\}/g) ?? [])].sort().join(' '))
}

/** The translation in the order of the English table, plus what programs read from the English. */
function merged(english: unknown, own: unknown): unknown {
  const isTable = (value: unknown): value is TomlTable =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
  if (!isTable(english)) return own ?? english
  const others = isTable(own) ? own : {}
  return Object.fromEntries(Object.entries(english).map(([key, value]) => [key, merged(value, others[key])]))
}
