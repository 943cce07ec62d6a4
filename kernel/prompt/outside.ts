/**
 * Which parts of a prompt the sanitizer reads: decided by taint, never by what they look like (N-19, N-22, N-23). Changes
 * only what a model that reads text is shown; what is stored, and the typed parts, stay as they are. Metadata has no
 * stranger's string in it (`flow/record.ts`). Called by finalize.ts.
 */
import { canonicalJson, mapStrings } from '../flow/json.ts'
import type { Taint } from '../flow/taint.ts'
import type { PromptParts, PromptRequest } from './parts.ts'
import { MAX_RESULT, type Sanitized, sanitize } from './sanitize.ts'
import { dataBlock } from './sanitize-block.ts'

export interface Shown {
  /** Its history is text already: own lines as JSON, all others in a block each, whose boundary is theirs for good. */
  readonly parts: PromptParts
  /** How many stretches were replaced: for the trace, which never has their words. */
  readonly removed: number
}

/** What an assistant's line in the history begins with, in this chat or another of the person's: it may quote anybody. */
const ANSWERED = /^assistant(?: \([^)\n]{1,40}\))?: /
/** Name of the block of such a line. */
const EARLIER = 'earlier'

/** The boundary of this call, and those of the lines of its conversation. */
export interface Boundaries {
  readonly boundary: string
  readonly boundaryFor: (line: string) => string
}
/** The same as it is shown: as JSON, or in its block behind a mark. */
const SHOWN_ANSWER = /^(?:\[data [^\n]*\]\n\S{1,8} )?"assistant(?: \([^)\n]{1,40}\))?: /

/** Whether a line of the history is the assistant's, before and after it was made ready to be read. */
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

/** Texts that were read lately: a conversation's lines come again with every message. Entries, and UTF-16 units of one. */
const KEPT = Object.freeze({ most: 256, length: 4_000 })
const kept = new Map<string, Sanitized>()

/** A text that does not hold the boundary reads the same under any. */
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
