/**
 * The rules by which a text says how often something comes: every day, every second week, the third Friday, the last day of a month. Pure. Must not
 * know a time of day. Called by reminder.ts.
 */
import type { RepeatKind } from '../../../kernel/features/reminders/repeat.ts'
import { numberIn } from '../../dates/read.ts'
import { listedDays, MON_TO_FRI, severalDays } from './days-of-week.ts'
import { saysAgain, saysMoreAgain, spelt } from './repeat-words.ts'

export const DAYS = 'monday|tuesday|wednesday|thursday|friday|saturday|sunday'
const WEEK_DAYS = DAYS.split('|')
export const ORDINALS: readonly string[] =
  'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ')

/** Of a figure, or of a word that counts; null for any other. */
export function numberOf(word: string): number | null {
  const at = ORDINALS.indexOf(word.toLowerCase())
  const number = at < 0 ? numberIn(word) : at + 1
  return Number.isInteger(number) && number > 0 ? number : null
}

/** What was not understood whole: of two readings, so many times a week or a day without which, and anything else. */
export type Asked = 'two_ways' | 'which_days' | 'which_times' | 'unclear'

export function isAsked(repeat: string): repeat is Asked {
  return ASKED.some((one) => one === repeat)
}

const ASKED: readonly Asked[] = ['two_ways', 'which_days', 'which_times', 'unclear']

export interface Repeating {
  readonly repeat: RepeatKind | Asked | null
  readonly every: number | null
  /** Which of the month's such weekdays, `LAST` for the last one. */
  readonly nth: number | null
  /** The text with the words of the repetition replaced by the day that they name. */
  readonly left: string
}

type Rule = readonly [RegExp, RepeatKind | 'two_ways', (found: RegExpExecArray) => string]

/** Place of the last such weekday of a month. */
export const LAST = -1

const NTH = 'first|second|third|fourth|1st|2nd|3rd|4th'
const COUNT = '\\d{1,2}|two|three|four|five|six|eight|ten|twelve|other'
const RULES: readonly Rule[] = [
  [
    /\b(?:(?:on |at )?the )?(?:last day|end) (?:of|in) (?:every|each) month\b|\b(?:every|each) month,? (?:on |at )?the (?:last day|end)(?! of)\b|\b(?:on )?(?:every|each) last day (?:of|in) (?:the|a|every|each) month\b/i,
    'month_end',
    () => '',
  ],
  [
    new RegExp(`\\b(?:every|each) month on the (?<nth>${NTH}) (${DAYS})\\b`, 'i'),
    'monthly_weekday',
    ([, , day]) => `on ${day}`,
  ],
  [
    new RegExp(`\\b(?:on )?(?:the )?(?<nth>${NTH}) (${DAYS}) (?:of|in) (?:every|each) month\\b`, 'i'),
    'monthly_weekday',
    ([, , day]) => `on ${day}`,
  ],
  [
    new RegExp(
      `\\b(?:on )?(?:every|each) (?<nth>${NTH}) (${DAYS}) (?:of|in) (?:the|a|every|each) month\\b`,
      'i',
    ),
    'monthly_weekday',
    ([, , day]) => `on ${day}`,
  ],
  [
    new RegExp(
      `\\b(?:on )?(?:the )?last (${DAYS}) (?:of|in) (?:every|each) month\\b|\\b(?:every|each) month,? on the last (${DAYS})\\b|\\b(?:on )?(?:every|each) last (${DAYS})(?: (?:of|in) (?:the|a|every|each) month)?\\b`,
      'i',
    ),
    'last_weekday',
    ([, ...days]) => `on ${days.find((day) => day !== undefined) ?? ''}`,
  ],
  [new RegExp(`\\bevery (?:second|third|fourth|2nd|3rd|4th) (${DAYS})s?\\b`, 'i'), 'two_ways', () => ''],
  [
    /\b(?:on )?(?:every|each) (\d{1,2}(?:st|nd|rd|th))(?: (?:of|in) (?:the|a|each|every) month)?\b/i,
    'monthly',
    ([, day]) => `on the ${day}`,
  ],
  [new RegExp(`\\b(?:every|each) (?<n>${COUNT}) days?\\b`, 'i'), 'daily', () => ''],
  [new RegExp(`\\b(?:every|each) (?<n>${COUNT}) weeks?\\b`, 'i'), 'weekly', () => ''],
  [new RegExp(`\\b(?:every|each) (?<n>other) (${DAYS})s?\\b`, 'i'), 'weekly', ([, , day]) => `on ${day}`],
  [new RegExp(`\\b(?:every|each) (?<n>${COUNT}) months?\\b`, 'i'), 'monthly', () => ''],
  [/\b(?:(?:every|each|on) )?(?:week ?days?|work(?:ing)? ?days?)\b/i, 'weekdays', () => ''],
  [/\b(?:every|each) (morning|afternoon|evening|night)\b/i, 'daily', ([, part]) => `in the ${part}`],
  [/\b(?:every ?day|each day|daily)\b/i, 'daily', () => ''],
  [new RegExp(`\\b(?:every|each) (${DAYS})s?\\b`, 'i'), 'weekly', ([, day]) => `on ${day}`],
  [new RegExp(`\\bon (${DAYS})s\\b`, 'i'), 'weekly', ([, day]) => `on ${day}`],
  [/\b(?:every|each) week\b|\bweekly\b/i, 'weekly', () => ''],
  [/\b(?:of )?(?:every|each) month\b|\bmonthly\b/i, 'monthly', () => ''],
]
const SO_OFTEN =
  /(?<!\p{L})(?:twice|thrice|(?:two|three|four|five|six|\d)(?: ?x| times)|(?:zwei|drei|vier|fünf|sechs|\d ?)mal|\d ?x)(?: (?:an?|per|each|every|the|die|pro|in der|jede|am|jeden))? (?:(?<week>weeks?|woche|weekly)|days?|tag|daily|täglich)(?!\p{L})/iu

/** What a text says of coming again; `repeat` null where it says nothing. */
export function repeatIn(typed: string): Repeating {
  const said = spelt(typed)
  const listed = listedDays(said)
  if (listed !== null && !saysMoreAgain(listed.left)) {
    const { days, left } = listed
    const one = WEEK_DAYS.find((_, at) => days === 1 << at)
    if (one !== undefined) return { repeat: 'weekly', every: 1, nth: null, left: `on ${one} ${left}` }
    if (days === MON_TO_FRI) return { repeat: 'weekdays', every: 1, nth: null, left }
    return { repeat: 'on_days', every: days, nth: null, left }
  }
  for (const [pattern, repeat, day] of RULES) {
    const found = pattern.exec(said)
    if (found === null) continue
    const left = `${said.slice(0, found.index)} ${day(found)} ${said.slice(found.index + found[0].length)}`
    const word = found.groups?.['n'] ?? '1'
    const every = word.toLowerCase() === 'other' ? 2 : numberIn(word)
    const days = left.match(new RegExp(`\\b(?:${DAYS})s?\\b`, 'gi')) ?? []
    const named = numberOf((found.groups?.['nth'] ?? '').replace(/^(\d).*/, '$1'))
    const nth = repeat === 'last_weekday' ? LAST : named
    if (repeat === 'two_ways') return { repeat, every: null, nth, left }
    const isClear = !saysMoreAgain(left) && days.length <= 1 && Number.isInteger(every)
    return isClear ? { repeat, every, nth, left } : { repeat: 'unclear', every: null, nth, left }
  }
  return { repeat: askedIn(said), every: null, nth: null, left: said }
}

/** "Twice a week" says on no days, and "mon, wed and fri" is of this week or of every one. */
function askedIn(said: string): Asked | null {
  const so = SO_OFTEN.exec(said)?.groups
  if (so !== undefined && !severalDays(said)) return so['week'] === undefined ? 'which_times' : 'which_days'
  if (saysAgain(said)) return 'unclear'
  return severalDays(said) ? 'two_ways' : null
}
