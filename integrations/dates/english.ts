/** English: chrono's grammar, plus phrases that it lacks or misreads as a single day. Called by read.ts. */
import { configuration } from 'chrono-node/en'
import {
  ahead,
  dayOfMonth,
  inWeek,
  inWeeks,
  later,
  month,
  namedMonth,
  oneDay,
  type Unit,
  upcoming,
  week,
  weekend,
} from './civil.ts'
import { withClockFigures } from './clock-spans.ts'
import { AFTER, ENGLISH_DAYS } from './english-days.ts'
import { built, chronoOf, HOURS, type Language, type Meaning, type Phrase } from './grammar.ts'

const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const WEEKDAY = '(sun|mon|tue|wed|thu|fri|sat)(?:day|s|sday|nesday|r|rs|rsday|urday)?'
const COUNTS = ' one two three four five six seven eight nine ten eleven twelve'.split(' ')
const WORD = COUNTS.slice(1).join('|')
const COUNT = `(\\d{1,4}(?:\\.\\d)?|half an|an?|couple of|few|${WORD})`
/** With common misspellings. */
const TOMORROW = '(?:tomorrow|tomoz|tomozz|tomos|tmoro|2moro|tomorro|tomorow|tommorow|tommorrow|tmrw|tmr|tmw)'
const TIME_UNIT = '(minutes?|mins?|hours?|hrs?)'
/** Also `a quarter of an hour`. */
const LENGTH_COUNT = `((?:an? |three )?quarters? of an(?= hour)|a (?:few|couple of)|${COUNT.slice(1)}`
/** Also `two and a half`. */
const LENGTH = `(?:${LENGTH_COUNT.slice(1, -1)})(?: and a half)?`
const MONTHS = 'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec'

function phrase(source: string, read: Phrase[1]): Phrase {
  return [new RegExp(`\\b(?:${source})(?!\\w)`, 'i'), read]
}

function shiftOf(word: string | undefined): number {
  return { next: 1, nex: 1, last: -1 }[(word ?? '').toLowerCase()] ?? 0
}

function unitOf(word: string | undefined): Unit {
  const unit = (word ?? '').toLowerCase()
  return unit === 'week' || unit === 'month' ? unit : 'day'
}

function weekdayIn(word: string | undefined): number {
  return WEEKDAYS.indexOf((word ?? '').toLowerCase())
}

/** A weekday, today, or tomorrow. */
const DAY = `(?:${WEEKDAY}|(today)|${TOMORROW})`

/** "Monday week", "a fortnight on Friday", "a week tomorrow". */
function fromDay(today: number, [day, now]: readonly (string | undefined)[], two?: string): Meaning {
  const from = day ? upcoming(today, weekdayIn(day)) : now === undefined ? today + 1 : today
  return { days: oneDay(from + (two === undefined ? 7 : 14)) }
}

function countOf(word: string): number {
  const text = word.toLowerCase()
  const half = / and a half$/.exec(text)
  if (half !== null) return countOf(text.slice(0, half.index)) + 0.5
  if (/^three quarter/.test(text)) return 0.75
  if (/quarter/.test(text)) return 0.25
  const known = {
    'half a': 0.5,
    'a few': 3,
    'a couple of': 2,
    a: 1,
    an: 1,
    'half an': 0.5,
    'couple of': 2,
    few: 3,
    twenty: 20,
    'twenty five': 25,
  }[text]
  return known ?? (COUNTS.indexOf(text) > 0 ? COUNTS.indexOf(text) : Number(text))
}

/** `half past three`, `ten to 5`. */
function spoken(match: RegExpMatchArray): { readonly from: number } | null {
  const [, amount = '', side = '', hour = ''] = match
  const size =
    { half: 30, quarter: 15, 'a quarter': 15 }[amount.toLowerCase()] ?? countOf(amount.replace('-', ' '))
  const at =
    countOf(hour) * 60 + (side.toLowerCase() === 'past' || side.toLowerCase() === 'after' ? size : -size)
  // "Ten to one" is at midday, unless the night is named.
  const isNoon = at < 60 && !/\b(?:night|am|a\.m)\b/i.test(match.input ?? '')
  return size < 60 && at >= 0 && at < 24 * 60 ? { from: isNoon ? at + 12 * 60 : at } : null
}

const FEASTS = [
  ['(?:christmas|xmas) eve', 12, 24],
  ['(?:christmas|xmas) day', 12, 25],
  ["new year'?s eve", 12, 31],
  ["new year'?s(?: day)?(?! eve)", 1, 1],
] as const

/** At equal length an earlier phrase takes precedence, and any phrase over chrono's. */
const PHRASES: readonly Phrase[] = [
  ...ENGLISH_DAYS,
  phrase(`${DAY} in ${COUNT} weeks?`, ([, day, now, count = ''], today) => {
    const weeks = countOf(count)
    const near = today + (now === undefined ? 1 : 0) + weeks * 7
    return { days: oneDay(day === undefined ? near : inWeeks(today, weeks, weekdayIn(day))) }
  }),
  phrase(`in (?:a )?${COUNT} weeks?(?:,? on)? ${WEEKDAY}`, ([, count = '', day], today) => ({
    days: oneDay(inWeek(today, countOf(count), weekdayIn(day))),
  })),
  phrase(`(this|next|last) week(?:,? on)? ${WEEKDAY}`, ([, which, day], today) => ({
    days: oneDay(inWeek(today, shiftOf(which), weekdayIn(day))),
  })),
  phrase('(?:(this|next|nex|last)|the|my) (?:weekend|wkend|wknd|w/e)', ([, which], today) => ({
    days: weekend(today, shiftOf(which)),
  })),
  phrase('(?:(this|next|nex|last)|the|my) (?:week|wk)', ([, which], today) => ({
    days: week(today, shiftOf(which)),
  })),
  // Other months need no preposition; "may" is more often a verb.
  phrase('(?:from|since|during|of) may(?! \\d)', (_, today) => ({ days: namedMonth(today, 5) })),
  phrase('(this|next|last) month', ([, which], today) => ({ days: month(today, shiftOf(which)) })),
  phrase('the end of (?:the|this) week|end of (?:the|this) week', (_, today) => ({
    days: oneDay(inWeek(today, 0, 0)),
  })),
  phrase(
    `(?:in )?(?:the )?(?:next|coming|following) ${COUNT} (day|week|month)s?`,
    ([, count = '', unit], today) => ({
      days: ahead(today, countOf(count), unitOf(unit)),
    }),
  ),
  phrase(`in (?:a )?${COUNT} (day|week|month)s?`, ([, count = '', unit], today) => ({
    days: oneDay(later(today, countOf(count), unitOf(unit))),
  })),
  phrase(
    `(?:a )?${COUNT} (day|week|month)s? (?:from (?:now|today)|(ago))`,
    ([, count = '', unit, ago], today) => ({
      days: oneDay(later(today, countOf(count) * (ago === undefined ? 1 : -1), unitOf(unit))),
    }),
  ),
  phrase(`(?:the )?day (?:after ${TOMORROW}|(before yesterday))`, ([, before], today) => ({
    days: oneDay(today + (before === undefined ? 2 : -2)),
  })),
  phrase(`today (?:and|&) ${TOMORROW}`, (_, today) => ({ days: { first: today, last: today + 1 } })),
  phrase(`${TOMORROW} (?:and|&) (?:the )?(?:day after(?: that| ${TOMORROW})?|next day)`, (_, today) => ({
    days: { first: today + 1, last: today + 2 },
  })),
  phrase(
    `(?:on|for|by|from|until|till|(?<=\\b(?:working|free|off|busy|available|around|away|in) )) ?the (\\d{1,2})(?:st|nd|rd|th)(?! (?:of|${MONTHS}))`,
    ([, day], today) => {
      const days = dayOfMonth(today, Number(day))
      return days === null ? null : { days }
    },
  ),
  // Must be the whole text, such as the words of a mail that name a day.
  phrase('^(?:the )?(\\d{1,2})(?:st|nd|rd|th)$', ([, day], today) => {
    const days = dayOfMonth(today, Number(day))
    return days === null ? null : { days }
  }),
  phrase(`(?:at )?(half|(?:a )?quarter|five|ten|twenty(?:[- ]five)?) (past|after|to) ${COUNT}`, spoken),
  // "6 till half 7".
  phrase('(\\d{1,2}) ?(?:-|–|to|till|til|until|by) +half (\\d{1,2})', ([, from, to]) =>
    Number(from) > 24 || Number(to) > 24
      ? null
      : { from: Number(from) * 60, to: Number(to) * 60 + 30, besideDay: true },
  ),
  // British: half past the hour.
  phrase(
    `(?:(?:at|about|around) )?half (${WORD}|1[0-2]|[1-9])(?![\\d.:,%])(?! (?:minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?|of|a|an)\\b)`,
    ([, hour = '']) => ({
      from: countOf(hour) * 60 + 30,
    }),
  ),
  phrase('(?<=\\b(?:after|before|by|until) )(\\d{1,2})(?=[,;.!?]|$| on | tomorrow)', ([, hour]) =>
    Number(hour) <= 24 ? { from: Number(hour) * 60 } : null,
  ),
  phrase('(?:(?:next|this) )?(tues|weds)', ([, day], today) => ({
    days: oneDay(upcoming(today, weekdayIn(day?.slice(0, 3)))),
  })),
  phrase(
    `(?:a )?(?:week|(fortnight)) (?:(?:from|on|after) |(?<=a \\w+ )(?=[t2]\\w*o))${DAY}`,
    ([, two, ...day], today) => fromDay(today, day, two),
  ),
  phrase(`${DAY} (?:week|(fortnight))${AFTER}`, ([, day, now, two], today) =>
    fromDay(today, [day, now], two),
  ),
  phrase('(?:on )?the (?:next|following) day', (_, today) => ({ days: oneDay(today + 1) })),
  phrase('in a fortnight', (_, today) => ({ days: oneDay(today + 14) })),
  phrase('tonite', () => ({ part: 'casualReference/tonight' })),
  phrase('(?:this )?arvo', () => ({ part: 'casualReference/afternoon' })),
  phrase('first thing(?: in the morning)?', () => ({ part: 'casualReference/morning' })),
  phrase('(?:by |at )?(?:eod|(?:the )?end of (?:the |my )?day|close of business)', () => ({ from: 17 * 60 })),
  // "7a", "7:30p".
  phrase('(?:at )?(\\d{1,2})(?:[:.](\\d\\d))?([ap])', ([, hour, minute, half = '']) =>
    Number(hour) >= 1 && Number(hour) <= 12
      ? { from: ((Number(hour) % 12) + (/p/i.test(half) ? 12 : 0)) * 60 + Number(minute ?? 0) }
      : null,
  ),
  phrase(
    'at (\\d{1,2})([0-5]\\d)(?= (?:on|today|tonight|this|next|every)\\b| ?[ap]\\.?m|[.,!?]?$| tom| tmr| tmw)',
    ([, hour, minute]) => (Number(hour) <= 24 ? { from: Number(hour) * 60 + Number(minute) } : null),
  ),
  phrase(`(?:at )?(${WORD}) ?o ?['’]?clock`, ([, hour = '']) => ({ from: countOf(hour) * 60 })),
  // A number belongs to the part of the day after it if it counts nothing: "wake me at six tomorrow morning", but not "room 8".
  phrase(
    `(?<=^|[,;:] |\\b(?:at|by|to|till|until|from|it|me|us|up|about|around|(?:alarm|reminder|me|us|it|up|call) for) )(${WORD}|[1-9]|1\\d)(?:[.:]([0-5]\\d))?(?= (?:tonight|(?:this |${DAY} )(morning|afternoon|evening|night))\\b)`,
    ([, hour = '', minute, , , part = '']) => {
      const at = countOf(hour)
      return at > 11 || (at < 4 && /^n/i.test(part))
        ? null
        : { from: (at + (/^m/i.test(part) ? 0 : 12)) * 60 + Number(minute ?? 0) }
    },
  ),
  phrase('(?:at |around )?(\\d{1,2}) ?ish', ([, hour]) =>
    Number(hour) <= 24 ? { from: Number(hour) * 60 } : null,
  ),
  // A number word is an hour only after "at".
  phrase(`at (${WORD})(?= (?:on|tomorrow|today|tonight|this|next|in the)\\b|[.,!?]?$)`, ([, hour = '']) => ({
    from: countOf(hour) * 60,
  })),
  ...FEASTS.map(([names, of, day]) =>
    phrase(`(?:(?:on|at) )?(?:${names})`, () => ({ date: { month: of, day } })),
  ),
  // chrono loses the day after a part of the day.
  phrase(
    `(?:at |in the )?(first thing|lunch ?time|morning|afternoon|evening) ${TOMORROW}`,
    ([, part = ''], today) => ({
      days: oneDay(today + 1),
      part: /^l/i.test(part)
        ? 'part/lunchtime'
        : /^a/i.test(part)
          ? 'casualReference/afternoon'
          : /^e/i.test(part)
            ? 'casualReference/evening'
            : 'casualReference/morning',
    }),
  ),
  phrase('(?:at )?lunch ?time', () => ({ part: 'part/lunchtime' })),
  HOURS,
]

/** Words that are also weekdays or months; the text before them; and the text after dates. */
const OFTEN_A_WORD = /^(?:sun|mon|sat|may|march|second)$/i
const NO_DATE = /\b(?:i|you|he|she|we|they|who|the|a|my)\s+$/i
const DATED =
  /^\s*(?:$|[?!.,;:)–-]|\d|noon|(?:at|from|to|until|till|between|after|before|by|for|with|and|or|next|this|last|in|all|lunch ?time|morning|afternoon|evening|night|mid\w+)\b)/i
/** Allowed text after a day alone. */
const SUITS = /^ (?:please|is|was|works?|would|will|suits?|looks?|sounds?|if|instead)\b/i
/** In `Dec 3 in the afternoon`, chrono would find `3 in the afternoon`. */
const DAY_OF_MONTH = new RegExp(`\\b(?:${MONTHS})[a-z]{0,6}\\.? $`, 'i')

function isLikely({ text }: { readonly text: string }, before: string, after: string): boolean {
  if (OFTEN_A_WORD.test(text)) return !NO_DATE.test(before) && DATED.test(after)
  // "The 3rd floor" is no day.
  if (/^(?:on )?(?:the )?\d{1,2}(?:st|nd|rd|th)$/i.test(text)) return DATED.test(after) || SUITS.test(after)
  return !(/^\d{1,2}(?!\d|[:.]|\s*[ap]\.?m)/i.test(text) && DAY_OF_MONTH.test(before))
}

/** After a date, a number with a dot is a time of day. */
const DOTTED = new RegExp(
  `(?<=\\b(?:(?:${MONTHS})[a-z]{0,6}|(?:mon|tues|wednes|thurs|fri|satur|sun)day),? )\\d{1,2}\\.\\d\\d(?![\\d.])`,
  'gi',
)
/** Before a time, but not within a range of two times. */
const UNTIL = new RegExp(
  `(?:(?<![\\dm] |noon )|(?<=(?:${MONTHS})[a-z]{0,6} \\d{1,2} ))\\b(?:until|till|til)\\b(?= (?:at )?(?:\\d|noon|midnight))`,
  'i',
)

/**
 * Matches names such as "games night", which are no part of a day, and "parents evening 1 December", where the number is the day.
 * After a word of time, an article or a preposition it is a part of the day.
 */
const NAMED_NIGHT =
  /(?<=\b(?!(?:\w*days?|mon|tues?|wed|thu|thurs|fri|sat|sun|to-?morrow|last|this|that|the|an?|my|our|at|by|per|every|each|all|next|late|early|good|until|till?|to|for|of|on|in|and|or|from|during|over|before|after|is|one|same|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*) )[a-z]{3,20} )(?:night\b(?! shift)|(?:(?<=s )(?:evening|morning|afternoon)|(?:evening|morning|afternoon)(?= \d{1,2}(?:st|nd|rd|th)?(?:\.\d| (?:of )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)))))/gi

/** "Fit in two hours": "in" belongs to the verb, and a length follows. */
const FITTED = new RegExp(
  `(?<=\\b(?:fit|fits|fitting|squeez\\w*|slot|cram|pop|block) )in(?= (?:an? |half an )?(?:${LENGTH_COUNT}) ?${TIME_UNIT}\\b)`,
  'gi',
)

const CLOCK_FIGURES = withClockFigures({
  ...{ between: 'between', from: 'from', and: 'and', to: 'to|till|til|until' },
  plain: { from: 'from', to: 'to' },
  minutes: { 'half past': 30, half: 30, '(?:a )?quarter past': 15, '(?:a )?quarter to': -15 },
  hours: COUNTS,
  clock: "o['’]?clock",
  parts: {
    'in the morning': 'morning',
    'in the afternoon': 'pm',
    'in the evening': 'evening',
    'at night': 'night',
  },
  marks: { 'a\\.?m\\.?': 'am', 'p\\.?m\\.?': 'pm' },
  day: `today|tonight|${TOMORROW.slice(3, -1)}|(?:mon|tues|wednes|thurs|fri|satur|sun)day|mon|tue|wed|thu|fri`,
  behind:
    'on|at|for|with|in the|in my|this|next|every|and|or|please|free|i|we|is|are|am|do|does|have|then|if|as|instead',
  spoken: 'five|ten|twenty',
})

export const ENGLISH: Language = {
  words:
    /\b(?:the|my|is|are|what|when|who|with|and|on|at|me|you|i|to|for|from|free|do|can|tomorrow|today|tonight|next|this|last|week|month|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b/gi,
  delay: new RegExp(`\\bin ${LENGTH_COUNT} ?${TIME_UNIT}\\b`, 'i'),
  length: new RegExp(
    `\\b(?:(?:for|lasting) )?(?:an )?(${LENGTH})[ -]?${TIME_UNIT}( and a half)?(?: long)?\\b`,
    'i',
  ),
  isHours: /^h/i,
  count: countOf,
  plain: (text) =>
    CLOCK_FIGURES(text)
      .replace(/\bbetween (\S{1,9}) and (?=\S{1,9}\b)/gi, (_, from: string) => `from    ${from} to  `)
      .replace(/(?<=\d ?(?:[ap]\.?m\.?)? )(?:til|till|until)(?= \d)/gi, (word) => 'to'.padEnd(word.length))
      .replace(/\b(?:1 to 1|1-to-1|1:1|1-1|one to one)\b(?! ?[ap]m)/gi, (words) => 'x'.repeat(words.length))
      .replace(DOTTED, (time) => time.replace('.', ':'))
      .replace(/\bnxt\b/gi, 'nex')
      .replace(UNTIL, (word) => 'by'.padEnd(word.length))
      .replace(FITTED, (word) => 'x'.repeat(word.length))
      .replace(NAMED_NIGHT, (word) => 'x'.repeat(word.length)),
  after: /\bafter\s*(?:at\s*)?$/i,
  before: /\b(?:before|until|by)\s*(?:at\s*)?$/i,
  late: /\b(?:dinner|supper|drinks|evening|night|nite|tonight|tonite|party|concert|theatre|cinema|movie)\b/i,
  early: /\b(?:wake|aufwachen|breakfast|morning|sunrise|flight)\b/i,
  chrono: built((monthFirst) =>
    chronoOf({
      library: configuration.createCasualConfiguration(false),
      monthFirst,
      phrases: PHRASES,
      modifier: /\b(?:this|last|past|next)\b/i,
      to: /^\s*(?:and|&|to|until|till|through|[-–])\s*$/i,
      lead: /(?:\b(?:all|whole)[- ]day )?(?:\b(?:on|for|during|at|over|in|from|between)\b *)?(?:\bthe\b *)?(?:\b(?:coming|following)\b *)?$/i,
      isLikely,
    }),
  ),
}
