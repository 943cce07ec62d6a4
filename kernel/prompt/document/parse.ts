/**
 * Parses a system document: headings in fixed order, a line of tags above each part, known variables only. Strict, so that a
 * misspelt tag is an error instead of a rule that no prompt gets. Must not fill in variables. Called at start by each place for
 * the bundled document, and by override.ts for the owner's.
 */
import { err, ok, type Result } from '../../flow/verdict.ts'
import { PURPOSES } from '../mode.ts'
import {
  AUDIENCES,
  type DocumentPart,
  type DocumentSection,
  NEEDS,
  SECTIONS,
  type SectionName,
  type SystemDocument,
  VARIABLES,
} from './section.ts'

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
export interface PlainSection {
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
export function checkVariables(text: string): Result<true> {
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
