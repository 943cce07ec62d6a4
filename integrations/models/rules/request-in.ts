/**
 * Finds the request in a message that says more: "can you shift the 3pm to 4? the plumber is coming". The
 * scores of the whole message decide which part it is; the rest must not look like a request, nor change it.
 * Must not plan. Called by the rules planner.
 */
import { withoutFiller } from '../../../kernel/operations/plain-request.ts'
import type { Moment } from '../../dates/read.ts'
import { WRITES } from '../../extractors/learned/classes.ts'
import { likelyOf } from '../../extractors/learned/likely.ts'
import { CUTS } from '../../extractors/learned/read.ts'
import { CORRECTS, isAside } from '../../extractors/learned/remark.ts'
import { NEVER } from '../../extractors/learned/slots.ts'
import { tableNow } from '../../extractors/learned/table.ts'
import { tokensOf } from '../../extractors/learned/tokens.ts'
import { isInQuotes } from '../../extractors/message/in-quotes.ts'
import { saysSecond } from '../../extractors/message/message-coverage.ts'
import { asksChange } from '../../extractors/message/message-seek.ts'

/** Something is wanted besides. */
const WANTS = /(?<!\p{L})(?:please|pls|also|too|bitte|auch|noch|all|or|and|oder|und)(?!\p{L})/iu

export interface Span {
  readonly from: number
  readonly to: number
}

const MOST_CUTS = 8
/** How likely the whole and the part must be of one thing, and how likely the rest may be of another. */
const LEAST = { whole: 0.4, part: 0.5 } as const
const MOST_REST = 0.45
const SAYS_ONLY: ReadonlySet<string> = new Set(['chat', 'nothing', 'else:negated'])

/**
 * What stands before words at the end that say nothing; then the likeliest first, if the message is of
 * anything and not all of it may be the request.
 */
export function requestsIn(text: string, moment: Moment): readonly Span[] {
  const before = withoutFiller(text)
  return [...(before === null ? [] : [{ from: 0, to: before.length }]), ...likelyIn(text, moment)]
}

function likelyIn(text: string, moment: Moment): readonly Span[] {
  const [whole] = likelyOf(text, moment)
  if (whole === undefined || whole.score < LEAST.whole) return []
  const isLook = !WRITES.has(whole.label.replace(/^else:/, '')) && /^[a-z]+\.[a-z_]+$/.test(whole.label)
  // Behind an "and" stands what is wanted besides.
  const cuts = [...text.matchAll(CUTS)].filter(
    ({ index, 0: mark }) => !/\p{L}/u.test(mark) && !isInQuotes(text, index),
  )
  const found = cuts.slice(0, MOST_CUTS).flatMap(({ index, 0: mark }) => {
    const [end, next] = [index + (mark.includes('?') ? 1 : 0), index + mark.length]
    return [
      { from: 0, to: end, rest: text.slice(next) },
      { from: next, to: text.length, rest: text.slice(0, index) },
    ]
  })
  return found
    .map((one) => ({ ...one, first: likelyOf(text.slice(one.from, one.to), moment)[0] }))
    .filter(({ first }) => first?.label === whole.label && first.score >= LEAST.part)
    .filter(({ rest }) => isOnlySaid(rest, moment) || (isLook && isBesideLook(rest, whole.label, moment)))
    .sort((a, b) => (b.first?.score ?? 0) - (a.first?.score ?? 0))
}

/** What of it is wanted: "which ones have no owner". */
const DETAIL =
  /^(?:what|which|who|when|where|how|why|if|whether|tell me|was|welche\p{L}*|wer|wann|wo|wie|ob|wieviel|sag mir)(?!\p{L})/iu
const LEAST_WORDS = 3

/**
 * Beside a look, which changes nothing: what they think of it, or more of what it shows. A time, or a "not",
 * may be of what is to be seen.
 */
function isBesideLook(rest: string, label: string, moment: Moment): boolean {
  if (CORRECTS.test(rest) || asksChange(rest) || saysSecond(rest)) return false
  if (rest.trim().split(/\s+/).length < LEAST_WORDS || !(isAside(rest) || DETAIL.test(rest.trim())))
    return false
  const { tokens } = tokensOf(rest, tableNow().words, moment)
  if (tokens.some(({ kind, norm }) => NEVER.has(norm) || (kind === 'when' && !isAside(rest)))) return false
  const [first] = likelyOf(rest, moment)
  return (
    first === undefined || first.score <= MOST_REST || first.label === label || SAYS_ONLY.has(first.label)
  )
}

/** No request, and no time, number, negation or correction of one. */
function isOnlySaid(rest: string, moment: Moment): boolean {
  if (rest.trim() === '' || CORRECTS.test(rest) || asksChange(rest) || WANTS.test(rest)) return false
  const { tokens } = tokensOf(rest, tableNow().words, moment)
  const changes = tokens.some(({ kind, norm }) => NEVER.has(norm) || kind === 'number' || kind === 'when')
  const [first] = likelyOf(rest, moment)
  const isOther = first !== undefined && first.score > MOST_REST && !SAYS_ONLY.has(first.label)
  return !changes && !isOther
}
