/**
 * Reads requests about the owner's own lists that match no declared sentence: which list to show, and the
 * parts of a reminder, a task or a fact. The trained table gives the kind; the words around the parts delimit
 * them. Must not read probable double requests. Called by message-talk.ts.
 */

import type { AskedOperation } from '../../../kernel/powers/message-fields.ts'
import { type Moment, readDates } from '../../dates/read.ts'
import { isInQuotes } from '../message/in-quotes.ts'
import { saysSecond } from '../message/message-coverage.ts'
import { asksChange } from '../message/message-seek.ts'
import { TWO } from './classes.ts'
import { likelyOf } from './likely.ts'

/**
 * How likely it must be of one list, how much likelier than of anything else, and how likely it may be of two
 * requests.
 */
const SHOWN = { least: 0.7, ahead: 0.2 } as const
/** The same where nothing else is near. */
const ALONE = { least: 0.6, ahead: 0.4 } as const
const MOST_TWO = 0.2
/** What only shows something, by its label. */
const LISTS: Readonly<Record<string, AskedOperation | 'jobs.list'>> = {
  'else:reminders.tasks': 'reminders.tasks',
  'else:reminders.list': 'reminders.list',
  'else:jobs.list': 'jobs.list',
  'else:status': 'status',
  'else:usage': 'usage',
  'else:approvals.list': 'approvals.list',
}
/** "Tell me what is left to do" changes nothing. */
const TOLD =
  /(?<!\p{L})(?:tell|send|show|sag|sage|sagen|schick|schicke|zeig|zeige) (?:us|me|mir|uns)(?!\p{L})/giu
const CONDITION = /(?<!\p{L})(?:if|unless|wenn|falls|every|each|jede[nrsm]?)(?!\p{L})/iu

/**
 * What a thing of another kind costs: a noun with its article, but for what is said of the models and their
 * bill.
 */
const OTHER_THING =
  /(?<!\p{L})(?:the|an?|my|our|der|die|das|den|dem|eine?[nmr]?|mein\p{L}*|unser\p{L}*) (?!(?:\p{L}+ )?(?:bill|assistant|usage|question|message|messages|service|month|week|day|limit|budget|allowance|tokens?|models?|1st|lot|api|rest|year|use|card|husband|wife|rechnung|assistenten?|nutzung|spaß|hier|alles|monat|woche|gestrige|tag|frage|anfrage|kosten|verbrauch|guthaben|limit|kontingent|jetzt|bis|heute|im|pro|eigentlich|so)(?!\p{L}))[\p{L}-]{3,}/iu

const IS_THERE =
  /^(?:(?:hi|hey|hallo|hello|ok|und|and|so)[, ]+)*(?:are you|you|bist du|seid ihr|noch) (?:still |noch )?(?:there|here|awake|alive|around|da|wach|hier)[?!. ]*$/iu
const PAYS =
  /(?<!\p{L})(?:pay|paid|owe|owed|cost|costs|bezahl\p{L}*|zahl(?:en|e|t)|überweis\p{L}*|koste[nt])(?!\p{L})/iu

/** What somebody else said is no wish of the owner's. */
const SAYING =
  /(?<!\p{L})(?:wrote|writes|says?|said|asks|asked|schrieb|schreibt|sagte|sagt|fragte|fragt) ?:/iu

/** The list that is to be shown; null for anything else. */
export function listedIn(text: string, moment: Moment): AskedOperation | 'jobs.list' | null {
  const likely = likelyOf(text, moment)
  const [first, next] = likely
  const list = LISTS[first?.label ?? '']
  if (first === undefined || list === undefined || SAYING.test(text)) return null
  const ahead = first.score - (next?.score ?? 0)
  const isAhead = (least: { readonly least: number; readonly ahead: number }): boolean =>
    first.score >= least.least && ahead >= least.ahead
  // "What is still missing?" may be of what was shown.
  if (!isAhead(SHOWN) && (list.startsWith('reminders.') || !isAhead(ALONE))) return null
  if (isOfTwo(text, moment) || CONDITION.test(text) || asksChange(text.replaceAll(TOLD, ' '))) return null
  // A greeting, and no question about what works.
  if (list === 'status' && IS_THERE.test(text.trim())) return null
  // What is to be paid stands elsewhere, if anywhere.
  if (list === 'reminders.tasks' && PAYS.test(text)) return null
  // What something else costs is another question.
  if (list === 'usage' && OTHER_THING.test(text)) return null
  // Tasks have no day: what is asked of one may be of the calendar.
  const isOfDay = list === 'reminders.tasks' && readDates(text, moment).span !== null
  return isOfDay ? null : list
}

/** Two requests, of which only one would be done. */
export function isOfTwo(text: string, moment: Moment): boolean {
  const two = likelyOf(text, moment).find(({ label }) => label === TWO)?.score ?? 0
  return two >= MOST_TWO || saysSecond(text)
}

/** Where a sentence ends, and what begins the next one. */
const SENTENCE =
  /(?:(?<!\b(?:no|nr|st|mr|mrs|dr|ca|tel|str))\.|[!;])\s+(?:(?:and|und|then|dann|also|auch|please|bitte)\s+)*/giu
/** Labels of what is no request of its own, or can hardly be told from a second statement. */
const NO_REQUEST = /^(?:chat|nothing|memory|else:)/
const LEAST_OF_REQUEST = 0.5
const MOST_SENTENCES = 3

/** Whether a fact or an entry of the list would hold another request, behind it or before: "Remember X. Put Y on my list." */
export function holdsOther(text: string, intent: unknown, moment: Moment): boolean {
  if (intent !== 'memory_save' && intent !== 'task_add') return false
  const behind = requestBehind(text, moment)
  if (behind === null || intent === 'memory_save') return behind !== null
  const [first] = likelyOf(text.slice(0, behind.from), moment)
  const isOther = first !== undefined && !/task\.|^nothing$|^chat$/.test(first.label)
  return isOther && first.score >= LEAST_OF_REQUEST
}

/** Where the sentence ends behind which one asks for something, and where that begins; null if none does. */
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
