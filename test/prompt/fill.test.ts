/** How full a window is (O-34): the shares, at their edges. */
import { expect, it } from 'vitest'
import { fillOf } from '../../kernel/prompt/budget.ts'

it.each([
  [0, 8_192, 'fits'],
  [64, 100, 'fits'],
  [64.99, 100, 'fits'],
  [65, 100, 'summarise'],
  [89, 100, 'summarise'],
  [89.99, 100, 'summarise'],
  [90, 100, 'cut'],
  [5_325, 8_192, 'summarise'],
  [5_325, 200_000, 'fits'],
  [1, 0, 'cut'],
  [Number.NaN, 100, 'cut'],
] as const)('%d of %d: %s', (used, window, fill) => {
  expect(fillOf(used, window)).toBe(fill)
})
