/**
 * What an owner could do by talking at a0fb213, a row each (README, docs/chats.md, docs/approvals.md): what they say, which tools run, and what
 * they hear. A row may be changed only with a reason.
 */
import { describe, expect, it } from 'vitest'
import { answer, onlyOne, TOOLS } from '../pipeline/approvals-owner.ts'
import { createWorld, type World } from '../pipeline/world.ts'

type Row = readonly [said: string, tools: readonly string[], heard: RegExp]

function worldAt(place: 'home' | 'edge'): World {
  const page = {
    ...{ title: 'Harbour news', text: 'The ferry leaves at nine.', links: [], language: 'en' },
  }
  return createWorld({
    place,
    pushes: true,
    tools: { ...TOOLS, 'web.read': () => ({ ok: true, output: page }) },
  })
}

async function hears(world: World, [said, tools, heard]: Row): Promise<void> {
  const before = world.calls.length
  await world.say(said)
  expect(world.calls.slice(before).map(({ tool }) => tool)).toEqual(tools)
  expect(world.heard()).toMatch(heard)
}

const AT_HOME: readonly Row[] = [
  ['check my email', ['email.list'], /Q3 budget/],
  ['read the one from Sarah', ['email.list', 'email.read'], /Could you look at the numbers/],
  ['what is on my calendar tomorrow?', ['calendar.list_events'], /./],
  ['when am I free on Friday?', ['calendar.freebusy'], /free/],
  ['am I free tomorrow at 11:00?', ['calendar.freebusy', 'calendar.list_events'], /Tomorrow/],
  ['read https://harbour.example/news', ['web.read'], /The ferry leaves at nine/],
  ['/today', ['calendar.list_events'], /./],
  ['/inbox', ['email.list'], /Q3 budget/],
  ['/free', ['calendar.freebusy'], /Today/],
]

const AT_BOTH: readonly Row[] = [
  ['hello', [], /PFAR|Hello|Hi/i],
  ['what can you do?', [], /mail|calendar|remember/i],
  ['help', [], /./],
  ['remember that the gate code is fig', [], /remember|fig/i],
  ['thank you', [], /./],
  ['/help', [], /\/help/],
  ['/status', [], /./],
  ['/usage', [], /./],
  ['/context', [], /./],
  ['/approvals', [], /./],
  ['/mode', [], /mode/i],
  ['/mode analyze', [], /./],
  ['/brief', [], /./],
  ['/thorough', [], /./],
  ['/normal', [], /./],
  ['from now on be brief', [], /./],
  ['/plan', [], /plan/i],
  ['/plan off', [], /plan/i],
  ['/stop', [], /./],
  ['/new', [], /new conversation/],
  ['/connect', [], /./],
  ['/unlink', [], /./],
  ['/disconnect', [], /./],
  ['/nothing_of_that_name', [], /no such command/i],
]

describe('at home', () => {
  it.each(AT_HOME)('%s', async (...row) => hears(worldAt('home'), row))
})

describe.each(['home', 'edge'] as const)('at %s', (place) => {
  it.each(AT_BOTH)('%s', async (...row) => hears(worldAt(place), row))

  it('what was remembered is found, forgotten things are not', async () => {
    const world = worldAt(place)
    await world.say('remember that the gate code is fig')
    await hears(world, ['what do you know about the gate code?', [], /fig/])
  })

  it('what was said before is told again', async () => {
    const world = worldAt(place)
    await world.say('remember that the gate code is fig')
    await hears(world, ['what were we talking about?', [], /./])
  })

  it('everything pauses, and goes on', async () => {
    const world = worldAt(place)
    await hears(world, ['/pause', [], /./])
    const [, heard] = [await world.say('hello'), world.heard()]
    expect(heard).not.toMatch(/I am PFAR/)
    await world.say('/resume')
    await hears(world, ['thank you', [], /./])
  })
})

describe('what waits for a yes', () => {
  const BOOK = 'book lunch with Sarah on Friday at 13:00'
  const booked = (world: World): number =>
    world.calls.filter(({ tool }) => tool === 'calendar.create_event').length

  async function asked(): Promise<World> {
    const world = worldAt('home')
    await world.say(BOOK)
    expect(world.heard()).toMatch(/^May I do this\?[\s\S]*title: Lunch with Sarah/)
    expect(booked(world)).toBe(0)
    return world
  }

  it('is done after a yes, and once', async () => {
    const world = await asked()
    const { id } = await onlyOne(world)
    await answer(world, id)
    await answer(world, id)
    expect(booked(world)).toBe(1)
  })

  it('is not done after a no', async () => {
    const world = await asked()
    await answer(world, (await onlyOne(world)).id, { decision: 'deny' })
    expect(booked(world)).toBe(0)
  })

  it('is put in other words, and asked about anew', async () => {
    const world = await asked()
    const { id } = await onlyOne(world)
    await world.shell.edit({ approval: id, text: 'Tea', principal: 'principal:owner', place: 'home' })
    await world.shell.run('principal:owner')
    expect((await onlyOne(world)).card).toContain('title: Tea')
    await answer(world, (await onlyOne(world)).id)
    expect(world.calls.at(-1)?.args['title']).toBe('Tea')
  })

  it('is kept behind a plan that is shown first', async () => {
    const world = worldAt('home')
    await world.say('/plan on')
    await world.say(BOOK)
    expect(world.heard()).toMatch(/This is my plan\. Shall I go\?/)
    expect(booked(world)).toBe(0)
  })

  it('ends with a stop', async () => {
    const world = await asked()
    const { id } = await onlyOne(world)
    await world.say('/stop')
    await answer(world, id)
    expect(booked(world)).toBe(0)
  })
})

describe('what is never done', () => {
  it.each([
    ['a booking at the edge', 'edge', 'book lunch with Sarah on Friday at 13:00'],
    ['mail at the edge', 'edge', 'check my email'],
  ] as const)('%s', async (_, place, said) => {
    const world = worldAt(place)
    await world.say(said)
    expect(world.calls).toEqual([])
  })

  it('a key that was pasted is kept by nobody, and its message is no request', async () => {
    const world = worldAt('home')
    await world.say('here is my key sk-ant-api03-AAAABBBBCCCCDDDDEEEEFFFFGGGGHHHHIIIIJJJJ check my email')
    expect(world.calls).toEqual([])
    expect(world.heard()).toMatch(/key|secret/i)
  })
})
