/**
 * How much text is removed with a directive: its clause up to the end of the sentence, a whole hidden comment, a code block
 * that reads like a prompt (N-19). Facts in neighbouring sentences stay. Must not find directives. Pure; called by sanitize.ts.
 */
import type { Span } from '../wording/guard/spans.ts'
import type { Find } from './sanitize-find.ts'
import type { Family } from './sanitize-rule.ts'

/** Maximum UTF-16 units before and after a directive that are removed with it. */
const MOST_BEFORE = 120
const MOST_AFTER = 300
/** Maximum UTF-16 units of a comment or a code block. */
const MOST_BLOCK = 4_000

/** Families that occur only in prompts. A leak or a secret may be legitimate in code. */
const PROMPT_LIKE: ReadonlySet<Family> = new Set(['marker', 'identity', 'override', 'turn'])
/** Marks that are complete by themselves. The text after them is judged separately. */
const ALONE: ReadonlySet<Family> = new Set(['boundary', 'flood'])

const BREAKS_BEFORE = /[\n.!?。！？।؟;:,("“”«»<>|{}[\]]|\s[-–—]\s|\s["']/g
const BREAKS_AFTER = /\n|[.!?](?=[\s"'”»)\]<]|$)|[。！？।؟;<>|{}]|["”»](?=\s|$)|\s[–—]\s/g

export function extentOf(text: string, find: Find): Span {
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
