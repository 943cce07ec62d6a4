/**
 * Plans a reminder of the event that was just booked or changed: "und erinner mich um halb 6 dran", "remind me an hour before".
 * Its title and start are fields of the event. Must not change an event. Called by of-event.ts, at home alone, where calendars
 * are.
 */
import type { Json } from '../../../../kernel/flow/json.ts'
import type { PromptParts } from '../../../../kernel/prompt/parts.ts'
import type { Plan } from '../../../../kernel/task/plan.ts'
import { readDates } from '../../../dates/read.ts'
import { DAY, MINUTE } from '../../../dates/zone.ts'
import { fieldOf, textOf } from '../answers/content.ts'
import { saidOf, typedOf } from '../said.ts'
import { momentOf } from '../several.ts'
import { call, ref, steps } from '../steps.ts'
import { LENGTH_BEFORE, lengthIn } from './ahead.ts'

/** Points at what was booked, and names nothing of its own. */
const OF_IT = /^(?:it|that|this|this one|dran|daran|davon)$/iu
/** "And remind me at 5": nothing else is left to be reminded of. */
const GOES_ON = /^(?:and|und|plus)(?!\p{L})/iu
/** A day of its own, or a length of time from now on. */
const OWN_DAY =
  /(?<!\p{L})(?:today|tonight|tomorrow|heute?|morgen|übermorgen|\p{L}+days?|mittwoch|\p{L}+tag|\p{L}*woche|weeks?|in (?:\d|an?|half|eine[rm]?|\p{L}+ (?:min|hour|stund|minut)))(?!\p{L})|\d{1,2}\. ?(?:\d|\p{L}{3,})|\d(?:st|nd|rd|th)(?!\p{L})/iu
const HALF_A_DAY = DAY / 2

/** A look at the event that was booked, changed or shown last. */
function eventOf({ metadata }: PromptParts) {
  const fields = (metadata.find(({ root }) => root === 'w1')?.fields ?? null) as Json
  const isElsewhere = (fieldOf(fields, 'calendarId') ?? null) !== null
  const calendar = isElsewhere ? { calendar: ref('w1.calendarId') } : {}
  return call('s1', 'calendar.read_event', { id: ref('w1.id'), ...calendar })
}

/**
 * "And remind me of it at half 5", right after an event was booked, changed or shown: of that event, and on its day where none
 * is said.
 */
export function ofBooked(parts: PromptParts): Plan | null {
  const said = saidOf(parts)
  const last = parts.metadata.find(({ root }) => root === 'w1')
  if (!/^calendar\.(?:read|create|update)_event$/.test(last?.action ?? '') || !said.has('from')) return null
  if (said.intent !== 'reminder_set') return null
  if (said.repeat !== '' || !parts.tools.some(({ id }) => id === 'calendar.read_event')) return null
  const { topic } = typedOf(parts)
  const isOfIt = said.has('topic') ? OF_IT.test(topic.trim()) : GOES_ON.test(parts.request.trim())
  const start = Date.parse(textOf(last?.fields as Json, 'from'))
  const { span } = readDates(parts.request, momentOf(parts))
  if (!isOfIt || Number.isNaN(start) || span === null) return null
  const event = eventOf(parts)
  const set = (due: string) =>
    call(due === 'said.from' ? 's2' : 's3', 'reminder.set', { text: ref('s1.title'), due: ref(due) })
  if (span.named !== 'time' || OWN_DAY.test(parts.request)) return steps(event, set('said.from'))
  const { zone } = momentOf(parts)
  const [clock, before] = [zone.wallOf(span.from) % DAY, zone.wallOf(start) % DAY]
  // Of both halves of the day the one before the event.
  const at =
    clock >= before && clock - HALF_A_DAY > 0 && clock - HALF_A_DAY < before ? clock - HALF_A_DAY : clock
  const ofDay = zone.iso(zone.instantOf(zone.dayOf(span.from), Math.floor(at / MINUTE)))
  return steps(event, { id: 's2', do: 'compute', op: 'on_day', of: [ofDay, ref('w1.from')] }, set('s2'))
}

const TOLD_BEFORE: readonly RegExp[] = [
  `(?:(?:and|please),? )*(?:remind|nudge|ping) me (?:(?:of|about) (?:it|that) )?${LENGTH_BEFORE} (?:before(?:hand)?|earlier|ahead|in advance|prior)(?: (?:it|that))?(?:,? please)?`,
  `(?:(?:und|bitte),? )*erinner(?:e)? mich (?:(?:bitte|daran|dran) )*${LENGTH_BEFORE} (?:vorher|davor|zuvor|vorab|früher)(?: (?:bitte|dran|daran))*`,
].map((pattern) => new RegExp(`^${pattern}[\\s.!]*$`, 'iu'))
const [MORNING, EVENING] = [9 * 60, 20 * 60]

/** "Erinner mich eine Stunde vorher", right after an event was booked, changed or shown; null for any other message. */
export function beforeIt(parts: PromptParts): Plan | null {
  const found = TOLD_BEFORE.map((one) => one.exec(parts.request)?.groups).find((one) => one !== undefined)
  const length = found === undefined ? null : lengthIn(found)
  const last = parts.metadata.find(({ root }) => root === 'w1')?.action ?? ''
  if (length === null || !/^calendar\.(?:read|create|update)_event$/.test(last)) return null
  const { zone, now } = momentOf(parts)
  const isDays = length.before % DAY === 0
  const by = isDays ? length.before / DAY : length.before / MINUTE
  const clock = zone.iso(zone.instantOf(zone.dayOf(now), length.evening ? EVENING : MORNING))
  return steps(
    eventOf(parts),
    { id: 's2', do: 'compute', op: 'shift', of: [ref('s1.from'), -by], unit: isDays ? 'days' : 'minutes' },
    ...(isDays ? [{ id: 's3', do: 'compute' as const, op: 'on_day' as const, of: [clock, ref('s2')] }] : []),
    call(isDays ? 's4' : 's3', 'reminder.set', {
      ...{ text: ref('s1.title'), due: ref(isDays ? 's3' : 's2') },
    }),
  )
}
