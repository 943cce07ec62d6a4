/**
 * Reads a message as one or several requests, in order, with the trained table; or as none, with the nearest abilities. piece.ts
 * reads each piece. Must not guess or plan. Called by message-learned.ts and the rules model.
 */
import type { Moment } from '../../dates/read.ts'
import { isInQuotes } from '../message/in-quotes.ts'
import { saysSecond } from '../message/message-coverage.ts'
import { isLikely } from './likely.ts'
import { NOT, once, one, type Part, type Understood } from './piece.ts'
import { CORRECTS, couldBeRemark, isAside, REMARK, UNMARKED } from './remark.ts'
import { NEVER } from './slots.ts'
import { type Known, tableNow } from './table.ts'
import { tokensOf } from './tokens.ts'

/** Maximum length of a message, in UTF-16 code units; of a longer one nothing is read. */
const LONGEST = 400
const MOST_PARTS = 4
const MOST_CUTS = 12
export const CUTS =
  /\s*(?:(?<!\d)\.|[!?;\n])+\s+|\s*,\s*(?:(?:and|then|also|und|dann)\s+)*|\s+(?:and|then|plus|also|und|dann)\s+(?:(?:then|also|dann|auch)\s+)?|\s+(?=what['’]?s\s)/giu

export function understand(text: string, moment: Moment, table: Known = tableNow()): Understood {
  if (text.length > LONGEST || TOLD.test(text) || NAMELESS.test(text.trim())) return NOT
  return several(text.replace(INDIRECT, ''), moment, table, MOST_PARTS)
}

/** Continues an earlier message and names nothing: "please do". */
const NAMELESS =
  /^(?:(?:please|bitte|ok|okay|yes|ja|just|then|dann)[, ]+)*(?:do|do it|do that|go|go on|go ahead|mach|mach das|mach es)(?: please| bitte)?[.! ]*$/iu

/** Introduces information, not a request. */
export const TOLD =
  /^(?:fyi|mind that you|for (?:the|your|my|future) (?:record|information|info|reference))\b/i

/** Indirect question: "Könnten Sie mir sagen, welche …". Removed, since the question follows. */
const INDIRECT =
  /^(?:\p{L}+ ){0,2}?(?:\p{L}+,? )?(?:würd|könn|könnt|kann)(?:est|st|ten|en|te)? ?(?:du|sie) (?:mir|uns)(?: bitte| mal| kurz)* (?:mitteilen|sagen|verraten),? (?=(?:was|welche\p{L}?|wann|wo|wer|wie|ob)(?!\p{L}))/iu

/**
 * The read at the start or the end of a message whose rest is not understood. Null if there is none, if it writes, and if the
 * message holds a condition, a negation or a repetition.
 */
export function firstRead(text: string, moment: Moment, table: Known = tableNow()): Part | null {
  if (text.length > LONGEST) return null
  if (tokensOf(text, table.words, moment).tokens.some(({ norm }) => NEVER.has(norm) || norm === 'if'))
    return null
  for (const cut of cutsOf(text)) {
    const left = one(text.slice(0, cut.index), moment, table)
    const [part] = left.is === 'requests' ? left.parts : []
    // "The cash and carry" is one thing: the word behind the cut is not a known one.
    const [next] = tokensOf(text.slice(cut.index + cut[0].length), table.words, moment).tokens
    if (next?.kind !== 'word' && /^\s+(?:and|und|then|plus)/i.test(cut[0])) continue
    if (part !== undefined) return part.of.writes || !isAsked(part) ? null : part
  }
  const [end] = [...text.matchAll(ENDED)].slice(-1)
  if (end === undefined) return null
  const last = one(text.slice(end.index + end[0].length), moment, table)
  const [part] = last.is === 'requests' ? last.parts : []
  return part === undefined || part.of.writes || !isAsked(part) || isTime(part) ? null : part
}

/** The end of a sentence that another one follows. */
const ENDED = /(?<=\p{L}[)"']?)[.!?]+\s+(?=\S)/gu

/** Places where a message may be cut, outside quotes; none if there are more than `MOST_CUTS`. */
function cutsOf(text: string): readonly RegExpExecArray[] {
  const cuts = [...text.matchAll(CUTS)].filter(({ index }) => !isInQuotes(text, index))
  return cuts.length > MOST_CUTS ? [] : cuts
}

function several(text: string, moment: Moment, table: Known, most: number): Understood {
  return once(`${most}: ${text}`, moment, () => severalOnce(text, moment, table, most))
}

function severalOnce(text: string, moment: Moment, table: Known, most: number): Understood {
  const whole = one(text, moment, table)
  const split = most > 1 ? splitOf(text, moment, table, most) : null
  // A slot that takes the text to the end would swallow the second request.
  const isOpen = whole.is === 'requests' && whole.parts.some(({ slots }) => slots['topic'] ?? slots['what'])
  const isSeveral = split?.is === 'requests' && new Set(split.parts.map(({ of }) => of)).size > 1
  const isOne =
    !isSeveral &&
    split?.is === 'requests' &&
    (split.parts.slice(1).every(({ slots }) => Object.keys(slots).length === 0) ||
      (whole.is === 'requests' && isOfWhole(whole.parts, split.parts)))
  if (whole.is === 'requests' && !isSeveral && (!isOpen || split === null || isOne)) return whole
  return split ?? (whole.is === 'requests' ? whole : besideRemark(text, moment, table)) ?? whole
}

/** True if the pieces belong to one request: all of its class, and not all with a time of their own. */
function isOfWhole([whole]: readonly Part[], parts: readonly Part[]): boolean {
  const isTimed = ({ tokens }: Part): boolean => tokens.some(({ kind }) => kind === 'when')
  return (
    whole !== undefined && isTimed(whole) && parts.every(({ of }) => of === whole.of) && !parts.every(isTimed)
  )
}

/** Maximum number of cuts tried for a remark. */
const REMARK_CUTS = 4
/** The request before or behind a remark; null if there is none. */
function besideRemark(text: string, moment: Moment, table: Known): Understood | null {
  for (const cut of cutsOf(text).slice(0, REMARK_CUTS)) {
    const first = text.slice(0, cut.index) + (cut[0].includes('?') ? '?' : '')
    const rest = text.slice(cut.index + cut[0].length)
    const ways = [
      [first, rest],
      [rest, first],
    ] as const
    for (const [request, remark] of ways) {
      const found = isAside(remark) ? oneOrTwo(request, moment, table) : null
      if (found?.is === 'requests' && isBeside(found.parts, remark, moment, table)) return found
    }
  }
  for (const cut of text.matchAll(UNMARKED)) {
    const rest = text.slice(cut.index + cut[0].length)
    if (!isRemark(rest, moment, table)) continue
    const found = one(text.slice(0, cut.index), moment, table)
    const isRead = found.is === 'requests' && found.parts.every((part) => !part.of.writes && isAsked(part))
    if (isRead && !found.parts.some((part) => isTime(part) || part.slots['topic'] !== undefined)) return found
  }
  return null
}

/** Reads one or two requests without looking for another remark, so that the time stays proportional to the number of cuts. */
function oneOrTwo(text: string, moment: Moment, table: Known): Understood | null {
  const whole = one(text, moment, table)
  return whole.is === 'requests' ? whole : splitOf(text, moment, table, 1)
}

const TO_LIST = 'else:task.add'
/**
 * Minimum score at which a remark beside a request counts as a list entry instead; below, it may just say what somebody needs.
 */
const LEAST_TO_LIST = 0.8
const OF_SOMEBODY = /^(?:i|we|he|she|they|ich|wir|er|sie)(?:['’]\w{1,2})?(?!\p{L})/iu

/**
 * Whether the rest is a remark that leaves the requests as they are. Beside a write it must look like one, and hold neither a
 * negation nor a time. False for a request with a text to the end, which includes the rest.
 */
function isBeside(parts: readonly Part[], remark: string, moment: Moment, table: Known): boolean {
  if (parts.some((part) => isTime(part) || !isAsked(part) || part.slots['topic'] !== undefined)) return false
  const writes = parts.some(({ of }) => of.writes)
  // "Bin bags on my list and new mail": a list entry, not a remark.
  if (
    CORRECTS.test(remark) ||
    (!OF_SOMEBODY.test(remark) && isLikely(remark, TO_LIST, LEAST_TO_LIST, moment))
  )
    return false
  // A time beside a write may be its new time.
  if (writes && tokensOf(remark, table.words, moment).tokens.some(({ kind }) => kind === 'when')) return false
  const isPlain = writes ? REMARK.test(remark) && !saysSecond(`. ${remark}`) : isAside(remark)
  if (!isPlain) return false
  const isNegated = writes && tokensOf(remark, table.words, moment).tokens.some(({ norm }) => NEVER.has(norm))
  return !isNegated && one(remark, moment, table).is !== 'requests'
}

function isRemark(text: string, moment: Moment, table: Known): boolean {
  return REMARK.test(text) && couldBeRemark(text) && one(text, moment, table).is !== 'requests'
}

/**
 * The requests on both sides of the first cut where each is understood, or the first part that is known to be impossible; null
 * if there is none.
 */
function splitOf(text: string, moment: Moment, table: Known, most: number): Understood | null {
  for (const cut of cutsOf(text)) {
    const first = text.slice(0, cut.index)
    const rest = text.slice(cut.index + cut[0].length)
    if (first.trim() === '' || rest.trim() === '') continue
    const left = one(first + (cut[0].includes('?') ? '?' : ''), moment, table)
    if (left.is !== 'requests' ? left.lacking === null : left.parts.every(isTime)) continue
    const right = several(rest, moment, table, most - 1)
    if (right.is !== 'requests') {
      if (right.lacking !== null) return right
      continue
    }
    if (right.parts.some(isTime)) continue
    if (left.is !== 'requests') return left
    const parts = [...left.parts, ...right.parts.map((part) => sameAs(left.parts.at(-1), part))]
      .filter(isAsked)
      .filter((part, at, all) => !isOfSame(all[at - 1], part))
    return { is: 'requests', parts: parts.length === 0 ? right.parts : parts }
  }
  return null
}

/** True for a request of the same class as the one before that names nothing: "…, please add it to my calendar" repeats it. */
function isOfSame(before: Part | undefined, { of, slots, tokens }: Part): boolean {
  const isBare = Object.keys(slots).length === 0 && !tokens.some(({ kind }) => kind !== 'word')
  return before !== undefined && before.of === of && isBare
}

/** A read of "it" alone gets the class of the read before: "read https://… and summarise it". */
function sameAs(before: Part | undefined, part: Part): Part {
  const isOfIt = /^\W*(?:\w+ ){1,2}(?:it|that|them|this)(?: up)?\W*$/i.test(part.text)
  const isFree = isOfIt && Object.keys(part.slots).length === 0
  return before === undefined || !isFree || before.of.writes || part.of.writes
    ? part
    : { ...part, of: before.of }
}

/** True for a time alone, which belongs to another request: "on Friday and Saturday, …". */
function isTime({ tokens }: Part): boolean {
  return tokens.every(({ kind }) => kind === 'when')
}

/** False for courtesy beside a request: "thanks, check my mail". */
function isAsked({ of }: Part): boolean {
  return (
    of.phrase !== null &&
    !(of.phrase.plan.length === 0 && of.phrase.intent !== undefined && !MEMORY.test(of.id))
  )
}

const MEMORY = /^memory/
