/**
 * Words that say that something comes again, in English and in German: those with one meaning as the rules of reminders read them, and whether a text has
 * any at all. Must not decide what repeats, or when. Pure. Called by reminder.ts and repeat-rules.ts.
 */

const DAYS = 'monday|tuesday|wednesday|thursday|friday|saturday|sunday'
const UNIT =
  '(?:hour|day|night|morning|evening|week|weekend|fortnight|month|quarter|year|tag|nacht|morgen|abend|woche|wochenende|monat|quartal|jahr)(?:s|e|en|n)?'
const MONTHS = 'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec'
const START = String.raw`(?<![\p{L}\d-])`
const END = String.raw`(?![\p{L}\d])`
/** No attribute of a thing, as in "the yearly fee": before an article it would be one, and before a noun. */
const NO_ATTRIBUTE = String.raw`(?<!(?<!\p{L})(?:the|an?|my|our|your|his|her|their|this|that|next|last)\s)`
const NO_NOUN = String.raw`(?=\s*(?:$|[,;:.!–-]|\d|(?:${DAYS}|on|at|in|from|for|by|to|about|that|of|and|or|until|till|except|unless|starting|please|am|an|um|im|ab|daran|bis|außer)${END}))`
const ADVERB = `${START}${NO_ATTRIBUTE}(?:bi|semi|tri)?-?(?:hour|dai|night|week|fortnight|month|quarter|year|annual)ly${END}${NO_NOUN}`

/** Spellings of a repetition that has a rule. */
const SPELT: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`${START}(bi|semi|tri)[- ](?=(?:week|month|year|annual)ly${END})`, 'giu'), '$1'],
  [new RegExp(`${START}${NO_ATTRIBUTE}fortnightly${END}${NO_NOUN}`, 'giu'), 'every 2 weeks'],
  [new RegExp(`${START}(?:every|each|once (?:a|per|every|each)) fortnight${END}`, 'giu'), 'every 2 weeks'],
  [new RegExp(`${START}${NO_ATTRIBUTE}nightly${END}${NO_NOUN}`, 'giu'), 'every night'],
  [new RegExp(`${START}once (?:a|per|every|each) (day|week|month|quarter|year)${END}`, 'giu'), 'every $1'],
  [new RegExp(`${START}(?:every|each) year${END}`, 'giu'), 'every 12 months'],
  [new RegExp(`${START}${NO_ATTRIBUTE}(?:yearly|annually)${END}${NO_NOUN}`, 'giu'), 'every 12 months'],
  [new RegExp(`${START}(?:every|each) (?:other|second|2nd|two|2) years?${END}`, 'giu'), 'every 24 months'],
  [new RegExp(`${START}(?:every|each) quarter${END}`, 'giu'), 'every 3 months'],
  [new RegExp(`${START}${NO_ATTRIBUTE}quarterly${END}${NO_NOUN}`, 'giu'), 'every 3 months'],
  [new RegExp(`${START}(?:every|each) half(?:[ -]a)?[ -]year${END}`, 'giu'), 'every 6 months'],
]

const PLACES = 'first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth'
const DAY_OF = `(?<day>${PLACES}|\\d{1,2}(?:st|nd|rd|th))(?: day)?`
const OF_MONTH: readonly RegExp[] = [
  `${START}(?:on )?the ${DAY_OF} (?:of|in) (?:every|each) month${END}`,
  `${START}(?:on )?(?:every|each) ${DAY_OF} (?:of|in) (?:the|a|every|each) month${END}`,
].map((source) => new RegExp(source, 'giu'))

/** "The last Friday of every month", and of the month, which may be this one: the day behind the month, so that no date is read. */
const LAST_OF_MONTH = new RegExp(
  `(?<!(?:every|each) )${START}(?:on |at )?(?:the )?last (?<day>${DAYS}) (?:of|in) (?:(?<every>every|each)|the|this|a) month${END}`,
  'giu',
)

/** "Every 3rd of March" is of each year, and no third of each month. */
const OF_YEAR: readonly (readonly [RegExp, string])[] = [
  [
    `(?:every|each) (\\d{1,2})(?:st|nd|rd|th)? (?:of )?(${MONTHS})\\p{L}*`,
    'every 12 months on $1 $2',
  ] as const,
  [
    `(?:every|each) (${MONTHS})\\p{L}* (?:the )?(\\d{1,2})(?:st|nd|rd|th)?`,
    'every 12 months on $2 $1',
  ] as const,
].map(([source, meant]) => [new RegExp(`${START}${source}${END}`, 'giu'), meant])

/** "On the first of every month": the day behind the month, as the rules read it; a day of each year as well. */
export function dayOfMonth(said: string): string {
  return OF_MONTH.reduce(
    (left, pattern) =>
      left.replace(pattern, (...found: unknown[]) => {
        const day = String(found[1]).toLowerCase()
        const at = PLACES.split('|').indexOf(day)
        return `every month on the ${at < 0 ? day : `${at + 1}${['st', 'nd', 'rd'][at] ?? 'th'}`}`
      }),
    OF_YEAR.reduce((left, [from, to]) => left.replace(from, to), said).replace(
      LAST_OF_MONTH,
      (_, day: string, every: string | undefined) =>
        `${every === undefined ? 'per' : 'every'} month on the last ${day}`,
    ),
  )
}

export function spelt(said: string): string {
  return SPELT.reduce((left, [from, to]) => left.replace(from, to), said)
}

const AGAIN = [
  ADVERB,
  // "Once a year", "three times a day", "zweimal im Monat", "per week".
  `${START}(?:once|twice|thrice|times) (?:an?|per|each|every|in an?|in the) (?:\\p{L}+ )?${UNIT}${END}`,
  `mal (?:am|im|pro|die|je|in der|jede[nrsm]?|every) ${UNIT}${END}`,
  `${START}(?:per|pro) ${UNIT}${END}`,
  // "Every year", "every other quarter", "alle paar Wochen".
  `${START}(?:every|each|alle|jede[nrsm]?) (?:[\\p{L}\\d]+ )?(?:${UNIT}|(?:${DAYS})s?|(?:hours|minutes|stunden|minuten))${END}`,
  `${START}\\p{L}*(?:täg|stünd|wöchent|monat|jähr|nächt)lich${END}`,
  `${START}(?!ganz)[\\p{L}\\d]+-?(?:tägig|wöchig|monatig|stündig)${END}`,
  `${START}(?:always|regularly|repeatedly|immer|jeweils|regelmäßig)(?= (?:on|at|in|am|um|im|every|\\d|${DAYS})(?![\\p{L}]))`,
  // The last one of each month has no rule.
  `${START}(?:last|letzte[nrsm]?) \\p{L}+(?: \\p{L}+)? (?:of|in|des|im|jedes|eines)(?: (?:the|a|every|each|jeden|jedem))? (?:month|monat)s?${END}`,
]
const ANY = new RegExp(AGAIN.join('|'), 'iu')
const AT_END = new RegExp(`(?:${AGAIN.join('|')})[\\s.!]*$`, 'iu')

/** Whether it says anywhere that something comes again. */
export function saysAgain(said: string): boolean {
  return /\b(?:every|each)\b/i.test(said) || ANY.test(said)
}

/** Days of the week as what comes again: "bins out mondays", "montags um 7". */
const TAG = '(?:(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|sonnabend)'
const ON_DAYS = new RegExp(
  [
    `${START}(?:(?:${DAYS}|weekday|weekend)s|${TAG}s|werktags|wochentags)${END}(?!['’])`,
    `${START}(?:jede[nrsm]?|alle) (?:[\\p{L}\\d.]+ )?${TAG}`,
    `${START}jede[nrsm]? [\\p{L}\\d.]+ (?:im|des|eines) (?:monat|jahr|quartal)`,
  ].join('|'),
  'iu',
)

/** Whether it says with a time that something comes again: "each guest" does not. */
export function saysOften(said: string): boolean {
  return ANY.test(said) || ON_DAYS.test(said)
}

/** Whether it ends so: behind the words to remind of. */
export function endsAgain(said: string): boolean {
  return AT_END.test(said)
}

const LAST_DAY = new RegExp(
  `${START}(?:last|letzte[nrsm]?) (?:\\p{L}+ )?(?:${DAYS}|day|\\p{L}*tag|mittwoch)s?${END}`,
  'iu',
)

const MORE =
  /\b(?:every|each|daily|weekly|monthly|yearly|annually|hourly|until|till|except|unless|twice|times a)\b/i

/** What is left beside a repetition: another one, an end, an exception, or "the last Friday", which is another day each time. */
export function saysMoreAgain(left: string): boolean {
  return MORE.test(left) || ANY.test(left) || LAST_DAY.test(left)
}
