/** Which task words mean: all of its words, else the most of them, and never one of two that fit as well. */
import { expect, it } from 'vitest'
import { namedAt, UNNAMED } from '../../kernel/features/reminders/found.ts'

const TASKS = ['sand the bench', 'paint the bench and the gate', 'milk', 'oat milk'].map((text) => ({ text }))

it.each([
  ['bench sanded gate', 1],
  ['gate', 1],
  ['oat milk', 3],
  ['sand bench', 0],
])('%s is the task at %s', (words, at) => expect(namedAt(words, TASKS)).toBe(at))

it('is none of two that fit as well, or of none', () => {
  expect(namedAt('bench', TASKS)).toBe(UNNAMED.several)
  expect(namedAt('milk', TASKS)).toBe(UNNAMED.several)
  expect(namedAt('varnish the boat', TASKS)).toBe(UNNAMED.none)
  expect(namedAt('milk', [])).toBe(UNNAMED.none)
})
