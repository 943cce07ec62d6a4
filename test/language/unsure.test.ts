/**
 * A change in words that are hardly read, without a model: it is planned so that the owner is asked about it, and nothing else is. What is plainly asked
 * for is not, and what is only looked at, leaves for a service, or is one of two requests is never guessed.
 */
import { describe, expect, it } from 'vitest'
import { readingOf } from '../../bench/phrases/score.ts'

describe('asked about', () => {
  it.each([
    ["no swimming this week, teacher's poorly, so get rid of saturday's", 'calendar.delete_event'],
    ['the greenhouse key is under the blue pot', 'memory.save'],
    ['bin the gym induction on friday lol not happening', 'calendar.delete_event'],
    ['in 45 min waesche rausholen', 'reminder.set'],
  ])('%s', (text, tool) => {
    const { calls, asked } = readingOf(text)
    expect([calls, asked.at(-1)?.tool]).toEqual([[], tool])
  })
})

describe('never asked about', () => {
  it.each([
    'remind me tomorrow at 8 to call Nina',
    'opening night nerves!!',
    'torque spec for a shimano 105 crank bolt',
    'the greenhouse key is under the blue pot if nobody took it',
    'I have watered the tomatoes and the shed wants paint and Nina is coming on Friday',
    'why does nobody in this house put shoes away',
  ])('%s', (text) => {
    expect(readingOf(text).asked).toEqual([])
  })
})
