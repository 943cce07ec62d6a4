/** What is told to be kept is kept whole, and nothing is said to be left out of it; names go where names are kept. */
import { expect, it } from 'vitest'
import { createWorld } from './world.ts'

it.each([
  "remember that my sister Mira's birthday is on the 3rd of May and she's allergic to nuts",
  "remember that Tom is my brother and he’s a vegetarian, but they've moved",
])('“%s” is one fact', async (words) => {
  const world = createWorld()
  await world.say(words)
  expect(world.heard()).toContain(words.replace(/^remember that /, ''))
  expect(world.heard()).not.toContain('only a part')
})

it('a second request behind a fact is still told to be left', async () => {
  const world = createWorld()
  await world.say('remember that the locker is 12 and book lunch with Sarah tomorrow at 13:00')
  expect(world.heard()).not.toBe(
    'I will remember: the locker is 12 and book lunch with Sarah tomorrow at 13:00',
  )
})

it.each(['call me Nora', "I'm Nora", 'du heißt ab jetzt Jeeves'])(
  '“%s” goes to what keeps names',
  async (words) => {
    const world = createWorld()
    await world.say(words)
    const kept = world.audited.filter(({ facts }) => facts['operation'] === 'persona.set')
    expect(kept.length).toBeGreaterThan(0)
  },
)
