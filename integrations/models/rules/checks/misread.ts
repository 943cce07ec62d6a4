/**
 * Rejects plans of the rules planner that used only part of a message, or its wording instead of its meaning:
 * a lookup for a statement, all mails for the question whether one person wrote, a list entry that names no
 * thing. Must not plan. Called by planner.ts.
 */
import type { Json } from '../../../../kernel/flow/json.ts'
import type { PromptParts } from '../../../../kernel/prompt/parts.ts'
import type { Plan } from '../../../../kernel/task/plan.ts'
import { type Moment, readDates } from '../../../dates/read.ts'
import { LOOKED_UP } from '../../../extractors/learned/classes.ts'
import { pointedIn } from '../../../extractors/message/message-pointed.ts'
import { asksChange, namedWords } from '../../../extractors/message/message-seek.ts'
import { typedOf } from '../said.ts'
import { isAstray } from './astray.ts'
import { isOverlooked } from './overlooked.ts'

const B = '(?<![\\p{L}\\p{N}])'
const E = '(?![\\p{L}\\p{N}])'
/** A statement: subject and verb at the start. */
const TELLS = new RegExp(
  `^(?:(?:ok|okay|so|oh|well|and|und|also|btw)[ ,]+)*(?:i|we|he|she|they|it|ich|wir|er|(?:the|my|our|his|her|their|der|die|das|mein\\p{L}{0,2}|unser\\p{L}{0,2}) [\\p{L}'’ -]{1,40}?) (?:is|are|was|were|am|has|had|have(?! to${E})|ist|sind|war|waren|bin|hat|hab|habe|haben|heißt)${E}`,
  'iu',
)
/** A question or request, anywhere in the message. */
const ASKS = new RegExp(
  `\\?|${B}(?:what|whats|what's|when|whens|when's|where|wheres|where's|which|who|whose|how|why|whether|if|know|find|show|check|tell|look|need|want|is there|are there|do i|did i|am i|can i|wann|wo|wer|wem|wie|welche\\p{L}*|warum|ob|zeig\\p{L}*|such\\p{L}*|schau\\p{L}*|sag|brauch\\p{L}*|will|gibt|suche|anything|something|irgendwas)${E}`,
  'iu',
)
/** Reads that would answer a question, but make no sense for a statement. */
const OF_WHAT_IS: ReadonlySet<string> = new Set([
  'calendar.list_events',
  'calendar.freebusy',
  'memory.search',
])

const KEEPS: ReadonlySet<string> = new Set(['task.add', 'memory.save'])

/** Asks whether one named person wrote. */
const DID_WRITE = new RegExp(
  `^(?:(?:hey|hi|moin|na|so|and|und)[ ,]+)*(?:did|has|have|hat|haben) (?:sich )?(?!(?:anyone|anybody|someone|somebody|any|i|we|you|there|new|jemand|wer|irgendwer|irgendjemand|ich|wir|es|du|sie)${E})[^?]{2,80}?${B}(?:answer|answered|reply|replied|write|written|wrote|email|emailed|mail|mailed|respond|responded|get back|got back|sent|send|said|geantwortet|geschrieben|gemeldet|zurückgeschrieben|gemailt|reagiert|geschickt|gesendet)${E}`,
  'iu',
)
/** Contains a verb or a place, so it is a request and not the name of a list entry. */
const NO_ITEM = new RegExp(
  `${B}(?:eintragen|einplanen|vormerken|absagen|löschen|runternehmen|schicken)[\\s.!]*$|${B}(?:auf die \\p{L}*liste|on (?:the|my) list|runter)[\\s.!]*$|^(?:add|remove|delete|take|tick|cross|streich\\p{L}*|lösch\\p{L}*|nimm) `,
  'iu',
)
/** Asks to do something with the result of a lookup. */
const KEEPS_IT = new RegExp(
  `${B}(?:and|und|then|dann) (?:then |please |bitte |also )*(?:remember|save|note|keep|store|print|send|add|put|merk\\p{L}*|speicher\\p{L}*|notier\\p{L}*|schick\\p{L}*) (?:it|that|them|this|dir|mir|das|es|sie|me)${E}`,
  'iu',
)
/** What somebody likes, which asks for nothing: "ich mag https://…". */
const LIKES =
  /^(?:i|we|ich|wir) (?:really |echt |sehr )?(?:like|love|hate|mag|mögen|liebe|lieben|hasse)(?!\p{L})/iu
/** Something is to last longer or shorter, and begins as before. */
const LASTS = new RegExp(
  `${B}(?:verläng\\p{L}*|länger|verkürz\\p{L}*|kürz|kürze|kürzer|longer|shorter|extend|shorten)${E}`,
  'iu',
)
/** Quoted words are meant literally. */
const QUOTED = /["“”„«»]/
/** Names a file, list or calendar as the place where something should be stored. */
const INTO =
  /^(?:in|into|to|onto) (?:(?:(?:my|the|a|file|note|notes) )*\S+\.\p{L}{2,5}|(?:my|the) (?:notes?|list|page|diary|calendar|files?))(?![\p{L}\p{N}])/iu

/**
 * `exact`: a declared sentence matches every word of the message. The words that it takes up to the end may
 * still name no thing.
 */
export function isMisread(
  plan: Plan,
  parts: PromptParts,
  { moment, exact }: { readonly moment: Moment; readonly exact: boolean },
): boolean {
  const { request } = parts
  const tools = plan.steps.flatMap((step) =>
    step.do === 'tool' ? [{ tool: step.tool, args: step.args as Readonly<Record<string, Json>> }] : [],
  )
  const [only, ...others] = tools
  if (only === undefined) return false
  const isTold = TELLS.test(request.trim()) && !ASKS.test(request) && !asksChange(request)
  if (!exact && isTold && tools.every(({ tool }) => OF_WHAT_IS.has(tool))) return true
  if (!exact && others.length === 0 && only.tool === 'calendar.list_events' && isTitled(request, moment))
    return true
  const isAll = Object.keys(only.args).every((name) => name === 'unread' || name === 'count')
  if (!exact && others.length === 0 && only.tool === 'email.list' && isAll && DID_WRITE.test(request))
    return true
  // "Has he rung yet" asks about one person, which a list of all mails does not answer.
  if (!exact && others.length === 0 && only.tool === 'email.list' && isAll && pointedIn(request) !== null)
    return true
  if (!exact && LIKES.test(request.trim()) && !ASKS.test(request) && only.tool === 'web.read') return true
  const isMoved = (args: Readonly<Record<string, Json>>): boolean =>
    args['from'] !== undefined && args['to'] === undefined
  if (
    LASTS.test(request) &&
    tools.some(({ tool, args }) => tool === 'calendar.update_event' && isMoved(args))
  )
    return true
  // If the plan has exceptions of a series, those words were read.
  const isRead = only.args['except'] !== undefined
  if (!isRead && others.length === 0 && isOverlooked(only.tool, request, { moment, exact })) return true
  if (isAstray(tools, request, { moment, exact })) return true
  if (QUOTED.test(request)) return false
  return tools.some(({ tool, args }) => {
    const typed = [args['words'], args['query'], args['text']].find((one) => typeof one === 'string')
    const words = typeof typed === 'string' ? typed : KEEPS.has(tool) ? typedOf(parts).topic : ''
    if (words === '') return false
    if (tool === 'task.add') return isNoItem(words, tools.length > 1, moment)
    if (tool === 'memory.save') return INTO.test(words)
    return LOOKED_UP.has(tool) && (namedWords(words).length === 0 || KEEPS_IT.test(words))
  })
}

/**
 * "Calendar: budget review wednesday 11:00": a title with a time of day and no question, so an event is to be
 * created and not listed.
 */
function isTitled(request: string, moment: Moment): boolean {
  if (ASKS.test(request)) return false
  const { span, rest } = readDates(request, moment)
  return span?.named === 'time' && namedWords(rest).length > 1
}

/** Among several entries, one with a time of day is an appointment and no task. */
function isNoItem(text: string, isOneOfMany: boolean, moment: Moment): boolean {
  if (NO_ITEM.test(text)) return true
  return isOneOfMany && readDates(text, moment).span?.named === 'time'
}
