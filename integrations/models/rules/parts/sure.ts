/**
 * Whether a request may be planned by its parts: one likely action, a real request, and no other words that
 * would change it. Pure. Must not plan. Called by by-parts.ts.
 */
import { type Moment, readDates } from '../../../dates/read.ts'
import { TWO, WRITES } from '../../../extractors/learned/classes.ts'
import type { Likely } from '../../../extractors/learned/likely.ts'
import { likelyAtHome } from '../../../extractors/learned/likely-home.ts'
import { asidesIn, type TaggedPart } from '../../../extractors/learned/parts.ts'
import { saysSecond } from '../../../extractors/message/message-coverage.ts'
import { coreOf } from '../../../extractors/message/message-intent.ts'
import { pointedIn } from '../../../extractors/message/message-pointed.ts'
import { asksChange } from '../../../extractors/message/message-seek.ts'
import type { Form } from '../../../tools/form.ts'
import { plainTime } from './times.ts'

const B = '(?<![\\p{L}\\p{N}])'
const E = '(?![\\p{L}\\p{N}])'

/** How much likelier a look must be than anything else. */
const AHEAD_OF_NEXT = 0.25
/** A look on a condition, of several times, for a reason, or beside something that is still to be done. */
const READ_IF = new RegExp(
  `^(?:why|warum|wieso)${E}|${B}(?:if|unless|except|or|plus|wenn|falls|außer|oder|every|each|daily|weekly|monthly|jede[nrsm]?|täglich|wöchentlich|monatlich)${E}|${B}(?:must|gotta|(?:need|have|ought) to (?:reply|answer|respond|write)|muss (?:ich )?(?:noch )?(?:antworten|zurückschreiben))${E}`,
  'iu',
)
/** How likely a message may be of two requests where one was found, and of what is refused. */
const MOST = { two: 0.2, negated: 0.2 } as const
/** Words outside the parts that make it another request, or none; "don't let me forget" asks for it. */
const CHANGES_IT = new RegExp(
  `${B}(?:if|unless|whether|otherwise|except|instead of|wenn|falls|sonst|ob|außer|actually|i mean|quatsch|(?:asked|told|asks|wants|said|says) (?:me|him|her|us|them)|(?:remind|reminding|nag|nagging) (?:him|her|them|us)|or|oder|for future reference|(?:mind|note) that|for (?:us|them)|over there|bei (?:uns|ihnen)|(?:their|his|her|local|eastern|pacific|central) time)${E}`,
  'iu',
)
/** The same where "no" is no part of how it is asked for; "don't let me forget" asks for it. */
const NEGATES = new RegExp(
  `${B}(?:(?:not|never|don['’]?t|nicht|nie)(?! (?:forget|let me|vergessen))|doesn['’]t|no,? wait|nein|doch nicht|no|none|nobody|kein\\p{L}*)${E}`,
  'iu',
)
/** How long before: without a part of its own it would be dropped. */
const BEFORE = new RegExp(
  `${B}(?:min(?:s|ute|utes|uten)?|h|hours?|stunden?|days?|tage?|a bit|etwas|kurz) (?:before|beforehand|earlier|prior|ahead|vorher|davor|früher)${E}`,
  'iu',
)
/** Of many: what is taken away or moved is asked for by itself. */
const OF_MANY = new RegExp(
  `${B}(?:any|both|all|every|each|everything|alles|alle|beide|jede[nrsm]?)${E}|(?:any|every|each) (?:day|time|week)`,
  'iu',
)
/** Asked whether, what or when: a question is no request, but for a polite one. */
const ASKS = new RegExp(
  `\\?\\s*$|^(?:(?:hey|hi|ok|so|and|und|na|wait|also)[ ,]+)*(?:(?:what|whats|what['’]s|when|where|which|who|how|why|was|wann|wo|welche\\p{L}*|wer|wem|wie|warum)${E}|(?:did|do|does|is|are|was|were|have|has|should|shall|am) (?:i|you|we|he|she|it|they|there|the|my|our|any\\p{L}*|\\p{Lu}\\p{L}+)${E}|(?:hab|habe|hat|ist|sind|soll|sollte|muss) (?:ich|wir|er|sie|es|der|die|das|mein\\p{L}*)${E})`,
  'iu',
)
/** What may stand around a time. */
const AROUND_TIME =
  /^[\s,.'’()–-]*(?:(?:at|on|to|from|for|in|the|around|about|by|this|next|starting|sharp|latest|um|am|an|im|den|ab|gegen|so|ungefähr|circa|ca|uhr|o['’]?clock|zum|von|vom|bis|der|the|until|till|til|and|und|every|each|jede[nrsm]?|day|morning|weekly|daily|monthly|weekdays?|other|second|first|month|of|all)[\s,.'’()–-]*)*$/iu
const CLOCK = /\d{1,2}[:.]\d\d|\d ?[ap]\.?m|\d uhr|uhr \d/iu
/** A repetition with an end. */
const SERIES_END =
  /(?<!\p{L})(?:every|each|daily|weekly|jede[nrsm]?|täglich)(?!\p{L}).*(?<!\p{L})(?:until|till?|bis (?!\d))(?!\p{L})/iu
/** A text that is still to be asked. */
const ASKING = /^(?:asking|to ask|and ask|if|whether|ob|und frag\p{L}*)(?!\p{L})/iu
/** Signs that join another request. */
const JOINS = /(?:^|\s)[&+](?:\s|$)/
const AND = /(?<!\p{L})(?:and|und|plus)(?!\p{L})|&/iu
export interface Heard {
  readonly label: string
  readonly form: Form
  readonly parts: readonly TaggedPart[]
  /** How many requests the message has. */
  readonly requests: number
  readonly moment: Moment
  /** The owner is asked before it is done, and sees what is done: it may be less plain that it was asked for. */
  readonly isAsked?: true
}

/** So many more words without a place, where the owner is asked. */
const MORE_OTHER_WORDS = 8

export function isSure(text: string, { label, form, parts, requests, moment, isAsked }: Heard): boolean {
  const likely = likelyAtHome(text, moment)
  const scoreOf = (name: string): number => likely.find((one) => one.label === name)?.score ?? 0
  if (requests === 1 && scoreOf(TWO) >= MOST.two) return false
  if (scoreOf('else:negated') >= MOST.negated || parts.some(({ part }) => part === 'if')) return false
  const mayAsk = isAsked === true && form.hasCard === true
  if (form.changesNothing !== true && !mayAsk && ASKS.test(text) && !coreOf(text).polite) return false
  const outside = outsideOf(text, parts)
  if (form.unless?.test(text) || JOINS.test(outside)) return false
  if (form.changesNothing === true && isAsked !== true && form.asksBy?.test(text) === false) return false
  if (form.readsWholeMessage === true) return isLooked(text, likely)
  if (BEFORE.test(outside)) return false
  if (CHANGES_IT.test(outside)) return false
  if (form.saysNo !== true && isAsked !== true && NEGATES.test(outside)) return false
  if (form.isOfOne === true && OF_MANY.test(text)) return false
  if (isAsked !== true && form.changesNothing !== true && form.asksBy?.test(outside) === false) return false
  if (form.each === undefined && isJoined(text, parts)) return false
  if (form.needsWords === true && !hasOwnWords(text, outside, { parts, moment })) return false
  if (form.single !== undefined && parts.filter(({ part }) => part === form.single).length > 1) return false
  if (label === 'reminder.set' && isTold(text, parts)) return false
  if (ASKING.test(parts.find(({ part }) => part === 'text')?.text ?? '')) return false
  if (SERIES_END.test(text) || (requests === 1 && saysSecond(outside))) return false
  return asidesIn(text, parts, moment) <= form.maxOtherWords + (isAsked === true ? MORE_OTHER_WORDS : 0)
}

/** How likely it is of a look at the same things as the first: "what did he say in his mail" is a search or a mail that is read. */
export function ofSameThings(likely: readonly Likely[]): number {
  const things = thingsOf(likely[0])
  return likely.reduce((sum, one) => sum + (thingsOf(one) === things ? one.score : 0), 0)
}

/** What is looked at: the name of the action's tool. Its own label for a change. */
function thingsOf(likely: Likely | undefined): string {
  const action = (likely?.label ?? '').replace(/^else:/, '')
  return WRITES.has(action) ? action : action.replace(/\..*$/, '')
}

/** A look is one look, and no change, condition or other day. */
function isLooked(text: string, likely: readonly Likely[]): boolean {
  const other = likely.find((one) => thingsOf(one) !== thingsOf(likely[0]))
  const isAhead = ofSameThings(likely) - (other?.score ?? 0) >= AHEAD_OF_NEXT
  return isAhead && pointedIn(text) === null && !saysSecond(text) && !asksChange(text) && !READ_IF.test(text)
}

/** Words beside the parts that often stand there: others ask for nothing, such as the first of bare goods. */
function hasOwnWords(
  text: string,
  outside: string,
  { parts, moment }: Pick<Heard, 'parts' | 'moment'>,
): boolean {
  const words = outside.match(/\p{L}+/gu) ?? []
  return parts.length > 1 ? true : words.length > asidesIn(text, parts, moment)
}

/** "The cat wakes me": what is done to somebody is no wish. */
function isTold(text: string, [first]: readonly TaggedPart[]): boolean {
  return (
    first?.part === 'what' &&
    /^\s*\p{L}+ (?:me|us|mich|uns)(?!\p{L})/iu.test(text.slice(first.to)) &&
    text.slice(0, first.from).trim() === ''
  )
}

/** Two things of which one is said, with only an "and" between them. */
function isJoined(text: string, parts: readonly TaggedPart[]): boolean {
  return parts.some(({ part, to }, at) => {
    const next = parts[at + 1]
    const isOfOne = next?.part === part && (part === 'what' || part === 'text')
    return isOfOne && AND.test(text.slice(to, next.from))
  })
}

function outsideOf(text: string, parts: readonly TaggedPart[]): string {
  let left = ''
  let last = 0
  for (const { from, to } of parts) {
    left += `${text.slice(last, from)} | `
    last = to
  }
  return left + text.slice(last)
}

/** All of each time is read, and at most one names an hour. */
export function isTimed(parts: readonly TaggedPart[], moment: Moment): boolean {
  const times = parts.filter(({ part }) => part === 'when' || part === 'old')
  const whens = times.filter(({ part }) => part === 'when').map(({ text }) => plainTime(text))
  if (
    whens.some((text) => SERIES_END.test(text)) ||
    whens.length > 2 ||
    whens.filter((text) => CLOCK.test(text)).length > 1
  )
    return false
  return times.every(({ text }) => {
    const plain = plainTime(text)
    return [plain, `at ${plain}`, `um ${plain}`].some((said) =>
      AROUND_TIME.test(readDates(said, moment).rest),
    )
  })
}
