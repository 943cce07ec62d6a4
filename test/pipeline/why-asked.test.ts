/**
 * "Why?" while a card waits is about that card, and is answered by the one sentence of it; where none waits, by what is asked
 * about in general.
 */
import { describe, expect, it } from 'vitest'
import { HOME_RULES } from '../../integrations/models/rules/home.ts'
import { createRulesModel } from '../../integrations/models/rules/model.ts'
import { BOOK, TOOLS, waiting } from './approvals-owner.ts'
import { createWorld } from './world.ts'

const worldOf = () =>
  createWorld({ tools: TOOLS, models: [createRulesModel({ place: 'home', home: HOME_RULES })] })

const WHYS = ['why?', 'why do you ask?', 'but why', 'how come?', 'warum?', 'warum fragst du?', 'wieso denn?']

describe('while a card waits', () => {
  it.each(WHYS)('%s', async (said) => {
    const world = worldOf()
    await world.say(BOOK)
    const [card] = await waiting(world)
    const reason = card?.full.split('\n').find((line) => line.startsWith('I ask ')) ?? 'none'
    await world.say(said)
    const [line = '', ...others] = world.heard().split('\n')
    expect(line).toBe(`About “Add this to your calendar.”: ${reason} Nothing happens before your yes.`)
    expect(others.join('\n')).not.toMatch(/\||Lines marked/)
    expect(await waiting(world)).toHaveLength(1)
  })
})

it.each(WHYS)('with none it is said of all: %s', async (said) => {
  const world = worldOf()
  await world.say(said)
  expect(world.heard()).toMatch(
    /^Nothing waits for your answer now\. Before anything goes out or changes, I ask/,
  )
})

it.each(['why is the sky blue?', 'warum ist tom krank?', 'why not friday?', 'warum hast du das gelöscht?'])(
  'another why is none: %s',
  async (said) => {
    const world = worldOf()
    await world.say(BOOK)
    await world.say(said)
    expect(world.heard()).not.toContain('Nothing happens before your yes')
  },
)
