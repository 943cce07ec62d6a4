/**
 * What home alone reads in a message before anything else: conditions on its own rows, whether a day is free, and questions
 * about an event that was shown or is over, of which only the time is a field. Pure. Must not be bundled for the edge. Passed to
 * the reader of messages.
 */
import { type Moment, readDates } from '../../dates/read.ts'
import { TOOL_PHRASES } from '../../tools/registered.ts'
import { asksBesides, sidesOf } from '../learned/asks-besides.ts'
import { WRITES } from '../learned/classes.ts'
import { CORRECTS, isAside } from '../learned/remark.ts'
import { readOwnWatch } from '../timed/watch-own.ts'
import { askedOfSelf, asksOfAbility } from './asked-of-self.ts'
import { fieldsAt } from './message.ts'
import { asksClash, lastAskedIn } from './message-event.ts'
import { coreOf } from './message-intent.ts'
import { NO_REQUEST } from './message-open.ts'
import { type Fields, timeFields } from './message-taken.ts'

const IT = '(?:it|that|this|(?:the|that|this) (?:event|meeting|appointment|one))'
const ES = '(?:der|das|die|es|er|sie|(?:der|dieser) termin)'
const OF_IT = new RegExp(
  `^(?:(?:and|und|ok|okay),? )?(?:${[
    `how long (?:is|does|will|was) ${IT}(?: take| last| go| be| run)?(?: for)?`,
    `where(?: is|'s|s| does| will) ${IT}(?: take place| happen| happening| be| held)?`,
    `what(?: is|'s) the (?:place|location|address)(?: of ${IT})?`,
    `(?:when|what time) (?:is|does|will) ${IT}(?: start| begin| end| over| finish| be over)?`,
    `wie lang(?:e)? (?:dauert|geht|ist|läuft) ${ES}(?: denn| eigentlich| noch)*`,
    `wo (?:ist|findet|war) ${ES}(?: denn| eigentlich| statt| noch ?mal)*`,
    `(?:wann|um wie viel uhr|bis wann) (?:ist|beginnt|endet|geht|fängt|hört) ${ES}(?: denn| eigentlich| an| auf| los| noch ?mal)*`,
  ].join('|')})[?.!\\s]*$`,
  'iu',
)

/** "How long is it", "wo ist das?": of the one that was shown last. */
export function asksOfShown(request: string): boolean {
  return OF_IT.test(request.trim())
}

const IS_FREE =
  /^(?:(?:and|ok),? )?is (?<when>\S.{1,40}?) (?:still |all |completely )?free(?: (?:for me|at all))?[?.!\s]*$/iu
const BEGINS = /^(?:on|at|today|tomorrow|tonight|this|next|the)(?!\p{L})/iu

export function asksOfFree(request: string): boolean {
  return IS_FREE.test(request.trim())
}

/** "Is sat free": of the owner's free time, as it is asked for in other words. */
function ofFreeDay(core: string, moment: Moment): Fields | null {
  const when = IS_FREE.exec(core.trim())?.groups?.['when'] ?? ''
  const on = BEGINS.test(when) ? when : `on ${when}`
  const { span, rest } = readDates(on, moment)
  return when === '' || span === null || /[\p{L}\d]{3}/u.test(rest)
    ? null
    : fieldsAt(`am i free ${on}`, moment)
}

const GOES_ON =
  '(?:(?:ok(?:ay)?|good|gut),? )?(?:and |und |then |dann |(?:and )?(?:what|how) about |(?:und )?was ist mit )*(?:on |am |an |dem |den |der |the )*'
const DAY_AFTER = new RegExp(
  `^${GOES_ON}(?:(?:next )?day after(?: that| this| it)?|(?:following|next) day|one after(?: that)?|tage? (?:danach|darauf)|tags darauf|(?:nächste[nr]?|folgende[nr]?) tag|(?:de[nr] )?danach)[\\s?.!]*$`,
  'iu',
)
const DAY_BEFORE = new RegExp(
  `^${GOES_ON}(?:day before(?: that| this| it)?|(?:previous) day|tage? davor|tag vorher|tags zuvor|vorherige[nr]? tag)[\\s?.!]*$`,
  'iu',
)

/** "And the day after?": how many days from the one that was looked at; null for any other message. */
export function dayBeside(request: string): number | null {
  const text = request.trim()
  return DAY_AFTER.test(text) ? 1 : DAY_BEFORE.test(text) ? -1 : null
}

/** Null for any other message. */
export function readAtHome(core: string, moment: Moment): Fields | null {
  // Which day that is depends on what was shown.
  if (dayBeside(core) !== null || askedOfSelf(core) !== null) return NO_REQUEST
  if (asksOfAbility(core)) return { ...NO_REQUEST, intent: 'help', whole: true }
  const watch = readOwnWatch(core, moment) ?? ofFreeDay(core, moment)
  const look = watch === null ? lookBesides(core, moment) : null
  if (look !== null) return look
  if (watch !== null || !(asksOfShown(core) || asksClash(core) || lastAskedIn(core) !== null)) return watch
  return { ...NO_REQUEST, ...timeFields(readDates(coreOf(core).text, moment).span, moment) }
}

/**
 * Of a message with two clauses, the one that looks: "what's on tomorrow, ping tom that I am late", "what's on tomorrow, I am so tired". The words
 * of the other are no name of what is looked for. Null for any other message.
 */
function lookBesides(core: string, moment: Moment): Fields | null {
  for (const [clause, rest] of sidesOf(core)) {
    const other = core.slice(clause.from, clause.to).trim()
    const asks = asksBesides(other, moment)
    if (!asks && !isRemark(other, moment)) continue
    const fields = fieldsAt(core.slice(rest.from, rest.to), moment)
    const { intent, whole, learned } = fields
    if (!isLook(intent) || (whole !== true && learned !== true)) continue
    // A message that is read as two requests is planned from its words.
    if (![intent, 'chat'].includes(fieldsAt(core, moment)['intent'])) return null
    return asks ? { ...fields, whole: false, learned: false } : fields
  }
  return null
}

/** What only tells something, or is small talk as a whole. */
function isRemark(text: string, moment: Moment): boolean {
  return (isAside(text) && !CORRECTS.test(text)) || fieldsAt(text, moment)['intent'] === 'chat'
}

/** Whether a tool's own plan answers a request of this intent, by reads alone. */
function isLook(intent: unknown): boolean {
  const asked = TOOL_PHRASES.flatMap(({ asks }) => asks).filter((one) => one.intent === intent)
  return asked.length > 0 && asked.every(({ plan }) => plan.every(({ tool }) => !WRITES.has(String(tool))))
}
