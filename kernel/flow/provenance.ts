/**
 * Labels at receipt: one table from source to level and taint. Adapters, tools and models name a source, never a
 * label. Must not look at content. Called by route and by the hosts of extractors.
 */
import { isPlainRecord, type Json } from './json.ts'
import { labelOf, parseLabel } from './label.ts'
import { createLabeled, type Labeled, type Provenance } from './labeled.ts'
import type { Compartment, Level } from './level.ts'
import { ownWordsOrigin } from './sink.ts'
import { parseTaint, type TaintLevel, taintOf } from './taint.ts'
import { err, ok, type Result } from './verdict.ts'

interface Row {
  readonly level: Level
  readonly compartment: Compartment | null
  readonly taint: TaintLevel
}

const HEALTH = 'health' as Compartment

/** One row per source (S001 §4.3). A source without a row gets `UNLISTED`. */
const TABLE: Readonly<Record<string, Row>> = Object.freeze({
  public_page: row('public', 'raw'),
  third_party_message: row('internal', 'raw'),
  member_message: row('internal', 'raw'),
  paired_message: row('internal', 'raw'),
  mail_body: row('sensitive', 'raw'),
  health_export: row('regulated', 'raw', HEALTH),
  calendar_details: row('sensitive', 'raw'),
  calendar_freebusy: row('internal', 'raw'),
  credential: row('secret', 'raw'),
  webhook_payload: row('sensitive', 'raw'),
  github_content: row('sensitive', 'raw'),
  notion_page: row('sensitive', 'raw'),
  owner_quoted: row('sensitive', 'raw'),
})

/** the highest plausible default, never public. */
const UNLISTED = row('sensitive', 'raw')

export const PROVENANCE_SOURCES: readonly string[] = Object.freeze(Object.keys(TABLE))

/** Label and taint of data from `source`. `origin` distinguishes instances, such as one peer's id. */
export function provenanceOf(source: string, origin: string, field = '*'): Provenance {
  const { level, compartment, taint } = Object.hasOwn(TABLE, source) ? (TABLE[source] ?? UNLISTED) : UNLISTED
  return { label: labelOf([{ origin, field, level, compartment }]), taint: taintOf(taint, origin) }
}

/** The owner's own words: clean, at the clearance of the line that brought them (DESIGN §1). */
export function ownerWords(sinkId: string, lineLevel: Level): Provenance {
  const origin = ownWordsOrigin(sinkId)
  return {
    label: labelOf([{ origin, field: 'words', level: lineLevel, compartment: null }]),
    taint: taintOf('clean', origin),
  }
}

/**
 * Text that the owner quoted or forwarded. Its author is unknown, so it is raw and has an origin of its own. Its level is that
 * of the owner's own words, since it came by the same line (C-09).
 */
export function quotedWords(sinkId: string, lineLevel: Level): Provenance {
  const origin = `quoted:${sinkId}`
  return {
    label: labelOf([{ origin, field: 'words', level: lineLevel, compartment: null }]),
    taint: taintOf('raw', origin),
  }
}

/** Words of anyone but the owner, in their own chat: level by source from the table; may return to that chat only. */
export function strangerWords(sinkId: string, source: string): Provenance {
  return provenanceOf(source, ownWordsOrigin(sinkId), 'words')
}

/**
 * A directive file: the owner's data, wherever its lines came from. Its origin is no chat, so no sink treats it as words of its
 * own reader (O-13). Clean: the owner wrote or approved it.
 */
export function directiveWords(): Provenance {
  return {
    label: labelOf([{ origin: 'directive', field: '*', level: 'sensitive', compartment: null }]),
    taint: taintOf('clean', 'directive'),
  }
}

/** Kernel-made text that quotes no one, such as "Nothing is waiting for you." */
export function kernelWords(): Provenance {
  return { label: labelOf([]), taint: taintOf('clean', 'kernel') }
}

/** Facts that a place states about itself, at the level that the section table gives (M-11). */
export function selfFacts(field: string, level: Level): Provenance {
  const label = level === 'public' ? [] : [{ origin: 'self', field, level, compartment: null }]
  return { label: labelOf(label), taint: taintOf('clean', 'kernel') }
}

/** Labels a value at receipt. The only entry for outside data other than a tool's record. */
export function receive<T extends Json>(value: T, provenance: Provenance): Labeled<T> {
  return createLabeled(value, provenance)
}

function row(level: Level, taint: TaintLevel, compartment: Compartment | null = null): Row {
  return Object.freeze({ level, taint, compartment })
}

/** Parses a label with its taint from outside. Refusals: label_malformed, and those of a taint. */
export function parseProvenance(input: unknown): Result<Provenance> {
  if (!isPlainRecord(input)) return err('label_malformed')
  const label = parseLabel(input['label'])
  if (!label.ok) return label
  const taint = parseTaint(input['taint'])
  return taint.ok ? ok({ label: label.value, taint: taint.value }) : taint
}
