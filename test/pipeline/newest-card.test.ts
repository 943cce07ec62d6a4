/** A bare yes or no right behind the card that a request brought is an answer to that card, also where an older one still waits. */
import { describe, expect, it } from 'vitest'
import { onlyOne, waiting } from './approvals-owner.ts'
import { calendarTools, mailTools } from './mailbox.ts'
import { createWorld, type ScriptedTool, type World } from './world.ts'

const sent: ScriptedTool = ({ to }) => ({
  ok: true,
  output: { to: [to].flat() as string[], refused: [], filed: true },
})
const contacts = [{ name: 'Mira Vogel', email: 'mira@family.example' }]
const WRITE = 'write to Mira: can you look after the dog on tuesday?'
const BOOK = 'book coffee with Tom on Friday at 15:00'

function chat(): World {
  return createWorld({
    tools: { ...mailTools(), ...calendarTools(), 'email.send': sent },
    contacts,
    pushes: true,
  })
}

const done = ({ calls }: World) =>
  calls.map(({ tool }) => tool).filter((tool) => tool === 'email.send' || tool === 'calendar.create_event')

describe('of two cards', () => {
  it.each([
    ['yes', ['calendar.create_event']],
    ['ja', ['calendar.create_event']],
    ['no', []],
  ])('the one that the request right before brought is answered by: %s', async (said, calls) => {
    const world = chat()
    await world.say(WRITE)
    world.clock.now += 60_000
    await world.say(BOOK)
    world.clock.now += 5_000
    await world.say(said)
    expect(done(world)).toEqual(calls)
    expect(await waiting(world)).toHaveLength(1)
    expect((await onlyOne(world)).full).toContain('the dog')
  })

  it('neither is where something was said since', async () => {
    const world = chat()
    await world.say(WRITE)
    world.clock.now += 60_000
    await world.say(BOOK)
    world.clock.now += 5_000
    await world.say('what time is it?')
    await world.say('yes')
    expect(done(world)).toEqual([])
    expect(await waiting(world)).toHaveLength(2)
  })

  it('neither is where the other was not shown before the request', async () => {
    const world = chat()
    await world.say(WRITE)
    await world.say(BOOK)
    world.clock.now += 5_000
    await world.say('yes')
    expect(done(world)).toEqual([])
    expect(await waiting(world)).toHaveLength(2)
  })
})

describe('what is asked of a message that answered a card by its number', () => {
  it.each(['yes 1', 'no 1', 'yes 1 and no 3'])('is how the card ended: %s', async (said) => {
    const world = chat()
    await world.say(WRITE)
    await world.say(BOOK)
    const task = await world.say(said)
    const report = await world.shell.report(task)
    expect(report?.reply).toMatch(said.startsWith('yes') ? /Sent|sent/ : /^Cancelled/)
  })
})
