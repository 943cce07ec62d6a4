/**
 * What a plan must not come of, whichever way its words were read: something that is refused, taken back, over, or of more than one thing. Such a plan is not
 * made, and the owner is asked to say it in another way. Must not plan. Called by the rules planner.
 */
import type { Json } from '../../../../kernel/flow/json.ts'
import type { PromptParts } from '../../../../kernel/prompt/parts.ts'
import type { Plan } from '../../../../kernel/task/plan.ts'
import { serviceNameOf } from '../../../../kernel/tool/service-names.ts'
import type { Moment } from '../../../dates/read.ts'
import { LOOKED_UP, TWO, WRITES } from '../../../extractors/learned/classes.ts'
import { likelyOf } from '../../../extractors/learned/likely.ts'
import { saysSecond } from '../../../extractors/message/message-coverage.ts'
import { wholeSentence } from '../../../extractors/message/message-learned.ts'
import { saysWhere } from '../../../extractors/message/message-seek.ts'
import { saysAgain } from '../../../extractors/timed/repeat-words.ts'
import { shownThings } from '../../../tools/phrase.ts'
import { TOOL_MANIFESTS, TOOL_PHRASES } from '../../../tools/registered.ts'
import { endsStray, isMistypedVerb } from './stray.ts'

const B = '(?<![\\p{L}\\p{N}])'
const E = '(?![\\p{L}\\p{N}])'
const NOT = `(?:not|no|none|nothing|never|nobody|except|without|nicht|nichts|nie|niemals|niemand|kein\\p{L}*|außer|ohne)`

/** Anywhere in the name of a thing, or of what is to be chosen. */
const NEGATED = word(NOT)
/** At the start of what is kept; "not to" and "never to" are a fact of their own. */
const NEGATED_FIRST = new RegExp(
  `^(?:(?:das|es|mir|bitte|that|this|it|my|the|die|den) )?${NOT}${E}(?! to${E})`,
  'iu',
)
/** A part that corrects the one before it. */
const CORRECTED =
  /(?:[,;.–-]|^) *(?:(?:oh|ach|or|and|und|ah) )?(?:no|nah|nope|nein|nee|ne|wait|sorry|i mean|actually|quatsch|scratch that|doch|lieber|rather|besser|better)(?![\p{L}'])/iu
/** Words that answer, soften or tell, and name nothing. */
const NAMELESS = new Set(
  (
    'lieber besser geht auch rather better sooner earlier later doch eher maybe perhaps vielleicht instead stattdessen off out then dann quatsch nein nee no wait ' +
    'sorry actually so that it this them everything alles all anything is now just please bitte the a an my der die das ein eine'
  ).split(' '),
)
/** Nothing but an article or a pronoun. */
const OF_NOTHING =
  /^(?:(?:my|our|the|all|any|these|those|them|it|this|that|alle|meine?n?|die|der|das|den)(?: |$))+$/i
/** What is to be kept stands elsewhere in the message. */
const OF_ITSELF =
  /^(?:(?:it|that|this|them|these|those|das|es|dies|down|auf|somewhere|safe|please|bitte|for me|for later)(?:[\s,.!]+|$))+$/iu
/** When or why it is wanted, and not what; or what is not wanted any more. */
const NO_THING_FIRST =
  /^(?:damit|weil|because|cos|sonst|otherwise|sobald|nachdem|bevor|(?:ned|nicht|net) mehr|nimm[ae]r?|no longer|any ?more|(?:after|before|once|until) \p{L}+(?: \p{L}+)? ?, ?(?:to|about))(?!\p{L})/iu
/** Several mails, or all of them, said in the words of one. */
const OF_SEVERAL = word(
  '(?:(?:first|second|third|fourth|last|erste\\p{L}*|zweite\\p{L}*|dritte\\p{L}*|letzte\\p{L}*)(?: one| mail)? (?:and|und|&) (?:the |die |den )?(?:first|second|third|fourth|last|erste\\p{L}*|zweite\\p{L}*|dritte\\p{L}*|letzte\\p{L}*))',
)
const JOINED = word('(?:and|und)')
/** The one that is meant of several stands elsewhere. */
const OF_MANY_ALONE = /^(?:both|all|alle|beide|each|every|jede[nrs]?)(?: of (?:it|them)| ones?)?$/iu
const OF_ALL = word('(?:everything|alles|everyone|all of it)')
/** Mail of all but somebody. */
const NOT_FROM = word(
  `(?:not|except|without|nicht|außer|ohne)(?: (?:the ones?|those|mails?|die))? (?:from|by|of|von|vom)`,
)
/** Of what was, or has changed already, nothing is booked. German "was" asks, and begins what it asks. */
const OVER = word(
  '(?:(?<=\\p{L} )was|were|war|waren|hatte\\p{L}*|is now|are now|has been|have been|used to|got moved|wurde\\p{L}*)',
)
/** A sentence of its own inside a title: "call with Studio Nord, it is their time". */
const SAYS_MORE =
  /[,;–-]\s*(?:it|i|we|they|he|she|that|this|es|ich|wir|das)(?:['’](?:s|m|re|ve)| (?:is|am|are|was|has|have|will|need|ist|bin|sind|war|hab|habe|haben|muss))(?!\p{L})/iu
/** What is so now of one that is there already. */
const SAYS_CHANGE = word(
  '(?:changed|moved|shifted|postponed|rescheduled|swapped|verschoben|verlegt|geändert|getauscht|statt|instead of|erst$|doch$|now$|jetzt$)',
)
/** Two times of day, of two things. */
const TWO_TIMES =
  /(?<![\p{L}\d:.])(?<!(?:between|zwischen) )(?:\d{1,2}(?:[:.]\d\d)?\s?(?:am|pm|uhr)?),? (?:and|und|&) (?:(?:again|at|um|my|the|mein\p{L}*|den|die|das) ){0,2}(?:\d{1,2}(?:[:.]\d\d)?\s?(?:am|pm|uhr)|\d{1,2}[:.]\d\d)(?![\p{L}\d])/iu
/** A time behind a reminder's text that was not read. */
const TIME_LEFT = /(?:^|\s)(?:and|und|plus|again|nochmal)(?: (?:at|um))? \d{1,2}(?:[:.]\d\d)?$/iu
/** Titles with which somebody tells of something, and asks for nothing. */
const TELLS = word(
  '(?:have|has|had|starts?|opens?|closes?|arrives?|comes|leaves|lands|haben|hat|kommt|beginnt|reminded?|erinner\\p{L}*|invite|maybe|vielleicht|perhaps)',
)
/** Both answers to invitations in one message. */
const BOTH = [
  word('(?:accept|yes|zusagen|annehmen|nimm|sag\\p{L}* zu)'),
  word('(?:decline|reject|absagen|ablehnen|lehn\\p{L}*)'),
]
/** A repetition with an end, which a reminder does not have. */
const ENDS = word(
  '(?:until|till|til|bis (?:ende|zum|mitte|anfang)|for the next|for \\d+ (?:day|week|month|year|time)s|für die nächsten)',
)
/** Weekdays from Monday, by their first letters in English and German. */
const DAYS = ['mon|mo', 'tue|di', 'wed|mi', 'thu|do', 'fri|fr', 'sat|sa', 'sun|so']
const DAY = `(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?|mo|di|mi|do|fr|sa|so|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|sonnabend)`
/** Two of them. In English "do, so" is none. */
const TWO_DAYS = new RegExp(
  `${B}(?!do,? so${E})(${DAY})(?: *, *| +(?:and|und|&|\\+) +)(?:on |am )?(${DAY})${E}`,
  'iu',
)

/** One clause that forbids. "Don't forget" and "don't I have" ask; what goes on behind a comma is more than that clause. */
const FORBIDS =
  /^(?:please |bitte |no,? )?(?:do not|don['’]?t|never|no need to) (?!(?:forget|let|suppose|i|we|you|they)(?!\p{L}))\p{L}[^,;:.!?–]*[.!]*$/iu

/** What is not to be put there, behind what may be. */
const NOT_ADDED =
  /[,;.–-] *(?:(?:but|and|aber|und) )?(?:don['’]?t|do not|never) (?:add|put|buy|get|include|write|note)(?!\p{L})/iu
/** Whether it was done is asked. */
const ASKS_DONE =
  /^(?:did|have|has|had|hast|habt|hat|haben) (?:you|we|i|du|ihr|wir|ich|anyone|somebody|jemand)(?!\p{L})/iu
/** Why something is so is asked, or why it was done; "why don't you" proposes. */
const ASKS_WHY =
  /^(?:(?:and|but|so|und|aber|also|hey) )*(?:why|how come|what for|warum|wieso|weshalb|wozu)(?!\p{L})(?! (?:not|don['’]?t|nicht)(?!\p{L}))/iu

/** Some of those that the words fit; which of them, they do not say. */
const SOME_OF = word('(?:two|three|four|five|six|zwei|drei|vier|fünf|sechs|some|einige|[2-9]) (?:of|von)')

/** Whether such a plan must not be made. */
export function isUnmeant(plan: Plan, parts: PromptParts): boolean {
  const { request } = parts
  const isQuoted = /["“”„«»]|:\s/.test(request)
  const tools = plan.steps.flatMap((step) => (step.do === 'tool' ? [step.tool] : []))
  const writes = tools.some((tool) => WRITES.has(tool))
  const books = tools.filter((tool) => BOOKS.has(tool)).length
  if (!writes && FORBIDS.test(request)) return true
  if (writes && !isQuoted && USED_TO.test(request)) return true
  if (writes && !isQuoted && (ASKS_DONE.test(request) || ASKS_WHY.test(request))) return true
  if (tools.includes('task.add') && NOT_ADDED.test(request)) return true
  if (writes && SOME_OF.test(request) && plan.steps.some((step) => step.do === 'select')) return true
  if (tools.filter((tool) => OF_ONE_TIME.has(tool)).length === 1 && TWO_TIMES.test(request)) return true
  if (books > 0 && books < 2 && !isOnDays(plan) && isOfTwoDays(request)) return true
  if (writes && books > 0 && !isQuoted && (OVER.test(request) || isPeriodic(plan, request))) return true
  if (tools.some((tool) => tool.startsWith('email.')) && NOT_FROM.test(request)) return true
  if (isOneRead(tools) && (OF_SEVERAL.test(request) || saysSecond(request))) return true
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

/** "Kids prod me every morning": somebody tells what is done to them, and the words before it are no title. */
function isDoneTo(title: string, request: string): boolean {
  const last = title.split(' ').at(-1) ?? ''
  const words = request.split(/\s+/)
  return words.some(
    (one, at) => one.toLowerCase() === last.toLowerCase() && DONE_TO.test(words[at + 1] ?? ''),
  )
}

const DONE_TO = /^(?:me|us|mich|uns)[,.!]*$/i

/** How likely the message must be of what a plan reads, in words that no sentence accounts for, or of two requests. */
const LEAST_LIKELY = 0.35
const LIKELY_TWO = 0.2

/** Whether a plan that changes nothing is of other services than the whole message is likely of: a part of it was read, and not what it says. */
export function isUnlikely(plan: Plan, { request }: PromptParts, moment: Moment): boolean {
  const tools = plan.steps.flatMap((step) => (step.do === 'tool' ? [step.tool] : []))
  const isRead = tools.length > 0 && !tools.some((tool) => WRITES.has(tool))
  if (!isRead) return false
  const isSaid = wholeSentence(TOOL_PHRASES, request) !== null || saysWhere(request, TOOL_PHRASES)
  if (isSaid) return false
  const families = new Set(tools.map(familyOf))
  const likely = likelyOf(request, moment)
  if (likely.length === 0 || (likely.find(({ label }) => label === TWO)?.score ?? 0) >= LIKELY_TWO)
    return false
  const share = likely.reduce((sum, { label, score }) => sum + (families.has(familyOf(label)) ? score : 0), 0)
  return share < LEAST_LIKELY
}

/** The service of an action, and of an intent of the memory. */
function familyOf(label: string): string {
  return /^(?:else:)?([a-z]+)[._]/.exec(label)?.[1] ?? label
}

/** One mail, with what is read to find it. */
function isOneRead(tools: readonly string[]): boolean {
  return tools.at(-1) === 'email.read' && tools.length < 3
}

/** What is of a day, and of one. */
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

/** What was once so. */
const USED_TO = word('used to')
/** "I had coffee again": somebody tells what is over. */
const HAD_IT =
  /^(?:i|we|ich|wir) (?:(?:just|already|gerade|schon) )?(?:had|ate|drank|hatten?|aß|aßen|trank|tranken)(?!\p{L})(?! to(?!\p{L}))/iu

function isNotKept(text: string, tool: string): boolean {
  if (tool === 'task.add' && HAD_IT.test(text.trim())) return true
  if (tool === 'task.add' && /^(?:don['’]?t|do not) (?!forget)/iu.test(text.trim())) return true
  if (tool === 'memory.save' && OF_ITSELF.test(text.trim())) return true
  if (tool === 'reminder.set' && NO_THING_FIRST.test(text.trim())) return true
  if (tool === 'reminder.set' && TIME_LEFT.test(text.trim())) return true
  return NEGATED_FIRST.test(text) || (tool === 'reminder.set' && CORRECTED.test(text))
}

/** Every word of it must stand in what is chosen, so that "not" and "everything" would choose something else. */
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

/** What comes again in a way that was not read is no event of one day. */
function isPeriodic({ steps: own }: Plan, request: string): boolean {
  const isRead = own.some((step) => step.do === 'tool' && step.args['repeat'] !== undefined)
  return !isRead && saysAgain(request)
}

/** On each of the days that come again. */
function isOnDays({ steps: own }: Plan): boolean {
  return own.some((step) => step.do === 'tool' && step.args['days'] !== undefined)
}

function isOfTwoDays(request: string): boolean {
  const [, one = '', other = ''] = TWO_DAYS.exec(request) ?? []
  const [first, second] = [numberOf(one), numberOf(other)]
  if (first < 0 || second < 0 || first === second) return false
  // "Friday and Saturday", without a time, is one span.
  return (first + 1) % DAYS.length !== second || /\d/.test(request)
}

function numberOf(day: string): number {
  return DAYS.findIndex((names) => names.split('|').some((name) => day.toLowerCase().startsWith(name)))
}

/** The words behind a value of a plan: typed, of a field, or between two places of the message. */
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

/** A look at mails, or a search of the web, for what the owner said is in a connected service. */
export function isElsewhere({ steps: own }: Plan, services: readonly string[]): boolean {
  const tools = own.flatMap((step) => (step.do === 'tool' ? [step.tool] : []))
  if (services.length === 0 || tools.some((tool) => WRITES.has(tool))) return false
  const there = TOOL_MANIFESTS.filter((one) => services.includes(serviceNameOf(one)?.id ?? ''))
  const isThere = there.some(({ actions }) => actions.some(({ id }) => tools.includes(id)))
  return !isThere && tools.some((tool) => OF_THINGS.has(tool) || LOOKED_UP.has(tool))
}

/** A request to a service that is not connected, which nothing in the message names: what was read into it is likelier something else. */
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

/** Reads of things that people receive and count, and of what everyone can read by words. */
const OF_THINGS: ReadonlySet<unknown> = new Set(
  TOOL_PHRASES.filter(({ things }) => things !== undefined).flatMap(({ asks }) =>
    asks.flatMap(({ plan }) => plan.map(({ tool }) => tool)),
  ),
)
