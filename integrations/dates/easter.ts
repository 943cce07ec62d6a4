/**
 * Days that move with Easter, by their names in English and German. The grammars do not read them, for training reads those: only the end of what comes again does.
 * Must not know a sentence. Imported by its name in package.json (`#easter`); the edge has `easter-none.ts` in its place. Called by last-day.ts.
 */
import { dateOf, dayNumber } from './civil.ts'

/** Days after Easter Sunday. */
const FEASTS: Readonly<Record<string, number>> = {
  ...{ 'good friday': -2, karfreitag: -2, easter: -1, ostern: -1, 'easter sunday': 0, ostersonntag: 0 },
  ...{ 'easter monday': 1, ostermontag: 1, pentecost: 48, pfingsten: 48, pfingstmontag: 50 },
}

/** Easter Sunday of a Gregorian year, in days since 1970-01-01. Source: J. Meeus, Astronomical Algorithms (1991), chapter 8. */
export function easterOf(year: number): number {
  const [a, b, c] = [year % 19, Math.floor(year / 100), year % 100]
  const less = Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3)
  const h = (19 * a + b - Math.floor(b / 4) - less + 15) % 30
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7
  return dayNumber(year, 3, 22 + h + l - 7 * Math.floor((a + 11 * h + 22 * l) / 451))
}

/** The last day before such a feast, or the day itself where its weekday is named: "until Easter" is until the day before. Null for any other text. */
export function lastBeforeFeast(text: string, today: number): number | null {
  const name = text.toLowerCase()
  const beside = Object.hasOwn(FEASTS, name) ? FEASTS[name] : undefined
  if (beside === undefined) return null
  const { year } = dateOf(today)
  const day = easterOf(year) + beside
  return day >= today ? day : easterOf(year + 1) + beside
}
