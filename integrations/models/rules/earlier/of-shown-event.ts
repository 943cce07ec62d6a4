/**
 * Plans what is said of the event or the day that was shown last in words that name neither: the day after it, that it is off, where it
 * is and how long. Must not change an event while a card about one waits. Passed to the planner by home.
 */
import type { Json } from '../../../../kernel/flow/json.ts'
import type { PromptParts } from '../../../../kernel/prompt/parts.ts'
import type { Argument, Plan } from '../../../../kernel/task/plan.ts'
import { minutesOf } from '../../../dates/lengths.ts'
import { readDates } from '../../../dates/read.ts'
import { dayBeside } from '../../../extractors/message/message-at-home.ts'
import { TOOL_PHRASES } from '../../../tools/registered.ts'
import { fieldOf, itemsOf, textOf } from '../answers/content.ts'
import { plannedAs } from '../parts/said-as.ts'
import { momentOf } from '../several.ts'
import { call, ref, steps } from '../steps.ts'
import { dayShown } from './follow-day.ts'
import { isAside, resultsOf } from './shown.ts'

/** UTF-16 units: requests are short. */
const LONGEST = 120

/** Null for any other message, and where nothing was shown that it could be of. */
export function ofShownEvent(parts: PromptParts): Plan | null {
  if (parts.request.length > LONGEST) return null
  return nextDay(parts) ?? cancelled(parts) ?? placed(parts) ?? lasting(parts)
}

const LOOKS: ReadonlySet<string> = new Set(['calendar.list_events', 'calendar.freebusy'])

/** "And the day after?": counted from the day that was looked at, by its rows or by the words that asked for it. */
function nextDay(parts: PromptParts): Plan | null {
  const by = dayBeside(parts.request)
  const last = parts.metadata.find(({ root }) => root === 'w1')
  const day = by === null ? null : (dayShown(parts) ?? askedDay(parts))
  if (by === null || day === null || last === undefined || !LOOKS.has(last.action)) return null
  const { zone } = momentOf(parts)
  const at = (days: number): string => zone.iso(zone.instantOf(day + days, 0))
  return steps(call('s1', last.action, { from: at(by), to: at(by + 1) }))
}

/** The one day that the request before named; null where it named none, or several. */
function askedDay(parts: PromptParts): number | null {
  const moment = momentOf(parts)
  const { span } = readDates(parts.history.at(-1) ?? '', moment)
  if (span === null) return null
  const day = moment.zone.dayOf(span.from)
  return moment.zone.dayOf(span.to - 1) === day ? day : null
}

const EVENTS = TOOL_PHRASES.flatMap(({ asks }) => asks).find(({ picks }) => picks !== undefined)?.picks
const CARD = /^q\d+$/
const REMINDS = /^reminder\./

export interface ShownEvent {
  readonly path: string
  readonly row: Json
}

/**
 * The one event that was shown or changed last; null where something else was since, or a card about one waits. `besides`: a reminder
 * that was set since has no place and no length.
 */
export function shownEvent({ metadata }: PromptParts, besides: RegExp | null): ShownEvent | null {
  const waits = metadata.some(({ root, action }) => CARD.test(root) && action.startsWith('calendar.'))
  if (EVENTS === undefined || waits) return null
  const { talked, list } = EVENTS
  const last = resultsOf(list, metadata).find(
    ({ action }) => !isAside(action) && besides?.test(action) !== true,
  )
  if (last === undefined || !last.action.startsWith('calendar.')) return null
  const rows = talked[last.action] ?? null
  if (rows === null && fieldOf(last.fields, 'id') === undefined) return null
  if (rows === null) return { path: last.root, row: last.fields }
  const [row, ...others] = itemsOf(fieldOf(last.fields, rows), 'items')
  return row === undefined || others.length > 0 ? null : { path: `${last.root}.${rows}[0]`, row }
}

function changed(one: ShownEvent, id: string, more: Readonly<Record<string, Argument>>) {
  return call(id, 'calendar.update_event', { ...idOf(one), ...more })
}

/** What was booked into the first calendar says none. */
export function idOf({ path, row }: ShownEvent): Readonly<Record<string, Argument>> {
  const isIn = (fieldOf(row, 'calendarId') ?? null) !== null
  return { id: ref(`${path}.id`), ...(isIn && { calendar: ref(`${path}.calendarId`) }) }
}

const LEAD = '^(?:(?:ok(?:ay)?|and|und|please|bitte|then|dann|no|nein|actually|doch|ach|oh),? )*'
const IT = '(?:it|that|this|that one|this one|the (?:event|meeting|appointment))'
const IHN = '(?:ihn|sie|es|das|den|die|(?:den|diesen) termin)'
const TAIL = '(?:,? (?:please|bitte|then|dann|again|wieder|doch|off|for me|after all|actually))*[\\s.!]*$'
const CANCELS = [
  `(?:cancel|scrap|drop|skip|delete|call off|bin) ${IT}`,
  `call ${IT} off`,
  `(?:sage?|blase?) ${IHN}(?: bitte| wieder| doch)* ab`,
  `(?:lösch|storniere?|streich|cancel)e? ${IHN}`,
  `(?:${IT}|it['’]s|that['’]s)(?: is| has been)? (?:off|cancel+ed|called off|not happening)`,
  `(?:der|die|das|er|sie|es) (?:fällt|fallen) (?:doch )?aus`,
].map((source) => new RegExp(`${LEAD}${source}${TAIL}`, 'iu'))

/** "Sag ihn ab": the event that was shown, after its card. What was booked last is taken back by its own sentence. */
function cancelled(parts: PromptParts): Plan | null {
  if (!CANCELS.some((pattern) => pattern.test(parts.request.trim()))) return null
  const one = shownEvent(parts, null)
  return one === null ? null : steps(call('s1', 'calendar.delete_event', idOf(one)))
}

const PLACES = [
  '(?:set|change|put|make) (?:the|its) (?:place|location|venue) (?:to|as) (?<place>\\S.{0,60}?)',
  '(?:the|its) (?:place|location|venue) is (?<place>\\S.{0,60}?)',
  `(?:${IT} (?:is|takes place|happens)|it['’]s|that['’]s) (?:at|in) (?<place>\\S.{0,60}?),? (?:(?:please )?(?:add|note|put) (?:that|it|this)(?: in| down| to it)?)`,
  `(?:add|note|put in) that (?:it['’]s|it is|it takes place) (?:at|in) (?<place>\\S.{0,60}?)`,
  '(?:setz|setze|änder|ändere|leg|lege) (?:den|seinen|ihren) ort (?:auf|in|fest auf) (?<place>\\S.{0,60}?)',
  '(?:der|sein|ihr) ort ist (?<place>\\S.{0,60}?)',
  '(?:(?:er|sie|es|das|der|die) (?:ist|findet) )?(?:in|im|beim?) (?:der |dem )?(?<place>\\S.{0,60}?)(?: statt)?,? (?:schreib|trag|notier|füg|setz)e? (?:das|es)(?: bitte| noch)* (?:dazu|ein|hinzu|rein)',
].map((source) => new RegExp(`${LEAD}${source}${TAIL}`, 'iu'))

function placeSaid(request: string): string | undefined {
  return PLACES.map((pattern) => pattern.exec(request.trim())?.groups?.['place']).find(
    (found) => found !== undefined,
  )
}

/** The same of an event on a card that waits, which that changes. Null for any other message, and where none waits. */
export function ofWaitingEvent(parts: PromptParts, planOf: (parts: PromptParts) => Plan): Plan | null {
  const waits = parts.metadata.some(({ root, action }) => CARD.test(root) && action.startsWith('calendar.'))
  const place = waits && parts.request.length <= LONGEST ? placeSaid(parts.request) : undefined
  const plan = place === undefined ? null : plannedAs(`location: ${place}`, parts, planOf)
  return plan !== null && plan.steps.length > 0 ? plan : null
}

/** "Set the place to the school hall", as it was typed. */
function placed(parts: PromptParts): Plan | null {
  const { request } = parts
  const place = placeSaid(request)
  const at = place === undefined ? -1 : request.lastIndexOf(place)
  const one = at < 0 ? null : shownEvent(parts, REMINDS)
  return place === undefined || one === null
    ? null
    : steps(changed(one, 's1', { location: ref(`said.words[${at}][${at + place.length}]`) }))
}

const LENGTHS = [
  `(?:make|set|let) ${IT} (?:last |take |to |go on for )*(?<length>\\S.{0,30}?)(?: long)?`,
  `(?:it|that|this)(?:['’]ll| will)? (?:lasts?|takes?|goes on)(?: for)? (?<length>\\S.{0,30}?)`,
  `mache? (?:es|ihn|sie|das|daraus) (?<length>\\S.{0,30}?)(?: lang)?`,
  '(?:er|sie|es|das|der|die) (?:dauert|geht) (?<length>\\S.{0,30}?)',
].map((source) => new RegExp(`${LEAD}${source}${TAIL}`, 'iu'))

/** "Make it 90 min": from where it begins. */
function lasting(parts: PromptParts): Plan | null {
  const length = LENGTHS.map((pattern) => pattern.exec(parts.request.trim())?.groups?.['length']).find(
    (found) => found !== undefined,
  )
  const minutes = length === undefined ? null : minutesOf(length)
  const one = minutes === null || minutes <= 0 ? null : shownEvent(parts, REMINDS)
  if (one === null || minutes === null || textOf(one.row, 'from') === '') return null
  const of = [ref(`${one.path}.from`), minutes]
  return steps(
    { id: 's1', do: 'compute', op: 'shift', unit: 'minutes', of } as unknown as Plan['steps'][number],
    changed(one, 's2', { to: ref('s1') }),
  )
}
