/**
 * Plans the last lookup for another day: "and tomorrow?", "was ist mit Freitag?" right after events or free
 * times were shown. The message may only name days. Pure. Called by planner.ts.
 */
import type { Json } from '../../../../kernel/flow/json.ts'
import type { PromptParts } from '../../../../kernel/prompt/parts.ts'
import type { Plan } from '../../../../kernel/task/plan.ts'
import { namesADay, readDates } from '../../../dates/read.ts'
import { DAY, MINUTE } from '../../../dates/zone.ts'
import { TOOL_PHRASES } from '../../../tools/registered.ts'
import { fieldOf, itemsOf, textOf } from '../answers/content.ts'
import { saidOf } from '../said.ts'
import { momentOf } from '../several.ts'
import { call, steps } from '../steps.ts'

/** UTF-16 units. */
const LONGEST = 60
const LEAD =
  /^(?:ok(?:ay)?,? )?(?:and(?: what(?: about|'s on| is on)?)?|what about|how about|und(?: (?:wie (?:ist|sieht) es|was (?:ist|steht|hab ich|habe ich)(?: mit)?|dann))?|(?:und )?was ist mit|wie sieht(?: es|'s)?(?: denn)?|then)(?: (?:on|for|am|an|mit|the))? (?<when>\S.*?)(?: (?:aus|an|then|dann))?[?.!\s]*$/iu
/** What may stand around a day. */
const AROUND = /^[\s,.?!]*(?:(?:on|the|am|an|den|der|die|for|für|in)[\s,.?!]*)*$/iu
const INTENTS = ['calendar_list', 'calendar_free']

/** Reads of a span of days. */
const READS: ReadonlySet<string> = new Set(
  TOOL_PHRASES.flatMap(({ asks }) => asks)
    .filter(({ intent }) => intent !== undefined && INTENTS.includes(intent))
    .flatMap(({ plan }) => plan.flatMap(({ tool }) => (typeof tool === 'string' ? [tool] : []))),
)

const READ_FREE = TOOL_PHRASES.flatMap(({ asks }) => asks)
  .filter(({ intent }) => intent === 'calendar_free')
  .map(({ plan }) => plan[0]?.['tool'])
  .find((tool) => typeof tool === 'string')

/** The day that was looked at last is meant: "wann ist da noch luft?", "am I free then?". */
const THAT_DAY = /(?<!\p{L})(?:da|dann|an dem tag|an diesem tag|then|that day|on that day)(?!\p{L})/iu
const FREE =
  /(?<!\p{L})(?:free|gap|gaps|time|slot|room|frei|luft|zeit|lücke\p{L}*|platz|was vor|termine?)(?!\p{L})/iu

export function followDay(parts: PromptParts): Plan | null {
  return otherDay(parts) ?? sameDay(parts) ?? sameDayAt(parts)
}

/** "And am I free at four?" is of the day that was looked at before; null where a day is said, or what was shown last was not of one day. */
function sameDayAt(parts: PromptParts): Plan | null {
  const { request } = parts
  const goesOn = request.length <= LONGEST && GOES_ON.test(request) && !namesADay(request)
  if (!goesOn || saidOf(parts).intent !== 'calendar_free') return null
  const moment = momentOf(parts)
  const { span } = readDates(request, moment)
  const day = dayShown(parts)
  const isOfHours = span !== null && span.to - span.from < DAY
  if (!isOfHours || day === null || READ_FREE === undefined) return null
  const { zone } = moment
  const today = zone.dayOf(span.from)
  const at = (instant: number): string =>
    zone.iso(zone.instantOf(day, (instant - zone.instantOf(today, 0)) / MINUTE))
  return steps(call('s1', READ_FREE, { from: at(span.from), to: at(span.to) }))
}

const GOES_ON = /^(?:(?:ok(?:ay)?|good|gut|super),? )?(?:and|then|und|dann)(?!\p{L})/iu

/** Null where a time is said, or what was shown last was not of one day. */
function sameDay(parts: PromptParts): Plan | null {
  const { request } = parts
  if (request.length > LONGEST || !THAT_DAY.test(request) || !FREE.test(request)) return null
  if (!/\?\s*$/.test(request) || readDates(request, momentOf(parts)).span !== null) return null
  const { zone } = momentOf(parts)
  const day = dayShown(parts)
  if (day === null || READ_FREE === undefined) return null
  return steps(
    call('s1', READ_FREE, {
      from: zone.iso(zone.instantOf(day, 0)),
      to: zone.iso(zone.instantOf(day + 1, 0)),
    }),
  )
}

/** The one day of the events or free times that were shown last; null if there is none. */
export function dayShown(parts: PromptParts): number | null {
  const last = parts.metadata.find(({ root }) => root === 'w1')
  if (last === undefined || !READS.has(last.action)) return null
  const { zone } = momentOf(parts)
  const days = new Set(
    ['events', 'slots'].flatMap((list) =>
      itemsOf(fieldOf(last.fields as Json, list), 'items').map((row) => {
        const at = Date.parse(textOf(row, 'from'))
        return Number.isNaN(at) ? null : zone.dayOf(at)
      }),
    ),
  )
  const [day, ...others] = days
  return day === undefined || others.length > 0 ? null : day
}

function otherDay(parts: PromptParts): Plan | null {
  const { request, metadata } = parts
  const when = request.length > LONGEST ? undefined : LEAD.exec(request.trim())?.groups?.['when']
  const last = metadata.find(({ root }) => root === 'w1')
  if (when === undefined || last === undefined || !READS.has(last.action)) return null
  const { span, rest, minutes } = readDates(when, momentOf(parts))
  if (span === null || minutes !== null || !AROUND.test(rest)) return null
  const { zone } = momentOf(parts)
  return steps(call('s1', last.action, { from: zone.iso(span.from), to: zone.iso(span.to) }))
}
