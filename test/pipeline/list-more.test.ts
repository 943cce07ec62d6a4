/**
 * What is said of the list right after it was written or shown: more for it, what is bought, what is left. Elsewhere such words are of nothing.
 */
import { describe, expect, it } from 'vitest'
import { calendarTools, mailTools } from './mailbox.ts'
import { createWorld, type World } from './world.ts'

async function given(...said: readonly string[]): Promise<World> {
  const of = createWorld({ tools: { ...mailTools(), ...calendarTools() } })
  for (const one of said) {
    await of.say(one)
    of.clock.now += 1_000
  }
  return of
}

async function listed(of: World): Promise<readonly string[]> {
  await of.say('/tasks')
  return of
    .heard()
    .split('\n')
    .map((line) => line.replace(/^\d+\. /, ''))
}

const LIST = 'add 2 glühbirnen, milk and white roses to my list'

describe('more for it', () => {
  it.each([
    ['oh and ribbon', ['ribbon']],
    ['ach und noch 2 pakete druckerpapier', ['2 pakete druckerpapier']],
    ['add moss too', ['moss']],
    ['setz noch seife drauf', ['seife']],
    ['und schreib batterien dazu', ['batterien']],
    ['and candles and string', ['candles', 'string']],
    ['and you', []],
    ['und dann', []],
    ['and tomorrow', []],
    ['and what is new', []],
  ])('%s', async (said, more) => {
    const of = await given(LIST)
    await of.say(said)
    expect(await listed(of)).toEqual(['2 glühbirnen', 'milk', 'white roses', ...more])
    const shown = await given(LIST, 'what is on my list?')
    await shown.say(said)
    expect(await listed(shown)).toEqual(['2 glühbirnen', 'milk', 'white roses', ...more])
  })

  it('is of the list only right after it', async () => {
    const of = await given(LIST, 'what is on tomorrow?')
    await of.say('oh and ribbon')
    expect(await listed(of)).toEqual(['2 glühbirnen', 'milk', 'white roses'])
  })
})

describe('off it', () => {
  it.each([
    ['hab die glühbirnen gekauft', ['milk', 'white roses']],
    ['bought the roses', ['2 glühbirnen', 'milk']],
    ['die glühbirnen sind gekauft', ['milk', 'white roses']],
    ['take the roses off', ['2 glühbirnen', 'milk']],
    ['take the roses off, I meant ranunculus', ['2 glühbirnen', 'milk', 'ranunculus']],
    ['bought a car', ['2 glühbirnen', 'milk', 'white roses']],
  ])('%s', async (said, left) => {
    const of = await given(LIST, 'what is on my list?')
    await of.say(said)
    expect(await listed(of)).toEqual(left)
  })
})

describe('shown', () => {
  it.each(['was steht jetzt drauf?', 'was fehlt noch?', "what's on it now?", 'what is still missing?'])(
    '%s',
    async (said) => {
      const of = await given(LIST)
      await of.say(said)
      expect(of.heard()).toMatch(/2 glühbirnen\n.*milk/)
      const other = await given(LIST, 'any new mail?')
      await other.say(said)
      expect(other.heard()).not.toMatch(/milk/)
    },
  )
})
