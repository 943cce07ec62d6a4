/** Questions about the conversation itself: what they look for, and in which past (O-41). Today is Sunday, 22 November 2026. */
import { expect, it } from 'vitest'
import { extracted } from './fixtures.ts'

it.each([
  ['what did we say on Monday?', null, '2026-11-16', '2026-11-17'],
  ['what did we talk about last Monday?', null, '2026-11-16', '2026-11-17'],
  ['what did we say about the boat yesterday?', 'boat', '2026-11-21', '2026-11-22'],
  ['What did I say about the boat on Monday?', 'boat', '2026-11-16', '2026-11-17'],
  ['what did we discuss on 12 November?', null, '2026-11-12', '2026-11-13'],
  ['what did we discuss on 24 December?', null, '2025-12-24', '2025-12-25'],
  ['what have we said about the race?', 'race', null, null],
])('%s', (text, topic, from, to) => {
  const fields = extracted(text)
  expect(fields['intent']).toBe('memory_search')
  expect(fields['topic'] ?? null).toBe(topic)
  expect(
    [fields['from'] ?? null, fields['to'] ?? null].map((day) => day && String(day).slice(0, 10)),
  ).toEqual([from, to])
})

it.each(['what did you say?', 'what did they say on Monday?', 'what were we talking about?'])(
  '%s is no such question',
  (text) => {
    expect(extracted(text)['from']).toBeUndefined()
  },
)
