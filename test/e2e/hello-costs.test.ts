/** What the owner's "hello" writes at the edge, as the bench counts it: within its bounds at every commit. Other load changes no count. */
import { expect, it } from 'vitest'
import { atTheEdge } from '../../bench/rows.ts'

it('is at most 25 rows and 3 commits, and only in the owner’s object', async () => {
  const figures = await atTheEdge()
  const bounded = figures.filter(({ bound }) => bound !== undefined)
  expect(bounded.map(({ name }) => name)).toEqual([
    'hello at the edge, rows',
    'hello at the edge, commits of most',
  ])
  expect(bounded.filter(({ bound }) => bound?.holds !== true)).toEqual([])
  expect(figures.filter(({ name }) => /^ {2}(?:tunnel|kernel):/.test(name))).toEqual([])
})
