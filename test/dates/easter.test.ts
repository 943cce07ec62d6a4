/** Easter Sunday by the Gregorian calendar, beside what is published of it: the earliest and the latest, and the two exceptions of the simpler rules. */
import { expect, it } from 'vitest'
import { besideEaster, dateOf, dayNumber, overEaster } from '../../integrations/dates/civil.ts'

const date = (day: number): string => {
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
  expect(date(besideEaster(dayNumber(year, 1, 1), 0))).toBe(sunday)
})

it('is this year’s while it is ahead, also for the days beside it', () => {
  expect(date(besideEaster(dayNumber(2026, 4, 5), 0))).toBe('2026-4-5')
  expect(date(besideEaster(dayNumber(2026, 4, 6), 0))).toBe('2027-3-28')
  expect(date(besideEaster(dayNumber(2026, 4, 6), 1))).toBe('2026-4-6')
  expect(date(overEaster(dayNumber(2026, 4, 5)).first)).toBe('2026-4-5')
})
