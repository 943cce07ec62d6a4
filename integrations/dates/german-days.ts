/**
 * German phrases for a day by its number and for parts of days and months: "Dienstag den 14.", "am neunten", "am Abend des 22.",
 * "Woche vom 7.", "Mitte Dezember"; and southern forms: "heut", "Jänner", "viertel acht". Called by german.ts.
 */
import {
  type Days,
  dateOf,
  dayNumber,
  dayOfMonth,
  nextDate,
  numberedWeekday,
  oneDay,
  upcoming,
  weekAround,
} from './civil.ts'
import { clockPhrases } from './clocks.ts'
import type { Meaning, Part, Phrase } from './grammar.ts'
import { type OfMonth, type PartOfMonth, partOfMonth, untilMonthEnd } from './months.ts'
import { GERMAN_FEW, GERMAN_WORD, NO_DAY, ordinalOf } from './numbers.ts'

const WEEKDAYS = ['so', 'mo', 'di', 'mi', 'do', 'fr', 'sa']
const A_LONG = '(?:sonntag|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend)'
const A_SHORT = '(?:mo|di|mi|do|fr|sa|so)'
const A_WEEKDAY = `(?:${A_LONG}|${A_SHORT})`
/** Excludes these words, which mean another day. */
const PLAIN = '(?<!(?:nächste[nr]?|diese[nr]?|letzte[nr]?|vorige[nr]?) )'
const WEEKDAY = `(${A_WEEKDAY})`
const MONTHS = ['jan', 'feb', 'mär', 'apr', 'mai', 'jun', 'jul', 'aug', 'sep', 'okt', 'nov', 'dez']
const A_MONTH =
  '(?:jan(?:uar)?|jän(?:ner)?|jaenner|feb(?:ruar|er)?|märz?|maerz|mrz|apr(?:il)?|mai|juni?|juli?|aug(?:ust)?|sept?(?:ember)?|okt(?:ober)?|nov(?:ember)?|dez(?:ember)?)'
const MONTH = `(${A_MONTH})`
const HOURS = 'null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf'.split(' ')
/** Excludes a continued date, which other parsers read: "Freitag 27. November". */
const NO_MONTH = `(?! ?${A_MONTH}(?!\\p{L})|\\d| ?\\d{1,2}\\.(?!\\d))`
/** Allowed text after a day, so that its number does not belong to something else: "am neunten Loch". */
const AFTER =
  '(?=\\s*(?:$|[?!.,;:)–-]|\\d|(?:um|ab|von|bis|gegen|vor|nach|mit|bei|beim|im|in|zum|zur|zu|und|oder|ist|sind|war|hat|hab|habe|haben|kann|geht|wäre|bin|bitte|frei|zeit|noch|was|ich|wir|eine?n?|de[nrm]|die|das|meinen?|abends?|morgens|früh|vormittags?|mittags?|nachmittags?|halb|viertel|dreiviertel)(?!\\p{L})))'

function phrase(source: string, read: Phrase[1]): Phrase {
  return [new RegExp(`(?<![\\p{L}\\d])(?:${source})(?![\\p{L}\\d])`, 'iu'), read]
}

function weekdayIn(word: string): number {
  return WEEKDAYS.indexOf(word.slice(0, 2).toLowerCase())
}

function monthIn(word: string): number {
  const start = word.slice(0, 3).toLowerCase()
  const known: Readonly<Record<string, string>> = { jän: 'jan', jae: 'jan', mrz: 'mär', mae: 'mär' }
  return MONTHS.indexOf(known[start] ?? start) + 1
}

/** Lower-case "so" is the word, not Sunday. */
const isWord = (day: string): boolean => day === 'so'

function named(days: Days | null, part?: Part): Meaning {
  return days === null ? { impossible: true } : { days, ...(part !== undefined && { part }) }
}

function both([, day = '', number = '']: RegExpMatchArray, today: number): Meaning | null {
  return isWord(day) ? null : named(numberedWeekday(today, weekdayIn(day), ordinalOf(number)))
}

function numbered([, number = '']: RegExpMatchArray, today: number): Meaning | null {
  const days = dayOfMonth(today, ordinalOf(number))
  return days === null ? null : { days }
}

function partIn(word: string): Part {
  if (/^v/i.test(word)) return 'part/forenoon'
  if (/^n/i.test(word)) return 'casualReference/afternoon'
  return /^ab/i.test(word) ? 'casualReference/evening' : 'casualReference/morning'
}

const NUMBERED: readonly Phrase[] = [
  // The month is named once for both days: "vom 14. bis 18.12."
  phrase(
    '(?:(?:vom|von|ab) )?(?:dem )?(\\d{1,2})\\. ?(?:bis|[-–]) ?(?:zum )?(\\d{1,2})\\. ?(1[0-2]|0?[1-9])\\.?(?!\\.?\\d)',
    ([, from, to, number], today) => {
      const last = nextDate(today, Number(number), Number(to))
      if (last === null) return { impossible: true }
      const { year, month } = dateOf(last)
      const begins = { year, month: Number(from) <= Number(to) ? month : month - 1, day: Number(from) }
      const first = dayNumber(begins.year, begins.month, begins.day)
      return dateOf(first).day === begins.day ? { days: { first, last } } : { impossible: true }
    },
  ),
  phrase(
    `(?<!letzten )(?:(?:am|diesen|nächsten|kommenden) )?${WEEKDAY}\\.?,? (?:de[nmr] )?(\\d{1,2})\\.${NO_MONTH}${NO_DAY}`,
    both,
  ),
  phrase(
    `(?<!letzten )(?:(?:am|diesen|nächsten|kommenden) )?${WEEKDAY},? de[nm] (\\d{1,2})(?!\\.?\\d|\\.)${NO_MONTH}${NO_DAY}`,
    both,
  ),
  phrase(
    `(?<!letzten )(?:(?:am|diesen|nächsten|kommenden) )?${WEEKDAY},? de[nmr] (${GERMAN_WORD})${NO_MONTH}${NO_DAY}`,
    both,
  ),
  // A number beyond the hours of a day.
  phrase(`(?:am )?${WEEKDAY}\\.? (2[5-9]|3[01])(?=\\s*(?:$|[?!,;]|(?:um|ab|von)(?!\\p{L})))`, both),
  phrase(`(?:am|zum|vom|de[nr]|ab dem|bis zum) (${GERMAN_WORD}) ${MONTH}`, ([, number = '', name = '']) => ({
    date: { day: ordinalOf(number), month: monthIn(name) },
  })),
  phrase(
    `(?:am|ab dem|bis zum|vom) (?!${GERMAN_FEW}(?!\\p{L}))(${GERMAN_WORD})${NO_MONTH}${NO_DAY}${AFTER}`,
    numbered,
  ),
  phrase(
    `am (${GERMAN_FEW})(?=,? (?:(?:um|ab|von|gegen) (?:\\d|\\p{L}+ uhr)|\\d{1,2}(?:[.:]\\d\\d)? ?uhr))`,
    numbered,
  ),
  phrase(
    `(?:(?:am|den|vom|bis|zum)|${A_WEEKDAY}\\.?,?(?: den)?) (\\d{1,2})\\. (1[0-2]|0?[1-9])\\.(?!\\d)`,
    ([, day, number]) => ({
      date: { day: Number(day), month: Number(number) },
    }),
  ),
  phrase(
    `(?:vom|von|ab) (?:dem )?(\\d{1,2})\\. ?(?:bis|[-–]) ?(?:zum )?(\\d{1,2})\\.${NO_MONTH}${NO_DAY}`,
    ([, from, to], today) => {
      const first = dayOfMonth(today, Number(from))?.first
      const last = first === undefined ? undefined : dayOfMonth(first, Number(to))?.last
      return first === undefined || last === undefined ? null : { days: { first, last } }
    },
  ),
  // chrono knows no "Feber".
  phrase(`(?:am |den )?(\\d{1,2})\\.? ?(feber|jaenner)`, ([, day, name = '']) => ({
    date: { day: Number(day), month: monthIn(name) },
  })),
]

const OF_DAY = '(morgen|vormittag|nachmittag|abend)s? (?:des|vom|am)'

const PARTS_OF_DAYS: readonly Phrase[] = [
  phrase(
    `(?:am )?${OF_DAY} (\\d{1,2}\\.|${GERMAN_WORD}) ?(?:${MONTH}|(\\d{1,2})\\.?(?!\\d))`,
    ([, part = '', day = '', name = '', number]) => ({
      date: { day: ordinalOf(day), month: number === undefined ? monthIn(name) : Number(number) },
      part: partIn(part),
    }),
  ),
  phrase(
    `(?:am )?${OF_DAY} (\\d{1,2}\\.|${GERMAN_WORD})${NO_MONTH}${NO_DAY}`,
    ([, part = '', number = ''], today) => named(dayOfMonth(today, ordinalOf(number)), partIn(part)),
  ),
  phrase(
    `(?:am )?${PLAIN}${WEEKDAY}\\.?,? (vm|nm|vorm|nachm|vormittags?|nachmittags?|abds?|abends?|früh|frueh|in der früh|morgens)`,
    ([, day = '', part = ''], today) =>
      isWord(day) ? null : { days: oneDay(upcoming(today, weekdayIn(day))), part: partIn(part) },
  ),
  phrase(`(?<=(?:heute?|morgen|\\d\\.|${A_MONTH}),? )(vm|nm|vorm|nachm|abds?)`, ([, part = '']) => ({
    part: partIn(part),
  })),
  phrase('(?<=(?:heut|heit) )früh', () => ({ part: 'casualReference/morning' })),
  phrase('heut|heit', (_, today) => ({ days: oneDay(today) })),
]

const THIS_WEEK = '(?<!(?:diese|nächste|kommende|letzte|ganze)[nr]? )'

const WEEKS: readonly Phrase[] = [
  phrase(
    `(?:(?:in|für) )?(?:de[rn] |die )?${THIS_WEEK}woche (?:vom|von|ab|des|um) (?:(?:${A_WEEKDAY},? )?de[mn] |${A_WEEKDAY},? )?(\\d{1,2})\\.(?: ?${MONTH}| ?(\\d{1,2})\\.?)?(?: ?(?:bis|[-–]) ?(?:zum |${A_WEEKDAY},? (?:den )?)?(\\d{1,2})\\.(?: ?${MONTH}| ?(\\d{1,2})\\.?)?)?`,
    ([, day, name, number, toDay, toName, toNumber], today) => {
      const month = (word: string | undefined, digits: string | undefined): number | null =>
        word !== undefined ? monthIn(word) : digits === undefined ? null : Number(digits)
      const end = month(toName, toNumber)
      const of = month(name, number) ?? end
      const first =
        of === null ? (dayOfMonth(today, Number(day))?.first ?? null) : nextDate(today, of, Number(day))
      if (first === null || toDay === undefined) return named(first === null ? null : weekAround(first))
      const last =
        end === null ? (dayOfMonth(first, Number(toDay))?.last ?? null) : nextDate(first, end, Number(toDay))
      return named(last === null ? null : { first, last })
    },
  ),
]

const NTH = '(erste|zweite|dritte|vierte|fünfte|letzte)[nrs]?'

function nthOf(word: string): number {
  return /^letzte/i.test(word) ? 0 : ordinalOf(word)
}

const OF_MONTH = `(?:(?:im|des|vom|in) )?(?:${MONTH}s?|diese[snm] monats?|(nächste[snm]|kommende[snm]) monats?|monats?)`

function inMonth(part: PartOfMonth, today: number, [name, next]: readonly (string | undefined)[]): Meaning {
  const of: OfMonth = name === undefined ? { shift: next === undefined ? 0 : 1 } : { number: monthIn(name) }
  return named(partOfMonth(today, of, part))
}

const PARTS_OF_MONTHS: readonly Phrase[] = [
  phrase(`(?:bis )?(anfang|mitte) ${OF_MONTH}`, ([, which = '', ...of], today) =>
    inMonth(/^m/i.test(which) ? 'middle' : 'start', today, of),
  ),
  phrase(`(?:bis )?ende (?:${MONTH}|(nächsten|kommenden) monats)`, ([, ...of], today) =>
    inMonth('end', today, of),
  ),
  phrase(
    `(?:in der )?(erste|zweite)n? (?:hälfte ${OF_MONTH}|${MONTH}s?hälfte)`,
    ([, which = '', name, next, glued], today) =>
      inMonth({ half: /^e/i.test(which) ? 1 : 2 }, today, [name ?? glued, next]),
  ),
  phrase(`(?:in der )?${NTH} (?:woche ${OF_MONTH}|${MONTH}woche)`, ([, nth = '', name, next, glued], today) =>
    inMonth({ week: nthOf(nth) }, today, [name ?? glued, next]),
  ),
  phrase(
    `(?:am )?${NTH} (${A_LONG}) (?:im|des|vom) (?:${MONTH}s?|(nächste[nms]|kommende[nms]) monats?|monats?)`,
    ([, nth = '', day = '', ...of], today) =>
      inMonth({ nth: nthOf(nth), weekday: weekdayIn(day) }, today, of),
  ),
  phrase('(?:noch )?vor (?:dem )?(?:monatsende|ende des monats)', (_, today) => ({
    days: untilMonthEnd(today),
  })),
]

const CLOCKS: readonly Phrase[] = [
  // "Viertel acht" is a quarter of the way to eight: 7:15.
  phrase(
    `(?:um |ab |gegen )?(drei ?)?viertel (${HOURS.slice(1).join('|')}|1[0-2]|[1-9])(?![.:,]\\d| ?(?:kilo|kg|liter|l|pfund|stunden?|prozent|%|tassen?|gramm))`,
    ([, three, hour = '']) => {
      const at = HOURS.includes(hour.toLowerCase()) ? HOURS.indexOf(hour.toLowerCase()) : Number(hour)
      // "Viertel eins" is at midday.
      return { from: (at === 1 ? 13 : at) * 60 - (three === undefined ? 45 : 15) }
    },
  ),
  phrase(
    `(?:am )?(${A_SHORT})\\.? (?:um )?(\\d{1,2})(?=\\s*(?:$|[?!,;]|(?:bei|beim|mit|im|in|zum|zur|und|oder|ein|rein|eintragen|vormerken|bitte|frei|zeit|ist|geht|passt)(?!\\p{L})))`,
    ([, day = '', hour], today) =>
      isWord(day) || Number(hour) > 24
        ? null
        : { days: oneDay(upcoming(today, weekdayIn(day))), from: Number(hour) * 60 },
  ),
  ...clockPhrases({
    ...{ weekday: WEEKDAY, weekdayIn, phrase, dottedIsTime: false },
    at: '(?:um|ab|von|gegen) ',
    to: 'bis',
  }),
]

export const GERMAN_DAYS: readonly Phrase[] = [
  ...NUMBERED,
  ...PARTS_OF_DAYS,
  ...WEEKS,
  ...PARTS_OF_MONTHS,
  ...CLOCKS,
]

/** Matches forms that only German has; decides the language of a short text: "Do 16", "Fr vm", "am neunten", "Mitte August". */
export const ONLY_GERMAN = new RegExp(
  [
    "(?<![\\p{L}\\d])(?:[Mm]o|[Dd]i|[Mm]i|[Ff]r|[Ss]a)\\.? (?:den )?\\d{1,2}(?!['’\\d])",
    '(?<![\\p{L}\\d])(?:Do|So)\\.? (?:den )?\\d{1,2}(?:\\.\\d\\d|\\.?(?=\\s*(?:$|[–,-])))',
    `(?<![\\p{L}\\d])(?:[Mm]o|[Dd][io]|[Mm]i|[Ff]r|[Ss][ao])\\.? (?:vm|nm|vorm|nachm|abds?|früh|abend|vormittag|nachmittag)(?!\\p{L})`,
    `(?<!\\p{L})(?:[Aa]m|[Dd]en|[Vv]om|[Zz]um) ${GERMAN_WORD}(?!\\p{L})`,
    `(?<!\\p{L})(?:[Aa]nfang|[Mm]itte|[Ee]nde) (?:Jan|Jän|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez)`,
    `(?<!\\p{L})(?:(?:erste|zweite|dritte|vierte|letzte)n? )\\p{L}{3,9}(?:woche|hälfte)(?!\\p{L})`,
  ].join('|'),
  'u',
)
