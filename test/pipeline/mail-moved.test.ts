/**
 * Mails that wait for their time are sent at another one after a card that shows all of them, or wait again after they were cancelled: each is sent once, at one
 * time, and what is unsure changes nothing.
 */
import { describe, expect, it } from 'vitest'
import { err } from '../../kernel/flow/verdict.ts'
import { operationInMessage } from '../../kernel/operations/commands.ts'
import { waiting } from './approvals-owner.ts'
import { decideFirst } from './asked-world.ts'
import { createWorld, type ScriptedTool, type World } from './world.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const contacts = [{ name: 'Tom Baker', email: 'tom@baker.example' }]
const sent: ScriptedTool = ({ to }) => ({
  ok: true,
  output: { to: [to].flat() as string[], refused: [], filed: true },
})
const SAID = 'send Tom tomorrow at 9: running late, back on Friday at 17'
const BODY = 'Running late, back on Friday at 17'

function having(): World {
  return createWorld({
    tools: { 'email.send': sent, 'email.send_later': () => err('tool_unknown') },
    contacts,
  })
}

const calls = (world: World) => world.calls.filter((one) => one.tool === 'email.send').map(({ args }) => args)
const local = (at: number) => new Date(at + HOUR).toISOString().slice(0, 16)
const dues = ({ disk }: World): readonly string[] =>
  disk.store
    .activeTasks('principal:owner')
    .flatMap(({ task }) => (task.state.at === 'awaiting_time' ? [task.state.until] : []))
    .sort()
    .map(local)

async function set(world: World, said = SAID): Promise<void> {
  await world.say(said)
  await decideFirst(world, 'approve')
}

async function at(world: World, when: string): Promise<void> {
  world.clock.now = Date.parse(`${when}:00+01:00`)
  await world.shell.tick()
}

describe('another time', () => {
  it.each([
    ['send it at 8 instead', '2026-11-21T08:00'],
    ['send it at 8:30', '2026-11-21T08:30'],
    ['Make that tomorrow morning', '2026-11-21T08:00'],
    ['make it Monday at 8', '2026-11-23T08:00'],
    ["don't send it before Monday", '2026-11-23T09:00'],
    ['not before Monday', '2026-11-23T09:00'],
    ['move the mail to Monday', '2026-11-23T09:00'],
    ['postpone the mail to Tom until Monday at 10', '2026-11-23T10:00'],
    ["don't send the mail to Tom before Monday", '2026-11-23T09:00'],
    ['/reschedule Tom Monday at 10', '2026-11-23T10:00'],
    ['schick sie um 8 statt dessen', '2026-11-21T08:00'],
    ['schick sie lieber am Montag um 8', '2026-11-23T08:00'],
    ['schick sie nicht vor Montag', '2026-11-23T09:00'],
    ['mach daraus Montag um 8', '2026-11-23T08:00'],
    ['verschieb die Mail auf Montag', '2026-11-23T09:00'],
    ['verschieb die Mail an Tom auf Montag', '2026-11-23T09:00'],
  ])('%s', async (said, when) => {
    const world = having()
    await set(world)
    await world.say(said)
    const card = world.heard()
    expect(card).toContain('tom@baker.example')
    expect(card).toContain(BODY)
    expect(card).toContain(when.slice(11))
    expect(card).toMatch(/This mail waits already, for .*09:00/)
    expect(card).toContain('You wrote: at. You have approved before: to, subject, body.')
    expect(dues(world)).toEqual(['2026-11-21T09:00'])
    await decideFirst(world, 'approve')
    expect(dues(world)).toEqual([when])
    await at(world, when)
    await at(world, '2026-12-01T09:00')
    expect(calls(world)).toEqual([{ to: ['tom@baker.example'], subject: expect.any(String), body: BODY }])
  })

  it.each(['reschedule my dentist to Friday', 'Please reschedule my Budget review to Monday at 10.'])(
    'is of mail alone where mail is named: %s',
    (said) => expect(operationInMessage(said)).toBeNull(),
  )

  it('a no leaves it as it was set, and it is sent then', async () => {
    const world = having()
    await set(world)
    await world.say('send it at 8 instead')
    await decideFirst(world, 'deny')
    expect(dues(world)).toEqual(['2026-11-21T09:00'])
    await at(world, '2026-11-21T09:00')
    expect(calls(world)).toHaveLength(1)
  })

  it('what was sent while the card waited is not sent again by its yes', async () => {
    const world = having()
    await set(world)
    await at(world, '2026-11-21T08:58')
    await world.say("don't send it before Monday")
    await at(world, '2026-11-21T09:00')
    expect(calls(world)).toHaveLength(1)
    await decideFirst(world, 'approve')
    expect(world.heard()).toContain('waits no more')
    expect(dues(world)).toEqual([])
    await at(world, '2026-11-23T09:00')
    expect(calls(world)).toHaveLength(1)
  })

  it('of two new times the last one counts, and the first card ends', async () => {
    const world = having()
    await set(world)
    await world.say('send it at 8 instead')
    await world.say('send it at 10 instead')
    expect(await waiting(world)).toHaveLength(1)
    await decideFirst(world, 'approve')
    expect(dues(world)).toEqual(['2026-11-21T10:00'])
    await world.say('make it 11')
    await decideFirst(world, 'approve')
    expect(dues(world)).toEqual(['2026-11-21T11:00'])
  })

  it.each([
    ["don't send it before today", 'not sent before that anyway'],
    ['send it today at 5 in the morning', 'That time is over'],
    ['send it on 3 March 2029', 'within the next twelve months'],
  ])('%s: nothing changes', async (said, words) => {
    const world = having()
    await set(world)
    await world.say(said)
    expect(world.heard()).toContain(words)
    expect(await waiting(world)).toEqual([])
    expect(dues(world)).toEqual(['2026-11-21T09:00'])
  })

  it('"it" is the one set last, and of others nobody guesses', async () => {
    const world = having()
    await set(world)
    await set(world, 'send Tom on Monday at 8: the report')
    await world.say('send it at 10 instead')
    await decideFirst(world, 'approve')
    expect(dues(world)).toEqual(['2026-11-21T09:00', '2026-11-23T10:00'])
    await world.say('hello')
    await world.say('send it at 11 instead')
    expect(world.heard()).toContain('Several mails that wait fit that')
  })

  it('a change of anything is not of the mail where something else came between', async () => {
    const world = having()
    await set(world)
    await world.say('hello')
    await world.say('make that tomorrow morning')
    expect(world.heard()).not.toContain('Nothing is changed yet')
    expect(await waiting(world)).toEqual([])
  })
})

it('"send it now" goes out as soon as its card has a yes, once', async () => {
  const world = having()
  await set(world)
  await world.say('send it now')
  await decideFirst(world, 'approve')
  await world.shell.tick()
  expect(calls(world)).toMatchObject([{ body: BODY }])
  await at(world, '2026-11-21T09:00')
  expect(calls(world)).toHaveLength(1)
})

it.each(['addTask', 'saveApproval', 'saveTask'] as const)(
  'where the disk fails at %s while the new one takes the place of the old one, the old one waits, and that is said',
  async (name) => {
    const world = having()
    await set(world)
    await world.say('send it at 8 instead')
    const { store } = world.powers
    const usual = store[name]
    let fails = 0
    const isOfLater = (one: unknown): boolean => {
      if (name === 'addTask') return true
      return name === 'saveTask' ? Reflect.get(Object(one), 'timed') !== undefined : isReplaced(one)
    }
    const failing = (...given: readonly unknown[]): unknown => {
      if (!isOfLater(given[0])) return Reflect.apply(usual, store, given)
      fails += 1
      if (fails === 1) throw new Error('disk')
      return Reflect.apply(usual, store, given)
    }
    Reflect.set(store, name, failing)
    await decideFirst(world, 'approve')
    Reflect.set(store, name, usual)
    expect(fails).toBe(1)
    expect(dues(world)).toEqual(['2026-11-21T09:00'])
    expect(world.heard()).toMatch(/do not know|don't know|cannot tell|went wrong/i)
    await at(world, '2026-11-21T09:00')
    await at(world, '2026-11-21T10:00')
    expect(calls(world)).toHaveLength(1)
  },
)

const isReplaced = (approval: unknown): boolean => Reflect.get(Object(approval), 'state') === 'replaced'

describe('cancelled, and taken back', () => {
  it.each([
    ["don't send it", '/undo'],
    ["don't send it", 'undo that'],
    ['cancel the mail to Tom', 'undo'],
    ['schick sie doch nicht', 'mach das rückgängig'],
  ])('%s, %s: it waits again as it was approved', async (cancels, undoes) => {
    const world = having()
    await set(world)
    await world.say(cancels)
    expect(world.heard()).toContain('Cancelled, it is not sent')
    expect(dues(world)).toEqual([])
    await world.say(undoes)
    expect(dues(world)).toEqual(['2026-11-21T09:00'])
    await at(world, '2026-11-21T09:00')
    await at(world, '2026-11-21T10:00')
    expect(calls(world)).toMatchObject([{ to: ['tom@baker.example'], body: BODY }])
  })

  it('undone twice it is cancelled again', async () => {
    const world = having()
    await set(world)
    await world.say("don't send it")
    await world.say('/undo')
    await world.say('/undo')
    expect(dues(world)).toEqual([])
    await at(world, '2026-11-21T09:00')
    expect(calls(world)).toEqual([])
  })

  it('from its time on it is said that it is over', async () => {
    const world = having()
    await set(world)
    await world.say("don't send it")
    await at(world, '2026-11-21T09:00')
    await world.say('undo that')
    expect(world.heard()).toContain('That time is over, so nothing was set')
    expect(dues(world)).toEqual([])
  })

  it('what was moved to another time does not wait at the former one again', async () => {
    const world = having()
    await set(world)
    const { store } = world.disk
    const [former] = store.activeTasks('principal:owner').map(({ task }) => task)
    const number =
      former?.state.at === 'awaiting_time' ? store.loadApproval(former.state.approval)?.number : 0
    await world.say('send it at 8 instead')
    await decideFirst(world, 'approve')
    await world.say(`/waitagain ${number}`)
    expect(world.heard()).toContain('No mail like that waits')
    expect(dues(world)).toEqual(['2026-11-21T08:00'])
  })
})
