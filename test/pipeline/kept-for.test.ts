/** "Merk dir die Mail für Donnerstag" and "erinner mich dran" are of what was shown or just booked: its words would remind of nothing. Without a model. */
import { describe, expect, it } from 'vitest'
import { HOME_RULES } from '../../integrations/models/rules/home.ts'
import { createRulesModel } from '../../integrations/models/rules/model.ts'
import { calendarTools, mailTools } from './mailbox.ts'
import { createWorld } from './world.ts'

const tools = { ...mailTools(), ...calendarTools() }

const models = [createRulesModel({ place: 'home', home: HOME_RULES })]

describe('what was shown, kept for a day', () => {
  it.each([
    ['merk dir die Mail für Donnerstag', 'Thu 26 Nov, 09:00'],
    ['merk dir das für Montag um 10', 'Mon 23 Nov, 10:00'],
    ['remember this mail for Monday at 10', 'Mon 23 Nov, 10:00'],
  ])('%s', async (said, time) => {
    const world = createWorld({ tools, models })
    for (const one of ['check my email', 'read the one from Sarah', said]) await world.say(one)
    expect(world.heard()).toContain(`I will remind you, ${time}`)
    expect(world.heard()).toContain('Sarah Chen: Q3 budget')
  })

  it.each(['merk dir die Mail für Donnerstag', 'remember that for Tuesday'])(
    'where nothing was shown nothing is kept: %s',
    async (said) => {
      const world = createWorld({ tools, models })
      await world.say(said)
      expect(world.heard()).toMatch(/^What should I remember|^Which/)
    },
  )

  it.each(['remember that the key for Monday is red', 'merk dir, dass der Schlüssel für Montag rot ist'])(
    'a fact stays one: %s',
    async (said) => {
      const world = createWorld({ tools, models })
      await world.say(said)
      expect(world.heard()).toMatch(/^I will remember: /)
    },
  )
})

it('"dran" alone is no text of a reminder', async () => {
  const world = createWorld({ tools, models })
  await world.say('erinner mich um halb 6 dran')
  expect(world.disk.store.openReminders('principal:owner', 'reminder')).toEqual([])
})
