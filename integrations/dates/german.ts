/** German: chrono's grammar, plus phrases that it lacks or misreads as a single day. Called by read.ts. */
import { createCasualConfiguration, type ParsingResult } from 'chrono-node/de'
import {
  ahead,
  dateOf,
  dayOfMonth,
  inWeek,
  inWeeks,
  later,
  month,
  monthDays,
  oneDay,
  type Unit,
  upcoming,
  week,
  weekend,
  weekOfYear,
} from './civil.ts'
import { withClockFigures } from './clock-spans.ts'
import { GERMAN_DAYS } from './german-days.ts'
import { built, chronoOf, HOURS, type Language, type Part, type Phrase } from './grammar.ts'

const WEEKDAYS = ['so', 'mo', 'di', 'mi', 'do', 'fr', 'sa']
const WEEKDAY = '(sonntag|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend)'
const COUNTS =
  'null ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig'.split(
    ' ',
  )
const COUNT = `(\\d{1,4}(?:[.,]\\d)?|eine[rmns]? halben?|halben?|anderthalb|(?:ein|zwei|drei|vier)einhalb|paar|eine?[rmns]?|${COUNTS.slice(2).join('|')})`
const TIME_UNIT = '(minuten?|min|stunden?|std)'
/** Also `einer Viertelstunde`, and the spoken `ner halben Stunde`. */
const LENGTH_COUNT = `((?:(?:ei)?ne?[rmns]? )?(?:drei)?viertel(?= ?stunde)|ne[rmns]? (?:halben?(?= ?stunde))|(?:(?:ei)?n )?paar|ne[rmns]?(?= )|${COUNT.slice(1)}`
const SHIFT =
  '(diese[rsnm]?|(?:über)?nächste[rsnm]?|kommende[rsnm]?|letzte[rsnm]?|vorige[rsnm]?|vergangene[rsnm]?)'
const UNIT = '(tag|woche|monat)'

const MONTH =
  '(jan(?:uar)?|jän(?:ner)?|feb(?:ruar|er)?|märz?|mrz|apr(?:il)?|mai|juni?|juli?|aug(?:ust)?|sep(?:t(?:ember)?)?|okt(?:ober)?|nov(?:ember)?|dez(?:ember)?)'
const MONTHS = 'jan feb mär apr mai jun jul aug sep okt nov dez'.split(' ')

function phrase(source: string, read: Phrase[1]): Phrase {
  return [new RegExp(`(?<![\\p{L}\\d])(?:${source})(?![\\p{L}\\d])`, 'iu'), read]
}

function shiftOf(word = ''): number {
  if (/^über/i.test(word)) return 2
  if (/^(?:nächste|kommende)/i.test(word)) return 1
  return /^(?:letzte|vorige|vergangene)/i.test(word) ? -1 : 0
}

function unitOf(word = ''): Unit {
  return /^woche/i.test(word) ? 'week' : /^monat/i.test(word) ? 'month' : 'day'
}

function weekdayIn(word = ''): number {
  return WEEKDAYS.indexOf(word.slice(0, 2).toLowerCase())
}

function monthIn(name: string): number {
  const start = name.slice(0, 3).toLowerCase().replace('jän', 'jan').replace('mrz', 'mär')
  return MONTHS.indexOf(start) + 1
}

function countOf(word: string): number {
  const text = word.toLowerCase()
  if (text === 'anderthalb') return 1.5
  const half = /^(ein|zwei|drei|vier)einhalb$/.exec(text)?.[1]
  if (half !== undefined) return COUNTS.indexOf(half) + 0.5
  if (/viertel/.test(text)) return /drei/.test(text) ? 0.75 : 0.25
  if (/halbe/.test(text)) return 0.5
  if (/paar$/.test(text)) return 3
  if (/^(?:eine?|ne)/.test(text) && !/^neun/.test(text)) return 1
  return COUNTS.indexOf(text) > 0 ? COUNTS.indexOf(text) : Number(text.replace(',', '.'))
}

/** `halb vier` is half an hour before four. */
function spoken(match: RegExpMatchArray): { readonly from: number } | null {
  const [, amount = '', side = '', half, hour = ''] = match
  const isHalf = /^halb/i.test(amount)
  if (!isHalf && side === '') return null
  const size = isHalf ? 30 : /^viertel/i.test(amount) ? 15 : countOf(amount)
  const at = countOf(hour) * 60 + (/nach/i.test(side) ? size : -size) - (half === undefined ? 0 : 30)
  // "Halb eins" is at midday, unless the night is named.
  const isNoon = at < 60 && !/nachts|\bnacht\b/i.test(match.input ?? '')
  return at >= 0 && at < 24 * 60 ? { from: isNoon ? at + 12 * 60 : at } : null
}

const PARTS_OF_WEEKDAYS: Readonly<Record<string, Part>> = {
  morgen: 'casualReference/morning',
  vormittag: 'part/forenoon',
  nachmittag: 'casualReference/afternoon',
}

const FEASTS = [
  ['heilig(?:er )?abend', 12, 24],
  ['(?:ersten )?weihnacht(?:en|stag)', 12, 25],
  ['silvester', 12, 31],
  ['neujahr', 1, 1],
] as const

const PHRASES: readonly Phrase[] = [
  ...GERMAN_DAYS,
  phrase(`${SHIFT} woche(?: am)? ${WEEKDAY}`, ([, which, day], today) => ({
    days: oneDay(inWeek(today, shiftOf(which), weekdayIn(day))),
  })),
  phrase(`(?:am )?${WEEKDAY} (?:in der )?${SHIFT} woche`, ([, day, which], today) => ({
    days: oneDay(inWeek(today, shiftOf(which), weekdayIn(day))),
  })),
  // "In acht Tagen" means in a week.
  phrase(
    `(?:am )?(?:${WEEKDAY}|(heute?|(über)?morgen)) in (?:${COUNT} wochen?|(?:(acht|8)|14|vierzehn) tagen)`,
    ([, day, name = '', after, count, eight], today) => {
      if (day !== undefined && count !== undefined)
        return { days: oneDay(inWeeks(today, countOf(count), weekdayIn(day))) }
      const near = /^h/i.test(name) ? today : today + (after === undefined ? 1 : 2)
      const weeks = count === undefined ? (eight === undefined ? 2 : 1) : countOf(count)
      return { days: oneDay((day === undefined ? near : upcoming(today, weekdayIn(day))) + weeks * 7) }
    },
  ),
  phrase(`in ${COUNT} wochen?(?: am)? ${WEEKDAY}`, ([, count = '', day], today) => ({
    days: oneDay(inWeek(today, countOf(count), weekdayIn(day))),
  })),
  phrase(
    `(?:(?:in|an|am|für) )?(?:der |die |das |dem )?${SHIFT} (woche|monat|wochenende)`,
    ([, which, what = ''], today) => {
      const shift = shiftOf(which)
      if (/^monat/i.test(what)) return { days: month(today, shift) }
      return { days: /ende/i.test(what) ? weekend(today, shift) : week(today, shift) }
    },
  ),
  phrase('(?:am|übers|fürs) wochenende|das wochenende', (_, today) => ({ days: weekend(today, 0) })),
  phrase(
    '(?:am )?(?:ende|schluss|letzten) (?:des|diesen) monats|(?:am |zum )?(?:monatsende|monatsletzten)',
    (_, today) => {
      const { year, month: current } = dateOf(today)
      return { days: oneDay(monthDays(year, current).last) }
    },
  ),
  phrase(
    `(?:(?:in|für) )?(?:den |die )?(?:nächsten|kommenden) ${COUNT} ${UNIT}e?n?`,
    ([, count = '', unit], today) => ({
      days: ahead(today, countOf(count), unitOf(unit)),
    }),
  ),
  phrase('(?:(?:in|für) )?(?:den |die )?(?:nächsten|kommenden) tagen?', (_, today) => ({
    days: ahead(today, countOf('paar'), 'day'),
  })),
  phrase(`(in|heute in|vor) ${COUNT} ${UNIT}e?n?`, ([, side = '', count = '', unit], today) => ({
    days: oneDay(later(today, countOf(count) * (/^vor/i.test(side) ? -1 : 1), unitOf(unit))),
  })),
  phrase(`am (\\d{1,2})\\.(?! ?(?:\\d|uhr|mrz|${MONTHS.join('|')}))`, ([, day], today) => {
    const days = dayOfMonth(today, Number(day))
    return days === null ? null : { days }
  }),
  // "Elternabend 23. halb acht".
  phrase(
    '(?:den )?(\\d{1,2})\\.(?= (?:um |ab |halb |viertel |dreiviertel |\\d{1,2}(?:[:.]\\d\\d)? ?uhr))',
    ([, day], today) => {
      const days = dayOfMonth(today, Number(day))
      return days === null ? null : { days }
    },
  ),
  phrase(`im (${MONTHS.join('|')}|jän)[a-zä]{0,6}(?: (\\d{4}))?`, ([, name = '', stated], today) => {
    const { year, month: current } = dateOf(today)
    const named = monthIn(name)
    return {
      days: monthDays(stated === undefined ? year + (named < current ? 1 : 0) : Number(stated), named),
    }
  }),
  phrase(`(?:um )?(halb|viertel|fünf|zehn|zwanzig)( vor| nach)?( halb)? ${COUNT}(?: uhr)?`, spoken),
  phrase(`(?:um )?dreiviertel ${COUNT}(?: uhr)?`, ([, hour = '']) => ({ from: countOf(hour) * 60 - 15 })),
  // A number word is an hour only after "um".
  phrase(`um (${COUNTS.slice(1).join('|').replace('ein|', 'eins|')})(?: uhr)?`, ([, hour = '']) => ({
    from: Math.max(1, COUNTS.indexOf(hour.toLowerCase())) * 60,
  })),
  phrase(
    `(?:am |den )?(\\d{1,2})\\.? ?${MONTH}\\.? (?:um )?(\\d{1,2})(?:[:.](\\d\\d))? ?uhr(?: (\\d\\d))?`,
    ([, day, name = '', hour, minute, behind]) => ({
      date: { day: Number(day), month: monthIn(name) },
      from: Number(hour) * 60 + Number(minute ?? behind ?? 0),
    }),
  ),
  phrase(`(?:am |den )?(\\d{1,2}) ${MONTH}(?! ?\\d)`, ([, day, name = '']) => ({
    date: { day: Number(day), month: monthIn(name) },
  })),
  phrase('(?:in )?(?:der )?(?:kw|kalenderwoche) ?(\\d{1,2})', ([, number], today) => {
    const first = weekOfYear(today, Number(number))
    return Number(number) < 1 || Number(number) > 53 ? null : { days: { first, last: first + 6 } }
  }),
  ...FEASTS.map(([names, month, day]) =>
    phrase(`(?:(?:an|zu|am) )?(?:${names})`, () => ({ date: { month, day } })),
  ),
  phrase('(\\d{1,2}) ?h(?:(\\d\\d))?', ([, hour, minute]) =>
    Number(hour) <= 24 ? { from: Number(hour) * 60 + Number(minute ?? 0), besideDay: true } : null,
  ),
  phrase('in der früh|in der frueh|in aller früh(?:e)?', () => ({ part: 'casualReference/morning' })),
  phrase('am (?:nächsten|folgenden) tag|am tag (?:danach|darauf)|am folgetag', (_, today) => ({
    days: oneDay(today + 1),
  })),
  phrase('(über)?morgen früh', ([, after], today) => ({
    days: oneDay(today + (after === undefined ? 1 : 2)),
    part: 'casualReference/morning',
  })),
  phrase(`(?:am |den )?übernächsten ${WEEKDAY}`, ([, day], today) => ({
    days: oneDay(upcoming(today, weekdayIn(day)) + 7),
  })),
  phrase('am morgen|morgens|früh am morgen', () => ({ part: 'casualReference/morning' })),
  phrase(`(?:am )?${WEEKDAY}(morgen|vormittag|nachmittag|abend|nacht)`, ([, day, part = ''], today) => ({
    days: oneDay(upcoming(today, weekdayIn(day))),
    part: PARTS_OF_WEEKDAYS[part.toLowerCase()] ?? 'casualReference/evening',
  })),
  phrase('am vormittag|vormittags?', () => ({ part: 'part/forenoon' })),
  phrase('(?:am )?nachmittags?', () => ({ part: 'casualReference/afternoon' })),
  phrase('(?:am )?abends?', () => ({ part: 'casualReference/evening' })),
  phrase('(?:in der |zur )?mittagspause|zur mittagszeit', () => ({ part: 'part/lunchtime' })),
  HOURS,
]

/** Short weekdays that are also words: `so`, `do`, `mi`. */
const SHORT_WEEKDAY = /^(?:so|mo|di|mi|do|fr|sa)$/i
const DATED = /(?:(?:am|auf|vom|bis|zum|nächsten|diesen|letzten|kommenden)|[-–,(])\s*$/i

function isLikely({ text, start }: ParsingResult, before: string, after: string): boolean {
  if (/^\d{1,2}$/.test(text) || /\bguten\s+$/i.test(before)) return false
  // chrono's other reading of `morgen` is the morning.
  if (/^\s*morgen$/i.test(text) && !start.isCertain('day')) return false
  return (
    !SHORT_WEEKDAY.test(text) ||
    DATED.test(before) ||
    /^(?:\.|[-–]|,? ?(?:um )?\d| (?:früh|vormittag|mittag|nachmittag|abend))/i.test(after)
  )
}

const TWENTIES = ['ein', 'zwei', 'drei', 'vier'].map((word) => `${word}undzwanzig`)

const CLOCK_FIGURES = withClockFigures({
  ...{ between: 'zwischen', from: 'von', and: 'und', to: 'bis' },
  plain: { from: 'von', to: 'bis' },
  minutes: { halb: -30, 'viertel nach': 15, 'viertel vor': -15, dreiviertel: -15 },
  hours: ['', 'eins?', ...COUNTS.slice(2), ...TWENTIES],
  clock: 'uhr',
  parts: {
    'in der früh|am morgen|morgens|früh': 'morning',
    'am vormittag|vormittags': 'morning',
    'am nachmittag|nachmittags|mittags': 'pm',
    'am abend|abends': 'evening',
    'in der nacht|nachts': 'night',
  },
  marks: {},
  day: 'heute|morgen|übermorgen|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|sonnabend',
  behind:
    'am|an|auf|für|mit|im|in der|diese[nrsm]?|nächste[nrsm]?|und|oder|bitte|frei|zeit|ich|wir|ist|sind|habe|hast|was|etwas|einen|dann|wenn|als|statt|stattdessen',
  spoken: 'fünf|zehn|zwanzig',
})

/** "15 Uhr 30" and "15 30 Uhr", neither of which chrono reads; must not take a number of the following words. */
const HALF_WRITTEN = new RegExp(
  `(?<![\\d.:])(?:(\\d{1,2}) uhr ([0-5]\\d)(?! uhr)|(?<=(?:um|ab|gegen|von|bis|heute|morgen|tag) )(\\d{1,2}) ([0-5]\\d) uhr)(?![\\d:,]|\\.\\d|\\.? ?(?:${MONTHS.join('|')}|jän|min|st(?:un)?d|leut|person|gäst|euro|%|€))`,
  'gi',
)

export const GERMAN: Language = {
  words:
    /(?<!\p{L})(?:der|das|de[nms]|und|ist|sind|ich|mi[rt]|mich|wir|meine?[nmrs]?|wann|wer|wie|um|auf|für|im|vo[nmr]|bis|zu[mr]|nach|heute?|heit|jänner|feber|(?:über)?morgen|gestern|(?:nächst|dies|kommend|letzt)e[nmrs]?|bitte|uhr|wochen?|monat\p{L}*|ende|tage?n?|stunden?|minuten?|(?:mon|diens|donners|frei|sams|sonn)tag\p{L}*|mittwoch\p{L}*|wochenende|januar|februar|märz|mai|juni|juli|oktober|dezember|früh|vormittag|nachmittag|abend|mittags?|halb|viertel|termin|haben?|kann|zeit|nicht|eine?[nmrs]?|zwei|drei|kw|hab|hast|noch|schon|mal|bei|wo|wird|gibt|steht|liegt|wetter|frei|trag|zeig|schick|schreib|erinner|merk|such|jede[nrsm]?|täglich|werktags|welche[rsnm]?|dass|oder|wenn|keine?[nr]?|aus|über|dir|du|sie|es|vormittags)(?!\p{L})/giu,
  delay: new RegExp(`\\bin ${LENGTH_COUNT} ?${TIME_UNIT}\\b`, 'i'),
  length: new RegExp(
    `(?:\\b(?:für|über) )?\\b${LENGTH_COUNT}[ -]?${TIME_UNIT}( und eine halbe)?(?: lang)?\\b`,
    'i',
  ),
  isHours: /^s/i,
  count: countOf,
  plain: (text) =>
    CLOCK_FIGURES(text)
      .replace(HALF_WRITTEN, '$1$3:$2$4 Uhr')
      .replace(/\bzwischen (\S{1,10}) und (?=\S{1,10}\b)/gi, (_, from: string) => `von      ${from} bis `)
      // "am" here is the preposition, not a morning hour.
      .replace(/(?<=\d )am\b(?= \p{L})/giu, 'an')
      .replace(/(?<!(?:\d|uhr) )\bbis\b(?= (?:um )?(?:\d{1,2}(?::\d\d)? ?uhr|mittag))/i, 'vor'),
  after: /\bnach\s*(?:um\s*)?$/i,
  before: /\b(?:vor|bis|spätestens)\s*(?:um\s*)?$/i,
  late: /\b(?:abendessen|drinks|\p{L}*abends?|party|konzert|theater|kino|film)\b/iu,
  early: /\b(?:frühstück|morgens|früh|vormittags?|flug)\b/i,
  chrono: built(() =>
    chronoOf({
      library: createCasualConfiguration(true),
      monthFirst: false,
      phrases: PHRASES,
      modifier: /(?:diese|letzte|n(?:ä|ae)chste)/i,
      to: /^\s*(?:und|bis|[-–])\s*$/i,
      lead: /(?:\bganzt(?:ägig|ags) )?(?:\b(?:am|im|für|bis|von|vom)\b *)?(?:\b(?:den|dem|der)\b *)?(?:\bkommenden\b *)?$/i,
      isLikely,
    }),
  ),
}
