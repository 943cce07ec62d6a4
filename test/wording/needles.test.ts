/** The search for known values finds what a search for each one finds, wherever it stands and however it is split. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createNeedles } from '../../kernel/wording/guard/needles.ts'

const letters = (...range: [number, number]) =>
  fc.string({
    unit: fc.constantFrom(...'abcdefXYZ0189+/_-%. \nİßµ'),
    minLength: range[0],
    maxLength: range[1],
  })

it('finds each value in any text around it, long or short', () => {
  const spelling = letters(8, 60).filter((text) => text.replace(/\s+/g, '') === text && text.length >= 8)
  fc.assert(
    fc.property(
      fc.uniqueArray(spelling, { minLength: 1, maxLength: 5 }),
      letters(0, 80),
      letters(0, 80),
      (values, before, after) => {
        const needles = createNeedles()
        for (const [at, value] of values.entries()) needles.add(`n${at}`, value)
        for (const [at, value] of values.entries()) {
          const found = needles.find(before + value + after).map(({ name, start }) => [name, start])
          expect(found).toContainEqual([`n${at}`, before.length])
          expect(needles.names(`${before} ${[...value].join(' ')} ${after}`)).toContain(`n${at}`)
        }
      },
    ),
    { numRuns: 400, seed: 7 },
  )
})

it('still finds the newest after more were added than are kept, and the dropped ones no longer', () => {
  const needles = createNeedles()
  const secretOf = (at: number): string => `value-${String(at).padStart(6, '0')}-of-a-secret`
  for (let at = 0; at < 17_000; at += 1) needles.add('rotated', secretOf(at))
  expect(needles.find(`now ${secretOf(16_999)} and ${secretOf(9_000)}`)).toHaveLength(2)
  expect(needles.find(`then ${secretOf(3)}`)).toEqual([])
})

it('finds hexadecimal and percent codes in both cases, and nothing in a text without them', () => {
  const needles = createNeedles()
  needles.add('hex', 'deadbeef00112233deadbeef')
  needles.add('percent', 'a%2fb%3fc%2fd%3fe%2ff')
  needles.add('word', 'CorrectHorseBattery1')
  expect(needles.names('xx DEADBEEF00112233DEADBEEF A%2FB%3FC%2FD%3FE%2FF')).toEqual(['hex', 'percent'])
  expect(needles.names('correcthorsebattery1')).toEqual([])
  expect(needles.find('a text of nothing in particular, as long as any other')).toEqual([])
})
