/**
 * Days of a month as number words, "ninth" and "neunten", and words after a number that is no day, such as "3rd floor". Pure.
 * Called by the files of this folder that read days.
 */

const ONES = 'first second third fourth fifth sixth seventh eighth ninth'.split(' ')
const ENGLISH = [
  ...ONES,
  ...'tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth'.split(
    ' ',
  ),
  ...['twentieth', ...ONES.map((one) => `twenty ${one}`), 'thirtieth', 'thirty first'],
]

const TENTHS =
  'zehnte elfte zwölfte dreizehnte vierzehnte fünfzehnte sechzehnte siebzehnte achtzehnte neunzehnte'.split(
    ' ',
  )
const GERMAN = [
  ...'erste zweite dritte vierte fünfte sechste siebte achte neunte'.split(' '),
  ...TENTHS,
  'zwanzigste',
  ...'ein zwei drei vier fünf sechs sieben acht neun'.split(' ').map((one) => `${one}undzwanzigste`),
  ...['dreißigste', 'einunddreißigste'],
]

/** Longest first: "twenty second" before "twenty". */
function sourceOf(words: readonly string[]): string {
  return words
    .toSorted((a, b) => b.length - a.length)
    .map((word) =>
      word.replace(' ', '[- ]').replace('ü', '(?:ü|ue)').replace('ö', '(?:ö|oe)').replace('ß', '(?:ß|ss)'),
    )
    .join('|')
}

/** Pattern sources without groups. German words include their ending: "am neunten". */
export const ENGLISH_WORD = `(?:${sourceOf(ENGLISH)})`
/** Words that may equally be a position in a list: "the third". */
export const ENGLISH_FEW = '(?:first|second|third)'
export const ENGLISH_NUMBER = `(?:\\d{1,2}(?:st|nd|rd|th)|${ENGLISH_WORD})`
export const GERMAN_WORD = `(?:${sourceOf(GERMAN)})[nr]?`
export const GERMAN_FEW = '(?:erste|zweite|dritte)[nr]?'

/** Words after a number that is no day of a month: "Saturday 18th birthday", "the second one". */
export const NO_DAY =
  '(?! ?-?(?:one|ones|time|thing|floor|birthday|b-?day|anniversary|half|quarter|grade|year|class|street|avenue|ave|round|week|weekend|month|mail|e-?mail|message|item|team|xi|century|place|edition|geburtstag|jahrestag|hochzeitstag|stock|etage|klasse|semester|liga|runde|stunde|schicht|spieltag|impfung|woche|hälfte|mal|tag|advent|platz|mail)s?\\b)'

/** The day of a month, or NaN. */
export function ordinalOf(typed: string): number {
  const word = typed.toLowerCase().replace('-', ' ')
  const english = ENGLISH.indexOf(word)
  if (english >= 0) return english + 1
  const spelt = word.replace('fuenf', 'fünf').replace('zwoelf', 'zwölf').replace('dreissig', 'dreißig')
  const german = GERMAN.indexOf(spelt.replace(/[nr]$/, ''))
  return german >= 0 ? german + 1 : Number.parseInt(word, 10)
}
