/**
 * Finds where a text addresses the assistant, and the family of each directive: marks of prompts by rules, words by weights, over
 * every view (N-19, N-20). A text about a directive (a quoted title, an attack in the news) does not count (X-27). Must not
 * change the text. Pure; the work per match is bounded, so the whole is linear. Called by sanitize.ts.
 */
import type { Span } from '../wording/guard/spans.ts'
import { directivesIn, type Weights } from './directive/score.ts'
import { spanIn, type View, viewsOf } from './sanitize-fold.ts'
import { type Family, type Rule, WINDOW } from './sanitize-rule.ts'
import { BOUNDARY_RULES, MARKER_RULES, TURN_RULES } from './sanitize-structure.ts'

export interface Find extends Span {
  readonly family: Family
}

/** Replaces a directive. */
export const REMOVED_NOTICE = '[removed: text that spoke to the assistant]'

const STRUCTURE: readonly Rule[] = [...MARKER_RULES, ...TURN_RULES, ...BOUNDARY_RULES]

/**
 * Marks of prompts first, then scored directives; results may overlap. `boundary`:
 * that of this prompt, which no outside text may contain.
 */
export function findDirectives(text: string, boundary: string, weights: Weights): readonly Find[] {
  const { latin, other } = viewsOf(text)
  return [
    ...latin.flatMap((view) => structuresIn(view)),
    ...[...latin, ...(other === null ? [] : [other])].flatMap((view) => directivesOf(view, weights)),
    ...latin.slice(0, 1).flatMap((view) => [...mentions(view, boundary), ...floods(view)]),
  ]
}

function directivesOf(view: View, weights: Weights): readonly Find[] {
  return directivesIn(view.text, REMOVED_NOTICE, weights)
    .filter((found) => !isReport(view.text, found) && !isReportedSpeech(view.text, found.verb, found.family))
    .map((found) => ({ family: found.family, ...spanIn(view, found) }))
}

function structuresIn(view: View): readonly Find[] {
  const found: Find[] = []
  for (const { family, pattern, also } of STRUCTURE)
    for (const { 0: hit, index } of hitsOf(pattern, view.text)) {
      const last = lastOf(view.text, index + hit.length, index, also)
      if (last === null || isReport(view.text, { start: index, end: last })) continue
      found.push({ family, ...spanIn(view, { start: index, end: last }) })
    }
  return found
}

/** Like `matchAll`, but without copying the pattern on each call: most rules match nothing. */
function hitsOf(pattern: RegExp, text: string): readonly RegExpExecArray[] {
  const hits: RegExpExecArray[] = []
  pattern.lastIndex = 0
  for (let hit = pattern.exec(text); hit !== null; hit = pattern.exec(text)) {
    hits.push(hit)
    if (hit[0] === '') pattern.lastIndex += 1
  }
  return hits
}

/** End of the last required part; null if one is missing. */
function lastOf(text: string, end: number, start: number, also: readonly RegExp[]): number | null {
  let last = end
  for (const part of also) {
    const hit = part.exec(text.slice(end, start + WINDOW))
    if (hit === null) return null
    last = Math.max(last, end + hit.index + hit[0].length)
  }
  return last
}

/** UTF-16 units around a match that decide whether it is only reported, and maximum length of a quoted title. */
const AROUND = 90
const MAX_QUOTE = 120
const ABOUT =
  /\b(?:talk|paper|essay|article|attacks?|phrases?|words|sentences?|injections?|jailbreaks?|slogan|titled?|headlines?|called|entitled|strings?|examples?|such as|e\.g\.|like|blog|podcast|book|song|film|says?|said|wrote|writes|reads?|contain(?:s|ed|ing)?|typed|typing|pasted|subject line|meme|joke|quoted?|known as|famous|classic|payloads?|scam|phishing|detects?|blocks?|filter(?:s|ed)?|researchers?|training|course|lesson|slides?|chapter|stickers?|t-shirts?|lecture|workshop|exercise)\b/
/** Words that turn a quotation into an order. */
const OBEY = /\b(?:obey|follow|execute|decode|comply|you (?:must|should|are|will)|your (?:answer|reply))\b/
/** Families whose directives begin with a verb. It must be imperative, not a statement about others. */
const ORDERS: ReadonlySet<Family> = new Set(['override', 'identity', 'leak'])
const VERB = /^(?!you|your|from|i\b|i'|we\b|as |what|are |in fact|actually)[a-z]/
/** "they ignore", "a tool that prints", "do not forget": a statement, or the opposite. */
const STATED =
  /(?:\b(?:they|we|i|who|which|that|it|users|people|students|developers|models?|bots?|attackers?|hackers?|may|might|can|could|would|does|did|cannot|not|never|nicht|niet|nao|non|no|nie|ne|inte|ikke)|n't|n')\s?(?:\w{1,10}ly |also |then |often |sometimes |still |just |ever ){0,2}$/
const YOU_MAY = /\byou (?:can|could|may|might|would|should)(?: now| also| safely)? $/
/** "how to ignore", "told the bot to print": an infinitive. Does not count unless the reader is the one who has to. */
const INFINITIVE = /\bto (?:\w{1,10}ly )?$/
const YOURS =
  /\b(?:you|you're|remember|sure|time|important|necessary|required|urgent|vital|crucial|essential|task|goal|job|instruction|instructions|order|orders|need|going|want|assistant|ai|agent|supposed|request|please)(?: is| are| now| not| just| all| also){0,2} (?:\w{1,10} ){0,1}to (?:\w{1,10}ly )?$/
/** Persons whose orders a model follows. */
const MASTERS = /\b(?:user|owner|system|admin\w*|operator)\b/

function isReportedSpeech(text: string, start: number, family: Family): boolean {
  if (!ORDERS.has(family) || !VERB.test(text.slice(start, start + 12))) return false
  const line = text.lastIndexOf('\n', start - 1) + 1
  const before = text.slice(Math.max(line, start - AROUND), start)
  if (STATED.test(before)) return !YOU_MAY.test(before)
  return INFINITIVE.test(before) && !YOURS.test(before) && !MASTERS.test(before)
}

function isReport(text: string, { start, end }: Span): boolean {
  const line = text.lastIndexOf('\n', start - 1) + 1
  const open = openQuote(text, Math.max(line, start - MAX_QUOTE), start)
  if (open === -1) return false
  const close = text.indexOf(text[open] ?? '"', end)
  if (close === -1 || close - open > MAX_QUOTE) return false
  const around = `${text.slice(Math.max(0, open - AROUND), open)} ${text.slice(close + 1, close + AROUND)}`
  return ABOUT.test(around) && !OBEY.test(around)
}

/** Position of an unclosed straight quotation mark at `start`, or of a single one right before it. */
function openQuote(text: string, from: number, start: number): number {
  const before = text.slice(from, start)
  if ((before.match(/"/g)?.length ?? 0) % 2 === 1) return from + before.lastIndexOf('"')
  return /(?:^|\s)'$/.test(before) ? start - 1 : -1
}

function mentions(view: View, boundary: string): readonly Find[] {
  const wanted = boundary.toLowerCase()
  const found: Find[] = []
  for (
    let at = wanted === '' ? -1 : view.text.indexOf(wanted);
    at !== -1;
    at = view.text.indexOf(wanted, at + 1)
  )
    found.push({ family: 'boundary', ...spanIn(view, { start: at, end: at + wanted.length }) })
  return found
}

/**
 * Repetitions in a row of the same few words that count as a flood, which pushes earlier text out of view. Rows of a table
 * differ, and rulers contain no words.
 */
const FLOOD = 24
const MOST_WORDS = 4

function floods(view: View): readonly Find[] {
  const hits = [...view.text.matchAll(/[\p{L}\p{N}]\S*/gu)]
  const words = hits.map(([word]) => word)
  const found: Find[] = []
  for (let period = 1; period <= MOST_WORDS && words.length > FLOOD; period += 1) {
    let run = 0
    for (let i = period; i <= words.length; i += 1) {
      if (i < words.length && words[i] === words[i - period]) {
        run += 1
        continue
      }
      if (run >= FLOOD) found.push(floodIn(view, hits.slice(i - run - period, i)))
      run = 0
    }
  }
  return found
}

function floodIn(view: View, hits: readonly RegExpExecArray[]): Find {
  const last = hits.at(-1)
  const end = (last?.index ?? 0) + (last?.[0].length ?? 0)
  return { family: 'flood', ...spanIn(view, { start: hits[0]?.index ?? 0, end }) }
}
