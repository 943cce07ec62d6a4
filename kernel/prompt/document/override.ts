/**
 * Merges the owner's files into the system document (P-04, X-24): one file, or two of the older layout without it, replaces
 * soft parts; hard parts stay. Unusable text is left out with a notice, never deleted. Changes only prompts that answer the
 * owner. Must not read files. Called by build.ts.
 */
import { checkVariables, MAX_DOCUMENT, parsePlain } from './parse.ts'
import type { DocumentPart, DocumentSection, SectionName, SystemDocument } from './section.ts'

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

export interface ComposedDocument {
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

/** Both are texts without our headings. Each goes into the section about its subject. */
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
