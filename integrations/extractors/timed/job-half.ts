/**
 * Chooses morning or evening for a job whose time does not say which, by the name of the job. Pure. Called by
 * job.ts.
 */
import type { Moment } from '../../dates/read.ts'
import type { When } from './reminder.ts'

/** The time says itself which half of the day is meant. */
const HALF =
  /[ap]\.?m(?!\p{L})|o'clock in|uhr|noon|midnight|morning|evening|night|afternoon|(?<!\d)(?:0\d|1[3-9]|2\d)(?::|\.|h|\s|$)/iu
const OF_MORNING = /^(?:the |my |a |die |das |den |mein\p{L}* )?(?:morning|früh|morgen(?=\p{L}|-))/iu
const OF_EVENING = /^(?:the |my |a |die |das |den |mein\p{L}* )?(?:evening|night|abend)/iu
const HALF_A_DAY = 43_200_000

/** A morning briefing at "half six" comes in the morning, an evening review at seven in the evening. */
function inHalfOf(
  topic: string,
  at: number,
  { when, moment }: { readonly when: string; readonly moment: Moment },
): number {
  if (HALF.test(when)) return at
  const isLate = moment.zone.wallOf(at) % (2 * HALF_A_DAY) >= HALF_A_DAY
  const isOther = isLate ? OF_MORNING.test(topic) : OF_EVENING.test(topic)
  // The weekday stays.
  return isOther ? at + (isLate ? -HALF_A_DAY : HALF_A_DAY) : at
}

export function setBy(
  topic: string,
  { repeat, every, first, timed }: When,
  { when, moment }: { readonly when: string; readonly moment: Moment },
) {
  const at = timed && first !== null ? inHalfOf(topic, first, { when, moment }) : first
  return {
    intent: 'job_set' as const,
    topic,
    at,
    repeat,
    count: every,
    ...(!timed && { untimed: true as const }),
  }
}
