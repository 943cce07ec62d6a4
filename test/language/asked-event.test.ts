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

it.each([
  ["when's my next meeting", ['Standup', 'Call']],
  ['what is my next meeting?', ['Standup', 'Call']],
  ['what are my next meetings', ['Standup', 'Call', 'Review']],
])('%s: %j', async (words, titles) => {
  const event = (title: string, day: number) => ({
    ...{ id: title, title, allDay: false, attendees: 1 },
    ...{ from: `2026-11-${day}T09:00:00+01:00`, to: `2026-11-${day}T10:00:00+01:00` },
  })
  const events = [event('Standup', 27), event('Call', 27), event('Review', 28)]
  const list = () => ({ ok: true as const, output: { events, more: false } })
  const world = createWorld({ tools: { ...calendarTools(), 'calendar.list_events': list } })
  await world.say(words)
  expect(['Standup', 'Call', 'Review'].filter((title) => world.heard().includes(title))).toEqual(titles)
})
