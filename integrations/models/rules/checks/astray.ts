/**
 * Finds plans that the trained table, or a word of the message, speaks against: a search for whatever words are left, a change of the calendar that nothing in
 * the message is of, a file by its kind alone, the free time of several. Such a plan is not made. Must not plan. Called by misread.ts.
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

/** How likely it must be of another action of the same service, and how much likelier, before a search for the words that are left is none. */
const RIVAL = { least: 0.5, ahead: 0.2 } as const
/** How likely a message without a time must be of the calendar, before something in it is taken out. */
const OF_CALENDAR = 0.6
/** And how likely of something on the list at least. */
const OF_LIST = 0.12
const NAMES_EVENT = word(
  '(?:calendar|diary|kalender|event|events|meetings?|appointments?|termine?|besprechung\\p{L}*|appt|appts|invite|invitation|einladung)',
)
/** Whether there is time, and not who or what is there. */
const OF_TIME = word(
  '(?:free|busy|available|availability|time|times|slots?|gaps?|clear|open|windows?|fit|squeeze|room|hours?|minutes|mins|when|frei\\p{L}*|zeit|lücken?|belegt|verfügbar|luft|wann|platz)',
)
const WHO = new RegExp(
  `^(?:(?:hey|hi|ok|so|and|und|na)[ ,]+)*(?:who|whom|what|whats|what's|wen|wer|was)${E}`,
  'iu',
)
/** The owner and somebody else: which times both have is another question. */
const OF_BOTH = word(
  '(?:both|beide[nr]?|(?:me|i|ich|mir) (?:and|und|n|&|\\+) (?!(?:i|my|the|when|what|see|tell|if|is|are|do)(?!\\p{L}))\\p{L}+|(?!(?:day|week|morning|afternoon|evening|date|time)(?!\\p{L}))\\p{L}+ (?:and|und|n|&|\\+) (?:me|i|ich)(?! (?:have|had|want|need|am|was|can|will|get|hab|habe|muss|will)(?!\\p{L})))',
)
/** A file beside another one. */
const COMPARES = word(
  '(?:anders|unterscheid\\p{L}*|unterschied\\p{L}*|vergleich\\p{L}*|verglichen|gegenüber|differen(?:t|ce|ces)|compared?|versus|vs)',
)

const FILE =
  /(?<![\p{L}\p{N}])[\p{L}\p{N}_-]{1,60}\.(?:md|txt|pdf|csv|docx?|xlsx?|odt|pptx?)(?![\p{L}\p{N}])/iu

/** One of what was shown, by who wrote it or what it is about. */
const ONE_OF = new RegExp(
  `^(?:the (?:\\p{L}+ )?ones?|die|den|der|das) (?:from|with|about|by|that|von|vom|mit|über|wegen)${E}`,
  'iu',
)
/** Of the list of contacts, which is no fact. */
const KEEPS_FACT: ReadonlySet<string> = new Set(['memory.save', 'memory.search'])
const OF_PEOPLE = word('(?:contacts?|kontakte?n?|address ?book|adressbuch)')
/** Something is to be shown. */
const ASKS_LOOK = new RegExp(
  `\\?|${B}(?:what|whats|what['’]s|when|which|who|how|anything|show|list|check|tell me|am i|do i|have i|wann|zeig\\p{L}*|welche\\p{L}*|wer|wie|hab(?:e)? ich|bin ich|was (?:steht|hab\\p{L}*|ist|liegt))${E}`,
  'iu',
)

interface Call {
  readonly tool: string
  readonly args: Readonly<Record<string, Json>>
}

/** `all`: the calls of the plan; `exact`: a sentence accounts for every word. */
export function isAstray(
  all: readonly Call[],
  request: string,
  { moment, exact }: { readonly moment: Moment; readonly exact: boolean },
): boolean {
  const last = all.at(-1)
  if (last === undefined) return false
  // One that is found by words; what was shown is known to be an event.
  const isFound = last.tool === 'calendar.delete_event' && all[0]?.tool === 'calendar.list_events'
  if (isFound && isOfNoEvent(request, moment)) return true
  if (exact) return false
  if (last.tool === 'web.search' && COMPARES.test(request) && FILE.test(request)) return true
  // "Is 9 tomorrow open": an hour that was not read as one.
  if (last.tool === 'calendar.freebusy' && /\d/.test(readDates(request, moment).rest)) return true
  if (last.tool === 'calendar.freebusy' && all.length === 1)
    return (WHO.test(request.trim()) && !OF_TIME.test(request)) || OF_BOTH.test(request)
  // "The one from Mira" is of what was shown.
  if (last.tool === 'email.read' && ONE_OF.test(request.trim())) return true
  if (last.tool === 'email.search' && last.args['from'] === undefined && all.length === 1)
    if (writtenIn(request, moment) !== null || pointedIn(request) !== null) return true
  // What they wrote about narrows it.
  if (last.tool === 'email.list' && all.length === 1) return (writtenIn(request, moment)?.matter ?? '') !== ''
  if (all.some(({ tool }) => KEEPS_FACT.has(tool)) && OF_PEOPLE.test(request)) return true
  if (isLookBeside(all, request)) return true
  if (last.tool === 'files.read') return isOfKind(last, request) || COMPARES.test(request)
  return all.length === 1 && isLeftOver(last, likelyOf(request, moment))
}

/** A search for words, where the table is for another look of the same service. */
function isLeftOver({ tool, args }: Call, likely: readonly Likely[]): boolean {
  if (!/^(?:email|files)\.search$/.test(tool) || args['from'] !== undefined) return false
  const family = tool.slice(0, tool.indexOf('.') + 1)
  const own = likely.find(({ label }) => label === tool)?.score ?? 0
  return likely.some(
    ({ label, score }) =>
      label !== tool && label.startsWith(family) && score >= RIVAL.least && score - own >= RIVAL.ahead,
  )
}

/** A day that is named beside a change is no look at it, where nothing asks for one. */
function isLookBeside(all: readonly Call[], request: string): boolean {
  const isLook = all.at(-1)?.tool === 'calendar.list_events' && all.some(({ tool }) => WRITES.has(tool))
  return isLook && !ASKS_LOOK.test(request)
}

/** "Scrap the milk" says neither a time nor that it is of the calendar. */
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

/** The newest file of a kind is read where more than its kind is named. */
function isOfKind({ args }: Call, request: string): boolean {
  const isKind = Object.keys(args).every((name) => name === 'format')
  return isKind && namedWords(request).length > 2
}

function word(source: string): RegExp {
  return new RegExp(`${B}${source}${E}`, 'iu')
}
