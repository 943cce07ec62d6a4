/**
 * Generates the kernel's table of words from kernel/features/<feature>/words/en.toml, kernel/wording/words/en.toml and a few
 * folders outside of it: help, phrases, sentences of answers, and the sentence of each reason code. The kernel gets validated
 * objects and parses nothing. Called by scripts/tables.ts.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'smol-toml'
import * as z from 'zod/mini'

const FOLDER = 'kernel/features'
const ROOT = join(import.meta.dirname, '../..')
/** English is complete; a table holds one language. */
const LANGUAGE = 'en'

const key = z.string().check(z.regex(/^[a-zA-Z][a-zA-Z0-9_]{0,39}$/))
const text = z.string().check(z.minLength(1), z.maxLength(1_000))
const texts = z.record(key, text)
const OPERATION = z.strictObject({
  summary: text,
  args: z.optional(texts),
  takes: z.optional(texts),
  phrases: z.optional(z.array(text)),
  refusals: z.optional(texts),
  confirm: z.optional(z.strictObject({ asks: text, otherwise: text })),
})
const VERBS = z.record(key, OPERATION)
const OWN = { groups: z.optional(texts), refusals: z.optional(texts), says: z.optional(texts) }
const FEATURE = z.looseObject(OWN)
const WORDING = z.strictObject({ shared: texts, reasons: texts, says: texts })
const SAYINGS = z.strictObject({ says: texts })
/** Folders outside of the kernel whose sentences are told by it, by the name before the dot. */
const OUTSIDE = { rules: 'integrations/models/rules', init: 'sidecar/init', terminal: 'sidecar/cli' }

export function featureTables(): readonly (readonly [path: string, source: string])[] {
  const groups: Record<string, string> = {}
  const says: Record<string, string> = {}
  const operations: Record<string, unknown> = {}
  for (const feature of readdirSync(join(ROOT, FOLDER)).sort()) {
    const folder = join(FOLDER, feature)
    if (!existsSync(join(ROOT, folder, 'words'))) continue
    const { groups: own, refusals, says: sayings, ...named } = z.parse(FEATURE, parse(wordsIn(folder)))
    add(groups, Object.entries(own ?? {}))
    add(says, saidBy(feature, sayings ?? {}))
    for (const [group, verbs] of Object.entries(named))
      add(
        operations,
        Object.entries(z.parse(VERBS, verbs)).map(([verb, words]) => {
          const both = { ...refusals, ...words.refusals }
          return [`${group}.${verb}`, Object.keys(both).length > 0 ? { ...words, refusals: both } : words]
        }),
      )
  }
  const { shared, reasons, says: general } = z.parse(WORDING, parse(wordsIn('kernel/wording')))
  add(says, saidBy('wording', general))
  for (const [name, folder] of Object.entries(OUTSIDE))
    add(says, saidBy(name, z.parse(SAYINGS, parse(wordsIn(folder))).says))
  const sentences = Object.entries(reasons).map(([code, said]) => [
    code,
    said.replace(/\{(\w+)\}/g, (_, name: string) => {
      if (!Object.hasOwn(shared, name)) throw new Error(`${code} shares ${name}, which is missing`)
      return shared[name] ?? ''
    }),
  ])
  const table = { groups, operations, says, reasons: Object.fromEntries(sentences) }
  return [[`${FOLDER}/words.json`, JSON.stringify(table)]]
}

function wordsIn(folder: string): string {
  return readFileSync(join(ROOT, folder, 'words', `${LANGUAGE}.toml`), 'utf8')
}

function saidBy(feature: string, says: Readonly<Record<string, string>>) {
  return Object.entries(says).map(([name, said]) => [`${feature}.${name}`, said.trimEnd()] as const)
}

/** Throws for a name in two files, one of which would be lost. */
function add<T>(table: Record<string, T>, entries: readonly (readonly [string, T])[]): void {
  for (const [name, value] of entries) {
    if (Object.hasOwn(table, name)) throw new Error(`${name} stands twice in the words of operations`)
    table[name] = value
  }
}
