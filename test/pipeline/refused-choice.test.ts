/** After a no to a choice among several, at home without a language model: the answer says so, and shows nothing that would have been picked from. */
import { expect, it } from 'vitest'
import { HOME_RULES } from '../../integrations/models/rules/home.ts'
import { createRulesModel } from '../../integrations/models/rules/model.ts'
import { createWorld } from './world.ts'

const gym = (id: string, hour: string) => ({
  ...{ id, title: 'Gym', allDay: false, attendees: 0, calendarId: 'primary' },
  ...{ from: `2026-11-21T${hour}:00:00+01:00`, to: `2026-11-21T${hour}:30:00+01:00` },
})

it.each(['stop it', 'stopp das', 'cancel that'])('%s: no answer to a card is empty', async (said) => {
  const world = createWorld({
    pushes: true,
    models: [createRulesModel({ place: 'home', home: HOME_RULES })],
    tools: { 'calendar.create_event': () => ({ ok: true, output: { id: 'e1' } }) },
  })
  await world.say('tea on saturday at 3pm')
  const before = world.sent.length
  await world.say(said)
  expect(world.sent.slice(before).map(({ text }) => text.trim())).not.toContain('')
  expect(await world.ports.approvals.list('principal:owner')).toEqual([])
})

it.each([
  'no gym on saturday',
  'the gym is not on saturday',
  'am samstag kein gym',
  'cancel gym on saturday',
])('%s', async (said) => {
  const world = createWorld({
    pushes: true,
    models: [createRulesModel({ place: 'home', home: HOME_RULES })],
    tools: {
      'calendar.list_events': () => ({
        ok: true,
        output: { events: [gym('a', '10'), gym('b', '12')], more: false },
      }),
      'calendar.delete_event': ({ id }) => ({ ok: true, output: { id } }),
    },
  })
  await world.say(said)
  expect(world.heard()).toContain('Several fit.')
  const before = world.sent.length
  await world.say('no')
  const after = world.sent.slice(before).map(({ text }) => text)
  expect(after.some((text) => text.includes('Cancelled: I did not do it.'))).toBe(true)
  expect(after.filter((text) => !text.includes('Several fit.')).join()).not.toContain('Gym')
})
