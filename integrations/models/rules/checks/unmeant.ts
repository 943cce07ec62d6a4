/**
 * Rejects plans of the rules planner for messages that negate, correct, report or forbid something, or that
 * need more than one call of a kind, whichever way the words were read. The owner is then asked to say it in
 * another way. Must not plan. Called by planner.ts.
 */
import type { Json } from '../../../../kernel/flow/json.ts'
import type { PromptParts } from '../../../../kernel/prompt/parts.ts'
import type { Plan } from '../../../../kernel/task/plan.ts'
import { serviceNameOf } from '../../../../kernel/tool/service-names.ts'
import { type Moment, readDates } from '../../../dates/read.ts'
import { LOOKED_UP, TWO, WRITES } from '../../../extractors/learned/classes.ts'
import { isLikely, type Likely, likelyOf } from '../../../extractors/learned/likely.ts'
import { saysSecond } from '../../../extractors/message/message-coverage.ts'
import { isFoundFirst } from '../../../extractors/message/message-due.ts'
import { coreAsTyped } from '../../../extractors/message/message-intent.ts'
import { wholeSentence } from '../../../extractors/message/message-learned.ts'
import { saysWhere } from '../../../extractors/message/message-seek.ts'
import { saysAgain } from '../../../extractors/timed/repeat-words.ts'
import { shownThings } from '../../../tools/phrase.ts'
import { TOOL_MANIFESTS, TOOL_PHRASES } from '../../../tools/registered.ts'
import { momentOf } from '../several.ts'
import { isOnceOfMany, remindsAnother } from './one-time.ts'
import { stateAsked } from './state-asked.ts'
import { endsStray, isMistypedVerb } from './stray.ts'

const B = '(?<![\\p{L}\\p{N}])'
const E = '(?![\\p{L}\\p{N}])'
const NOT = `(?:not|no|none|nothing|never|nobody|except|without|nicht|nichts|nie|niemals|niemand|kein\\p{L}*|außer|ohne)`

/** A negation anywhere in a title or in the words of a selection. */
const NEGATED = word(NOT)
/** A negation at the start of a text to keep. "not to" and "never to" are allowed: they state a rule. */
const NEGATED_FIRST = new RegExp(
  `^(?:(?:das|es|mir|bitte|that|this|it|my|the|die|den) )?${NOT}${E}(?! to${E})`,
  'iu',
)
/** A clause that corrects the one before it. */
const CORRECTED =
  /(?:[,;.–-]|^) *(?:(?:oh|ach|or|and|und|ah) )?(?:no|nah|nope|nein|nee|ne|wait|sorry|i mean|actually|quatsch|scratch that|doch|lieber|rather|besser|better)(?![\p{L}'])/iu
/** Words that answer or soften. A title of these words alone names nothing. */
const NAMELESS = new Set(
  (
    'lieber besser geht auch rather better sooner earlier later doch eher maybe perhaps vielleicht instead stattdessen off out then dann quatsch nein nee no wait ' +
    'sorry actually so that it this them everything alles all anything is now just please bitte the a an my der die das ein eine'
  ).split(' '),
)
/** Nothing but an article or a pronoun. */
const OF_NOTHING =
  /^(?:(?:my|our|the|all|any|these|those|them|it|this|that|alle|meine?n?|die|der|das|den)(?: |$))+$/i
/** A text to keep that only refers to another part of the message. */
const OF_ITSELF =
  /^(?:(?:it|that|this|them|these|those|das|es|dies|down|auf|somewhere|safe|please|bitte|for me|for later)(?:[\s,.!]+|$))+$/iu
/** The text of a reminder that only says when or why, or that something is no longer wanted. */
const NO_THING_FIRST =
  /^(?:damit|weil|because|cos|sonst|otherwise|sobald|nachdem|bevor|(?:ned|nicht|net) mehr|nimm[ae]r?|no longer|any ?more|(?:after|before|once|until) \p{L}+(?: \p{L}+)? ?, ?(?:to|about))(?!\p{L})/iu
/** Several mails in the words of a request for one. */
const OF_SEVERAL = word(
  '(?:(?:first|second|third|fourth|last|erste\\p{L}*|zweite\\p{L}*|dritte\\p{L}*|letzte\\p{L}*)(?: one| mail)? (?:and|und|&) (?:the |die |den )?(?:first|second|third|fourth|last|erste\\p{L}*|zweite\\p{L}*|dritte\\p{L}*|letzte\\p{L}*))',
)
const JOINED = word('(?:and|und)')
/** A selection such as "both" or "each" that names nothing itself. */
const OF_MANY_ALONE = /^(?:both|all|alle|beide|each|every|jede[nrs]?)(?: of (?:it|them)| ones?)?$/iu
const OF_ALL = word('(?:everything|alles|everyone|all of it)')
/** Mail from everybody except somebody. */
const NOT_FROM = word(
  `(?:not|except|without|nicht|außer|ohne)(?: (?:the ones?|those|mails?|die))? (?:from|by|of|von|vom)`,
)
/**
 * Verbs of the past or of a finished change: nothing is booked for them. "was" only behind a word, as German
 * "was" begins a question.
 */
const OVER = word(
  '(?:(?<=\\p{L} )was|were|war|waren|hatte\\p{L}*|is now|are now|has been|have been|used to|got moved|wurde\\p{L}*)',
)
/** A clause of its own inside a title: "call with Studio Nord, it is their time". */
const SAYS_MORE =
  /[,;–-]\s*(?:it|i|we|they|he|she|that|this|es|ich|wir|das)(?:['’](?:s|m|re|ve)| (?:is|am|are|was|has|have|will|need|ist|bin|sind|war|hab|habe|haben|muss))(?!\p{L})/iu
/** Words that report a change of an existing event. */
const SAYS_CHANGE = word(
  '(?:changed|moved|shifted|postponed|rescheduled|swapped|verschoben|verlegt|geändert|getauscht|statt|instead of|erst$|doch$|now$|jetzt$)',
)
/** Two times of day for two calls. */
const TWO_TIMES =
  /(?<![\p{L}\d:.])(?<!(?:between|zwischen) )(?:\d{1,2}(?:[:.]\d\d)?\s?(?:am|pm|uhr)?),? (?:and|und|&) (?:(?:again|at|um|my|the|mein\p{L}*|den|die|das) ){0,2}(?:\d{1,2}(?:[:.]\d\d)?\s?(?:am|pm|uhr)|\d{1,2}[:.]\d\d)(?![\p{L}\d])/iu
/** A further time at the end of a reminder's text that was not read. */
const TIME_LEFT = /(?:^|\s)(?:and|und|plus|again|nochmal)(?: (?:at|um))? \d{1,2}(?:[:.]\d\d)?$/iu
/** Verbs in a title that report something instead of naming an event. */
const TELLS = word(
  '(?:have|has|had|starts?|opens?|closes?|arrives?|comes|leaves|lands|haben|hat|kommt|beginnt|reminded?|erinner\\p{L}*|invite|maybe|vielleicht|perhaps)',
)
/** Accepting and declining in one message. */
const BOTH = [
  word('(?:accept|yes|zusagen|annehmen|nimm|sag\\p{L}* zu)'),
  word('(?:decline|reject|absagen|ablehnen|lehn\\p{L}*)'),
]
/** The end of a repetition. Reminders have none. */
const ENDS = word(
  '(?:until|till|til|bis (?:ende|zum|mitte|anfang)|for the next|for \\d+ (?:day|week|month|year|time)s|für die nächsten)',
)
/** Weekdays from Monday, by their first letters in English and German. */
const DAYS = ['mon|mo', 'tue|di', 'wed|mi', 'thu|do', 'fri|fr', 'sat|sa', 'sun|so']
const DAY = `(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?|mo|di|mi|do|fr|sa|so|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|sonnabend)`
/** Two weekdays. English "do, so" is not one. */
const TWO_DAYS = new RegExp(
  `${B}(?!do,? so${E})(${DAY})(?: *, *| +(?:and|und|&|\\+) +)(?:on |am )?(${DAY})${E}`,
  'iu',
)

/**
 * A single clause that forbids. Excludes "don't forget", questions such as "don't I have", and anything
 * behind a comma.
 */
const FORBIDS =
  /^(?:please |bitte |no,? )?(?:do not|don['’]?t|never|no need to) (?!(?:forget|let|suppose|i|we|you|they)(?!\p{L}))\p{L}[^,;:.!?–]*[.!]*$/iu

/** A second clause that excludes something from a list. */
const NOT_ADDED =
  /[,;.–-] *(?:(?:but|and|aber|und) )?(?:don['’]?t|do not|never) (?:add|put|buy|get|include|write|note)(?!\p{L})/iu
/** Asks whether something was done. */
const ASKS_DONE =
  /^(?:did|have|has|had|hast|habt|hat|haben) (?:you|we|i|du|ihr|wir|ich|anyone|somebody|jemand)(?!\p{L})/iu
/** Asks why. "why don't you" is a proposal and excluded. */
const ASKS_WHY =
  /^(?:(?:and|but|so|und|aber|also|hey) )*(?:why|how come|what for|warum|wieso|weshalb|wozu)(?!\p{L})(?! (?:not|don['’]?t|nicht)(?!\p{L}))/iu

/** Asks for some of several matches without saying which. */
const SOME_OF = word('(?:two|three|four|five|six|zwei|drei|vier|fünf|sechs|some|einige|[2-9]) (?:of|von)')

/** Whether the plan must be rejected. */
export function isUnmeant(plan: Plan, parts: PromptParts): boolean {
  const { request } = parts
  const isQuoted = /["“”„«»]|:\s/.test(request)
  const tools = plan.steps.flatMap((step) => (step.do === 'tool' ? [step.tool] : []))
  const writes = tools.some((tool) => WRITES.has(tool))
  const books = tools.filter((tool) => BOOKS.has(tool)).length
  if (!writes && FORBIDS.test(request)) return true
  if (writes && !isQuoted && USED_TO.test(request)) return true
  if (writes && !isQuoted && (ASKS_DONE.test(request) || ASKS_WHY.test(request))) return true
  if (tools.includes('reminder.set') && remindsAnother(request)) return true
  if (writes && !isQuoted && stateAsked(request) !== null) return true
  if (tools.includes('task.add') && NOT_ADDED.test(request)) return true
  if (writes && SOME_OF.test(request) && plan.steps.some((step) => step.do === 'select')) return true
  if (tools.filter((tool) => OF_ONE_TIME.has(tool)).length === 1 && TWO_TIMES.test(request)) return true
  if (books > 0 && books < 2 && !isOnDays(plan) && isOfTwoDays(request)) return true
  // "At 5pm send me my shifts" asks to be told, and for nothing in the calendar.
  if (!isQuoted && tools.every((tool) => tool === 'calendar.create_event') && TELLS_ME.test(request))
    return true
  if (writes && books > 0 && !isQuoted && (OVER.test(request) || isPeriodic(plan, request))) return true
  if (!isQuoted && isOnceOfMany(plan, request)) return true
  if (tools.some((tool) => tool.startsWith('email.')) && NOT_FROM.test(request)) return true
  if (dropsSender(plan, parts)) return true
  if (isOneRead(tools) && (OF_SEVERAL.test(request) || saysSecond(request))) return true
  // "Milk and foil on the list and any new mail?" is more than a look.
  const isOneLook = !writes && tools.length === 1 && plan.explanation === ''
  if (isOneLook && isLikely(request, TWO, SURELY_TWO, momentOf(parts))) return true
  if (tools.includes('calendar.answer_invitation') && BOTH.every((one) => one.test(request))) return true
  return plan.steps.some((step) => {
    if (step.do === 'select') return writes && isUnchosen(textOf(step.matching as Json, parts), tools)
    if (step.do !== 'tool') return false
    const { title, text, repeat } = step.args as Readonly<Record<string, Json>>
    if (step.tool === 'reminder.set' && repeat !== undefined && ENDS.test(textOf(text ?? null, parts)))
      return true
    if (isQuoted) return false
    if (step.tool === 'calendar.create_event') {
      const named = textOf(title ?? null, parts)
      return isNoTitle(named) || endsStray(named, request) || isDoneTo(named, request)
    }
    if (KEEPS.has(step.tool)) return isNotKept(textOf(text ?? null, parts), step.tool)
    return false
  })
}

const TELLS_ME =
  /(?<!\p{L})(?:send|tell|text|show|mail|email) me(?!\p{L})|(?<!\p{L})(?:schick|sag|zeig|erzähl|mail)e? (?:mir|uns)(?!\p{L})/iu

/** "Kids prod me every morning": the owner reports something, so the words before "me" are no title. */
function isDoneTo(title: string, request: string): boolean {
  const last = title.split(' ').at(-1) ?? ''
  const words = request.split(/\s+/)
  return words.some(
    (one, at) => one.toLowerCase() === last.toLowerCase() && DONE_TO.test(words[at + 1] ?? ''),
  )
}

const DONE_TO = /^(?:me|us|mich|uns)[,.!]*$/i

/**
 * Minimum score of the plan's services if no declared sentence matches; score of the class of two requests
 * from which the check is skipped.
 */
const LEAST_LIKELY = 0.35
const LIKELY_TWO = 0.2
/** How likely a message must be of two requests, that one look is not all of it. */
const SURELY_TWO = 0.9

/** Whether a plan that only reads uses services that the table considers unlikely for the whole message. */
export function isUnlikely(plan: Plan, { request }: PromptParts, moment: Moment): boolean {
  const tools = plan.steps.flatMap((step) => (step.do === 'tool' ? [step.tool] : []))
  const isRead = tools.length > 0 && !tools.some((tool) => WRITES.has(tool))
  if (!isRead) return false
  const isSaid =
    wholeSentence(TOOL_PHRASES, coreAsTyped(request)) !== null || saysWhere(request, TOOL_PHRASES)
  if (isSaid) return false
  const families = new Set(tools.map(familyOf))
  // With what is polite before it, and without.
  return [...new Set([request, coreAsTyped(request)])].every((text) =>
    isHardly(families, likelyOf(text, moment)),
  )
}

function isHardly(families: ReadonlySet<string>, likely: readonly Likely[]): boolean {
  if (likely.length === 0 || (likely.find(({ label }) => label === TWO)?.score ?? 0) >= LIKELY_TWO)
    return false
  const share = likely.reduce((sum, { label, score }) => sum + (families.has(familyOf(label)) ? score : 0), 0)
  return share < LEAST_LIKELY
}

/** Service of an action or of a memory intent. */
function familyOf(label: string): string {
  return /^(?:else:)?([a-z]+)[._]/.exec(label)?.[1] ?? label
}

/** Whether the plan reads one mail, with at most one call to find it. */
function isOneRead(tools: readonly string[]): boolean {
  return tools.at(-1) === 'email.read' && tools.length < 3
}

/** Actions for exactly one day. */
const BOOKS: ReadonlySet<string> = new Set(['calendar.create_event', 'calendar.freebusy'])
const KEEPS: ReadonlySet<string> = new Set(['task.add', 'reminder.set', 'memory.save'])
const OF_ONE_TIME: ReadonlySet<string> = new Set(['calendar.delete_event', 'reminder.set'])

function isNoTitle(title: string): boolean {
  if (title === '') return false
  const words = title.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return (
    isMistypedVerb(title.toLowerCase().split(' ', 1)[0] ?? '') ||
    NEGATED.test(title) ||
    CORRECTED.test(title) ||
    TELLS.test(title) ||
    OF_ALL.test(title) ||
    SAYS_MORE.test(title) ||
    SAYS_CHANGE.test(title) ||
    words.every((one) => NAMELESS.has(one))
  )
}

/** Reports a habit of the past. */
const USED_TO = word('used to')
/** "I had coffee again": reports something that is over. */
const HAD_IT =
  /^(?:i|we|ich|wir) (?:(?:just|already|gerade|schon) )?(?:had|ate|drank|hatten?|aß|aßen|trank|tranken)(?!\p{L})(?! to(?!\p{L}))/iu

function isNotKept(text: string, tool: string): boolean {
  if (tool === 'task.add' && HAD_IT.test(text.trim())) return true
  if (tool === 'task.add' && /^(?:don['’]?t|do not) (?!forget)/iu.test(text.trim())) return true
  if (tool === 'memory.save' && (OF_ITSELF.test(text.trim()) || isFoundFirst(text))) return true
  if (tool === 'reminder.set' && NO_THING_FIRST.test(text.trim())) return true
  if (tool === 'reminder.set' && (TIME_LEFT.test(text.trim()) || POINTS_ONLY.test(text.trim()))) return true
  return NEGATED_FIRST.test(text) || (tool === 'reminder.set' && CORRECTED.test(text))
}

/** "Dran, so": nothing to be reminded of. */
const POINTS_ONLY =
  /^(?:(?:dran|daran|drüber|darüber|so|ungefähr|etwa|circa|später|of|about|it|that|this|then|again|later|around)[\s,.!]*)+$/iu

/**
 * A selection matches rows that contain all of its words, so "not" or "everything" would select the wrong
 * rows.
 */
function isUnchosen(matching: string, tools: readonly string[]): boolean {
  if (matching === '') return false
  const isMail = tools.some((tool) => tool.startsWith('email.'))
  return (
    NEGATED.test(matching) ||
    OF_NOTHING.test(matching) ||
    OF_ALL.test(matching) ||
    OF_MANY_ALONE.test(matching.trim()) ||
    (isMail && JOINED.test(matching))
  )
}

/** Whether the message says a repetition that the plan does not have. */
function isPeriodic({ steps: own }: Plan, request: string): boolean {
  const isRead = own.some((step) => step.do === 'tool' && step.args['repeat'] !== undefined)
  return !isRead && saysAgain(request)
}

/** "Anything from the railway people": a list of everybody's mail is another answer. */
function dropsSender({ steps: own }: Plan, parts: PromptParts): boolean {
  const [only, ...others] = own
  if (only?.do !== 'tool' || others.length > 0 || !/^email\.(?:list|count)$/.test(only.tool)) return false
  if (['from', 'in', 'account'].some((name) => only.args[name] !== undefined)) return false
  const { rest } = readDates(parts.request, momentOf(parts))
  return SENDER.test(rest)
}

const SENDER =
  /(?<!\p{L})(?:from|von|vom) (?:(?:the|my|our|der|den|dem|meine?[mnr]?|unsere?[mnr]?) )?(?!(?:the|my|our|inbox|mailbox|mail|mails|account|postfach|konto|eingang|now|then|all|everyone|everybody|anyone|anybody|someone|people|whom?|where|here|allen|allem|jedem|wem|hier|neuem|der|den|dem|mein\p{L}*|privat\p{L}*|work|home|arbeit|gmail|google|last|past|letzte\p{L}*|vorher|today|heute)(?!\p{L}))\p{L}{2}/iu

/** Whether the plan repeats on several weekdays. */
function isOnDays({ steps: own }: Plan): boolean {
  return own.some((step) => step.do === 'tool' && step.args['days'] !== undefined)
}

function isOfTwoDays(request: string): boolean {
  const [, one = '', other = ''] = TWO_DAYS.exec(request) ?? []
  const [first, second] = [numberOf(one), numberOf(other)]
  if (first < 0 || second < 0 || first === second) return false
  // "Friday and Saturday" without a time is one span of two days.
  return (first + 1) % DAYS.length !== second || /\d/.test(request)
}

function numberOf(day: string): number {
  return DAYS.findIndex((names) => names.split('|').some((name) => day.toLowerCase().startsWith(name)))
}

/** Text of an argument: a literal, a field of the reading, or a span of the message. */
function textOf(value: Json, { request, metadata }: PromptParts): string {
  if (typeof value === 'string') {
    const field = /^said\.(\w+)$/.exec(value)?.[1]
    return field === undefined ? value : fieldOf(field, metadata)
  }
  const path = (value as { readonly $ref?: Json } | null)?.$ref
  if (typeof path !== 'string') return ''
  const span = /^said\.(?:words|sentence)\[(\d+)\]\[(\d+)\]$/.exec(path)
  if (span !== null) return request.slice(Number(span[1]), Number(span[2]))
  return fieldOf(/^said\.(\w+)$/.exec(path)?.[1] ?? '', metadata)
}

function fieldOf(name: string, metadata: PromptParts['metadata']): string {
  const fields = metadata.find(({ root }) => root === 'said')?.fields as
    | Readonly<Record<string, Json>>
    | undefined
  const value = fields?.[name]
  return typeof value === 'string' ? value : ''
}

function word(source: string): RegExp {
  return new RegExp(`${B}${source}${E}`, 'iu')
}

/** Whether the plan looks into mail or the web although the message names another connected service. */
export function isElsewhere({ steps: own }: Plan, services: readonly string[]): boolean {
  const tools = own.flatMap((step) => (step.do === 'tool' ? [step.tool] : []))
  if (services.length === 0 || tools.some((tool) => WRITES.has(tool))) return false
  const there = TOOL_MANIFESTS.filter((one) => services.includes(serviceNameOf(one)?.id ?? ''))
  const isThere = there.some(({ actions }) => actions.some(({ id }) => tools.includes(id)))
  return !isThere && tools.some((tool) => OF_THINGS.has(tool) || LOOKED_UP.has(tool))
}

/**
 * Whether the plan calls a service that is not connected and that the message does not name: then it was
 * probably misread.
 */
export function isUnnamed({ steps: own }: Plan, { request, tools }: PromptParts): boolean {
  const text = request.toLowerCase()
  return own.some((step) => {
    const card = step.do === 'tool' ? tools.find(({ id }) => id === step.tool) : undefined
    if (step.do !== 'tool' || card?.unconnected !== true || card.core !== undefined) return false
    const { connect, name, actions } =
      TOOL_MANIFESTS.find((one) => one.actions.some(({ id }) => id === step.tool)) ?? {}
    const called = shownThings(
      TOOL_PHRASES.filter(({ asks }) => asks.some(({ plan }) => plan.some(({ tool }) => tool === step.tool))),
    ).map((thing) => thing.called)
    const names = [name ?? '', connect?.title ?? '', ...(actions ?? []).flatMap(({ terms = [] }) => terms)]
    const isNamed = names.some((one) => one !== '' && text.includes(one.toLowerCase()))
    return !isNamed && !called.some((one) => word(`(?:${one})`).test(request))
  })
}

/** Reads of things that people receive, such as mails. */
const OF_THINGS: ReadonlySet<unknown> = new Set(
  TOOL_PHRASES.filter(({ things }) => things !== undefined).flatMap(({ asks }) =>
    asks.flatMap(({ plan }) => plan.map(({ tool }) => tool)),
  ),
)
