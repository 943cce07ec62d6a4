/** What takes a time that was asked for is named to the owner at home, and to nobody else: the answer to others, and of whole days, is the times alone. */
import { expect, it } from 'vitest'
import { createWorld, type ScriptedTool } from './world.ts'

/** The world's Friday noon is 20 November 2026, 13:00 in Madrid. */
const DENTIST = {
  ...{ id: 'd1', title: 'Dentist', from: '2026-11-25T13:30:00Z', to: '2026-11-25T14:30:00Z' },
  ...{ allDay: false, attendees: 0, calendarId: 'primary' },
}
const FREE = { ...DENTIST, id: 'f1', title: 'Holiday of a colleague', busy: false }
const slot = (from: string, to: string, busy: boolean) => ({ from, to, busy })
const TOOLS: Record<string, ScriptedTool> = {
  'calendar.list_events': ({ from, to }) => ({
    ok: true,
    output: {
      more: false,
      events: [DENTIST, FREE].filter(
        (one) =>
          Date.parse(one.from) < Date.parse(String(to)) && Date.parse(one.to) > Date.parse(String(from)),
      ),
    },
  }),
  'calendar.freebusy': () => ({
    ok: true,
    output: {
      slots: [
        slot('2026-11-24T23:00:00Z', DENTIST.from, false),
        slot(DENTIST.from, DENTIST.to, true),
        slot(DENTIST.to, '2026-11-25T23:00:00Z', false),
      ],
    },
  }),
}

it.each([
  ['am I free on Wednesday at 3?'],
  ['am I free on Wednesday from 2:30 to 3:30 pm?'],
  ['do I have time on Wednesday at 3?'],
])('%s', async (words) => {
  const own = createWorld({ tools: TOOLS })
  await own.say(words)
  expect(own.heard()).toContain('There you have “Dentist” 14:30–15:30.')
  expect(own.heard()).not.toContain('Holiday')
  expect(own.calls.map(({ tool }) => tool)).toEqual(['calendar.freebusy', 'calendar.list_events'])
})

it('is told with “perhaps” where the owner may not come', async () => {
  const maybe = { events: [{ ...DENTIST, answer: 'tentative' }], more: false }
  const own = createWorld({
    tools: { ...TOOLS, 'calendar.list_events': () => ({ ok: true, output: maybe }) },
  })
  await own.say('am I free on Wednesday at 3?')
  expect(own.heard()).toContain('There you have “Dentist” 14:30–15:30 (perhaps).')
})

it('is nothing where the time is free', async () => {
  const own = createWorld({ tools: TOOLS })
  await own.say('am I free on Wednesday at 17:00?')
  expect(own.heard()).toBe('On Wednesday you are free 17:00–18:00.')
})

it('is not told of a whole day, which may have much', async () => {
  const own = createWorld({ tools: TOOLS })
  await own.say('am I free on Wednesday?')
  expect(own.heard()).not.toContain('Dentist')
  expect(own.calls.map(({ tool }) => tool)).toEqual(['calendar.freebusy'])
})

it('is not told where its title is above the line: the times are', async () => {
  const own = createWorld({ tools: TOOLS, place: 'edge' })
  await own.say('am I free on Wednesday at 3?')
  expect(own.heard()).not.toContain('Dentist')
  expect(own.calls.map(({ tool }) => tool)).not.toContain('calendar.list_events')
})
