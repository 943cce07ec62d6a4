/**
 * Days of the week that come again and again: "mondays and thursdays", "every mon, wed and fri", "monday to friday", "on weekends", "every day
 * except sunday". Pure. Called by reminder.ts, for reminders and jobs.
 */

/** A day of the week, also shortened: its first two letters tell which. */
const DAY =
  '(?:mon(?:days?)?|tue(?:s(?:days?)?)?|wed(?:s|nesdays?)?|thu(?:rs?(?:days?)?)?|fri(?:days?)?|sat(?:urdays?)?|sun(?:days?)?)'
const NEXT = String.raw`(?:\s*,\s*(?:and\s+)?|\s+(?:and|und|&)\s+)(?:(?:every|each|on)\s+)?`
const LIST = `${DAY}(?:${NEXT}${DAY})*`

/** One day alone repeats only as "every monday" or "mondays"; so do several. */
const EVERY = new RegExp(String.raw`\b(?:on )?(?:every|each) (?<list>${LIST})\b`, 'i')
const PLURAL = new RegExp(
  String.raw`\b(?:on )?(?<list>(?:${DAY}${NEXT})*(?:mon|tues|wednes|thurs|fri|satur|sun)days(?:${NEXT}${DAY})*)\b`,
  'i',
)
const RANGE = new RegExp(
  String.raw`\b(?:(?:on )?(?:every|each) (?:day )?)?(?:from |on )?(?<first>${DAY})(?:\s*[-–]\s*|\s+(?:to|through|thru|bis)\s+)(?<last>${DAY})\b`,
  'i',
)
const WEEKENDS = /\b(?:(?:on )?(?:every|each) weekend|(?:on|at) weekends)\b/i
const ALL_BUT = new RegExp(
  String.raw`\b(?:every ?day|each day|daily),? (?:except|but)(?: not)?(?: for)?(?: on)? (?<list>${LIST})\b`,
  'i',
)

export const ALL_DAYS = 127
export const MON_TO_FRI = 31
const SAT_AND_SUN = 96
const STARTS = ['mo', 'tu', 'we', 'th', 'fr', 'sa', 'su']

export interface ListedDays {
  /** A bit each, Monday's is 1. */
  readonly days: number
  /** The text without them. */
  readonly left: string
}

const DAY_TO_DAY = new RegExp(
  String.raw`^(?<lead>\s*(?:(?:for|on|from|every|each|day) )*)(?<first>${DAY}) (?:to|bis) (?<last>${DAY})\b`,
  'i',
)

/** `monday to friday` at the beginning as `monday-friday`: a "to" also begins what is to be said. */
export function dashed(said: string): string {
  return said.replace(DAY_TO_DAY, '$<lead>$<first>-$<last>')
}

const SEVERAL = new RegExp(String.raw`\b(?:on )?(?<list>${DAY}(?:${NEXT}${DAY})+)\b`, 'i')

/** "mon, wed and fri": of this week, or of every one. */
export function severalDays(said: string): boolean {
  return SEVERAL.test(said)
}

/** The same with where they stand, and their names one by one; null for any other text. */
export function listOfDays(said: string): {
  readonly index: number
  readonly 0: string
  readonly list: string
  readonly days: readonly string[]
} | null {
  const found = SEVERAL.exec(said)
  if (found === null) return null
  const list = found.groups?.['list'] ?? ''
  const bits = daysIn(list)
  return { index: found.index, 0: found[0], list, days: NAMES.filter((_, at) => (bits & (1 << at)) !== 0) }
}

const NAMES = 'monday tuesday wednesday thursday friday saturday sunday'.split(' ')

/** Null for any other text, also for days that do not come again. */
export function listedDays(said: string): ListedDays | null {
  const of = (list: string | undefined): number => daysIn(list ?? '')
  const readings: readonly (readonly [RegExp, (found: RegExpExecArray) => number])[] = [
    [ALL_BUT, ({ groups }) => ALL_DAYS & ~of(groups?.['list'])],
    [RANGE, ({ groups }) => daysBetween(groups?.['first'] ?? '', groups?.['last'] ?? '')],
    [WEEKENDS, () => SAT_AND_SUN],
    [EVERY, ({ groups }) => of(groups?.['list'])],
    [PLURAL, ({ groups }) => of(groups?.['list'])],
  ]
  for (const [pattern, days] of readings) {
    const found = pattern.exec(said)
    if (found === null) continue
    const left = `${said.slice(0, found.index)} ${said.slice(found.index + found[0].length)}`
    return { days: days(found), left }
  }
  return null
}

function placeOf(day: string): number {
  return STARTS.indexOf(day.slice(0, 2).toLowerCase())
}

function daysIn(list: string): number {
  const days = list.match(new RegExp(String.raw`\b${DAY}\b`, 'gi')) ?? []
  return days.reduce((all, day) => all | (1 << placeOf(day)), 0)
}

/** From one to the other, over the end of the week too. */
function daysBetween(first: string, last: string): number {
  let days = 0
  for (let at = placeOf(first); ; at = (at + 1) % STARTS.length) {
    days |= 1 << at
    if (at === placeOf(last)) return days
  }
}
