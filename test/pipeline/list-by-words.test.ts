/**
 * What is said in a kitchen and in a shop about the list: what is needed as well, what is had, and what comes off again. A thing that is not there whole is not
 * ticked off, and what is no thing to buy is not put on it.
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

async function left(of: World): Promise<string> {
  await of.say('show me my list')
  return of.heard()
}

const LIST = 'milk, eggs, 2 Kilo Mehl and wash the car on my list'

describe('put on it', () => {
  it.each([
    ['Butter brauchen wir auch noch', ['Butter']],
    ['Klopapier fehlt auch noch', ['Klopapier']],
    ['Kartoffeln und Zwiebeln brauchen wir noch', ['Kartoffeln', 'Zwiebeln']],
    ['we also need bread', ['bread']],
    ['we need some more coffee', ['coffee']],
  ])('%s', async (said, things) => {
    const of = await given(said)
    expect(await left(of)).toBe(things.map((thing, at) => `${at + 1}. ${thing}`).join('\n'))
  })

  it.each([
    'we also need to talk',
    'ich brauche auch noch Hilfe',
    'we still need an appointment',
    'we also need the contract from Tom',
  ])('%s: puts nothing on it', async (said) => {
    const of = await given(said)
    expect(of.disk.store.openReminders('principal:owner', 'task')).toEqual([])
  })
})

describe('taken off it', () => {
  it.each([
    ['take the milk off again', 1],
    ['got the eggs', 2],
    ['we bought the milk already', 1],
    ['the eggs are in the trolley', 2],
    ['Mehl wieder runter', 3],
    ['das Mehl hab ich schon', 3],
    ['streich die milk bitte wieder weg', 1],
    ["we don't need eggs after all", 2],
  ])('%s', async (said, number) => {
    const of = await given(LIST, said)
    expect(of.heard()).toMatch(new RegExp(`^Done: ${number}(?:\\.| is off) `))
    await of.say('/undo')
    expect(of.disk.store.openReminders('principal:owner', 'task')).toHaveLength(4)
  })

  it('several at once, all of them or none', async () => {
    const of = await given(LIST, 'got the milk and the eggs')
    expect(await left(of)).toBe('3. 2 Kilo Mehl\n4. wash the car')
    await of.say('got the mehl and the butter')
    expect(of.disk.store.openReminders('principal:owner', 'task')).toHaveLength(2)
  })

  it.each(['got the car', 'got the butter', 'take the dog out', 'I have no milk', 'take everything off'])(
    '%s: ticks nothing off',
    async (said) => {
      const of = await given(LIST, said)
      expect(of.disk.store.openReminders('principal:owner', 'task')).toHaveLength(4)
    },
  )

  it('right after events were shown it is about those', async () => {
    const of = await given(
      'put dentist on my list',
      'what is on my calendar tomorrow',
      'take the dentist off again',
    )
    expect(of.disk.store.openReminders('principal:owner', 'task')).toHaveLength(1)
  })
})
