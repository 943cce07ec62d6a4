/**
 * The sanitizer: what a text that is not the owner's own may show to a model (N-19, N-20, N-23). Made visible first, then
 * every directive is replaced by a notice, then cut at a length. Hygiene against a changed identity, not the wall: labels
 * and tool-less readers are. Must not decide whom it applies to (taint does) and must not keep or change what is stored
 * (N-22). Pure and linear; called by finalize.ts, sanitize-name.ts and the bench.
 */
import { mergeSpans, replaceSpans, type Span } from '../wording/guard/spans.ts'
import { extentOf } from './sanitize-extent.ts'
import { findDirectives } from './sanitize-find.ts'
import type { Family } from './sanitize-rule.ts'
import { visibleText } from './sanitize-visible.ts'

/** Stands where a directive stood. */
export const REMOVED_NOTICE = '[removed: text that spoke to the assistant]'
/** Ends a text that was longer than its bound. */
export const CUT_NOTICE = '[cut here: the text goes on]'
/** Longest result of one tool, UTF-16 units (S002 §4.1): a long text pushes the rules out of a model's sight. */
export const MAX_RESULT = 8_000
/** How much longer than its bound a text is looked at: references and escapes shrink when they are read. */
const LOOK = 4
/** What one pass leaves may, rarely, be a directive by itself; a flood of such is cut off. */
const MAX_PASSES = 4

export interface SanitizeOptions {
  /** Mark of the data block that it will stand in; '' where there is none. */
  readonly boundary: string
  /** UTF-16 units, `MAX_RESULT` for a tool's result. */
  readonly maxChars: number
}

export interface Sanitized {
  readonly text: string
  /** Directives that were replaced, by family: for the trace, which never has their words. */
  readonly removed: Readonly<Partial<Record<Family, number>>>
  readonly truncated: boolean
}

/** Never fails. Its own result it returns unchanged. */
export function sanitize(raw: string, { boundary, maxChars }: SanitizeOptions): Sanitized {
  const seen = cut(raw, maxChars * LOOK, '')
  const visible = visibleText(seen.text, REMOVED_NOTICE)
  const removed: Partial<Record<Family, number>> = visible.hidden === 0 ? {} : { hidden: visible.hidden }
  let { text } = cut(visible.text, maxChars, CUT_NOTICE)
  const truncated = seen.truncated || visible.text.length > maxChars
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const next = replaceDirectives(text, boundary, removed)
    if (next === text) break
    text = cut(visibleText(next, REMOVED_NOTICE).text, maxChars, CUT_NOTICE).text
  }
  return { text, removed, truncated }
}

/** Adds to `removed` what it replaces: one for each stretch, under the first family that found it. */
function replaceDirectives(text: string, boundary: string, removed: Partial<Record<Family, number>>): string {
  const found = findDirectives(text, boundary)
  if (found.length === 0) return text
  const stretches = found.map((find) => ({ ...extentOf(text, find), family: find.family }))
  const spans = mergeSpans(joinNear(text, stretches))
  for (const { start, end } of spans) {
    const first = stretches.find((stretch) => stretch.start < end && stretch.end > start)
    if (first !== undefined) removed[first.family] = (removed[first.family] ?? 0) + 1
  }
  return replaceSpans(text, spans, REMOVED_NOTICE)
}

/** Two with nothing but blanks and marks between become one notice. */
function joinNear(text: string, spans: readonly Span[]): readonly Span[] {
  const merged = mergeSpans(spans)
  return merged.map(({ start, end }, i) => {
    const next = merged[i + 1]
    const isNear =
      next !== undefined && next.start - end < 8 && !/[\p{L}\p{N}]/u.test(text.slice(end, next.start))
    return { start, end: isNear ? next.start : end }
  })
}

/** Never inside a pair of surrogates. */
function cut(text: string, most: number, notice: string): { text: string; truncated: boolean } {
  if (text.length <= most) return { text, truncated: false }
  const at = Math.max(0, most - notice.length)
  const isPair = /[\ud800-\udbff]/.test(text[at - 1] ?? '')
  return { text: text.slice(0, isPair ? at - 1 : at) + notice, truncated: true }
}
