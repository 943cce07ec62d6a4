/** Plans of reminders and list entries, and the words by which one is found. Pure. Called by planner.ts. */
import type { Json } from '../../../../kernel/flow/json.ts'
import type { PromptParts } from '../../../../kernel/prompt/parts.ts'
import type { Plan } from '../../../../kernel/task/plan.ts'
import { readDates } from '../../../dates/read.ts'
import { DAY, MINUTE } from '../../../dates/zone.ts'
import { namesPlace } from '../../../extractors/message/message-pointer.ts'
import { namedThings } from '../../../extractors/message/message-requests.ts'
import { itemsOf as itemsIn } from '../../../extractors/timed/items.ts'
import { TOOL_PHRASES } from '../../../tools/registered.ts'
import { textOf } from '../answers/content.ts'
import { shownThing } from '../earlier/shown.ts'
import { type Said, typedOf } from '../said.ts'
import { momentOf } from '../several.ts'
import { call, nothing, ref, steps } from '../steps.ts'
import type { Explanation } from '../words.ts'

/** What repeats in a way that was not understood is asked about: it must not become a single reminder. */
export function reminderPlan(said: Said, parts: PromptParts): Plan {
  if (said.repeat === 'two_ways') return nothing('repeats_two_ways')
  if (said.repeat === 'unclear') return nothing('repeats_unclear')
  const booked = ofBooked(said, parts)
  if (booked !== null) return booked
  if (!said.has('topic')) return nothing(lacking('needs_reminder', parts))
  if (!said.has('from')) return nothing(said.repeat === '' ? 'needs_time' : 'needs_day')
  const every = {
    ...(said.repeat !== '' && { repeat: ref('said.repeat') }),
    ...(said.has('count') && { every: ref('said.count') }),
  }
  const shown = shownThing(typedOf(parts).topic, parts)
  if (shown?.path === null) return nothing('reminder_thing_unknown')
  return shown === null
    ? steps(call('s1', 'reminder.set', { text: ref('said.topic'), due: ref('said.from'), ...every }))
    : steps(call('s1', 'reminder.about', { about: ref(`${shown.path}.id`), due: ref('said.from'), ...every }))
}

/** Points at what was booked, and names nothing of its own. */
const OF_IT = /^(?:it|that|this|this one|dran|daran|davon)$/iu
/** "And remind me at 5": nothing else is left to be reminded of. */
const GOES_ON = /^(?:and|und|plus)(?!\p{L})/iu
/** A day of its own, or a length of time from now on. */
const OWN_DAY =
  /(?<!\p{L})(?:today|tonight|tomorrow|heute?|morgen|übermorgen|\p{L}+days?|mittwoch|\p{L}+tag|\p{L}*woche|weeks?|in (?:\d|an?|half|eine[rm]?|\p{L}+ (?:min|hour|stund|minut)))(?!\p{L})|\d{1,2}\. ?(?:\d|\p{L}{3,})|\d(?:st|nd|rd|th)(?!\p{L})/iu
const HALF_A_DAY = DAY / 2

/** "And remind me of it at half 5", right after an event was booked or changed: of that event, and on its day where none is said. */
function ofBooked(said: Said, parts: PromptParts): Plan | null {
  const last = parts.metadata.find(({ root }) => root === 'w1')
  if (!/^calendar\.(?:create|update)_event$/.test(last?.action ?? '') || !said.has('from')) return null
  if (said.repeat !== '' || !parts.tools.some(({ id }) => id === 'calendar.read_event')) return null
  const { topic } = typedOf(parts)
  const isOfIt = said.has('topic') ? OF_IT.test(topic.trim()) : GOES_ON.test(parts.request.trim())
  const start = Date.parse(textOf(last?.fields as Json, 'from'))
  const { span } = readDates(parts.request, momentOf(parts))
  if (!isOfIt || Number.isNaN(start) || span === null) return null
  const event = call('s1', 'calendar.read_event', { id: ref('w1.id') })
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

/** What is to be kept and is not said: it may have been named by what it stands in. */
export function lacking(
  what: 'needs_fact' | 'needs_reminder' | 'needs_task',
  { request }: PromptParts,
): Explanation {
  return namesPlace(request) ? 'stands_elsewhere' : what
}

/** One step for each item, in the words of the message. */
export function tasksPlan(parts: PromptParts): Plan {
  const { topic } = typedOf(parts)
  if (topic === '') return nothing(lacking('needs_task', parts))
  const items = itemsIn(topic)
  if (items.length === 1 && items[0] === topic)
    return steps(call('s1', 'task.add', { text: ref('said.topic') }))
  return steps(...items.map((text, at) => call(`s${at + 1}`, 'task.add', { text })))
}

/** "Sarah's mail" and "the invoice mail" are found by Sarah and by the invoice. */
export function withoutThings(taken: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { owned } = namedThings(TOOL_PHRASES)
  const bare = (words: string): string => {
    const [, before = '', last = ''] = /^(.*\S)\s+(\S+)$/s.exec(words) ?? []
    return before !== '' && owned.test(last) ? bare(before.replace(/['’]s?$/, '')) : words
  }
  return Object.fromEntries(
    Object.entries(taken).map(([slot, words]) => [slot, FOUND_BY.includes(slot) ? bare(words) : words]),
  )
}

const FOUND_BY = ['who', 'what', 'sender', 'these']
