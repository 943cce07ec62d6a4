/**
 * Plans an appointment with a reminder before it: "dentist on the 14th at 3.40, and remind me the day
 * before". Must not read the appointment. Called by planner.ts.
 */
import type { Json } from '../../../../kernel/flow/json.ts'
import type { Plan } from '../../../../kernel/task/plan.ts'
import { numberIn } from '../../../dates/read.ts'
import { DAY, MINUTE, type Zone } from '../../../dates/zone.ts'
import { inOrder } from '../several.ts'
import { call, steps } from '../steps.ts'

/** UTF-16 units: requests are short. */
const MOST = 300
const COUNT =
  '\\d{1,3}|an?|half an?|one|two|three|four|five|six|eight|ten|fifteen|twenty|thirty|eine[nmr]?|(?:eine )?halbe|zwei|drei|vier|fünf|sechs|acht|zehn|fünfzehn|zwanzig|dreißig'
const UNIT =
  'minutes?|mins?|min|minuten?|hours?|hrs?|h|stunden?|days?|d|tag(?:e|en)?|weeks?|wks?|wochen?|fortnight'
/** How long before something, in named groups. */
export const LENGTH_BEFORE = `(?:(?<count>${COUNT}) ?(?<unit>${UNIT})|(?:the|am) (?<day>day|night|evening|tag|abend))`
const TOLD =
  '(?:remind me|tell me|nudge me|ping me|prod me|shout|reminder|(?:give|gimme|send) (?:me )?a (?:shout|nudge|reminder|heads[- ]?up)|warn me)(?: (?:about|of) (?:it|that))?'
const ENGLISH = new RegExp(
  `^(?<first>\\S.*?)(?:[,.;:+&–-]+\\s*|\\s(?=(?:and|plus) ))(?:(?:and|then|please|pls|also|plus) )*${TOLD} ${LENGTH_BEFORE} (?:before(?:hand)?|earlier|ahead|in advance|prior)(?<why> (?:so|as|because|cos)\\b(?:(?! and | then | also )[^.,;?!]){0,60})?[\\s.!]*$`,
  'is',
)
const GERMAN = new RegExp(
  `^(?<first>\\S.*?)(?:[,.;:+&–-]+\\s*|\\s(?=und ))(?:(?:und|dann|bitte|auch) )*(?:erinner[en]? (?:sie )?(?:mich|bitte|auch| )*|(?:mich )?)${LENGTH_BEFORE} (?:vorher|davor|zuvor|vorab|früher)(?<why>(?: (?:bitte|dran|daran|nochmal|erinnern|dran erinnern|daran erinnern))*)[\\s.!]*$`,
  'isu',
)
const GERMAN_NUMBERS: Readonly<Record<string, number>> = {
  ...{ zwei: 2, drei: 3, vier: 4, fünf: 5, sechs: 6, acht: 8, zehn: 10 },
  ...{ fünfzehn: 15, zwanzig: 20, dreißig: 30 },
}
const LENGTHS: readonly (readonly [RegExp, number])[] = [
  [/^(?:min|m)/i, 60_000],
  [/^(?:h|st)/i, 3_600_000],
  [/^(?:d|t)/i, 86_400_000],
  [/^(?:w)/i, 7 * 86_400_000],
  [/^fort/i, 14 * 86_400_000],
]

/** Not to be reminded, or told of somebody else's reminder. */
const REFUSED = /(?<!\p{L})(?:don'?t|do not|no need|never|not|told|nicht|kein\p{L}*)(?!\p{L})/iu
/** An evening, in milliseconds after midnight, and the morning of a reminder of a whole day. */
const [EVENING, MORNING] = [20 * 60 * MINUTE, 9 * 60 * MINUTE]
/**
 * A reminder before something, whether or not its length can be read; in German behind it. "Before 3" and
 * "before noon" are times by themselves.
 */
const ASKED = new RegExp(
  [
    `(?<!\\p{L})(?:remind me|nudge me|ping me|reminder)\\b[^.;?!]{0,60}?\\b(?:(?:${COUNT})[ -]?(?:${UNIT})|(?:the |a )?(?:day|night|evening|week)) (?:before(?:hand)?|prior|in advance|ahead)(?!\\p{L})`,
    "[,.;&+] ?(?:(?:and|please|also|don't|dont|do not|no need to) )*(?:remind|nudge|ping|shout|reminder)\\b.{0,40}(?:before|beforehand)[\\s.!]*$",
    '(?<!\\p{L})(?:vorher|davor)(?: (?:bitte|dran|daran|erinnern))*[\\s.!]*$',
  ].join('|'),
  'iu',
)

/** Nothing else may read such a message: its length would be a title, or a time. */
export function asksAhead(text: string): boolean {
  return text.length <= MOST && ASKED.test(text)
}

export interface Ahead {
  /** The message without the reminder. */
  readonly first: string
  /** Milliseconds before the appointment. */
  readonly before: number
  /** In the evening, whenever the appointment is. */
  readonly evening: boolean
}

export function aheadIn(text: string): Ahead | null {
  if (text.length > MOST) return null
  const found = (ENGLISH.exec(text) ?? GERMAN.exec(text))?.groups
  const length = found === undefined ? null : lengthIn(found)
  const first = found?.['first'] ?? ''
  return length === null || REFUSED.test(first) ? null : { first, ...length }
}

/** Of the groups of `LENGTH_BEFORE`; null for none. */
export function lengthIn(groups: Readonly<Record<string, string | undefined>>): Omit<Ahead, 'first'> | null {
  const { count = 'a', unit = 'day', day = '' } = groups
  const each = LENGTHS.find(([pattern]) => pattern.test(unit))?.[1]
  if (each === undefined) return null
  const many = /^(?:half|halbe|eine halbe)/i.test(count)
    ? 0.5
    : /^(?:an?|eine[nmr]?)$/i.test(count)
      ? 1
      : (GERMAN_NUMBERS[count.toLowerCase()] ?? numberIn(count))
  return many > 0 ? { before: many * each, evening: /^(?:night|evening|abend)$/i.test(day) } : null
}

/**
 * The appointment's plan with the reminder behind it; null if the plan makes no appointment, by the tool
 * `creates`, at a time that is known, or if the reminder would be due before `now`.
 */
export function withAhead(
  plan: Plan,
  { before, evening }: Ahead,
  creates: string,
  { now, zone }: { readonly now: number; readonly zone: Zone },
): Plan | null {
  const made = plan.steps.find((step) => step.do === 'tool' && step.tool === creates)
  const args = made?.do === 'tool' ? (made.args as Readonly<Record<string, Json>>) : {}
  const [title, from] = [args['title'], args['from']]
  // One reminder of what comes again would be of its first time alone.
  if (typeof title !== 'string' || typeof from !== 'string' || args['repeat'] !== undefined) return null
  const at = Date.parse(from)
  const wall = zone.wallOf(at) - before
  // Days before is the same time of the wall clock; who has a whole day off is told in the morning.
  const isWhole = wall % DAY === 0 && zone.wallOf(at) % DAY === 0 && isMidnight(args['to'], zone)
  const time = evening ? EVENING : isWhole ? MORNING : wall % DAY
  const due =
    before % DAY === 0 ? zone.instantOf(Math.floor(wall / DAY), Math.floor(time / MINUTE)) : at - before
  if (due <= now) return null
  return inOrder([plan, steps(call('s1', 'reminder.set', { text: title, due: zone.iso(due) }))])
}

function isMidnight(time: Json | undefined, zone: Zone): boolean {
  return typeof time === 'string' && zone.wallOf(Date.parse(time)) % DAY === 0
}
