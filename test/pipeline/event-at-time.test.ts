/** A time without a day is of the events that were shown last, where one of them begins then: "the one at two", right after tomorrow's were listed. */
import { expect, it } from 'vitest'
import { onlyOne } from './approvals-owner.ts'
import { mailTools } from './mailbox.ts'
import { createWorld, type World } from './world.ts'

const event = (id: string, title: string, from: string, to: string) => ({
  ...{ id, title, from, to, allDay: false, attendees: 0, calendarId: 'primary' },
})
/** The world's Friday is 20 November 2026, in Madrid. */
const EVENTS = [
  event('today', 'Standup', '2026-11-20T14:00:00Z', '2026-11-20T14:30:00Z'),
  event('review', 'Budget review', '2026-11-21T13:00:00Z', '2026-11-21T14:00:00Z'),
  event('dinner', 'Dinner', '2026-11-21T18:00:00Z', '2026-11-21T19:00:00Z'),
]
const having = (): World =>
  createWorld({
    tools: {
      ...mailTools(),
      'calendar.list_events': ({ from, to }) => ({
        ok: true,
        output: {
          more: false,
          events: EVENTS.filter(
            (one) =>
              Date.parse(one.from) < Date.parse(String(to)) && Date.parse(one.to) > Date.parse(String(from)),
          ),
        },
      }),
      'calendar.update_event': () => ({ ok: true, output: { id: 'review' } }),
      'calendar.delete_event': () => ({ ok: true, output: {} }),
    },
  })

it.each([
  ['was steht morgen an?', 'verschieb den Termin um 14 Uhr auf 15 Uhr', 'calendar.update_event'],
  ['whats on tomorrow', 'move the 2pm one to 3pm', 'calendar.update_event'],
  ['whats on tomorrow', 'move the 2pm meeting to 4', 'calendar.update_event'],
  ['whats on tomorrow', 'cancel the one at 2pm', 'calendar.delete_event'],
  ['was steht morgen an?', 'sag den um 14 uhr ab', 'calendar.delete_event'],
])('%s %s', async (look, change, tool) => {
  const world = having()
  await world.say(look)
  await world.say(change)
  expect(world.heard()).toMatch(/Budget review|Saturday 21 November|Samstag/)
  await world.say(`yes ${(await onlyOne(world)).number}`)
  expect(world.calls.filter((call) => call.tool === tool)).toMatchObject([{ args: { id: 'review' } }])
})

it.each([
  ['whats on tomorrow', 'cancel the one today at 3pm', 'today'],
  ['whats on today', 'cancel the one at 3pm', 'today'],
])('a day that is said is meant: %s %s', async (look, change, id) => {
  const world = having()
  await world.say(look)
  await world.say(change)
  await world.say(`yes ${(await onlyOne(world)).number}`)
  expect(world.calls.filter(({ tool }) => tool === 'calendar.delete_event')).toMatchObject([{ args: { id } }])
})
