/**
 * Parses a system document (P-01, P-12, P-13): headings in fixed order, a line of tags above each part, known variables only;
 * and merges the owner's files into it (P-04, X-24), where hard parts stay and unusable text is left out with a notice. Strict:
 * a misspelt tag is an error, not a rule that no prompt gets. Must not fill in variables or read files. Called by each place.
 */
import { err, ok, type Result } from '../../flow/verdict.ts'
import type { Audience } from '../../self/section.ts'
import { PURPOSES, type Purpose } from '../mode.ts'

/** UTF-16 units. A larger file could push the request out of the window. */
export const MAX_DOCUMENT = 32_000

/** A comment for people at the top of a document. Never part of a prompt. */
const PREFACE = /^\s*<!--[\s\S]*?-->\s*\n/
const HEADING = /^##\s+(.*?)\s*$/
const TAGS = /^<!--\s*(.*?)\s*-->$/
const BRACES = /\{\{(?:(\w+)\}\})?/g

/** A line with its number, from 1, for error messages. */
interface Line {
  readonly text: string
  readonly number: number
}

interface Block {
  readonly name: SectionName
  readonly heading: Line
  readonly lines: readonly Line[]
}

/** A part without tags, as an owner writes it. The section's own soft parts decide who gets it. */
interface PlainSection {
  readonly name: SectionName
  readonly text: string
}

/** Refusal: template_malformed, with `line` and the fault (`field`). */
export function parseDocument(text: string): Result<SystemDocument> {
  const blocks = blocksOf(text)
  if (!blocks.ok) return blocks
  const sections: DocumentSection[] = []
  for (const { name, heading, lines } of blocks.value) {
    const parts = partsOf(heading, lines)
    if (!parts.ok) return parts
    sections.push({ name, parts: parts.value })
  }
  return ok({ sections })
}

/** The owner's document: headings and text. A line of tags is refused, because it would have no effect. */
export function parsePlain(text: string): Result<readonly PlainSection[]> {
  const blocks = blocksOf(text)
  if (!blocks.ok) return blocks
  const tagged = blocks.value.flatMap(({ lines }) => lines).find((line) => TAGS.test(line.text))
  if (tagged !== undefined) return wrong('tag', tagged)
  return ok(blocks.value.map(({ name, lines }) => ({ name, text: joined(lines) })))
}

/** Refusal: template_malformed for an unknown variable, or for unmatched double braces. */
function checkVariables(text: string): Result<true> {
  for (const [index, line] of text.split('\n').entries())
    for (const [, name] of line.matchAll(BRACES))
      if (!VARIABLES.some((known) => known === name))
        return wrong('variable', { text: line, number: index + 1 })
  return ok(true)
}

function blocksOf(input: string): Result<readonly Block[]> {
  const text = input.replaceAll('\r\n', '\n')
  if (text.length > MAX_DOCUMENT) return wrong('size', { text, number: 1 })
  const variables = checkVariables(text)
  if (!variables.ok) return variables
  const preface = PREFACE.exec(text)?.[0] ?? ''
  const skipped = preface.split('\n').length
  const blocks: { name: SectionName; heading: Line; lines: Line[] }[] = []
  for (const [index, row] of text.slice(preface.length).split('\n').entries()) {
    const line = { text: row, number: index + skipped }
    const read = HEADING.exec(row)?.[1]
    if (read !== undefined) {
      const name = SECTIONS.find((known) => known === read)
      if (name === undefined) return wrong('section', line)
      const before = blocks.at(-1)
      // A repeated section is out of order, too.
      if (before !== undefined && SECTIONS.indexOf(name) <= SECTIONS.indexOf(before.name))
        return wrong('order', line)
      blocks.push({ name, heading: line, lines: [] })
    } else if (blocks.length > 0) blocks.at(-1)?.lines.push(line)
    else if (row.trim() !== '') return wrong('heading', line)
  }
  return ok(blocks)
}

function partsOf(heading: Line, lines: readonly Line[]): Result<readonly DocumentPart[]> {
  const found: { tags: Omit<DocumentPart, 'text'>; lines: Line[] }[] = []
  for (const line of lines) {
    const tags = TAGS.exec(line.text)?.[1]
    if (tags !== undefined) {
      const parsed = parseTags(tags, line)
      if (!parsed.ok) return parsed
      found.push({ tags: parsed.value, lines: [] })
    } else if (found.length > 0) found.at(-1)?.lines.push(line)
    else if (line.text.trim() !== '') return wrong('tag', line)
  }
  const empty = found.some((part) => joined(part.lines) === '')
  if (found.length === 0 || empty) return wrong('text', heading)
  return ok(found.map(({ tags, lines: own }) => ({ ...tags, text: joined(own) })))
}

/** `roles=plan audience=owner needs=act soft`: each key once, known words only, `soft` or `hard` required. */
function parseTags(tags: string, line: Line): Result<Omit<DocumentPart, 'text'>> {
  const words = tags.split(/\s+/)
  const firm = words.filter((word) => word === 'hard' || word === 'soft')
  const pairs = words.filter((word) => word !== 'hard' && word !== 'soft').map((word) => word.split('='))
  const keys = pairs.map(([key]) => key)
  const known = pairs.every(([key, value]) => (key === 'needs' || REQUIRED.includes(key ?? '')) && value)
  if (!known || new Set(keys).size !== keys.length || firm.length !== 1) return wrong('tag', line)
  if (!REQUIRED.every((key) => keys.includes(key))) return wrong('tag', line)
  const listed = <T extends string>(key: string, words: readonly T[]) =>
    wordsOf(pairs.find(([name]) => name === key)?.[1], words)
  const roles = listed('roles', PURPOSES)
  const audiences = listed('audience', AUDIENCES)
  const needs = listed('needs', NEEDS)
  if (roles === null || audiences === null || needs === null) return wrong('tag', line)
  return ok({ roles, audiences, needs, soft: firm[0] === 'soft' })
}

const REQUIRED: readonly string[] = ['roles', 'audience']

/** Null where a word is unknown or repeated. */
function wordsOf<T extends string>(value: string | undefined, known: readonly T[]): readonly T[] | null {
  const words = value === undefined ? [] : value.split(',')
  const found = known.filter((word) => words.includes(word))
  return found.length === words.length ? found : null
}

function joined(lines: readonly Line[]): string {
  return lines
    .map(({ text }) => text.trimEnd())
    .join('\n')
    .trim()
}

function wrong(field: string, { number }: Pick<Line, 'number'> & Partial<Line>): Result<never> {
  return err('template_malformed', { file: 'SYSTEM.md', field, line: number })
}

/** Reading order: binding sections before stylistic ones. */
export const SECTIONS = Object.freeze([
  'Security',
  'Identity',
  'Signal system',
  'Personality',
  'Tool policy',
  'Task management',
  'Doing tasks',
  'Git workflows',
  'Output formatting',
  'Proactiveness',
  'User profile',
] as const)
type SectionName = (typeof SECTIONS)[number]

export const AUDIENCES: readonly Audience[] = Object.freeze(['owner', 'paired', 'public'] as const)

/** What a template must be able to do for a part to be included: change something; work on code. */
const NEEDS = Object.freeze(['act', 'code'] as const)
export type Need = (typeof NEEDS)[number]

/** Filled in when a document is built. Any other name in double braces is refused. */
export const VARIABLES = Object.freeze(['TOOL_DEFINITIONS', 'RULES', 'USER_PROFILE'] as const)
export type Variable = (typeof VARIABLES)[number]

export interface DocumentPart {
  readonly roles: readonly Purpose[]
  readonly audiences: readonly Audience[]
  /** All of these must be met; empty: every template. */
  readonly needs: readonly Need[]
  /** Soft: the owner may replace it with text of their own. */
  readonly soft: boolean
  readonly text: string
}

interface DocumentSection {
  readonly name: SectionName
  readonly parts: readonly DocumentPart[]
}

export interface SystemDocument {
  readonly sections: readonly DocumentSection[]
}

/** The owner's files; null where a file does not exist. */
export interface OwnersFiles {
  /** `prompts/SYSTEM.md`. */
  readonly system: string | null
  /** `IDENTITY.md` of the older layout. */
  readonly identity: string | null
  /** `SOUL.md` of the older layout. */
  readonly soul: string | null
}

export const NO_FILES: OwnersFiles = Object.freeze({ system: null, identity: null, soul: null })

/** A notice for the owner, shown once: how a file was used. Names and numbers, never text. */
export interface DocumentNotice {
  readonly about: 'file_unreadable' | 'section_is_hard' | 'older_layout' | 'older_layout_unused'
  readonly file: string
  /** Name of a section, or `line 12`. */
  readonly at: string | null
}

interface ComposedDocument {
  readonly document: SystemDocument
  /** Parts that the owner wrote. They carry the owner's label. */
  readonly own: readonly DocumentPart[]
  readonly notices: readonly DocumentNotice[]
}

/** A section and the text that replaces its soft parts. */
interface Replacement {
  readonly file: string
  readonly name: SectionName
  readonly text: string
}

/** The bundled document with the owner's text merged in. Never fails: an unreadable file changes nothing. */
export function composeDocument(bundled: SystemDocument, files: OwnersFiles): ComposedDocument {
  const { replacements, notices } = files.system === null ? older(files) : newer(files)
  const hard = replacements.filter(
    ({ name }) => !bundled.sections.some((one) => one.name === name && replaceable(one).length > 0),
  )
  const own: DocumentPart[] = []
  const sections = bundled.sections.map((section) => {
    const replacement = replacements.find(({ name }) => name === section.name)
    if (replacement === undefined) return section
    const part = ownPart(section, replacement.text)
    own.push(part)
    return { ...section, parts: [...remaining(section), part] }
  })
  return {
    document: { sections },
    own,
    notices: [
      ...notices,
      ...hard.map(({ file, name }) => ({ about: 'section_is_hard' as const, file, at: name })),
    ],
  }
}

interface Found {
  readonly replacements: readonly Replacement[]
  readonly notices: readonly DocumentNotice[]
}

function newer({ system, identity, soul }: OwnersFiles): Found {
  const parsed = parsePlain(system ?? '')
  const unused = [
    ...(identity === null ? [] : [notice('older_layout_unused', 'IDENTITY.md')]),
    ...(soul === null ? [] : [notice('older_layout_unused', 'SOUL.md')]),
  ]
  if (!parsed.ok) {
    const at = `line ${String(parsed.reason.facts['line'] ?? 1)}`
    return { replacements: [], notices: [{ about: 'file_unreadable', file: 'SYSTEM.md', at }, ...unused] }
  }
  return { replacements: parsed.value.map((section) => ({ file: 'SYSTEM.md', ...section })), notices: unused }
}

/** Both files are texts without the document's headings. Each goes into the section about its subject. */
function older({ identity, soul }: OwnersFiles): Found {
  const files = [
    { file: 'IDENTITY.md', name: 'Identity', text: identity },
    { file: 'SOUL.md', name: 'Personality', text: soul },
  ] as const
  const replacements: Replacement[] = []
  const notices: DocumentNotice[] = []
  for (const { file, name, text } of files) {
    if (text === null) continue
    const usable = text.length <= MAX_DOCUMENT && checkVariables(text).ok
    if (usable) replacements.push({ file, name, text: text.trim() })
    notices.push(notice(usable ? 'older_layout' : 'file_unreadable', file))
  }
  return { replacements, notices }
}

function notice(about: DocumentNotice['about'], file: string): DocumentNotice {
  return { about, file, at: null }
}

/** The parts that the owner's text replaces. */
function replaceable(section: DocumentSection): readonly DocumentPart[] {
  return section.parts.filter(({ soft, audiences }) => soft && audiences.includes('owner'))
}

/** Hard parts, and soft parts for every other audience. */
function remaining(section: DocumentSection): readonly DocumentPart[] {
  const soft = replaceable(section)
  return section.parts
    .map((part) =>
      soft.includes(part) ? { ...part, audiences: part.audiences.filter((one) => one !== 'owner') } : part,
    )
    .filter(({ audiences }) => audiences.length > 0)
}

/** Goes to every role that had a soft part, and to the owner only. In a hard section it goes to nobody. */
function ownPart(section: DocumentSection, text: string): DocumentPart {
  const soft = replaceable(section)
  return {
    roles: [...new Set(soft.flatMap(({ roles }) => roles))],
    audiences: ['owner'],
    // A part that only some templates need stays limited to them, whoever wrote it (P-13).
    needs: (soft[0]?.needs ?? []).filter((need) => soft.every(({ needs }) => needs.includes(need))),
    soft: true,
    text,
  }
}

export function noticeWords({ about, file, at }: DocumentNotice): string {
  switch (about) {
    case 'file_unreadable':
      return `${file} was left out${at === null ? '' : ` (${at})`}: it has a part that I cannot use. My own text stands instead.`
    case 'section_is_hard':
      return `${file} has a section "${at ?? ''}", which cannot be replaced. The rest of the file is used.`
    case 'older_layout':
      return `${file} is used in the older layout. prompts/SYSTEM.md is the newer one; nothing was deleted.`
    case 'older_layout_unused':
      return `${file} is not used, because there is a prompts/SYSTEM.md. It was not deleted.`
  }
}
