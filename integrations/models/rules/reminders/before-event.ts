/**
 * Plans a reminder before an event: "remind me half an hour before the dentist", "remind me to pack the day
 * before Sarah's party". The event is found by its words, and its start is a field of it. Must not read an
 * event. Called by planner.ts.
 */
import type { PromptParts } from '../../../../kernel/prompt/parts.ts'
import type { Plan } from '../../../../kernel/task/plan.ts'
import { readDates } from '../../../dates/read.ts'
import { DAY, MINUTE } from '../../../dates/zone.ts'
import { momentOf } from '../several.ts'
import { call, ref, steps } from '../steps.ts'
import { LENGTH_BEFORE, lengthIn } from './ahead.ts'

/** UTF-16 units: requests are short. */
const MOST = 200
/** Days in which the event is looked for: as far as one look at a calendar goes. */
const WITHIN = 60
/** The event is asked for by its words: more of them are a sentence. */
const EVENT = "(?<event>[\\p{L}\\p{N}][\\p{L}\\p{N}&.'’/-]*(?: [\\p{L}\\p{N}&.'’/-]+){0,5}?)"
const STARTS = '(?: (?:starts|begins|beginnt|anfängt|losgeht))?'
const ENGLISH: readonly RegExp[] = [
  `(?:to|about|of) (?<topic>\\S.{1,150}?),? ${LENGTH_BEFORE} (?:before|ahead of|prior to) ${EVENT}${STARTS}`,
  `(?:about (?=the |my ))?${LENGTH_BEFORE} (?:before|ahead of|prior to) ${EVENT}${STARTS}(?:,? (?:to|about) (?<topic>\\S.{1,150}))?`,
].map(
  (body) =>
    new RegExp(
      `^(?:(?:please|pls|and|can you|could you) )*(?:remind|nudge|ping|prod|warn) me ${body}(?:,? please)?[\\s.!?]*$`,
      'isu',
    ),
)
const GERMAN: readonly RegExp[] = [
  `${LENGTH_BEFORE} vor (?:(?:dem|der|den|meine[mnr]|unsere[mnr]) )?${EVENT}(?:,? (?:an|ans|daran,?) (?<topic>\\S.{1,150}))?`,
  `(?:an|ans) (?<topic>\\S.{1,150}?),? ${LENGTH_BEFORE} vor (?:(?:dem|der|den|meine[mnr]|unsere[mnr]) )?${EVENT}`,
].map(
  (body) =>
    new RegExp(
      `^(?:(?:bitte|und|kannst du|könntest du) )*(?:erinner(?:e|st du)? )?mich (?:bitte )?${body}(?: (?:bitte|erinnern))*[\\s.!?]*$`,
      'isu',
    ),
)
/** Words before an event that are no part of its name. */
const ARTICLE = /^(?:the|my|our|a|an|that|this|die|der|das|mein\p{L}*|unser\p{L}*)\s+/iu
/**
 * What is no event of a calendar: somebody who does something, a pointer, one of several that only a look
 * tells apart, two of them.
 */
const UNKNOWN =
  /^(?:i|we|he|she|they|you|it|that|this|them|ich|wir|er|sie|du|es|das|dem|then|bed|sunset|sunrise|dawn|dusk|midnight|noon|work|each|every|all|any|jede\p{L}*|alle\p{L}*)(?!\p{L})|(?<!\p{L})(?:next|last|first|second|nächste\p{L}*|letzte\p{L}*|and|und|or|oder|i|we|ich|wir|(?:is|are|was|has|have|gets|comes|leaves|arrives|ends|closes|ist|hat|kommt|geht|endet|schließt))(?!\p{L})/iu
const MORNING = 9 * 60
const EVENING = 20 * 60

/** Null for any other message, and where the event is named by a time or not at all. */
export function beforeEvent(parts: PromptParts, offered: ReadonlySet<string>): Plan | null {
  const { request } = parts
  if (request.length > MOST || !offered.has('calendar.list_events') || !offered.has('reminder.set'))
    return null
  const found = [...ENGLISH, ...GERMAN]
    .map((pattern) => pattern.exec(request)?.groups)
    .find((one) => one !== undefined)
  const length = found === undefined ? null : lengthIn(found)
  const event = (found?.['event'] ?? '').replace(ARTICLE, '').trim()
  const moment = momentOf(parts)
  const isTime = (words: string): boolean => readDates(words, moment).span !== null
  if (length === null || event === '' || UNKNOWN.test(event) || isTime(event)) return null
  const topic = found?.['topic']?.trim() ?? event
  // "To pack on Friday" has a time of its own.
  if (topic !== event && isTime(topic)) return null
  const { now, zone } = moment
  const text = topic
  const span = { from: zone.iso(now), to: zone.iso(now + WITHIN * DAY) }
  const isDays = length.before % DAY === 0
  const by = isDays ? length.before / DAY : length.before / MINUTE
  const today = Math.floor(zone.wallOf(now) / DAY)
  const clock = zone.iso(zone.instantOf(today, length.evening ? EVENING : MORNING))
  return steps(
    call('s1', 'calendar.list_events', span),
    { id: 's2', do: 'select', from: 's1.events', matching: event, take: 'one' },
    { id: 's3', do: 'compute', op: 'shift', of: [ref('s2.from'), -by], unit: isDays ? 'days' : 'minutes' },
    ...(isDays ? [{ id: 's4', do: 'compute' as const, op: 'on_day' as const, of: [clock, ref('s3')] }] : []),
    call(isDays ? 's5' : 's4', 'reminder.set', { text, due: ref(isDays ? 's4' : 's3') }),
  )
}
