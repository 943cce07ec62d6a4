/**
 * Converts words for a length of time to minutes: "half an hour", "90 minutes", "eineinhalb Stunden". Pure. Called by the plans
 * of requests.
 */

const WORDS: Readonly<Record<string, number>> = {
  ...{ a: 1, an: 1, one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8, ten: 10 },
  ...{ fifteen: 15, twenty: 20, thirty: 30, forty: 40, 'forty-five': 45, sixty: 60, ninety: 90 },
  ...{ ein: 1, eine: 1, einen: 1, zwei: 2, drei: 3, vier: 4, fünf: 5, sechs: 6, zehn: 10, fünfzehn: 15 },
  ...{ zwanzig: 20, dreißig: 30, fünfundvierzig: 45, anderthalb: 1.5, eineinhalb: 1.5 },
  ...{ 'half an': 0.5, 'a half': 0.5, 'eine halbe': 0.5, 'a quarter of an': 0.25, 'eine viertel': 0.25 },
}
const COUNTS = Object.keys(WORDS).sort((a, b) => b.length - a.length)
const UNITS = 'hours?|hrs?|h|minutes?|mins?|stunden?|std|minuten?'

/** Pattern source of a length. */
export const LENGTH = `(?:(?:${COUNTS.join('|')}|\\d{1,3}(?:[.,]5)?)[ -]?(?:(?:free|spare|open|freie) )?(?:${UNITS})(?: and a half| und eine halbe)?)`
const ONE = new RegExp(
  `^(?<count>${COUNTS.join('|')}|\\d{1,3}(?:[.,]5)?)[ -]?(?:(?:free|spare|open|freie) )?(?<unit>${UNITS})(?<half> and a half| und eine halbe)?$`,
  'i',
)

/** Null if the words are no length. */
export function minutesOf(words: string): number | null {
  const found = ONE.exec(words.trim())?.groups
  if (found === undefined) return null
  const { count = '', unit = '', half } = found
  const number = WORDS[count.toLowerCase()] ?? Number(count.replace(',', '.'))
  const whole = number + (half === undefined ? 0 : 0.5)
  return Math.round(whole * (/^[hs]/i.test(unit) ? 60 : 1))
}
