/**
 * Reads which of the owner's own lists a request wants shown when it matches no declared sentence, and finds a second request
 * behind a fact or an entry. The trained table gives the kind. Must not read a message that probably holds two requests. Called
 * by message.ts, message-talk.ts, own-things.ts and the rules model.
 */

import type { AskedOperation } from '../../../kernel/powers/message-fields.ts'
import { type Moment, readDates } from '../../dates/read.ts'
import { isInQuotes } from '../message/in-quotes.ts'
import { saysSecond } from '../message/message-coverage.ts'
import { asksChange } from '../message/message-seek.ts'
import { TWO } from './classes.ts'
import { likelyOf } from './likely.ts'

/**
 * Minimum score of a list, minimum lead over anything else, and (`MOST_TWO`) the score of two requests from which none is read.
 */
const SHOWN = { least: 0.7, ahead: 0.2 } as const
/** The same with a lower score and a larger lead. */
const ALONE = { least: 0.6, ahead: 0.4 } as const
const MOST_TWO = 0.2
/** Operations that only show something, by the table's label. */
const LISTS: Readonly<Record<string, AskedOperation | 'jobs.list'>> = {
  'else:reminders.tasks': 'reminders.tasks',
  'else:reminders.list': 'reminders.list',
  'else:jobs.list': 'jobs.list',
  'else:status': 'status',
  'else:usage': 'usage',
  'else:approvals.list': 'approvals.list',
}
/** Verbs that look like a change but only ask to be told: "tell me what is left to do". */
const TOLD =
  /(?<!\p{L})(?:tell|send|show|sag|sage|sagen|schick|schicke|zeig|zeige) (?:us|me|mir|uns)(?!\p{L})/giu
const CONDITION = /(?<!\p{L})(?:if|unless|wenn|falls|every|each|jede[nrsm]?)(?!\p{L})/iu

/** A noun with its article whose cost is asked for, unless it is about the models and their bill. */
const OTHER_THING =
  /(?<!\p{L})(?:the|an?|my|our|der|die|das|den|dem|eine?[nmr]?|mein\p{L}*|unser\p{L}*) (?!(?:\p{L}+ )?(?:bill|assistant|usage|question|message|messages|service|month|week|day|limit|budget|allowance|tokens?|models?|1st|lot|api|rest|year|use|card|husband|wife|rechnung|assistenten?|nutzung|spaß|hier|alles|monat|woche|gestrige|tag|frage|anfrage|kosten|verbrauch|guthaben|limit|kontingent|jetzt|bis|heute|im|pro|eigentlich|so)(?!\p{L}))[\p{L}-]{3,}/iu

const IS_THERE =
  /^(?:(?:hi|hey|hallo|hello|ok|und|and|so)[, ]+)*(?:are you|you|bist du|seid ihr|noch) (?:still |noch )?(?:there|here|awake|alive|around|da|wach|hier)[?!. ]*$/iu
const PAYS =
  /(?<!\p{L})(?:pay|paid|owe|owed|cost|costs|bezahl\p{L}*|zahl(?:en|e|t)|überweis\p{L}*|koste[nt])(?!\p{L})/iu

/** Introduces the words of somebody else, which are no request of the owner. */
const SAYING =
  /(?<!\p{L})(?:wrote|writes|says?|said|asks|asked|schrieb|schreibt|sagte|sagt|fragte|fragt) ?:/iu

/** The operation that shows the requested list; null for any other message. */
export function listedIn(text: string, moment: Moment): AskedOperation | 'jobs.list' | null {
  const likely = likelyOf(text, moment)
  const [first, next] = likely
  const list = LISTS[first?.label ?? '']
  if (first === undefined || list === undefined || SAYING.test(text)) return null
  const ahead = first.score - (next?.score ?? 0)
  const isAhead = (least: { readonly least: number; readonly ahead: number }): boolean =>
    first.score >= least.least && ahead >= least.ahead
  // "What is still missing?" may be about what was just shown.
  if (!isAhead(SHOWN) && (list.startsWith('reminders.') || !isAhead(ALONE))) return null
  if (isOfTwo(text, moment) || CONDITION.test(text) || asksChange(text.replaceAll(TOLD, ' '))) return null
  // "Are you still there?" is a greeting, not a question about the state of the system.
  if (list === 'status' && IS_THERE.test(text.trim())) return null
  // What is to be paid is not on the task list.
  if (list === 'reminders.tasks' && PAYS.test(text)) return null
  // The question is about the cost of something other than the models.
  if (list === 'usage' && OTHER_THING.test(text)) return null
  // Tasks have no day, so a question about a day may be about the calendar.
  const isOfDay = list === 'reminders.tasks' && readDates(text, moment).span !== null
  return isOfDay ? null : list
}

/** Whether the message probably holds two requests, of which only one would be done. */
export function isOfTwo(text: string, moment: Moment): boolean {
  const two = likelyOf(text, moment).find(({ label }) => label === TWO)?.score ?? 0
  return two >= MOST_TWO || saysSecond(text)
}

/** The end of a sentence and the joining words that begin the next one. */
const SENTENCE =
  /(?:(?<!\b(?:no|nr|st|mr|mrs|dr|ca|tel|str))\.|[!;])\s+(?:(?:and|und|then|dann|also|auch|please|bitte)\s+)*/giu
/** Labels that are no request of their own, or hard to tell from a second statement. */
const NO_REQUEST = /^(?:chat|nothing|memory|else:)/
const LEAST_OF_REQUEST = 0.5
const MOST_SENTENCES = 3

/** Whether a fact or a list entry would swallow another request, before or behind it: "Remember X. Put Y on my list." */
export function holdsOther(text: string, intent: unknown, moment: Moment): boolean {
  if (intent !== 'memory_save' && intent !== 'task_add') return false
  const behind = requestBehind(text, moment)
  if (behind === null || intent === 'memory_save') return behind !== null
  const [first] = likelyOf(text.slice(0, behind.from), moment)
  const isOther = first !== undefined && !/task\.|^nothing$|^chat$/.test(first.label)
  return isOther && first.score >= LEAST_OF_REQUEST
}

/**
 * The first sentence break before a request: `from` is the end of the sentence, `to` the start of the next, in UTF-16 code
 * units. Null if no later sentence asks for anything.
 */
export function requestBehind(
  text: string,
  moment: Moment,
): { readonly from: number; readonly to: number } | null {
  for (const { index, 0: mark } of [...text.matchAll(SENTENCE)].slice(0, MOST_SENTENCES)) {
    if (isInQuotes(text, index)) continue
    const rest = text.slice(index + mark.length)
    const [first] = likelyOf(rest, moment)
    const isLikely = first !== undefined && !NO_REQUEST.test(first.label) && first.score >= LEAST_OF_REQUEST
    if (isLikely || saysSecond(`. ${rest}`)) return { from: index, to: index + mark.length }
  }
  return null
}
