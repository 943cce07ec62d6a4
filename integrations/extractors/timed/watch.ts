/**
 * Reads a reminder with a condition: "remind me if Sarah has not answered by Friday", "tell me when Tom
 * writes" (DESIGN §9). Only mail from somebody can be checked; any other condition is reported as such. Must
 * not look anybody up. Called by message.ts.
 */
import { type Moment, readDates } from '../../dates/read.ts'
import { findEmail } from '../message/contents/message-words.ts'
import { dueOf } from './reminder.ts'
import { GERMAN_WATCH } from './watch-german.ts'
import { type WatchWords, WHO } from './watch-words.ts'

/** UTF-16 units in which the pattern of a request is searched. */
const HEAD = 400

export interface WatchReading {
  /**
   * Told once it has come, or reminded of because it has not; null for a condition that nothing here can
   * check.
   */
  readonly kind: 'when' | 'unless' | null
  /** Whose mail, as typed. */
  readonly who: string | null
  readonly email: string | null
  /** What is to be said besides. */
  readonly topic: string | null
  /** Epoch milliseconds; when it is checked, of `unless`. */
  readonly due: number | null
}

const DID =
  '(?:answered|replied|responded|written|wrote|e-?mailed|mailed|got(?:ten)? back|come back|come through|been in touch|sent (?:me )?(?:an? |any |his |her |their )?(?:answer|reply|e-?mail|mail|response|message))'
const DO =
  '(?:answer|reply|respond|write|e-?mail|mail|get back|come back|be in touch|send (?:me )?(?:an? |any )?(?:answer|reply|e-?mail|mail|response|message))'
const DOES =
  '(?:answers|replies|responds|writes|e-?mails|mails|gets back|comes back|gets in touch|sends (?:me )?(?:an? |any )?(?:answer|reply|e-?mail|mail|response|message))'
const AFTER =
  '(?: (?:to me|me|back|yet|again|so far|by mail|by e-?mail|to (?:my|the|that) (?:e-?mail|mail|message|letter|question)))*'
const LETTER =
  '(?:any |an? )?(?:new )?(?:answer|reply|e-?mail|mail|response|message|word|news|something|anything)s?'
const NOT = "(?:not|n't|n’t)"

export const ENGLISH_WATCH: WatchWords = {
  lead: '(?:please )?(?:remind|tell|notify|alert|inform|warn|ping|nudge|message|text) me|let me know|give me a (?:shout|heads-up|heads up|nudge)|(?:set|make) (?:me )?a reminder',
  joins: 'if|unless|when|whenever|once|as soon as|in case|the moment',
  absent: [
    `(?:if|in case) ${WHO} (?:ha(?:s|ve) ?${NOT}|has yet to|have yet to|never) (?:yet |still )?(?:${DID}|${DO})${AFTER}`,
    `(?:if|in case) ${WHO} (?:still )?(?:do(?:es)? ?${NOT}|did ?${NOT}|wo ?n't|will not) (?:yet |even )?${DO}${AFTER}`,
    `unless ${WHO} (?:ha(?:s|ve) )?(?:${DID}|${DOES}|${DO})${AFTER}`,
    `(?:if|in case) i (?:still )?(?:have ?${NOT}|did ?${NOT}|do ?${NOT}) (?:yet )?(?:hear|heard|get|got|gotten|receive|received|had|have)(?: back)?(?: ${LETTER})?(?: back)? from ${WHO}${AFTER}`,
    `(?:if|in case) i (?:have |hear |heard |get |got |received )(?:nothing|no ${LETTER}) from ${WHO}${AFTER}`,
    `(?:if|in case) (?:there (?:is|was|has been|'s)|there's) (?:still )?(?:not|no|nothing)(?: ${LETTER})? from ${WHO}${AFTER}`,
    `(?:if|in case) (?:no ${LETTER}|nothing) (?:has come|came|comes|arrives|has arrived)(?: in)? from ${WHO}${AFTER}`,
    `unless (?:i (?:have )?(?:hear|heard|get|got|received)|there is|there's)(?: back)?(?: ${LETTER})?(?: back)? from ${WHO}${AFTER}`,
  ],
  comes: [
    `(?:if|when|whenever|once|as soon as|the moment|in case) ${WHO} (?:${DOES}|${DO})${AFTER}`,
    `(?:when|once|as soon as|the moment) ${WHO} has (?:${DID})${AFTER}`,
    `(?:if|when|whenever|once|as soon as|the moment|in case) i (?:get|receive|hear|have)(?: back)?(?: ${LETTER})?(?: back)? from ${WHO}${AFTER}`,
    `(?:if|when|whenever|once|as soon as|the moment|in case) (?:there is|there's) ${LETTER} from ${WHO}${AFTER}`,
    `(?:if|when|whenever|once|as soon as|the moment|in case) ${LETTER} (?:from ${WHO} )(?:comes|arrives|is there|has come|has arrived)(?: in)?`,
    `(?:if|when|whenever|once|as soon as|the moment|in case) ${LETTER} (?:comes|arrives|is there|has come)(?: in)? from ${WHO}`,
  ],
  reminds: '(?:please )?(?:remind|nudge|ping) me|(?:set|make) (?:me )?a reminder',
  condition: 'if|unless|in case',
  asks: 'check|see|ask|know|find out|wonder|decide|tell|look|confirm|clarify|verify|say|remember|forget|think about|figure out',
  deadlines: /\b(?:by|until|till|before|no later than|at the latest)(?=\s*(?:$|[,.!?]|\s))/giu,
  joined: /^(?:to|that|about|of|for)\s+/iu,
  pronouns: /^(?:s?he|they|it|him|her|them)$/iu,
  nobody: /^(?:any|some|no|every)(?:body| ?one|thing)$/iu,
  inEnglish: (text) => text,
}

/** Null for a message of another kind. `core`: without what is polite around it. */
export function readWatch(core: string, moment: Moment): WatchReading | null {
  const text = core.trim().replace(/(?<![.!?\s])[.!?\s]+$/, '')
  if (text.length > HEAD) return null
  return readBy(ENGLISH_WATCH, text, moment) ?? readBy(GERMAN_WATCH, text, moment)
}

/** The request with what it leads to: `remind me`, and `on friday if sarah has not answered`. */
export function requestIn({ lead, joins }: WatchWords, text: string): readonly [string, string] | null {
  const behind = new RegExp(
    `^(?<cond>(?:${joins})\\b.{3,200}?),? (?:then |dann )?(?<lead>${lead})\\b,?(?<rest>.*)$`,
    'isu',
  ).exec(text)?.groups
  if (behind !== undefined)
    return [behind['lead'] ?? '', `${behind['rest'] ?? ''} ${behind['cond'] ?? ''}`.trim()]
  const found = new RegExp(`^(?<time>.{0,60}?),? ?\\b(?<lead>${lead})\\b,?(?<rest>.*)$`, 'isu').exec(
    text,
  )?.groups
  return found === undefined
    ? null
    : [found['lead'] ?? '', `${found['time'] ?? ''} ${found['rest'] ?? ''}`.trim()]
}

function readBy(words: WatchWords, text: string, moment: Moment): WatchReading | null {
  const request = requestIn(words, text)
  if (request === null) return null
  const [lead, said] = request
  // "By Friday" is when it is checked, no span of time until then.
  const open = said.replace(words.deadlines, ' ').replace(/\s+/g, ' ')
  const read = readDates(open, moment)
  const { span, rest } = read.span === null ? readDates(words.inEnglish(open), moment) : read
  const plain = (span === null ? open : rest).replace(/\s+/g, ' ').trim()
  const clause = clauseIn(words, plain)
  if (clause === null) return null
  const before = tidied(clause.before)
  const cond = tidied(clause.cond)
  if (asksBefore(words, before)) return null
  const due = span === null ? null : dueOf(span, moment)
  const topic = before.replace(words.joined, '').trim() || null
  const absent = whoIn(words.absent, cond)
  if (absent !== null) return named(words, { kind: 'unless', topic, due }, absent)
  const comes = whoIn(words.comes, cond)
  if (comes !== null) return due === null ? named(words, { kind: 'when', topic, due }, comes) : null
  const isReminder =
    new RegExp(`^(?:${words.reminds})$`, 'isu').test(lead) &&
    new RegExp(`^(?:${words.condition})\\b`, 'isu').test(cond)
  return isReminder ? { kind: null, who: null, email: null, topic: null, due } : null
}

/** What a condition begins with, and what stands before it. */
export function clauseIn(
  { joins }: WatchWords,
  plain: string,
): { readonly before: string; readonly cond: string } | null {
  const clause = new RegExp(`(?:^|[ ,])(?<cond>(?:${joins})\\b.*)$`, 'isu').exec(plain)
  return clause === null
    ? null
    : { before: plain.slice(0, clause.index), cond: clause.groups?.['cond'] ?? '' }
}

/** "To check if it is closed", "to ask Sarah if she comes": what is asked is no condition. */
export function asksBefore({ asks }: WatchWords, before: string): boolean {
  return new RegExp(`(?<![\\p{L}])(?:${asks})(?: [^\\s,]+){0,3}$`, 'iu').test(before)
}

/** A text to be reminded of, without what it only asks: a condition in it would be one of the reminder's. */
export function withoutAsked(text: string): string {
  const asks = `${ENGLISH_WATCH.asks}|${GERMAN_WATCH.asks}`
  return text.replace(
    new RegExp(`(?<![\\p{L}])(?:${asks})(?: [^\\s,]+){0,3},? (?:if|ob|wenn)(?![\\p{L}])`, 'giu'),
    ' ',
  )
}

function whoIn(patterns: readonly string[], cond: string): string | null {
  for (const pattern of patterns) {
    const found = new RegExp(`^${pattern}$`, 'isu').exec(cond)?.groups?.['who']
    if (found !== undefined) return found
  }
  return null
}

/** "Call Sarah if she has not answered": a pronoun is whom the topic names. */
function named(
  { pronouns, nobody }: WatchWords,
  read: Pick<WatchReading, 'kind' | 'topic' | 'due'>,
  said: string,
): WatchReading {
  const email = findEmail(said)
  if (email !== null) return { ...read, who: null, email }
  if (nobody.test(said)) return { ...read, kind: null, who: null, email: null }
  if (!pronouns.test(said)) return { ...read, who: said, email: null }
  const who = read.topic?.match(/\p{Lu}[\p{L}'’-]+/gu)?.at(-1) ?? null
  return { ...read, who, email: null }
}

/** Without what stood around a time. */
export function tidied(text: string): string {
  return text
    .replace(/[\s,;:]+$/u, '')
    .replace(/^[\s,;:]+/u, '')
    .replace(/\s+(?:on|at|in|by|from|am|um|zum|bis)$/iu, '')
    .replace(/^(?:on|at|in|by|am|um)(?=\s|$)/iu, '')
    .trim()
}
