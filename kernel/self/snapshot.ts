/**
 * A snapshot of the assistant's self-description, from what its place stores (M-12). A failed source costs only its own section
 * (M-15). The version is the hash of the content, so equal state gives an equal version after a restart. Pure. Called by
 * keeper.ts.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { canonicalJson } from '../flow/json.ts'
import {
  type Integration,
  type Named,
  OWN_TOOLS,
  type Persona,
  type SelfKind,
  type SelfSection,
} from './section.ts'

/** Sources of a place. Each may throw; none reads a message. */
export interface SelfSources {
  readonly persona: () => Persona
  readonly integrations: () => readonly Integration[]
  readonly skills: () => readonly Named[]
  readonly channels: () => readonly Named[]
  readonly jobs: () => readonly Named[]
  /** The owner's own lines; empty at the edge. */
  readonly preferences: () => readonly string[]
}

export interface SelfSnapshot {
  /** Eight hex digits of the hash of the sections. */
  readonly version: string
  /** When it was taken, epoch milliseconds. */
  readonly at: number
  readonly sections: readonly SelfSection[]
  /** Sections whose source failed. They are from an earlier snapshot, or absent. */
  readonly failed: readonly SelfKind[]
}

/** Name of the product, used until the owner names the assistant. */
export const OWN_NAME = 'PFAR'

/** The assistant's name according to these sections. */
export function nameIn(sections: readonly SelfSection[]): string {
  return sections.find((section) => section.kind === 'persona')?.name ?? OWN_NAME
}

/** Maximum entries of a list that are read. The renderer shows far fewer. */
const MOST = 200
const VERSION_DIGITS = 8

export function takeSnapshot(sources: SelfSources, previous: SelfSnapshot | null, at: number): SelfSnapshot {
  const failed: SelfKind[] = []
  const read = <K extends SelfKind>(
    kind: K,
    take: () => SelfSection & { kind: K },
  ): readonly SelfSection[] => {
    try {
      return [take()]
    } catch {
      failed.push(kind)
      return keptOf(previous, kind)
    }
  }
  const integrations = read('integrations', () => ({
    kind: 'integrations',
    items: sources.integrations().slice(0, MOST).map(cleanIntegration),
  }))
  const sections = [
    ...read('persona', () => ({ kind: 'persona', ...cleanPersona(sources.persona()) })),
    ...integrations,
    ...read('skills', () => ({ kind: 'skills', items: cleanNamed(sources.skills()) })),
    ...read('channels', () => ({ kind: 'channels', items: cleanNamed(sources.channels()) })),
    ...read('jobs', () => ({ kind: 'jobs', items: sources.jobs().slice(0, MOST).map(cleanJob) })),
    // The retained section of a failed source lacks the tools that need no service, so the earlier categories are retained,
    // too.
    ...(failed.includes('integrations') ? keptOf(previous, 'categories') : categoriesOf(integrations)),
    ...read('preferences', () => ({
      kind: 'preferences',
      lines: sources.preferences().slice(0, MOST).map(lineFrom),
    })),
  ]
    .map(withoutOwnTools)
    .filter(saysSomething)
  return Object.freeze({ version: versionOf(sections), at, sections: Object.freeze(sections), failed })
}

function keptOf(previous: SelfSnapshot | null, kind: SelfKind): readonly SelfSection[] {
  return previous?.sections.filter((section) => section.kind === kind) ?? []
}

function withoutOwnTools(section: SelfSection): SelfSection {
  return section.kind === 'integrations'
    ? { ...section, items: section.items.filter(({ name }) => name !== OWN_TOOLS) }
    : section
}

/** The persona is always present; any other section only if it has content (M-03). */
function saysSomething(section: SelfSection): boolean {
  switch (section.kind) {
    case 'persona':
      return true
    case 'categories':
      return section.names.length > 0
    case 'preferences':
      return section.lines.length > 0
    case 'recent':
      return section.turns.length > 0
    default:
      return section.items.length > 0
  }
}

function versionOf(sections: readonly SelfSection[]): string {
  const content = canonicalJson(sections)
  return bytesToHex(sha256(utf8ToBytes(content))).slice(0, VERSION_DIGITS)
}

function cleanPersona({ name, style }: Persona): Persona {
  const line = style === null ? '' : lineFrom(style)
  return { name: ownNameFrom(name), style: line === '' ? null : line }
}

function cleanIntegration({ name, tools, categories, state }: Integration): Integration {
  return { name: nameFrom(name), tools, categories: categories.map(nameFrom), state }
}

function cleanNamed(items: readonly Named[]): readonly Named[] {
  return items
    .slice(0, MOST)
    .map(({ name, note }) => ({ name: nameFrom(name), note: note === '' ? '' : noteFrom(note) }))
}

/** A job's title and schedule are the program's own words in the owner's language, so letters of every script remain. */
function cleanJob({ name, note }: Named): Named {
  return {
    name: cleanName(name, /[^\p{L}\p{M}0-9 _.-]+/gu, MAX_NAME),
    note: note === '' ? '' : cleanName(note, /[^\p{L}\p{M}0-9 _.:,-]+/gu, MAX_NOTE),
  }
}

/** Kinds of things that the assistant can do, each once (M-08). */
function categoriesOf(sections: readonly SelfSection[]): readonly SelfSection[] {
  const names = sections.flatMap((section) =>
    section.kind === 'integrations' ? section.items.flatMap(({ categories }) => categories) : [],
  )
  return [{ kind: 'categories', names: [...new Set(names)].sort() }]
}

/** Maximum UTF-16 units of a name. */
const MAX_NAME = 40
/** Maximum UTF-16 units of a line of the owner's own text. */
const MAX_LINE = 200

/** Maximum UTF-16 units of a schedule in words. */
const MAX_NOTE = 80

/** As `nameFrom`, with the characters of times and lists: `every weekday at 12:00, 16:00`. */
function noteFrom(text: string): string {
  return cleanName(text, /[^A-Za-z0-9 _.:,-]+/g, MAX_NOTE)
}

/**
 * Cleans a name chosen by a third party (M-10): at most 40 letters from a to z,
 * digits, spaces, `_`, `.` and `-`; `unnamed` if nothing remains.
 */
export function nameFrom(text: string): string {
  return cleanName(text, /[^A-Za-z0-9 _.-]+/g, MAX_NAME)
}

/** Cleans the assistant's own name, which the owner chose: accented Latin letters are also allowed. */
export function ownNameFrom(text: string): string {
  return cleanName(text, /[^\p{Script=Latin}0-9 _.-]+/gu, MAX_NAME)
}

function cleanName(text: string, other: RegExp, most: number): string {
  const kept = text.normalize('NFKC').replace(other, ' ').replace(/ {2,}/g, ' ').trim().slice(0, most).trim()
  return kept === '' ? 'unnamed' : kept
}

/** One line of the owner's text, without control characters or anything that could open a section of a prompt. */
export function lineFrom(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll(/[[\]{}]/g, '')
    .trim()
    .slice(0, MAX_LINE)
}
