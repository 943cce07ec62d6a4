/**
 * Repetitions with two readings, as the sentences that say each: "every second Friday" is every two weeks or one Friday of a month, "mon, wed and fri" is
 * of every week or of this one. Pure; must not choose. Called by the rules planner, which offers both.
 */
import { listOfDays } from './days-of-week.ts'

/** The same message in the words of one reading; of several days that come once, a message for each. */
export type WayMeant = readonly string[]

const DAY = '(?:mon|tues|wednes|thurs|fri|satur|sun)day'
const TAG = '(?:(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|sonnabend)'
const PLACES: readonly (readonly [RegExp, string, string, number])[] = [
  [/^(?:second|2nd|zweite[nrs]?|2\.)$/iu, 'second', 'zweiten', 2],
  [/^(?:third|3rd|dritte[nrs]?|3\.)$/iu, 'third', 'dritten', 3],
  [/^(?:fourth|4th|vierte[nrs]?|4\.)$/iu, 'fourth', 'vierten', 4],
]
const EVERY_NTH = new RegExp(
  `(?<!\\p{L})(?:on )?(?:every|each) (?<place>second|third|fourth|2nd|3rd|4th) (?<day>${DAY})s?(?!\\p{L})(?! (?:of|in) )`,
  'iu',
)
const JEDEN_NTEN = new RegExp(
  `(?<!\\p{L})(?:an )?jede[nrm] (?<place>zweiten|dritten|vierten|[234]\\.) (?<day>${TAG})(?!\\p{L})(?! (?:im|des|eines) monat)`,
  'iu',
)
const TAGE = new RegExp(`(?<!\\p{L})(?:am )?(?<list>${TAG}(?:(?:, ?| und |, und )${TAG})+)(?!\\p{L})`, 'iu')

/** Both readings; null for a message with one. */
export function waysMeant(text: string): readonly [WayMeant, WayMeant] | null {
  const nth = EVERY_NTH.exec(text)
  const nten = nth ?? JEDEN_NTEN.exec(text)
  if (nten !== null) {
    const { place = '', day = '' } = nten.groups ?? {}
    const [, english = '', german = '', count = 0] = PLACES.find(([one]) => one.test(place)) ?? []
    const as = withWords(text, nten)
    return nth === null
      ? [[as(`alle ${count} Wochen am ${day}`)], [as(`jeden Monat am ${german} ${day}`)]]
      : [[as(`every ${count} weeks on ${day}`)], [as(`every month on the ${english} ${day}`)]]
  }
  const tage = TAGE.exec(text)
  if (tage !== null) {
    const list = tage.groups?.['list'] ?? ''
    const as = withWords(text, tage)
    const days = list.split(/, ?(?:und )?| und /iu).filter((one) => one !== '')
    return [[as(`jeden ${list}`)], days.map((one) => as(`am ${one}`))]
  }
  const listed = listOfDays(text)
  return listed === null
    ? null
    : [
        [withWords(text, listed)(`every ${listed.list}`)],
        listed.days.map((one) => withWords(text, listed)(`on ${one}`)),
      ]
}

interface Found {
  readonly index: number
  readonly 0: string
}

/** The message with other words in place of what was found. */
function withWords(text: string, found: Found): (words: string) => string {
  return (words) => `${text.slice(0, found.index)}${words}${text.slice(found.index + found[0].length)}`
}
