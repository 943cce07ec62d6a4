/**
 * The sanitizer of outside text for a model (N-19, N-20, N-23): makes it visible, replaces directives with notices, cuts it. It
 * protects only the assistant's identity; labels and tool-less readers provide the security. Must not decide where it applies
 * (taint does) or change stored data (N-22). Pure and linear; called by outside.ts and the bench.
 */
import { mergeSpans, replaceSpans, type Span } from '../wording/guard/spans.ts'
import { shippedWeights, type Weights } from './directive/score.ts'
import { type Find, findDirectives, REMOVED_NOTICE } from './sanitize-find.ts'
import { CONFUSABLES } from './sanitize-fold.ts'
import type { Family } from './sanitize-rule.ts'
import { visibleText } from './sanitize-visible.ts'

/** Marks the end of a text that exceeded its limit. */
export const CUT_NOTICE = '[cut here: the text goes on]'
/** Maximum length of one tool's result, UTF-16 units (S002 §4.1): a long text pushes the rules out of a model's attention. */
export const MAX_RESULT = 8_000
/** How many times its limit a text is examined: references and escapes shrink when decoded. */
const LOOK = 4
/** Maximum passes. A pass can, rarely, leave a new directive; a flood of such is cut off. */
const MAX_PASSES = 4

interface SanitizeOptions {
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

export { REMOVED_NOTICE }

/** Never fails. Idempotent. `weights`: differ from the shipped ones only in measurements. */
export function sanitize(
  raw: string,
  { boundary, maxChars }: SanitizeOptions,
  weights: Weights = shippedWeights(),
): Sanitized {
  const seen = cut(raw, maxChars * LOOK, '')
  const visible = visibleText(seen.text, REMOVED_NOTICE)
  const removed: Partial<Record<Family, number>> = visible.hidden === 0 ? {} : { hidden: visible.hidden }
  let { text } = cut(visible.text, maxChars, CUT_NOTICE)
  const truncated = seen.truncated || visible.text.length > maxChars
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const next = replaceDirectives(text, { boundary, removed, weights })
    if (next === text) break
    text = cut(visibleText(next, REMOVED_NOTICE).text, maxChars, CUT_NOTICE).text
  }
  return { text, removed, truncated }
}

interface Pass {
  readonly boundary: string
  readonly removed: Partial<Record<Family, number>>
  readonly weights: Weights
}

/** Adds each replaced stretch to `removed`, under the first family that found it. */
function replaceDirectives(text: string, { boundary, removed, weights }: Pass): string {
  const found = findDirectives(text, boundary, weights)
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

/** Maximum UTF-16 units before and after a directive that are removed with it. */
const MOST_BEFORE = 120
const MOST_AFTER = 300
/** Maximum UTF-16 units of a comment or a code block. */
const MOST_BLOCK = 4_000

/** Families that occur only in prompts. A leak or a secret may be legitimate in code. */
const PROMPT_LIKE: ReadonlySet<Family> = new Set(['marker', 'identity', 'override', 'turn'])
/** Marks that are complete by themselves. The text after them is judged separately. */
const ALONE: ReadonlySet<Family> = new Set(['boundary', 'flood'])

// A line break may be escaped, as in JSON.
const BREAKS_BEFORE = /\\[nr]|[\n.!?。！？।؟;:,("“”«»<>|{}[\]]|\s[-–—]\s|\s["']/g
const BREAKS_AFTER = /\n|\\[nr]|[.!?](?=[\s"'”»)\]<]|$)|[。！？।؟;<>|{}]|["”»](?=\s|$)|\s[–—]\s/g

function extentOf(text: string, find: Find): Span {
  const block = blockAround(text, find)
  if (block !== null) return block
  if (ALONE.has(find.family)) return find
  return { start: startOf(text, find.start), end: endOf(text, find) }
}

function startOf(text: string, at: number): number {
  const from = Math.max(0, at - MOST_BEFORE)
  let start = from
  for (const { 0: mark, index } of text.slice(from, at).matchAll(BREAKS_BEFORE))
    start = from + index + mark.length
  // No break in reach: a long clause is cut at a space.
  if (start === from && from > 0) start = text.indexOf(' ', from) + 1 || from
  return Math.min(at, start + (/^\s*/.exec(text.slice(start, at))?.[0].length ?? 0))
}

function endOf(text: string, { end }: Span): number {
  const last = text[end - 1] ?? ''
  if (/[.!?。！？।؟\n>\]}]/.test(last)) return end
  const rest = text.slice(end, end + MOST_AFTER)
  BREAKS_AFTER.lastIndex = 0
  const stop = BREAKS_AFTER.exec(rest)
  if (stop === null)
    return end + (rest.length < MOST_AFTER ? rest.length : Math.max(0, rest.lastIndexOf(' ')))
  return end + stop.index + (/[.!?。！？।؟]/.test(stop[0]) ? 1 : 0)
}

/** The comment or the prompt-like code block that contains a find. */
function blockAround(text: string, { family, start, end }: Find): Span | null {
  const comment = between(text, { start, end }, '<!--', '-->')
  if (comment !== null) return comment
  return PROMPT_LIKE.has(family) ? fenceAround(text, { start, end }) : null
}

function between(text: string, { start, end }: Span, open: string, close: string): Span | null {
  const from = text.lastIndexOf(open, start)
  if (from === -1 || start - from > MOST_BLOCK) return null
  const closed = text.indexOf(close, from)
  if (closed !== -1 && closed < start) return null
  const stop = text.slice(end, end + MOST_BLOCK).indexOf(close)
  return stop === -1 ? null : { start: from, end: end + stop + close.length }
}

/** The find is inside a fence only if an odd number of fences precedes it. */
function fenceAround(text: string, { start, end }: Span): Span | null {
  const before = text.slice(Math.max(0, start - MOST_BLOCK), start + 3)
  const fences = [...before.matchAll(/```/g)]
  const last = fences.at(-1)
  if (last === undefined || fences.length % 2 === 0) return null
  const from = Math.max(0, start - MOST_BLOCK) + last.index
  const stop = text.slice(Math.max(end, from + 3), end + MOST_BLOCK).indexOf('```')
  return stop === -1 ? null : { start: from, end: Math.max(end, from + 3) + stop + 3 }
}

/** Maximum UTF-16 units: too short for an instruction. */
export const MAX_NAME = 40
/** Maximum UTF-16 units of a name that are examined. */
const NAME_LOOK = 400

/** Result matches `[A-Za-z0-9 _.-]{1,40}`. `fallback` is the kernel's own word, such as `unnamed`. */
export function sanitizeName(raw: string, fallback: string): string {
  const read = (said: string): string => sanitize(said, { boundary: '', maxChars: NAME_LOOK }).text
  const text = read(raw.slice(0, NAME_LOOK))
  if (text.includes(REMOVED_NOTICE)) return fallback
  const plain = Array.from(text.normalize('NFKD'), (character) => CONFUSABLES.get(character) ?? character)
    .join('')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9 _.-]+/g, ' ')
    .replace(/ {2,}/g, ' ')
    .slice(0, MAX_NAME)
    .trim()
  // Once letters of other scripts are removed, the rest may spell a directive.
  const isName = /[A-Za-z0-9]/.test(plain) && !read(plain).includes(REMOVED_NOTICE)
  return isName ? plain : fallback
}
