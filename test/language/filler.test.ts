/** Words at the end of a request that say nothing do not keep it from being understood, and stay in what is kept word for word. */
import { expect, it } from 'vitest'
import { readingOf } from '../../bench/phrases/score.ts'
import { operationInMessage } from '../../kernel/operations/commands.ts'
import { withoutFiller } from '../../kernel/operations/plain-request.ts'

it.each([
  ["what's going on this week", 'calendar.list_events'],
  ['whats going on tomorrow then', 'calendar.list_events'],
  ["what's on my calendar tomorrow again", 'calendar.list_events'],
  ['was habe ich morgen eigentlich', 'calendar.list_events'],
  ['weather in london at the moment', 'weather.forecast'],
])('%s → %s', (text, tool) => expect(readingOf(text).calls.map((call) => call.tool)).toEqual([tool]))

it.each(['whats on my list now', 'was steht jetzt auf meiner liste', 'was steht auf meiner liste gerade'])(
  '%s shows the list',
  (text) => expect(operationInMessage(text)?.operation.name).toBe('reminders.tasks'),
)

it('keeps a fact as it was said', () =>
  expect(readingOf('remember that i am vegan now').calls).toEqual([
    { tool: 'memory.save', args: { text: 'i am vegan now' } },
  ]))

it.each([
  ['what is the plan now?', 'what is the plan'],
  ['show it, please, again!', 'show it'],
  ['now', null],
  ['tell Tom: I come now', null],
  ['what do you know', null],
])('%s without filler: %s', (text, plain) => expect(withoutFiller(text)).toBe(plain))
