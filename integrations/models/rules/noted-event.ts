/**
 * Reads an appointment in free words: a thing with day and hour ("parents evening thursday 7pm, main hall"),
 * or one that is reported and to be added ("on friday at 10 i have the vet, put it in my calendar"). Removes
 * only the day, the hour and the words around them. Must not read a question, a task or a second request.
 * Called by planner.ts; the edge, which makes no events, has `noted-event-none.ts` in its place.
 */
import type { PromptParts } from '../../../kernel/prompt/parts.ts'
import type { Plan } from '../../../kernel/task/plan.ts'
import { namesADay, readDates } from '../../dates/read.ts'
import { MINUTE } from '../../dates/zone.ts'
import { type Likely, likelyOf } from '../../extractors/learned/likely.ts'
import { isAside } from '../../extractors/learned/remark.ts'
import { NEVER } from '../../extractors/learned/slots.ts'
import { namesCalendar, saysSecond, wordsOf } from '../../extractors/message/message-coverage.ts'
import { namedWords } from '../../extractors/message/message-seek.ts'
import { isMistypedVerb } from './checks/stray.ts'
import { momentOf } from './several.ts'
import { call, steps } from './steps.ts'

/** UTF-16 units, and words of a title: requests are short. */
const LONGEST = 200
const MOST_TITLE = 9
/**
 * How likely it must be of a new event, where it asks for one and where it only names one; of the calendar;
 * and how likely it may be of a reminder.
 */
const LIKELY = { asked: 0.25, bare: 0.14, calendar: 0.4, named: 0.3 } as const
const MOST_OTHER = 0.3
const OTHERS =
  /^(?:else:reminder|else:task|else:two|memory|email\.send|email\.reply|job|cannot|web|else:negated)/
/** One that is there is moved or taken out. */
const CHANGES = /^calendar\.(?:update|delete)_event$/
const LEAST_CHANGED = 0.45
/** Asks for nothing, as a bare name does. */
const SAYS = /^(?:chat|nothing)$/
const CREATE = 'calendar.create_event'

const B = '(?<![\\p{L}\\p{N}])'
const E = '(?![\\p{L}\\p{N}])'
const CALENDAR =
  '(?:(?:in|into|on|to|onto|auf|im|in den|in meinen) )?(?:(?:my|the|our|den|meinen|dem|unseren) )?(?:calendar|diary|kalender|agenda)'
/** Asks for it to be put in, at either end of a clause. */
const ASKS = `(?:(?:can|could|would) you (?:please |pls |kindly )?|kannst du (?:bitte )?|könntest du (?:bitte )?)?(?:add|put|pop|stick|book|enter|schedule|pencil|note|mark|block|log|get|trag|trage|tragen sie|schreib|schreibe|setz|setze|mach|mache|pack|notier|notiere|eintragen|einplanen|vormerken|reinschreiben|reinsetzen)${E}(?: (?:it|that|this|das|es|den|mir|me|mal|bitte|please|pls|off|out|in|down|ein|rein))*`
const LEADS = new RegExp(
  `^(?:[\\s,;:.!–-]+|${B}(?:${CALENDAR}|${ASKS}|please|pls|kindly|bitte|hey|hi|ok|okay|right|so|also|and|und|well|oh|new appointment|neuer termin|appointment|termin|event|the|a|an|my|our|der|die|das|den|dem|eine?n?|mein|meine|meinen|it|that|es|me|mir|for|für|on|at|of|am|um|is|are|ist|sind|there['’]?s|got|i['’]?ve got|i have(?: got)?|i['’]?m at|we have|we['’]?ve got|ich hab(?:e)?|wir haben|hab|habe|da|dann|then|in|from|ab|von|to|zum|kommt|kommen|with(?= on))${E})+`,
  'iu',
)
const TAILS = new RegExp(
  `(?:[\\s,;:.!–-]+|${B}(?:${CALENDAR}|${ASKS}|please|pls|bitte|thanks|danke|thx|is|are|ist|sind|on|at|in|for|am|um|ab|von|vom|from|to|till?|until|bis|der|die|das|den|the|a|an|and|und|then|dann|so|ca|circa|about|gegen|wieder|noch|mal|ein|rein|uhr|sharp|o['’]?clock|now|jetzt|this|next|early|first thing)${E})+$`,
  'iu',
)
/** Says beforehand what it is of: "calendar: parents evening". */
const LABELLED = /^\s*(?:calendar|diary|kalender|agenda|termin|appointment)\s*(?::|\s[–—-]\s)/iu
const ASKED = new RegExp(`${B}(?:${ASKS}|${CALENDAR})${E}`, 'iu')
/** Something that somebody does, and that stands in no calendar by itself. */
const TASK =
  /^(?:call|ring|phone|buy|pay|take|pick|send|email|mail|text|message|check|chase|order|feed|water|collect|drop|fetch|fix|renew|return|wash|clean|cook|defrost|move|cancel|remind|tell|ask|reply|write|read|delete|remove|find|search|show|wake|leave|get|go|do|make|bring|give|let|see|ruf|kauf|hol|bring|sag|frag|lösch|schick|zeig|such|weck|erinner|nimm|geh|denk)(?:e|st)?(?!\p{L})/iu
/** Asked, refused, over, or of several. */
const NOT_ONE =
  /[?"“”„«»]|(?<!\p{L})(?:if|unless|wenn|falls|was|were|had|war|waren|hatte\p{L}*|cancel\p{L}*|moved|absag\p{L}*|verschieb\p{L}*|verschoben|instead|statt\p{L}*|delete|remove|lösch\p{L}*|fällt|ausgefallen|all|every|both|alle|beide|remind\p{L}*|erinner\p{L}*|reminder|mail|email|e-mail|invite|inviting|lad|einladen|tell|sag|schick|send|list|liste|which|what|when|who|wann|was|wer|welche\p{L}*|he|she|they|er|(?<!(?:tragen|setzen|notieren|schreiben|können|könnten|würden) )sie|(?<!(?:can|could|would) )you|(?<!(?:kannst|könntest) )du|soll|sollen|dabei|joining|too)(?!\p{L})/iu
/** A day that was not read as one. */
const DAY_LEFT =
  /(?<![\p{L}\d])\d{1,2}(?:\.(?!\d)|st|nd|rd|th)(?!\p{L})|(?<!\p{L})(?:january|february|march|april|june|july|august|september|october|november|december|januar|jänner|februar|märz|mai|juni|juli|oktober|dezember|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:mon|diens|donners|frei|sams|sonn)tags?|mittwochs?|week|woche|month|monat)(?!\p{L})/iu
/** How long it lasts, as it is said behind. */
const LASTS = new RegExp(
  `[\\s,]*${B}(?:for |about |around |dauert |ca\\.? |circa |so )*(?:(?:an?|one|eine?|ne|half an|eine halbe|two|zwei|\\d{1,2}) ?(?:hours?|hrs?|h|stunden?|stund|std|min|mins|minutes|minuten))(?: long| lang)?${E}`,
  'iu',
)

/** With a day of the month behind it, it is a day of this year alone. */
const WEEKDAY =
  /(?<!\p{L})(?:(?:mon|tues?|wed(?:nes|s)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|mo|di|mi|do|fr|sa|so) (?:the |den )?\d{1,2}(?:st|nd|rd|th|\.)(?!\p{L})/iu

/** Null for any other message. `isBare`: it is no other request, so that a thing with its day and hour is one, whatever its word is likely of. */
export function notedEvent(parts: PromptParts, offered: ReadonlySet<string>, isBare = false): Plan | null {
  const { request } = parts
  if (request.length > LONGEST || !offered.has(CREATE) || NOT_ONE.test(request) || namesCalendar(request))
    return null
  if (saysSecond(request) || wordsOf(request).some((word) => NEVER.has(word))) return null
  const moment = momentOf(parts)
  const { span, rest, minutes, impossible } = readDates(request, moment)
  if (
    impossible ||
    span?.named !== 'time' ||
    span.from < moment.now ||
    !(namesADay(request) || WEEKDAY.test(request))
  )
    return null
  const likely = likelyOf(request, moment)
  if (likely.some(({ label, score }) => CHANGES.test(label) && score >= LEAST_CHANGED)) return null
  const title = DAY_LEFT.test(rest) ? null : titleIn(rest)
  if (title === null) return null
  if (!isBare && !isLikely(likely, ASKED.test(request.replace(LABELLED, ''))) && !isNoun(rest, likely))
    return null
  const end =
    minutes !== null && minutes > 0 && span.to - span.from === 60 * MINUTE
      ? span.from + minutes * MINUTE
      : span.to
  const { zone } = moment
  return steps(call('s1', CREATE, { title, from: zone.iso(span.from), to: zone.iso(end) }))
}

/** "Dienstag 8 Uhr TÜV": a word or two with their day and hour, and nothing that is done. */
function isNoun(rest: string, likely: readonly Likely[]): boolean {
  const words = rest.trim().split(/\s+/)
  const scoreOf = (label: RegExp): number =>
    likely.reduce((sum, one) => sum + (label.test(one.label) ? one.score : 0), 0)
  const isThing = words.every((word) => /^\p{L}{3,}$/u.test(word) && !DOES.test(word))
  return (
    words.length <= MOST_NOUN &&
    isThing &&
    scoreOf(/^calendar\.create_event$/) >= LEAST_NOUN &&
    scoreOf(OTHERS) < MOST_DONE
  )
}

const MOST_NOUN = 2
/** How likely it must be of a new event at least. */
const LEAST_NOUN = 0.09
/** How likely it may be of a reminder, which is of a thing with its hour, too. */
const MOST_DONE = 0.5
/** Ends as a German verb, or is none. */
const DOES =
  /(?:en|eln|ern|weg|los|da|frei|zeit|wetter|ruhe|mails?|termine?)$|^(?:vielleicht|eventuell|evtl|maybe|perhaps|doch|lieber|besser|nicht|nich|kein\p{L}*|kurz|noch|auch|nur|statt|oder)$/iu

function isLikely(likely: readonly Likely[], isAsked: boolean): boolean {
  const own = likely.find(({ label }) => label === CREATE)?.score ?? 0
  const calendar = likely.reduce((sum, { label, score }) => sum + (/^calendar\./.test(label) ? score : 0), 0)
  const other = likely.reduce((sum, { label, score }) => sum + (OTHERS.test(label) ? score : 0), 0)
  if (other > MOST_OTHER && other > calendar) return false
  const first = likely.find(({ label }) => !SAYS.test(label))
  // Without a word that asks, a thing with its day and hour can hardly be anything else of the calendar.
  if (!isAsked && calendar >= LIKELY.named) return true
  const isFirst = own === first?.score || calendar >= LIKELY.calendar
  return own >= (isAsked ? LIKELY.asked : LIKELY.bare) && isFirst
}

/** The clauses without what stands around them; null where nothing is named, or more than a title. */
function titleIn(rest: string): string | null {
  const clauses = rest
    .replace(LASTS, ' ')
    .split(/\s*(?:[,;:!\n]+\s+|(?<=\p{L}{3}|\d)\.(?:\s+|$)|\s[–—-]\s)/u)
    .map((clause) => trimmed(clause.replace(/\s{2,}/g, ' ')))
    .filter((clause) => namedWords(clause).length > 0 || /\d/.test(clause))
  const [first, ...others] = clauses
  if (first === undefined || namedWords(first).length === 0 || TASK.test(first)) return null
  const kept = [first, ...others.filter((clause) => !isAside(clause))]
  const [lead = ''] = first.toLowerCase().split(' ')
  if (isMistypedVerb(lead)) return null
  const named = kept.join(', ')
  const title = /^(?:beim?|mit|zum|zur) /i.test(named)
    ? `Termin ${named}`
    : /^with /i.test(named)
      ? `Meeting ${named}`
      : named
  return title.split(/\s+/).length > MOST_TITLE ? null : title.charAt(0).toUpperCase() + title.slice(1)
}

function trimmed(clause: string): string {
  const cut = clause.trim().replace(LEADS, '').replace(TAILS, '').trim()
  return cut === clause.trim() ? cut : trimmed(cut)
}
