/** Working hours in people's words. */
import { describe, expect, it } from 'vitest'
import { HOURS_TYPED, hoursIn, hoursWords } from '../../kernel/features/hours/hours.ts'

describe('working hours', () => {
  it.each([
    ['9 to 17:30', '9:00–17:30'],
    ['from 8am to 4:30pm', '8:00–16:30'],
    ['9 to 5', '9:00–17:00'],
    ['9:00-17:30', '9:00–17:30'],
    ['von 8 bis 16 Uhr', '8:00–16:00'],
    ['10 till 18.15', '10:00–18:15'],
  ])('are read in %s', (typed, hours) => {
    expect(new RegExp(`^${HOURS_TYPED}$`, 'i').test(typed)).toBe(true)
    const read = hoursIn(typed)
    expect(read === null ? null : hoursWords(read)).toBe(hours)
  })

  it.each(['5pm to 9am', '25 to 26', '9:75 to 10', 'nine', '9 to 12 to 15'])('are not %s', (typed) => {
    expect(hoursIn(typed)).toBeNull()
  })
})
