/** `npm run bench -- growth`, at a hundredth of its sizes: it measures, and finds the oldest fact at each size. */
import { expect, test } from 'vitest'
import { measureGrowth } from '../../bench/growth.ts'

test('the cost of a message, a search, what is due and contacts is measured at three sizes, with how it grows', async () => {
  const figures = await measureGrowth(0.01, 3)
  expect(figures).toHaveLength(4 * 4)
  expect(figures.map(({ name }) => name).filter((name) => name.endsWith('grows by the power'))).toHaveLength(
    4,
  )
  for (const { name, value } of figures) expect(Number.isFinite(value), name).toBe(true)
  expect(figures[0]?.name).toBe('a message in the store, 1 messages')
  expect(figures[2]?.name).toBe('a message in the store, 50 messages')
}, 120_000)
