/**
 * Rejects plans of the rules planner that the trained table, or a single word of the message, contradicts: a
 * text search with leftover words, a calendar change for a message that is not about the calendar, the newest
 * file of a kind where a file is named, free time of several people. Must not plan. Called by misread.ts.
 */
import type { Json } from '../../../../kernel/flow/json.ts'
import { type Moment, readDates } from '../../../dates/read.ts'
import { WRITES } from '../../../extractors/learned/classes.ts'
import { type Likely, likelyOf } from '../../../extractors/learned/likely.ts'
import { pointedIn } from '../../../extractors/message/message-pointed.ts'
import { namedWords } from '../../../extractors/message/message-seek.ts'
import { writtenIn } from '../written.ts'

const B = '(?<![\\p{L}\\p{N}])'
const E = '(?![\\p{L}\\p{N}])'

/**
 * A text search is rejected if the table gives another action of the same service at least this score, and
 * this much more than the search.
 */
const RIVAL = { least: 0.5, ahead: 0.2 } as const
/** Minimum score of the calendar before a message without a time may delete an event. */
const OF_CALENDAR = 0.6
/** Such a plan is rejected only if ticking off a task has at least this score. */
const OF_LIST = 0.12
const NAMES_EVENT = word(
  '(?:calendar|diary|kalender|event|events|meetings?|appointments?|termine?|besprechung\\p{L}*|appt|appts|invite|invitation|einladung)',
)
/** Words of questions for free time, as opposed to what is on the calendar. */
const OF_TIME = word(
  '(?:free|busy|available|availability|time|times|slots?|gaps?|clear|open|windows?|fit|squeeze|room|hours?|minutes|mins|when|frei\\p{L}*|zeit|lücken?|belegt|verfügbar|luft|wann|platz)',
)
const WHO = new RegExp(
  `^(?:(?:hey|hi|ok|so|and|und|na)[ ,]+)*(?:who|whom|what|whats|what's|wen|wer|was)${E}`,
  'iu',
)
/** The owner and another person: common free time takes another action. */
const OF_BOTH = word(
  '(?:both|beide[nr]?|(?:me|i|ich|mir) (?:and|und|n|&|\\+) (?!(?:i|my|the|when|what|see|tell|if|is|are|do)(?!\\p{L}))\\p{L}+|(?!(?:day|week|morning|afternoon|evening|date|time)(?!\\p{L}))\\p{L}+ (?:and|und|n|&|\\+) (?:me|i|ich)(?! (?:have|had|want|need|am|was|can|will|get|hab|habe|muss|will)(?!\\p{L})))',
)
/** Words that compare files. */
const COMPARES = word(
  '(?:anders|unterscheid\\p{L}*|unterschied\\p{L}*|vergleich\\p{L}*|verglichen|gegenüber|differen(?:t|ce|ces)|compared?|versus|vs)',
)

const FILE =
  /(?<![\p{L}\p{N}])[\p{L}\p{N}_-]{1,60}\.(?:md|txt|pdf|csv|docx?|xlsx?|odt|pptx?)(?![\p{L}\p{N}])/iu

/** Refers to one of the results that were shown, by its sender or topic. */
const ONE_OF = new RegExp(
  `^(?:the (?:\\p{L}+ )?ones?|die|den|der|das) (?:from|with|about|by|that|von|vom|mit|über|wegen)${E}`,
  'iu',
)
/** Actions on memory. A message about contacts is not about memory. */
const KEEPS_FACT: ReadonlySet<string> = new Set(['memory.save', 'memory.search'])
const OF_PEOPLE = word('(?:contacts?|kontakte?n?|address ?book|adressbuch)')
/** What is to be put among the people is no thing of a list: "add Lena as a contact". */
const AMONG_PEOPLE = new RegExp(
  `${B}(?:as|to|into|in|among|als|zu[rm]?|ins?|unter)(?: (?:an?|the|my|our|die|den|das|de[mr]|mein\\p{L}*|unser\\p{L}*|ein\\p{L}*))? (?:contacts?|kontakte?n?|address ?book|adressbuch)(?: (?:please|bitte|auf|hinzu|ein))?[.!]*$`,
  'iu',
)
/** Words that ask to show something. */
const ASKS_LOOK = new RegExp(
  `\\?|${B}(?:what|whats|what['’]s|when|which|who|how|anything|show|list|check|tell me|am i|do i|have i|wann|zeig\\p{L}*|welche\\p{L}*|wer|wie|hab(?:e)? ich|bin ich|was (?:steht|hab\\p{L}*|ist|liegt))${E}`,
  'iu',
)

const ASIDE_TALK = /(?<!\p{L})(?:no+|sorry|oh|ok|nein|doch|wait|at|on|um|am)(?!\p{L})|[\s\p{P}]/giu

function isBareTime(request: string, moment: Moment): boolean {
  const { rest, span } = readDates(request, moment)
  return span !== null && rest.replace(ASIDE_TALK, '') === ''
}

interface Call {
  readonly tool: string
  readonly args: Readonly<Record<string, Json>>
}

/** `all`: the calls of the plan. `exact`: a declared sentence matches every word of the message. */
export function isAstray(
  all: readonly Call[],
  request: string,
  { moment, exact }: { readonly moment: Moment; readonly exact: boolean },
): boolean {
  const last = all.at(-1)
  if (last === undefined) return false
  // Only if the event is found by words: a row that was shown is certainly an event.
  const isFound = last.tool === 'calendar.delete_event' && all[0]?.tool === 'calendar.list_events'
  if (isFound && isOfNoEvent(request, moment)) return true
  // "No sorry, tuesday at 5" corrects something.
  if (last.tool.startsWith('calendar.') && WRITES.has(last.tool) && isBareTime(request, moment)) return true
  if (exact) return false
  if (last.tool === 'web.search' && COMPARES.test(request) && FILE.test(request)) return true
  // "Is 9 tomorrow open": the number was not read as a time.
  if (last.tool === 'calendar.freebusy' && /\d/.test(readDates(request, moment).rest)) return true
  if (last.tool === 'calendar.freebusy' && all.length === 1)
    return (WHO.test(request.trim()) && !OF_TIME.test(request)) || OF_BOTH.test(request)
  // "The one from Mira" refers to a result that was shown.
  if (last.tool === 'email.read' && ONE_OF.test(request.trim())) return true
  if (last.tool === 'email.search' && last.args['from'] === undefined && all.length === 1)
    if (writtenIn(request, moment) !== null || pointedIn(request) !== null) return true
  // The message names a topic, which a list of mails ignores.
  if (last.tool === 'email.list' && all.length === 1) return (writtenIn(request, moment)?.matter ?? '') !== ''
  if (all.some(({ tool }) => KEEPS_FACT.has(tool)) && OF_PEOPLE.test(request)) return true
  if (all.some(({ tool }) => tool === 'task.add') && AMONG_PEOPLE.test(request.trim())) return true
  if (isOneOfTwo(all, request, moment)) return true
  if (isLookBeside(all, request)) return true
  if (last.tool === 'files.read') return isOfKind(last, request) || COMPARES.test(request)
  return all.length === 1 && isLeftOver(last, likelyOf(request, moment))
}

/** One event for a message with two of them: joined, each with a time of its own. */
function isOneOfTwo(all: readonly Call[], request: string, moment: Moment): boolean {
  const made = all.filter(({ tool }) => tool === 'calendar.create_event')
  const [one, ...more] = made
  if (one === undefined || more.length > 0 || one.args['repeat'] !== undefined) return false
  const parts = request.split(AND)
  return parts.length > 1 && parts.filter((part) => readDates(part, moment).span?.named === 'time').length > 1
}

const AND = /(?<!\p{L})(?:and|und|plus)(?!\p{L})|[;&]/iu

/** Whether the call is a text search and the table clearly prefers another action of the same service. */
function isLeftOver({ tool, args }: Call, likely: readonly Likely[]): boolean {
  if (!/^(?:email|files)\.search$/.test(tool) || args['from'] !== undefined) return false
  const family = tool.slice(0, tool.indexOf('.') + 1)
  const own = likely.find(({ label }) => label === tool)?.score ?? 0
  return likely.some(
    ({ label, score }) =>
      label !== tool && label.startsWith(family) && score >= RIVAL.least && score - own >= RIVAL.ahead,
  )
}

/**
 * Whether the plan lists events after a change although nothing in the message asks to see them: the day
 * belongs to the change.
 */
function isLookBeside(all: readonly Call[], request: string): boolean {
  const isLook = all.at(-1)?.tool === 'calendar.list_events' && all.some(({ tool }) => WRITES.has(tool))
  return isLook && !ASKS_LOOK.test(request)
}

/** Whether a deletion is hardly about the calendar: "scrap the milk" names neither a time nor an event. */
function isOfNoEvent(request: string, moment: Moment): boolean {
  if (NAMES_EVENT.test(request) || readDates(request, moment).span !== null) return false
  const likely = likelyOf(request, moment)
  const share = likely.reduce(
    (sum, { label, score }) => sum + (/^(?:else:)?calendar\./.test(label) ? score : 0),
    0,
  )
  const done = likely.find(({ label }) => label === 'else:task.done')?.score ?? 0
  return share < OF_CALENDAR && done >= OF_LIST
}

/** Whether the plan reads the newest file of a kind although the message names more than the kind. */
function isOfKind({ args }: Call, request: string): boolean {
  const isKind = Object.keys(args).every((name) => name === 'format')
  return isKind && namedWords(request).length > 2
}

function word(source: string): RegExp {
  return new RegExp(`${B}${source}${E}`, 'iu')
}
