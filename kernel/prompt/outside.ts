/**
 * Applies the sanitizer to the parts that need it, selected by taint, never by content (N-19, N-22, N-23). Changes only what a
 * text-reading model is shown; stored data and typed parts stay unchanged. Metadata contains no outside string
 * (`flow/record.ts`). Called by finalize.ts.
 */
import { canonicalJson, mapStrings } from '../flow/json.ts'
import type { Taint } from '../flow/taint.ts'
import type { PromptParts, PromptRequest } from './parts.ts'
import { MAX_RESULT, type Sanitized, sanitize } from './sanitize.ts'
import { dataBlock } from './sanitize-block.ts'

export interface Shown {
  /**
   * Its history is already text: the person's own lines as JSON, every other line in a data block with its permanent boundary.
   */
  readonly parts: PromptParts
  /** Number of replaced stretches, for the trace, which never contains their text. */
  readonly removed: number
}

/**
 * Prefix of an assistant's line in the history, from this chat or another chat of the person's. Such a line may quote anybody.
 */
const ANSWERED = /^assistant(?: \([^)\n]{1,40}\))?: /
/** Name of the data block of such a line. */
const EARLIER = 'earlier'

/** The boundary of this call, and the boundaries of the conversation's lines. */
export interface Boundaries {
  readonly boundary: string
  readonly boundaryFor: (line: string) => string
}
/** The same prefix as shown: as JSON, or inside its block after a mark. */
const SHOWN_ANSWER = /^(?:\[data [^\n]*\]\n\S{1,8} )?"assistant(?: \([^)\n]{1,40}\))?: /

/** Whether a history line is the assistant's, before or after it was prepared. */
export function isAnswer(line: string): boolean {
  return ANSWERED.test(line) || SHOWN_ANSWER.test(line)
}

export function withoutDirectives(
  parts: PromptParts,
  request: PromptRequest,
  { boundary, boundaryFor }: Boundaries,
): Shown {
  let removed = 0
  const clean = (text: string, within = boundary): string => {
    const seen = seenOf(text, within)
    for (const count of Object.values(seen.removed)) removed += count
    return seen.text
  }
  const allOwn = isClean(request.history?.taint)
  const own = isClean(request.request.taint)
  const isSummary = (index: number): boolean => parts.summarised === true && index === 0
  const line = (text: string, index: number): string => {
    const isOwn = allOwn || (own && !isSummary(index) && !ANSWERED.test(text))
    if (isOwn) return canonicalJson(text)
    const mark = boundaryFor(text)
    return dataBlock({ boundary: mark, name: EARLIER, body: canonicalJson(clean(text, mark)) })
  }
  const byTaint = (taint: Taint | undefined, text: string): string =>
    taint === undefined || isClean(taint) ? text : clean(text)
  const shown: PromptParts = {
    ...parts,
    request: byTaint(request.request.taint, parts.request),
    history: parts.history.map(line),
    blocks: parts.blocks.map((block) =>
      block.outside === true ? { ...block, text: clean(block.text) } : block,
    ),
    contents: parts.contents.map((part, index) => ({
      ...part,
      content: mapStrings(part.content, (text) => byTaint(request.contents[index]?.content.taint, text)),
    })),
    instruction: parts.instruction === null ? null : byTaint(request.question?.taint, parts.instruction),
    options: parts.options.map((text) => byTaint(request.question?.taint, text)),
  }
  return { parts: shown, removed }
}

/**
 * Bounds of the cache of sanitized texts: entries, and UTF-16 units of one. A conversation's lines recur with every message.
 */
const KEPT = Object.freeze({ most: 256, length: 4_000 })
const kept = new Map<string, Sanitized>()

/** A text that does not contain the boundary sanitizes equally under any boundary. */
function seenOf(text: string, boundary: string): Sanitized {
  const fresh = (of: string): Sanitized => sanitize(text, { boundary: of, maxChars: MAX_RESULT })
  if (text.length > KEPT.length || text.toLowerCase().includes(boundary.toLowerCase())) return fresh(boundary)
  const known = kept.get(text) ?? fresh('')
  const [oldest] = kept.keys()
  if (!kept.has(text) && kept.size >= KEPT.most && oldest !== undefined) kept.delete(oldest)
  kept.set(text, known)
  return known
}

function isClean(taint: Taint | undefined): boolean {
  return taint === undefined || taint.level === 'clean'
}
