/** Easter Sunday by the Gregorian calendar, beside what is published of it: the earliest and the latest, and the two exceptions of the simpler rules. */
import { expect, it } from 'vitest'
import { dateOf, dayNumber } from '../../integrations/dates/civil.ts'
import { easterOf, lastBeforeFeast } from '../../integrations/dates/easter.ts'

const date = (day: number | null): string => {
  if (day === null) return 'none'
  const { year, month, day: of } = dateOf(day)
  return `${year}-${month}-${of}`
}

it.each([
  [1818, '1818-3-22'],
  [1943, '1943-4-25'],
  [1954, '1954-4-18'],
  [1981, '1981-4-19'],
  [2000, '2000-4-23'],
  [2024, '2024-3-31'],
  [2025, '2025-4-20'],
  [2026, '2026-4-5'],
  [2027, '2027-3-28'],
  [2038, '2038-4-25'],
  [2049, '2049-4-18'],
  [2076, '2076-4-19'],
  [2285, '2285-3-22'],
])('of %i', (year, sunday) => {
  expect(date(easterOf(year))).toBe(sunday)
})

it.each([
  ['easter', '2026-4-4'],
  ['Ostern', '2026-4-4'],
  ['good friday', '2026-4-3'],
  ['Ostermontag', '2026-4-6'],
  ['Pfingsten', '2026-5-23'],
  ['Pfingstmontag', '2026-5-25'],
  ['toString', 'none'],
  ['easter eggs', 'none'],
  ['Osterferien', 'none'],
])('%s, of this year while it is ahead', (name, day) => {
  expect(date(lastBeforeFeast(name, dayNumber(2026, 4, 1)))).toBe(day)
})

it('is that of the next year once it is over', () => {
  expect(date(lastBeforeFeast('easter', dayNumber(2026, 4, 5)))).toBe('2027-3-27')
  expect(date(lastBeforeFeast('easter monday', dayNumber(2026, 4, 6)))).toBe('2026-4-6')
})
