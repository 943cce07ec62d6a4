/**
 * The stored form of a directive file, and its form in a prompt. The name is stored with the text, so that
 * names of the owner's files are sealed, too. Pure text. Called by features/directives/directive-service.ts
 * and change.ts.
 */
import { parseHeader } from './header.ts'
import type { Mode } from './mode.ts'
import { ownershipOf } from './ownership.ts'

/** A type, not an interface, because it is stored as JSON inside a labelled value. */
export type DirectiveText = { readonly name: string; readonly text: string }

export function packed({ name, text }: DirectiveText): string {
  return `${name}\n${text}`
}

export function unpacked(kept: string): DirectiveText {
  const end = kept.indexOf('\n')
  return end < 0 ? { name: kept, text: '' } : { name: kept.slice(0, end), text: kept.slice(end + 1) }
}

/** The text with uniform line endings and one final newline, so that an editor's habits do not count as a change. */
export function normalised(text: string): string {
  const lines = text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n')
  return lines.trim() === '' ? '' : `${lines.trimEnd()}\n`
}

/** The body for a prompt: without header and empty headings (O-08). */
export function promptBody(text: string): string {
  return withoutEmptySections(parseHeader(text).body)
}

/** One line of the file index in an owner prompt (O-03, O-04, O-16). */
export function indexLine({ name, text }: DirectiveText, mode: Mode): string {
  const { kind, owns } = ownershipOf(name)
  const says = kind === 'user' ? (parseHeader(text).header?.owns ?? '') : owns
  const tags = [...(kind === 'user' ? ['user-created'] : []), ...(mode === 'manual' ? ['when named'] : [])]
  return `${name}: ${says}${tags.length === 0 ? '' : ` (${tags.join(', ')})`}`
}

interface Section {
  /** 0 for text before the first heading. */
  readonly level: number
  readonly lines: readonly string[]
}

const HEADING = /^(#{1,6})\s+\S/
const CODE = /^\s*(?:```|~~~)/
const LEVELS = 7

/** Removes headings without content. Idempotent. The result is never longer than the input. */
export function withoutEmptySections(text: string): string {
  const kept: Section[] = []
  /**
   * For each level: whether a later heading of that level was retained and so counts as
   * content of an earlier heading of a higher level.
   */
  const below = new Array<boolean>(LEVELS).fill(false)
  for (const section of sectionsOf(text).toReversed()) {
    const { level, lines } = section
    const holds = level === 0 || lines.slice(1).some((line) => line.trim() !== '')
    const stays = holds || below.slice(level + 1).includes(true)
    below.fill(false, level + 1)
    if (!stays) continue
    below[level] = true
    kept.push(section)
  }
  return kept
    .toReversed()
    .flatMap(({ lines }) => lines)
    .join('\n')
    .trim()
}

function sectionsOf(text: string): readonly Section[] {
  const sections: { level: number; lines: string[] }[] = [{ level: 0, lines: [] }]
  let inCode = false
  for (const line of text.split('\n')) {
    if (CODE.test(line)) inCode = !inCode
    const heading = inCode ? null : HEADING.exec(line)
    if (heading === null) sections.at(-1)?.lines.push(line)
    else sections.push({ level: heading[1]?.length ?? 1, lines: [line] })
  }
  return sections
}
