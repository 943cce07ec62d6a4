/** A yes and a no for several cards in one message (F-03): each is recorded by itself, and one that is unclear decides nothing. */
import { describe, expect, it } from 'vitest'
import { auditedAs, onlyOne, waiting } from './approvals-owner.ts'
import { calendarTools, mailTools } from './mailbox.ts'
import { createWorld, type ScriptedTool, type World } from './world.ts'

const sent: ScriptedTool = ({ to }) => ({
  ok: true,
  output: { to: [to].flat() as string[], refused: [], filed: true },
})
const contacts = [
  { name: 'Mira Vogel', email: 'mira@family.example' },
  { name: 'Tom Baker', email: 'tom@baker.example' },
]
const WRITE = 'write to Mira: can you look after the dog on tuesday?'
const BOOK = 'book coffee with Tom on Friday at 15:00'

async function asked(pushes: boolean): Promise<World> {
  const world = createWorld({
    tools: { ...mailTools(), ...calendarTools(), 'email.send': sent },
    contacts,
    ...(pushes && { pushes }),
  })
  await world.say(WRITE)
  await world.say(BOOK)
  return world
}

const done = ({ calls }: World) =>
  calls.map(({ tool }) => tool).filter((tool) => tool === 'email.send' || tool === 'calendar.create_event')
const heard = ({ sent: rows }: World) => rows.map(({ text }) => text).join('\n')

describe.each([
  ['in a chat that is pushed to', true],
  ['at a terminal', false],
])('%s', (_, pushes) => {
  it.each([
    'yes 1 and no 3',
    'no to 3, yes to 1',
    'yes to the first, no to the second',
    'yes to the first one and no to the other',
    'ja zu 1, nein zu 3',
    'die erste ja, die zweite nein',
  ])('%s: one is done, the other is not, and each has its own record', async (said) => {
    const world = await asked(pushes)
    await world.say(said)
    expect(done(world)).toEqual(['email.send'])
    expect(await waiting(world)).toEqual([])
    expect(
      auditedAs(world, 'approval_decided')
        .map(({ decision }) => decision)
        .toSorted(),
    ).toEqual(['approve', 'deny'])
    expect(heard(world)).toContain('Cancelled: I did not do it.')
  })
})

describe('decides nothing', () => {
  it.each([
    ['a number that no card has', 'yes 1 and no 9'],
    ['a place that no card has', 'yes to the first, no to the third'],
    ['one place of two', 'no to the first, no 1'],
  ])('%s', async (_, said) => {
    const world = await asked(true)
    await world.say(said)
    expect(done(world)).toEqual([])
    expect(await waiting(world)).toHaveLength(2)
    expect(world.heard()).toContain('Coffee')
  })

  it('places, once a card has ended since the oldest that waits: what was the first may not be', async () => {
    const world = await asked(true)
    await world.say('no 3')
    await world.say('book lunch with Tom on Monday at 12:00')
    await world.say('yes to the first, no to the second')
    expect(done(world)).toEqual([])
    expect(await waiting(world)).toHaveLength(2)
    await world.say('yes 5 and no 1')
    expect(done(world)).toEqual(['calendar.create_event'])
    expect(await waiting(world)).toEqual([])
  })

  it('places with fewer words than cards', async () => {
    const world = await asked(true)
    await world.say('book lunch with Tom on Monday at 12:00')
    await world.say('yes to the first, no to the second')
    expect([done(world), (await waiting(world)).length]).toEqual([[], 3])
  })

  it('what waits nowhere: it is a message like any', async () => {
    const world = createWorld({ pushes: true })
    const task = await world.say('yes 1 and no 3')
    expect(world.disk.store.loadTask(task)?.typed).toBeUndefined()
  })
})

it('the number of a card at the other place is told as that, and the other card is answered', async () => {
  const world = await asked(true)
  await world.say('no 3 and yes 2')
  expect((await onlyOne(world)).number).toBe(1)
  expect(done(world)).toEqual([])
  expect(heard(world)).toContain('That number is of a question on your ope')
})
