/**
 * The sanitizer of outside text for a model (N-19, N-20, N-23): makes it visible, replaces directives with notices, cuts it. It
 * protects only the assistant's identity; labels and tool-less readers provide the security. Must not decide where it applies
 * (taint does) or change stored data (N-22). Pure and linear; called by finalize.ts, sanitize-name.ts, the bench.
 */
import { mergeSpans, replaceSpans, type Span } from '../wording/guard/spans.ts'
import { extentOf } from './sanitize-extent.ts'
import { findDirectives } from './sanitize-find.ts'
import type { Family } from './sanitize-rule.ts'
import { visibleText } from './sanitize-visible.ts'

/** Replaces a directive. */
export const REMOVED_NOTICE = '[removed: text that spoke to the assistant]'
/** Marks the end of a text that exceeded its limit. */
export const CUT_NOTICE = '[cut here: the text goes on]'
/** Maximum length of one tool's result, UTF-16 units (S002 §4.1): a long text pushes the rules out of a model's attention. */
export const MAX_RESULT = 8_000
/** How many times its limit a text is examined: references and escapes shrink when decoded. */
const LOOK = 4
/** Maximum passes. A pass can, rarely, leave a new directive; a flood of such is cut off. */
const MAX_PASSES = 4

export interface SanitizeOptions {
  /** Boundary of the data block that will contain it; '' if there is none. */
  readonly boundary: string
  /** UTF-16 units; `MAX_RESULT` for a tool's result. */
  readonly maxChars: number
}

export interface Sanitized {
  readonly text: string
  /** Number of replaced directives by family, for the trace, which never contains their text. */
  readonly removed: Readonly<Partial<Record<Family, number>>>
  readonly truncated: boolean
}

/** Never fails. Idempotent. */
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

/** Adds each replaced stretch to `removed`, under the first family that found it. */
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

/** Two stretches with only spaces and punctuation between them become one notice. */
function joinNear(text: string, spans: readonly Span[]): readonly Span[] {
  const merged = mergeSpans(spans)
  return merged.map(({ start, end }, i) => {
    const next = merged[i + 1]
    const isNear =
      next !== undefined && next.start - end < 8 && !/[\p{L}\p{N}]/u.test(text.slice(end, next.start))
    return { start, end: isNear ? next.start : end }
  })
}

/** Never cuts inside a surrogate pair. */
function cut(text: string, most: number, notice: string): { text: string; truncated: boolean } {
  if (text.length <= most) return { text, truncated: false }
  const at = Math.max(0, most - notice.length)
  const isPair = /[\ud800-\udbff]/.test(text[at - 1] ?? '')
  return { text: text.slice(0, isPair ? at - 1 : at) + notice, truncated: true }
}
