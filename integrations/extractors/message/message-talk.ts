/**
 * Reads messages that match no declared sentence and that only the trained table classifies: small talk, a
 * list to be shown, and a bare list of things to get. Must not accept a further request beside them. Called
 * by message.ts if nothing else matches.
 */
import { type Moment, readDates } from '../../dates/read.ts'
import { DAY } from '../../dates/zone.ts'
import { isLikely, likelyOf } from '../learned/likely.ts'
import { listedIn } from '../learned/operations.ts'
import { itemsOf } from '../timed/items.ts'
import { subjectOf } from './contents/message-words.ts'
import { saysSecond } from './message-coverage.ts'
import { pointedIn } from './message-pointed.ts'
import { asksChange } from './message-seek.ts'
import { type Fields, type Reading, textField, timeFields } from './message-taken.ts'

/** UTF-16 units: what is longer tells something that may matter. */
const LONGEST = 200
const LIKELY_TALK = 0.45
/** How likely at least, where it is twice as likely as anything else. */
const HARDLY_ELSE = 0.22
/** Of two things, and of more, which look like nothing else. */
const LIKELY_LIST = { two: 0.6, more: 0.3 } as const
/** Something to be asked or found, and not only said. */
const ASKS = /[?@:]|https?/i
/** Something is wanted for oneself: "erzähl mir einen Witz". */
const WANTS =
  /^(?:(?:please|bitte|and|und) )*(?:(?:tell|give|show|read|sing) (?:me|us)|(?:erzähl|sag|zeig|gib|lies|sing)e? (?:mir|uns)|(?:i|we|ich|wir) (?:need|want|brauch\p{L}*))(?!\p{L})/iu
/**
 * Asks for something, goes on from what was said before, or asks about oneself: an answer that does nothing
 * would be taken for a yes.
 */
const GOES_ON =
  /(?<!\p{L})(?:please|bitte|too|as well|again|auch|wieder|(?:the|die|der|das|den) (?:first|second|third|last|other|erste[nr]?|zweite[nr]?|dritte[nr]?|letzte[nr]?|andere[nr]?)|(?:ohne|without) (?:das|die|den|the|it|that)|instead|statt(?:dessen)?)(?!\p{L})|^(?:(?:oh|ah|ach|hm+|ok|okay|wait|warte|no|nein|ne|nee)[\s,]+)*(?:and|und|only|nur|make|mach\p{L}*|with|without|mit|ohne)(?!\p{L})|^(?:was|wann|wo|wie|wer|wem|wen|welche\p{L}*|what|when|where|who|which|how)(?!\p{L}).*(?<!\p{L})(?:ich|mir|mein\p{L}*|i|my|me)(?!\p{L})/iu
/** Says where the things go, or what is to be done with them: no bare list. */
const NOT_BARE =
  /(?<!\p{L})(?:auf (?:die|der|den|meine[rn]?|unsere[rn]?) \p{L}*(?:liste|zettel)|on(?:to)? (?:the|my|our) (?:shopping )?list|eintragen|runter|drauf)(?!\p{L})|^(?:pack|setz|schreib|tu|nimm|füg|kauf|hol)e? /iu
/** Somebody else's words. */
const QUOTES = /["“”„«»>]/

/** "Was unternehmen wir am Samstag?": what stands in the calendar then. */
const OWN_DAY =
  /^(?:(?:und|na|ok|so|also)[, ]+)*was (?:mach|unternehm|tu)(?:e|en|n)? (?:ich|wir)(?!\p{L})(?<rest>.*)$/isu
/** Words that say nothing more. */
const ONLY_TIME = /^(?:[\s?!.,]|(?:denn|so|noch|alles|eigentlich|da|am|um|an|im)(?!\p{L}))*$/iu

function ownDayIn(text: string, moment: Moment): Fields | null {
  const rest = OWN_DAY.exec(text.trim())?.groups?.['rest']
  const read = rest === undefined ? null : readDates(rest, moment)
  return read === null || read.span === null || !ONLY_TIME.test(read.rest)
    ? null
    : { intent: 'calendar_list', whole: true, ...timeFields(read.span, moment) }
}

/** Its fields, where the table alone tells what it is; null for anything else. */
export function likelyFields(text: string, moment: Moment): Fields | null {
  const talk = talkIn(text, moment)
  if (talk !== null) return { intent: 'chat', whole: talk === 'sure' }
  const day = ownDayIn(text, moment)
  if (day !== null) return day
  const list = listedIn(text, moment)
  if (list === 'jobs.list') return { intent: 'job_list', whole: false }
  if (list !== null) return { intent: 'operation', operation: list, whole: false }
  const items = listIn(text, moment)
  return items === null ? null : { intent: 'task_add', whole: true, ...textField('topic', items) }
}

/** `unsure`: it looks like nothing else, and a model that reads it may know better. */
function talkIn(text: string, moment: Moment): 'sure' | 'unsure' | null {
  if (!/\S\s+\S/.test(text.trim()) || text.length > LONGEST || ASKS.test(text)) return null
  if (WANTS.test(text.trim()) || GOES_ON.test(text.trim())) return null
  if (asksChange(text) || saysSecond(text) || QUOTES.test(text)) return null
  if (pointedIn(text)?.is === 'fragment') return null
  // A time is of something that is to be or to be known.
  const { span, rest } = readDates(text, moment)
  const said = rest.match(/\p{L}+/gu)?.length ?? 0
  if (span?.named === 'time' || (span !== null && said === 0)) return null
  const [first, next] = likelyOf(text, moment)
  if (first?.label !== 'chat') return null
  // Two words are a name as well.
  const isHardlyElse = said > 2 && first.score >= HARDLY_ELSE && (next?.score ?? 0) <= first.score / 2
  return first.score >= LIKELY_TALK ? 'sure' : isHardlyElse ? 'unsure' : null
}

/**
 * "milk, bread, those blister plasters": things alone, as they are to stand on the list; null for anything
 * else.
 */
function listIn(text: string, moment: Moment): string | null {
  if (text.length > LONGEST) return null
  const things = text.trim().replace(/[.!]{1,3}$/, '')
  if (
    NOT_BARE.test(things) ||
    ASKS.test(things) ||
    QUOTES.test(things) ||
    /[.!]\s/.test(things) ||
    asksChange(things)
  )
    return null
  // Without a mark between them it may be anything.
  if (!/[,;/&\n+]|\s(?:and|und|n)\s/iu.test(things)) return null
  const count = itemsOf(things).length
  if (count < 2 || readDates(things, moment).span !== null) return null
  return isLikely(text, 'else:task.add', count > 2 ? LIKELY_LIST.more : LIKELY_LIST.two, moment)
    ? things
    : null
}

/** Days. */
const WEEK = 7
/** Maximum UTF-16 units of a subject that are searched for time words, to bound the time for a long text. */
const DATED_MAX = 2_000
/** Words that introduce a subject or a time and belong to neither. */
const ASIDE =
  /^(?:\s*\b(?:about|of|on|last|in|the|with|each other)\b)+|\b(?:on|last|in|at|during)\s*[?!.]*$/gi

/** Argument and result are days since the epoch. */
function yearBefore(day: number): number {
  const date = new Date(day * DAY)
  date.setUTCFullYear(date.getUTCFullYear() - 1)
  return Math.floor(date.getTime() / DAY)
}

/** Conversation topics are in the past: "on Monday" means the last one. */
export function talkFields(reading: Reading): Fields {
  const { rest, zone, now } = reading
  const { span, rest: about } = readDates(rest ?? '', { now, zone })
  const ahead = span === null ? 0 : span.from - now
  const back = (instant: number): number => {
    const day = zone.dayOf(instant)
    return zone.instantOf(ahead > WEEK * DAY ? yearBefore(day) : day - WEEK, 0)
  }
  const past = span === null || ahead <= 0 ? span : { ...span, from: back(span.from), to: back(span.to) }
  const topic = about.slice(0, DATED_MAX).replace(ASIDE, ' ').trim()
  return {
    ...textField('topic', subjectOf(topic)),
    ...timeFields(past, reading),
  }
}
