/**
 * Decides which changes of a directive file are permitted (O-09, O-12): additions are free; removing a line must be declared
 * and approved. Also decides when a file is in effect. Must not know where files are stored. Called by the directive service.
 */
import { err, ok, type Result } from '../flow/verdict.ts'
import { type Header, parseHeader } from './header.ts'
import { type Attachment, type Mode, parseMode } from './mode.ts'
import { ALWAYS_BUDGET, FILE_MAX, ownershipOf, type Writer } from './ownership.ts'
import { promptBody } from './text.ts'

export interface Change {
  readonly name: string
  /** Null for a new file. */
  readonly before: string | null
  readonly after: string
  readonly writer: Writer
  /** The writer declares that lines will be removed. */
  readonly cleanup: boolean
  /** UTF-16 units of the other always-loaded files, and whether this one is always loaded. */
  readonly always: { readonly others: number; readonly counts: boolean }
}

/** `over_budget`: this file. `always_over_budget`: all always-loaded files together. */
export type BudgetWarning = 'over_budget' | 'always_over_budget'

interface Judged {
  /** Whether the owner must approve these very lines first. */
  readonly asks: boolean
  readonly warnings: readonly BudgetWarning[]
}

/**
 * Refusals: principal_not_allowed for a writer without permission; field_too_large; directive_header; directive_shrinks for an
 * undeclared removal of lines, which only the owner may make; directive_budget for everyone but the owner, who gets a warning
 * instead.
 */
export function checkChange(change: Change): Result<Judged> {
  const { name, before, after, writer, cleanup } = change
  const { writers, kind } = ownershipOf(name)
  const rule = writers[writer]
  if (rule === 'never') return err('principal_not_allowed', { writer })
  if (after.length > FILE_MAX) return err('field_too_large', { max: FILE_MAX })
  const removes = kind === 'user' && before !== null && after === ''
  if (!removes && parseHeader(after).header === null) return err('directive_header')
  const shrinks = before !== null && !keepsLines(before, after)
  if (shrinks && (!cleanup || writer !== 'owner')) return err('directive_shrinks')
  const warnings = budgetWarnings(change)
  if (warnings.length > 0 && writer !== 'owner') return err('directive_budget', { over: warnings.join() })
  return ok({ asks: shrinks || rule === 'asks', warnings })
}

function budgetWarnings({ name, after, always }: Change): readonly BudgetWarning[] {
  const size = promptBody(after).length
  const total = always.others + (always.counts ? size : 0)
  return [
    ...(size > ownershipOf(name).budget ? (['over_budget'] as const) : []),
    ...(always.counts && total > ALWAYS_BUDGET ? (['always_over_budget'] as const) : []),
  ]
}

/** True if every non-blank line is still there, in the same order. New lines may come between. */
export function keepsLines(before: string, after: string): boolean {
  const lines = saying(after)
  let next = 0
  for (const line of saying(before)) {
    const at = lines.indexOf(line, next)
    if (at < 0) return false
    next = at + 1
  }
  return true
}

function saying(text: string): readonly string[] {
  return text.split('\n').filter((line) => line.trim() !== '')
}

interface Difference {
  /** Number of lines before the first difference. */
  readonly at: number
  readonly gone: readonly string[]
  readonly come: readonly string[]
}

/** The lines between the common beginning and the common end. Applied to one text, it gives exactly the other. */
export function differenceOf(before: string, after: string): Difference {
  const [a, b] = [before.split('\n'), after.split('\n')]
  const shorter = Math.min(a.length, b.length)
  let at = 0
  while (at < shorter && a[at] === b[at]) at += 1
  let same = 0
  while (same < shorter - at && a[a.length - 1 - same] === b[b.length - 1 - same]) same += 1
  return { at, gone: a.slice(at, a.length - same), come: b.slice(at, b.length - same) }
}

/** Added lines that another file already contains: one rule belongs in one file (O-05). Headings may repeat. */
export function linesIn(come: readonly string[], other: string): readonly string[] {
  const there = new Set(saying(parseHeader(other).body).map((line) => line.trim()))
  return come.filter((line) => !line.trim().startsWith('#') && there.has(line.trim()))
}

/** Warnings for the owner. Codes only, without content. */
export type Warning = 'mode_invalid' | 'mode_fixed' | 'header_missing' | 'header_strange' | 'attaches_never'

interface Activation {
  readonly mode: Mode
  readonly attach: Attachment
  readonly warnings: readonly Warning[]
}

export function activationOf(name: string, text: string): Activation {
  const { kind, mode: usual, attach: usualAttach } = ownershipOf(name)
  const { header } = parseHeader(text)
  if (header === null) return { mode: usual, attach: usualAttach, warnings: ['header_missing'] }
  const strange: readonly Warning[] = header.strange > 0 ? ['header_strange'] : []
  // A core file always loads: an error in its header must not remove the rules from a prompt (O-01).
  if (kind === 'core') {
    const differs = header.mode !== null && header.mode !== usual
    return { mode: usual, attach: usualAttach, warnings: [...strange, ...(differs ? FIXED : [])] }
  }
  const mode = header.mode === null ? usual : parseMode(header.mode)
  if (mode === null) return { mode: 'manual', attach: usualAttach, warnings: [...strange, 'mode_invalid'] }
  const attach = attachmentOf(header, usualAttach)
  const idle = mode === 'auto_attached' && isEmpty(attach)
  return { mode, attach, warnings: [...strange, ...(idle ? IDLE : [])] }
}

const FIXED: readonly Warning[] = ['mode_fixed']
const IDLE: readonly Warning[] = ['attaches_never']

/** Adds the header's values to the map's, and cannot remove those of the map. */
function attachmentOf({ tools, intents }: Header, usual: Attachment): Attachment {
  return { ...usual, tools: [...usual.tools, ...tools], intents: [...usual.intents, ...intents] }
}

function isEmpty({ tools, intents, writes }: Attachment): boolean {
  return tools.length === 0 && intents.length === 0 && !writes
}
