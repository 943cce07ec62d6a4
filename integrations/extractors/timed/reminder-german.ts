/**
 * Translates German reminders into the English form that the reminder rules read; the text of the reminder
 * stays as typed, except a clause behind "dass". An unknown repetition keeps its German words, which the
 * rules refuse. Pure. Called by reminder.ts and job-german.ts.
 */

import { mainClause } from '../../tools/main-clause.ts'

const HOURS = 'eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf'.split(' ')
const WECKE =
  /^(?!.*(?<!\p{L})(?:aus|ab|weg|löschen|ausschalten|ausmachen)[.!]?$)(?:bitte )?(?:wecke? mich(?: (?:bitte|mal|doch))*|wecker(?: auf| um| für)?) (?<when>\S.{1,80}?)(?:,? (?:sonst|weil|damit|denn)\b.{1,80})?$/isu
const ERINNERE =
  /^(?:(?<lead>.{1,80}?)(?<mark>[,;:–-]?) +)?(?:bitte )?(?:(?:erinner(?:e|st du)? mich|vergiss nicht,? mich|erinnern(?= (?!an\b)))|(?<noun>(?:eine )?erinnerung(?=:? \S)))\b(?: (?:bitte|doch|mal|noch|(?:später|nachher|dann|auch)(?= (?:noch |mal |bitte )*d?r?an\b)))*[\s:,]*(?<rest>.*)$/is
/** Of who tells, asks why or thanks: beside it stands no order. */
const TELLS =
  /(?<!\p{L})(?:du|dein\p{L}*|warum|wieso|weshalb|nicht|nie|kein\p{L}*|danke\p{L}*|hast|hat|hatte|wird|würde)(?!\p{L})/iu
/** Words of a time and what it is for that are looked through. */
const MOST_WORDS = 16
/** "Sag mir um acht Bescheid, dass …": with a time it is a reminder, and without one something else. */
const BESCHEID =
  /^(?:bitte )?(?:(?:sage?|gib|gebe?) )?mir (?<day>\S.{1,60}?) bescheid(?: (?:sagen|geben))?,? (?:dass|das|wegen|zwecks|ich) (?<about>\S.*)$/is
const NAMES_A_TIME =
  /\d|(?<!\p{L})(?:heute?|morgen|übermorgen|halb|viertel|mittags?|abends?|\p{L}+tag|mittwoch)(?!\p{L})/iu
/** From two on, as far as a repetition counts. */
const COUNTS = 'zwei drei vier fünf sechs sieben acht neun zehn elf zwölf'.split(' ')
const UNITS: readonly (readonly [string, string])[] = [
  ['tage', 'days'],
  ['wochen', 'weeks'],
  ['monate', 'months'],
]
const PLACES = 'erst zweit dritt viert fünft sechst siebt acht neunt zehnt'.split(' ')
const REPEATED: readonly (readonly [RegExp, string])[] = [
  ...[...PLACES.map((word, at) => [`${word}en`, at + 1] as const), ['(\\d{1,2})\\.', 0] as const].map(
    ([day, number]) =>
      [
        new RegExp(
          `(?<!\\p{L})(?:(?:immer |jeweils )?(?:am|zum) ${day} (?:eines )?(?:jede[nrs]|im) monate?s?|jede[nrs] ${day} (?:im|des|eines|jede[ns]) monate?s?)(?!\\p{L})`,
          'giu',
        ),
        number === 0 ? 'jeden monat am $1$2.' : `jeden monat am ${number}.`,
      ] as const,
  ),
  ...UNITS.flatMap(([unit, units]): readonly (readonly [RegExp, string])[] => [
    ...COUNTS.map(
      (count, at) => [new RegExp(`\\balle ${count} ${unit}\\b`, 'gi'), `every ${at + 2} ${units}`] as const,
    ),
    [new RegExp(`\\balle (\\d{1,2}) ${unit}\\b`, 'gi'), `every $1 ${units}`],
  ]),
  [/\b(?:jede zweite woche|(?:14-?|vierzehn)tägig|zweiwöchentlich|zweiwöchig)\b/gi, 'every 2 weeks'],
  [/\bjeden zweiten monat\b/gi, 'every 2 months'],
  [
    /(?<!\p{L})jede[nrs] (\d{1,2})\. ?(?=(?:j[aä]n|feb|mär|apr|mai|jun|jul|aug|sep|okt|nov|dez))/giu,
    'every 12 months am $1. ',
  ],
  [/(?<!\p{L})(?:jedes jahr|jährlich|einmal (?:im|pro|jedes) jahr|alle jahre)(?!\p{L})/giu, 'every year'],
  [/(?<!\p{L})(?:alle zwei jahre|jedes zweite jahr)(?!\p{L})/giu, 'every 24 months'],
  [
    /(?<!\p{L})(?:jedes quartal|vierteljährlich|quartalsweise|einmal (?:im|pro) quartal)(?!\p{L})/giu,
    'every 3 months',
  ],
  [/(?<!\p{L})(?:jedes halbe jahr|halbjährlich)(?!\p{L})/giu, 'every 6 months'],
  [
    /(?<!\p{L})(?:(?:immer|jeweils) )?(?:am letzten(?: tag)? (?:jedes|eines jeden|von jedem) monats?|am ende (?:jedes|eines jeden) monats|jeden (?:monatsletzten|letzten(?: tag)? (?:im|des) monats?)|(?:immer|jeweils) (?:am )?(?:monatsletzten|monatsende)|(?:jeden monat|monatlich) (?:am letzten(?: tag)?|zum letzten|zum monatsende|am monatsende))(?!\p{L})(?! (?:\p{L}+tag|mittwoch)\b)/giu,
    'on the last day of every month',
  ],
  [
    /(?<!\p{L})(?:(?:immer |jeweils )?am letzten (?=(?:\p{L}+tag|mittwoch) (?:jedes|eines jeden|von jedem) monats?)|jeden letzten (?=\p{L}+tag|mittwoch)|(?:jeden monat|monatlich)(?: immer)? am letzten (?=\p{L}+tag|mittwoch)|(?:immer|jeweils) am letzten (?=(?:\p{L}+tag|mittwoch) (?:im|des|eines) monats?))(\p{L}+)(?: (?:jedes|eines jeden|von jedem|im|des|eines) monate?s?)?(?!\p{L})/giu,
    'every month on the last $1',
  ],
  ...(['erst', 'zweit', 'dritt', 'viert'] as const).map(
    (place, at) =>
      [
        new RegExp(
          `(?<!\\p{L})(?:(?:immer |jeweils )?am ${place}en (?=(?:\\p{L}+tag|mittwoch) (?:jedes|eines jeden|von jedem) monats?)|jeden ${place}en (?=(?:\\p{L}+tag|mittwoch) (?:im|des|eines) monats?)|(?:jeden monat|monatlich)(?: immer)? am ${place}en (?=\\p{L}+tag|mittwoch))(\\p{L}+)(?: (?:jedes|eines jeden|von jedem|im|des|eines) monate?s?)?(?!\\p{L})`,
          'giu',
        ),
        `every month on the ${['first', 'second', 'third', 'fourth'][at] ?? ''} $1`,
      ] as const,
  ),
  [/\bjeden zweiten (?=\p{L}+tag\b|mittwoch\b)/giu, 'every second '],
  [/\b(?:einmal|1 ?x|1 ?mal) (?:am|pro|jeden) tag\b/gi, 'every day'],
  [/\b(?:einmal|1 ?x|1 ?mal) (?:die|pro|in der|jede) woche\b/gi, 'every week'],
  [/\b(?:einmal|1 ?x|1 ?mal) (?:im|pro|jeden) monat\b/gi, 'every month'],
  [/\b(?:immer|jeweils) am (?=\p{L}+tag\b|mittwoch\b)/giu, 'every '],
  [/\b(?:immer|jeweils) (?=\p{L}+tags\b|mittwochs\b)/giu, ''],
]
/** "In zwei Stunden": how many of a length there are, as digits. */
const LENGTHS = [
  ...COUNTS.map((word, at) => [word, at + 2] as const),
  ...([
    ['fünfzehn', 15],
    ['zwanzig', 20],
    ['dreißig', 30],
    ['vierzig', 40],
    ['fünfundvierzig', 45],
  ] as const),
].map(([word, count]): readonly [RegExp, string] => [
  new RegExp(`(?<!\\p{L})${word}(?= (?:minuten|stunden|tagen?|wochen|monaten?)(?!\\p{L}))`, 'giu'),
  String(count),
])
const DAYS = [
  ...[['montag', 'mon'] as const, ['dienstag', 'tues'] as const, ['mittwoch', 'wednes'] as const],
  ...[['donnerstag', 'thurs'] as const, ['freitag', 'fri'] as const, ['samstag|sonnabend', 'satur'] as const],
  ['sonntag', 'sun'] as const,
]
const GERMAN: readonly (readonly [RegExp, string])[] = [
  ...REPEATED,
  ...LENGTHS,
  [/(?<!\p{L})(?:anderthalb|eineinhalb) stunden(?!\p{L})/giu, '90 minutes'],
  [
    /(?<!\p{L})(?:so )?(?:gegen|ca\.?|circa|etwa|ungefähr)(?: um)? (?=\d|eins\b|zwei\b|drei\b|vier\b|fünf\b|sechs\b|sieben\b|acht\b|neun\b|zehn\b|elf\b|zwölf\b|halb\b|viertel\b)/giu,
    'um ',
  ],
  [/\b(?:an )?(?:jede[nrsm]? )?(?:werktags?|werktagen|wochentagen?)\b/gi, 'every weekday'],
  [/\b(?:jeden tag|täglich)\b/gi, 'every day'],
  [/\b(?:jede woche|wöchentlich)\b/gi, 'every week'],
  [/\b(?:jeden monat|monatlich)\b/gi, 'every month'],
  [/\bjeden zweiten tag\b/gi, 'every 2 days'],
  [/\bjeden morgen\b/gi, 'every morning'],
  [/\bjeden (?:abend|nacht)\b/gi, 'every evening'],
  [/\bjeden nachmittag\b/gi, 'every afternoon'],
  [/\bjede[nrsm]?\b/gi, 'every'],
  [/\bam (\p{L}+tag)\b/giu, '$1'],
  [/\b(?:am wochenende|jedes wochenende)\b/gi, 'on weekends'],
  ...DAYS.map(
    ([german, english]) => [new RegExp(`\\b(?:${german})(s?)\\b`, 'gi'), `${english}day$1`] as const,
  ),
  [/(?<!\p{L})übermorgen in der fr(?:ü|ue?)h\b/giu, 'in 2 days at 8:00'],
  [/(?<!\p{L})übermorgen\b/giu, 'in 2 days'],
  [/\bin der fr(?:ü|ue?)h\b/gi, 'in the morning'],
  [
    /(?:\bam |(?<=day,? )(?:de[nm] )?)(\d{1,2})\. ?(j[aä]n|feb|mär|apr|mai|jun|jul|aug|sep|okt|nov|dez)\p{L}*/giu,
    'on $1 $2',
  ],
  ...['jän jan', 'mär mar', 'mai may', 'okt oct', 'dez dec'].map(
    (pair) => [new RegExp(`(?<=\\bon \\d+ )${pair.slice(0, 3)}`, 'gi'), pair.slice(4)] as const,
  ),
  [/(?:\bam |(?<=day,? )(?:de[nm] )?)(?=\d{1,2}\. ?\d{1,2}\.)/gi, 'on '],
  [/\bam (\d{1,2})\./gi, 'on the $1th'],
  [/\b(?:heute )(?:früh|morgen)\b/gi, 'this morning'],
  [/\bmorgen früh\b/gi, 'tomorrow morning'],
  [/\bheute\b/gi, 'today'],
  [/\b(?<!every )morgens\b/gi, 'in the morning'],
  [/\bmorgen\b/gi, 'tomorrow'],
  [/\bmittags?\b/gi, 'at noon'],
  [/\b(?:am )?nachmittags?\b/gi, 'in the afternoon'],
  [/\babends?\b/gi, 'in the evening'],
  [/\b(?:einer )?halbe[nr]? stunde\b/gi, '30 minutes'],
  [/\bin einer (stunde|woche)\b/gi, 'in 1 $1'],
  [/\bin einem (tag|monat)\b/gi, 'in 1 $1'],
  [/\bstunden?\b/gi, 'hours'],
  [/\bminuten?\b/gi, 'minutes'],
  [/\btag(?:en)?\b/gi, 'days'],
  [/\bwochen?\b/gi, 'weeks'],
  [/\bum (eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf)\b(?: uhr)?/gi, 'at {$1}'],
  [/\bheut\b/gi, 'today'],
  [/(?<!\p{L})fr(?:ü|ue)h(?!\p{L})/giu, 'in the morning'],
  [/\b(\d{1,2}) uhr ([0-5]\d)(?![\d:.])/gi, '$1:$2 uhr'],
  [/\bum (\d{1,2})[:.](\d\d)(?: uhr)?\b/gi, 'at $1:$2'],
  [/\bum (\d{1,2})(?: uhr)?\b/gi, 'at $1:00'],
  [/(?<!at )\b(\d{1,2})[:.](\d\d) uhr\b/gi, 'at $1:$2'],
  [/\b(\d{1,2}) uhr\b/gi, 'at $1:00'],
]

const LONG = 'Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag'.split(' ')
/** "Am Mo", "Mo, Mi und Fr": with a capital, and where a day stands. "Do" and "so" are words as well. */
const SHORT_DAY =
  /(?<=(?:^|[\s,](?:am|jede[nr]|nächsten|kommenden|bis|ab|mich|immer|bitte|und)|,) ?)(?:M[oi]|D[io]|Fr|S[ao])\.?(?=,| (?:um|und|früh|abends?|ans?|wegen|daran|\d{1,2}(?!\d|\.(?!\d))))/gu

function longDays(said: string): string {
  return said.replace(SHORT_DAY, (short) => LONG.find((day) => day.startsWith(short.slice(0, 2))) ?? short)
}

/** It ends a reminder. */
const ENDS = /^(?:stelle?|lösche?|loesche?|streiche?|nimm|beende|stoppe?|cancel|schalte?)\b/i

/**
 * `erinnere mich morgen um 9 an den Zahnarzt` → `remind me tomorrow at 9:00 to den Zahnarzt`; any other text
 * as it is. `isTime`: whether English words are a time and nothing else. Only a time is translated; what it
 * is for stays as typed.
 */
export function inEnglish(typed: string, isTime: (words: string) => boolean): string {
  const text = longDays(typed).replace(/(?<!\p{L})ans (?=\p{Lu})/u, 'an das ')
  const wake = WECKE.exec(text)?.groups?.['when']
  if (wake !== undefined)
    return `remind me ${inTheMorning(whenInEnglish(/^\d/.test(wake) ? `um ${wake}` : wake))} to aufwachen`
  const { day = '', about = '' } = BESCHEID.exec(text)?.groups ?? {}
  if (about !== '' && NAMES_A_TIME.test(day))
    return `remind me ${whenInEnglish(day).trim()} to ${about.trim()}`
  const { lead = '', mark = '', noun, rest = '' } = ERINNERE.exec(text)?.groups ?? {}
  // "Sag ihn ab und erinnere mich …" is of two things.
  if (rest === '' || ENDS.test(lead) || /(?:^|\s)(?:und|dann)$/i.test(lead)) return text
  const isTimed = lead === '' || isTime(whenInEnglish(lead))
  if (!isTimed) return noun === undefined && mark !== '' ? (ofLead(lead, rest, isTime) ?? text) : text
  const named = /^(?<when>.{2,60}?): +(?<topic>\S.*)$/s.exec(rest)?.groups
  if (named !== undefined && lead === '')
    return `remind me ${whenInEnglish(named['when'] ?? '').trim()} to ${named['topic'] ?? ''}`
  const [, when = '', object = ''] = OF_WHAT.exec(rest) ?? ['', rest, '']
  const topic = OF_A_NOUN.test(rest.slice(0, rest.length - object.length)) ? nounOf(object) : object
  // "Daran" is what was shown last.
  if (topic.trim() === '' && /\bda?ran\b/i.test(rest))
    return `remind me ${inOneLine(whenInEnglish(`${lead} ${when}`))} to it`
  // The time stands before what it is for, or behind it: `an den Müll morgen um 8`.
  const said = when.trim() === '' && lead === '' ? topic : topic === '' ? when : ''
  const [at, what] = said === '' ? [when, topic] : (timeApart(said, isTime) ?? [when, topic])
  const time = inOneLine(whenInEnglish(`${lead} ${at}`))
  const told = CLAUSE.test(rest.slice(0, rest.indexOf(object))) ? mainClause(what.trim()) : what.trim()
  return told === '' ? `remind me ${time}` : `remind me ${time} to ${told}`
}

/** "Dass ich Mama anrufe" is kept as "ich rufe Mama an". */
const CLAUSE = /(?<!\p{L})dass\s*$/iu
const OF_A_NOUN = /(?:^|\s)an\s+$/iu

/** "An den Anruf" is of "Anruf", and "an meinen Zug" of "mein Zug": a thing is named in the nominative. */
function nounOf(words: string): string {
  return words
    .replace(new RegExp(`^(?:den|die|das) (?=\\p{Lu})(?!${SHOWN})`, 'u'), '')
    .replace(new RegExp(`^((?:m|d|s)?ein|unser|ihr)en (?=\\p{Lu})(?!${SHOWN})`, 'u'), '$1 ')
}

/** "An die Mail" may be of one that was shown, which the article points at. */
const SHOWN = '(?:E-?Mail|Mail|Nachricht|Termin|Besprechung|Seite|Datei|Dokument|Aufgabe|Notiz)(?![\\p{L}-])'

const OF_WHAT =
  /^(.*?)(?:\b(?:da?ran,?(?: dass)?|an (?!werktag|wochentag|jedem))|,? ?(?<![\p{L}])dass )\s*(.*)$/isu

/**
 * "Training am Dienstag um 6, erinner mich um 5": the words first, whatever time they name, and behind them
 * when to say so.
 */
function ofLead(lead: string, rest: string, isTime: (words: string) => boolean): string | null {
  const time = inOneLine(
    whenInEnglish(rest.replace(/[\s.!]*$/, '').replace(/(?<!\p{L})da?ran(?!\p{L})/iu, ' ')),
  )
  return !TELLS.test(lead) && !/[.!?]\s/.test(lead) && isTime(time) ? `remind me ${time} to ${lead}` : null
}

/** A text with a time at its beginning or its end, as the time and the rest; null if it has none. */
function timeApart(text: string, isTime: (words: string) => boolean): readonly [string, string] | null {
  const words = text
    .trim()
    .replace(/(?<![\s.!])[\s.!]+$/, '')
    .split(/\s+/)
  if (words.length > MOST_WORDS) return null
  const part = (from: number, to?: number): string => words.slice(from, to).join(' ')
  for (let count = words.length; count > 0; count -= 1) {
    const [first, last] = [part(0, count).replace(/,$/, ''), part(words.length - count)]
    if (isTime(whenInEnglish(first))) return [first, part(count)]
    if (isTime(whenInEnglish(last))) return [last, part(0, words.length - count)]
  }
  return null
}

function inOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

const HOUR = `(?<hour>\\d{1,2}|${HOURS.join('|')})`
/**
 * "Halb 7", "viertel nach 7", "dreiviertel neun": how a clock is read aloud, and the minutes that it means
 * from the named hour on.
 */
const SPOKEN: readonly (readonly [RegExp, number])[] = [
  ...['fünf|5', 'zehn|10', 'zwanzig|20'].flatMap((size, at) =>
    ['vor', 'nach', 'vor halb', 'nach halb'].map(
      (side) =>
        [
          new RegExp(`(?<![\\p{L}\\d])(?:um )?(?:${size}) ${side} ${HOUR}(?: uhr)?(?![\\p{L}\\d:])`, 'giu'),
          (at === 2 ? 20 : at * 5 + 5) * (/^v/.test(side) ? -1 : 1) - (/ /.test(side) ? 30 : 0),
        ] as const,
    ),
  ),
  [new RegExp(`(?<!\\p{L})(?:um )?halb ${HOUR}(?: uhr)?(?![\\p{L}\\d:])`, 'giu'), -30],
  [new RegExp(`(?<!\\p{L})(?:um )?viertel nach ${HOUR}(?: uhr)?(?![\\p{L}\\d:])`, 'giu'), 15],
  [new RegExp(`(?<!\\p{L})(?:um )?(?:viertel vor|dreiviertel) ${HOUR}(?: uhr)?(?![\\p{L}\\d:])`, 'giu'), -15],
]

function clockOf(hour: string, minutes: number): string {
  const named = /^\d/.test(hour) ? Number(hour) : HOURS.indexOf(hour.toLowerCase()) + 1
  const all = (named * 60 + minutes + 1_440) % 1_440
  return `at ${Math.floor(all / 60)}:${String(all % 60).padStart(2, '0')}`
}

/** Who is to be woken at half past six means the morning. */
export function inTheMorning(when: string): string {
  return /(?<![a-z])(?:[ap]\.?m|in the|noon|evening|night)\b/i.test(when)
    ? when
    : when.replace(
        /\b(?:at )?(0?[1-9]|1[01])(?:[:.](\d\d))?(?!\d| ?(?:min|hour|day|week))/,
        (_, hour: string, minute = '00') => `at ${hour}:${minute} am`,
      )
}

/** The words of a time or a repetition. */
export function whenInEnglish(german: string): string {
  // Most rules find no such words, and then there are thirty patterns to try on nothing.
  if (german === '') return ''
  const spoken = SPOKEN.reduce(
    (left, [from, minutes]) => left.replace(from, (_, hour: string) => clockOf(hour, minutes)),
    german,
  )
  const english = GERMAN.reduce((left, [from, to]) => left.replace(from, to), spoken)
  return english.replace(/\{(\S+)\}/g, (_, hour: string) => `${HOURS.indexOf(hour.toLowerCase()) + 1}:00`)
}
