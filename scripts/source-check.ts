/**
 * Applies the import rule and the house rules to the source tree. Must not write. Called by `npm run check` and by
 * test/imports.test.ts; run alone, it prints what it finds.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  FOLDER_RULES,
  type FolderRule,
  IMPURE_NAMES,
  LOCAL_METHODS,
  NO_CIRCLES,
  REACH_RULES,
} from './import-rules.ts'
import { SITE_RULES } from './site-rules.ts'
import { factsOf, type Mention, type SourceFacts } from './source-facts.ts'

export interface Violation {
  readonly file: string
  readonly line: number
  /** Kind of rule: `import`, `reach`, `circle`, `site`, `impure` or `house`. */
  readonly rule: string
  readonly what: string
  readonly why: string
}

/** Project path → text. */
export type Sources = ReadonlyMap<string, string>

const ROOT = join(import.meta.dirname, '..')

/** Not source: generated, installed, or state. */
const SKIPPED = new Set([
  'node_modules',
  '.git',
  'dist',
  '.wrangler',
  '.pfar',
  '.cache',
  'coverage',
  'reports',
  '.stryker-tmp',
])

/** Maximum lines of a file; a longer one holds more than one noun (STYLE 1). */
const MAX_LINES = 400

/** Reads every hand-written file of the checkout, as text. */
export function readTree(root = ROOT): Sources {
  const files = new Map<string, string>()
  const walk = (folder: string): void => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (SKIPPED.has(entry.name)) continue
      if (entry.isDirectory()) walk(path)
      else if (entry.isFile()) files.set(path, readFileSync(join(root, path), 'utf8'))
    }
  }
  walk('')
  return files
}

/** All violations, by file. */
export function checkTree(sources: Sources): readonly Violation[] {
  const facts = new Map<string, SourceFacts>()
  for (const [path, text] of sources) if (isSource(path)) facts.set(path, factsOf(path, text))
  return [
    ...[...facts].flatMap(([path, found]) => checkFile(path, found)),
    ...checkReach(facts),
    ...checkCircles(facts),
    ...[...sources].flatMap(([path, text]) => checkText(path, text)),
  ].sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1))
}

function isSource(path: string): boolean {
  return /\.[jt]s$/.test(path) && !path.endsWith('worker-configuration.d.ts')
}

function checkFile(path: string, facts: SourceFacts): readonly Violation[] {
  return [
    ...checkImports(path, facts),
    ...checkSites(path, facts),
    ...checkPurity(path, facts),
    ...checkHouse(path, facts),
  ]
}

function checkImports(path: string, facts: SourceFacts): readonly Violation[] {
  const rule = FOLDER_RULES.find(({ folder, part }) => path.startsWith(folder) && part?.test(path) !== false)
  if (rule === undefined) return []
  return facts.imports.flatMap((found) => {
    const why = refusalOf(rule, found.name)
    return why === undefined ? [] : [violation(path, found, 'import', why)]
  })
}

function refusalOf(rule: FolderRule, module: string): string | undefined {
  const allowed = longest(rule.may, module)
  const forbidden = rule.never
    .filter((row) => matches(row.module, module))
    .sort((a, b) => b.module.length - a.module.length)[0]
  // The longer name is the more specific rule: `drizzle-orm` is allowed, `drizzle-orm/durable-sqlite` is not.
  if (forbidden !== undefined && forbidden.module.length >= allowed) return forbidden.why
  return allowed > 0 ? undefined : rule.why
}

function longest(names: readonly string[], module: string): number {
  return Math.max(0, ...names.filter((name) => matches(name, module)).map((name) => name.length))
}

function matches(name: string, module: string): boolean {
  return module === name || module.startsWith(/[/:]$/.test(name) ? name : `${name}/`)
}

function checkSites(path: string, facts: SourceFacts): readonly Violation[] {
  return SITE_RULES.filter(
    ({ within, only }) =>
      within.some((folder) => path.startsWith(folder)) && !only.some((allowed) => isAt(allowed, path)),
  ).flatMap(({ name, why }) =>
    facts.mentions
      .filter((found) => says(found.name, name))
      // An import mentions its name twice.
      .filter(
        ({ name: said, line }, at, all) => all.findIndex((m) => m.name === said && m.line === line) === at,
      )
      .map((found) => violation(path, found, 'site', why)),
  )
}

/** Whether a mention is of this name, also as a member: `(await import('./labeled.ts')).openForSink`. */
function says(mention: string, name: string): boolean {
  return mention === name || mention.endsWith(name.startsWith('.') ? name : `.${name}`)
}

function isAt(allowed: string, path: string): boolean {
  return allowed.endsWith('/') ? path.startsWith(allowed) : path === allowed
}

function checkPurity(path: string, facts: SourceFacts): readonly Violation[] {
  if (!path.startsWith('kernel/')) return []
  return facts.mentions.flatMap((found) => {
    const impure = IMPURE_NAMES.find(({ name }) => found.name === name || found.name === `new ${name}`)
    if (impure !== undefined) return [violation(path, found, 'impure', impure.why)]
    const local = LOCAL_METHODS.test(found.name.split('.').at(-1) ?? '') && found.name.includes('.')
    return local ? [violation(path, found, 'impure', 'reads the time zone or language of the machine')] : []
  })
}

/** `import *` is how zod/mini is used; for files of the kernel it would hide which names are imported. */
function checkHouse(path: string, facts: SourceFacts): readonly Violation[] {
  const own = (what: string, why: string, line = 1) => [{ file: path, line, rule: 'house', what, why }]
  const production = FOLDER_RULES.some(({ folder }) => path.startsWith(folder))
  return [
    ...(facts.opensWithComment ? [] : own('no header', 'a file opens with what it does and must not do')),
    ...(facts.lines > MAX_LINES && production
      ? own(`${facts.lines} lines`, 'above 400 lines there is more than one noun in a file')
      : []),
    ...facts.syntax.flatMap(({ name, line }) =>
      name === 'import *' && !(production && facts.imports.some((m) => m.line === line && isLaw(m.name)))
        ? []
        : own(name, SYNTAX_REASONS[name] ?? 'it does not survive type stripping', line),
    ),
    ...facts.comments
      .filter(({ name }) => UNFINISHED.test(name))
      .flatMap(({ line }) => own('unfinished', 'what is not done is not merged, or is an issue', line)),
    ...facts.comments
      .filter(({ name }) => A_MAN.test(name.replaceAll(QUOTED, '')))
      .flatMap(({ line }) => own('he', 'say who: the owner, the person, the sender', line)),
  ]
}

/** Gendered pronouns, which comments must not use: of an owner, a person, a sender or an attacker only the role is known. */
const A_MAN = /\b(?:he|him|his|himself)\b/i
/** Quoted examples of typed text, which are exempt. */
const QUOTED = /"[^"]*"|“[^”]*”|„[^“]*“|`[^`]*`/g

const UNFINISHED = /\b(?:TODO|FIXME|XXX|HACK)\b/

const SYNTAX_REASONS: Readonly<Record<string, string>> = {
  any: 'any switches the checks off for everything it touches',
  '!': 'say what happens when it is missing',
  'export *': 'an index of everything hides which names leave a folder',
  'import *': 'a namespace hides which names are taken, and the site rules need to see them',
}

function isLaw(module: string): boolean {
  return module.startsWith('kernel/')
}

function checkReach(facts: ReadonlyMap<string, SourceFacts>): readonly Violation[] {
  return REACH_RULES.flatMap(({ entry, never }) =>
    [...reachable(entry, facts)].flatMap((path) =>
      (facts.get(path)?.imports ?? []).flatMap((found) => {
        const forbidden = never.find((row) => matches(row.module, found.name))
        return forbidden === undefined ? [] : [violation(path, found, 'reach', forbidden.why)]
      }),
    ),
  )
}

function checkCircles(facts: ReadonlyMap<string, SourceFacts>): readonly Violation[] {
  return NO_CIRCLES.flatMap(({ module, why }) => {
    const held = [...facts].filter(([path]) => matches(module, path))
    const below = new Map(held.map(([path]) => [path, reachable(path, facts)]))
    return held.flatMap(([path, { imports }]) =>
      imports
        .filter(({ name }) => below.get(name)?.has(path))
        .map((found) => violation(path, found, 'circle', why)),
    )
  })
}

function reachable(entry: string, facts: ReadonlyMap<string, SourceFacts>): ReadonlySet<string> {
  const seen = new Set<string>()
  const queue = [entry]
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (seen.has(path) || !facts.has(path)) continue
    seen.add(path)
    queue.push(...(facts.get(path)?.imports ?? []).map((found) => found.name))
  }
  return seen
}

/** Paths and hosts of a developer's machine: they mean nothing elsewhere and may reveal something. */
const MACHINE =
  /(?<![\w.~-])\/(?:work|root|Users)\/[\w.]|registry\.(?:npmjs\.org|yarnpkg\.com)|npmmirror\.com/

function checkText(path: string, text: string): readonly Violation[] {
  // The lock file records where each package came from.
  if (path === 'package-lock.json') return []
  const why = 'names a path or a registry of one machine'
  return text
    .split('\n')
    .flatMap((line, at) =>
      MACHINE.test(line) || line.includes(`${ROOT}/`)
        ? [{ file: path, line: at + 1, rule: 'house', what: 'machine', why }]
        : [],
    )
}

function violation(file: string, found: Mention, rule: string, why: string): Violation {
  return { file, line: found.line, rule, what: found.name, why }
}

export function describeViolation({ file, line, rule, what, why }: Violation): string {
  return `${file}:${line} ${rule} ${what}: ${why}`
}

if (import.meta.main) {
  const found = checkTree(readTree())
  for (const violated of found) console.log(describeViolation(violated))
  process.exitCode = found.length === 0 ? 0 : 1
}
