/** A question about one kind of event is answered with those alone, or with a no (owner.md: an answer to another question). */
import { expect, it } from 'vitest'
import { calendarTools } from '../pipeline/mailbox.ts'
import { createWorld } from '../pipeline/world.ts'

it.each([
  ['when is my next flight?', /^I found nothing about Flight on your calendar for /],
  ['what time is my haircut', /^I found nothing about Haircut on your calendar/],
  ['when is my next standup', /Standup/],
  ['when is my next appointment', /Standup/],
  ['what is my next meeting?', /Standup/],
])('%s', async (words, answer) => {
  const world = createWorld({ tools: calendarTools() })
  await world.say(words)
  expect(world.heard()).toMatch(answer)
})
