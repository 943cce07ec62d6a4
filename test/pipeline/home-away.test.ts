/**
 * Home is away: the first wait, the one notice with its choice, and the answer that comes late (T-07, B-26,
 *
 */
import { describe, expect, it } from 'vitest'
import type { HomeCall } from '../../kernel/features/places/home-port.ts'
import { createWorld, type World, type WorldOptions } from './world.ts'

const OWNER = 'principal:owner'
const FREE = 'when am I free on Friday?'
const MONDAY = 'when am I free on Monday?'
/** A part that only home can answer, and one that the edge can. */
const BOTH = `${FREE} And what do you know about the spare key?`
const BOTH_MONDAY = `${MONDAY} And what do you know about the spare key?`
const HOLD = 45_000
const TTL = 1_800_000
const LATE = /This answer is late/

const edge = (options: WorldOptions = {}): World => createWorld({ place: 'edge', ...options })

async function waitFor(world: World, ms: number): Promise<number | null> {
  world.clock.now += ms
  return world.shell.tick()
}

async function told(world: World, words = BOTH): Promise<string> {
  const task = await world.say(words)
  await waitFor(world, HOLD)
  return task
}

async function answer(world: World, call: HomeCall | undefined): Promise<void> {
  if (call === undefined) throw new Error('home was not asked')
  const { id, task, step, provenance } = call
  const slots = [{ from: '2026-11-27T09:00:00+01:00', to: '2026-11-27T10:00:00+01:00', busy: true }]
  const given = { id, task, step, label: 'internal', inputs: provenance, reported: null }
  await world.shell.homeAnswered({ ...given, ok: true, output: { slots } })
  await world.shell.run(OWNER)
}

const stateOf = async (world: World, task: string) => (await world.shell.report(task))?.task
const cards = (world: World) => world.sent.filter(({ kind }) => kind === 'card')

async function choose(world: World, decision: 'approve' | 'deny'): Promise<string> {
  const [open] = await world.ports.approvals.list(OWNER)
  if (open === undefined) throw new Error('nothing was asked')
  const decided = await world.shell.decide({ approval: open.id, decision, principal: OWNER, place: 'edge' })
  if (!decided.ok) throw new Error(decided.reason.code)
  await world.shell.run(OWNER)
  return decided.value.task
}

describe('the first wait', () => {
  it('lasts 45 seconds from the message, and then the owner is told once, with the choice', async () => {
    const world = edge()
    const task = await world.say(BOTH)
    expect(await world.shell.tick()).toBe(world.clock.now + HOLD)
    expect(await waitFor(world, HOLD - 1)).toBe(world.clock.now + 1)
    expect(world.sent).toEqual([])
    expect(await waitFor(world, 1)).toBe(world.clock.now - HOLD + TTL)
    for (let look = 0; look < 3; look++) await waitFor(world, 1_000)
    expect(cards(world).map((card) => card.text)).toEqual([expect.stringMatching(/home box does not answer/)])
    expect(world.sent).toHaveLength(1)
    const [open] = await world.ports.approvals.list(OWNER)
    expect(await stateOf(world, task)).toMatchObject({
      state: 'awaiting_home',
      approval: open?.id,
      trouble: null,
    })
  })

  it('holds the line, so that answers come in turn; after the notice later messages go on (B-26)', async () => {
    const world = edge()
    const task = await world.say(FREE)
    const greeting = await world.say('hello')
    expect((await stateOf(world, greeting))?.state).toBe('extracting')
    await waitFor(world, HOLD)
    expect((await stateOf(world, greeting))?.state).toBe('completed')
    expect((await stateOf(world, task))?.state).toBe('awaiting_home')
  })

  it('one notice covers all that waits in the chat, and none of it holds the line again', async () => {
    const world = edge()
    await told(world)
    const second = await world.say(BOTH_MONDAY)
    const greeting = await world.say('hello')
    await world.shell.tick()
    expect(cards(world)).toHaveLength(1)
    expect((await stateOf(world, greeting))?.state).toBe('completed')
    const report = await world.shell.report(second)
    expect(report).toMatchObject({
      reply: cards(world)[0]?.text,
      task: { approval: cards(world)[0]?.approval },
    })
  })

  it('is the only one for who is not the owner, and for what may not wait', async () => {
    const world = edge()
    world.link.up = true
    const task = await world.say(`read https://example.org/a`)
    expect(world.homeCalls[0]).toMatchObject({ tool: 'web.read', deadline: world.clock.now + HOLD })
    await waitFor(world, HOLD)
    expect((await stateOf(world, task))?.trouble).toBe('home_offline')
    expect(cards(world)).toEqual([])
  })
})

describe('home that comes back', () => {
  it('is still wanted until the policy’s time is over: the call says so', async () => {
    const world = edge()
    await world.say(FREE)
    expect(world.homeCalls[0]?.deadline).toBe(world.clock.now + TTL)
  })

  it.each([
    ['in time', HOLD - 1, false],
    ['within a minute', 59_000, false],
    ['late', 61_000, true],
    ['at the last moment', TTL - 1, true],
  ] as const)('%s: the answer comes, and says so when it is late', async (_name, after, late) => {
    const world = edge()
    const begun = world.clock.now
    const task = await world.say(FREE)
    if (after >= HOLD) await waitFor(world, HOLD)
    world.clock.now = begun + after
    await answer(world, world.homeCalls[0])
    expect((await stateOf(world, task))?.state).toBe('completed')
    expect(LATE.test(world.heard())).toBe(late)
    expect(world.heard()).toMatch(/27 Nov/)
  })

  it('closes the question, so that a later "yes" is a message again', async () => {
    const world = edge()
    await told(world)
    await answer(world, world.homeCalls[0])
    expect(await world.ports.approvals.list(OWNER)).toEqual([])
  })

  it('after the time is over changes nothing: it was told once, as home being away', async () => {
    const world = edge()
    const task = await told(world)
    await waitFor(world, TTL - HOLD)
    expect(await stateOf(world, task)).toMatchObject({
      state: 'completed',
      trouble: 'home_offline',
      approval: null,
    })
    expect(world.heard()).toMatch(/home box is not connected/)
    const before = world.sent.length
    await answer(world, world.homeCalls[0])
    await waitFor(world, 1_000)
    expect(world.sent).toHaveLength(before)
    expect(await world.ports.approvals.list(OWNER)).toEqual([])
  })

  it('finds the wait after a crash, on the same disk', async () => {
    const before = edge()
    const task = await told(before)
    const after = edge({ disk: before.disk })
    after.clock.now = before.clock.now + 61_000
    await after.shell.recover()
    await after.shell.tick()
    expect(cards(after)).toEqual([])
    await answer(after, before.homeCalls[0])
    expect((await stateOf(after, task))?.state).toBe('completed')
    expect(after.heard()).toMatch(LATE)
  })
})

describe('the choice', () => {
  it('yes: the old task is cancelled, a new one answers the same words and never asks home', async () => {
    const world = edge()
    const old = await told(world)
    const alone = await choose(world, 'approve')
    expect(alone).not.toBe(old)
    expect(await stateOf(world, old)).toMatchObject({ state: 'cancelled', approval: null })
    const report = await stateOf(world, alone)
    expect(report).toMatchObject({ template: 'owner_open', place: 'edge', trouble: 'home_offline' })
    expect(report?.steps).toMatchObject([
      { tool: 'calendar.freebusy', outcome: 'denied' },
      { tool: 'memory.search', outcome: 'done' },
    ])
    expect(world.homeCalls).toHaveLength(1)
    await answer(world, world.homeCalls[0])
    expect(world.sent.filter(({ task }) => task === old)).toHaveLength(1)
  })

  it('after a yes the file that came with the message is read too, and settings of the owner still hold', async () => {
    const world = edge()
    const { store } = world.powers
    await world.say('/mode analyze')
    const old = await world.say(BOTH, 'm7', ['The kestrel lunch is on Friday.'])
    await waitFor(world, HOLD)
    const [open] = await world.ports.approvals.list(OWNER)
    const yes = { approval: open?.id ?? '', decision: 'approve', principal: OWNER, place: 'edge' } as const
    const decided = await world.shell.decide(yes)
    const { quoted, manner } = store.loadTask(old) ?? {}
    const alone = store.loadTask(decided.ok ? decided.value.task : '')
    expect([alone?.quoted, alone?.manner, manner?.mode]).toEqual([quoted, manner, 'analyze'])
    expect(store.getSealed(quoted?.id ?? '')).not.toBeNull()
    await world.shell.run(OWNER)
    expect(world.prompts.map(({ user }) => user).join()).toContain('The kestrel lunch')
  })

  it('yes, given again because its reply was lost, names the same task and starts no other', async () => {
    const world = edge()
    await told(world)
    const [open] = await world.ports.approvals.list(OWNER)
    const yes = { approval: open?.id ?? '', decision: 'approve', principal: OWNER, place: 'edge' } as const
    const first = await world.shell.decide(yes)
    await world.shell.run(OWNER)
    const sent = world.sent.length
    expect(await world.shell.decide(yes)).toEqual(first)
    await world.shell.run(OWNER)
    expect(world.sent).toHaveLength(sent)
  })

  it('yes covers what joined the question, each with an answer of its own', async () => {
    const world = edge()
    await told(world)
    const second = await world.say(BOTH_MONDAY)
    await world.shell.tick()
    await choose(world, 'approve')
    expect((await stateOf(world, second))?.state).toBe('cancelled')
    const created = world.powers.store.recentTasks(OWNER, 10).filter(({ alone }) => alone === true)
    expect(created.map(({ turn }) => turn)).toEqual([4, 3])
    expect(world.homeCalls).toHaveLength(2)
  })

  it('no: it goes on waiting, and the answer still comes', async () => {
    const world = edge()
    const task = await told(world)
    expect(await choose(world, 'deny')).toBe(task)
    expect(await stateOf(world, task)).toMatchObject({ state: 'awaiting_home', approval: null })
    await answer(world, world.homeCalls[0])
    expect((await stateOf(world, task))?.state).toBe('completed')
  })

  it('is the owner’s alone', async () => {
    const world = edge()
    await told(world)
    const [open] = await world.ports.approvals.list(OWNER)
    const stranger = 'principal:telegram:peer:1'
    const choice = {
      approval: open?.id ?? '',
      decision: 'approve',
      principal: stranger,
      place: 'edge',
    } as const
    expect(await world.shell.decide(choice)).toMatchObject({ reason: { code: 'approval_wrong_principal' } })
  })

  it('ends with a stop', async () => {
    const world = edge()
    const task = await told(world)
    await world.shell.stop(task)
    expect((await stateOf(world, task))?.state).toBe('cancelled')
    expect(await world.ports.approvals.list(OWNER)).toEqual([])
  })
})

describe('where nothing can be answered without home', () => {
  const waits = (world: World) => world.sent.filter(({ text }) => /home box does not answer/.test(text))

  it('the notice asks nothing, covers what is asked meanwhile, and the answer still comes', async () => {
    const world = edge()
    const task = await told(world, FREE)
    const second = await world.say(MONDAY)
    await world.shell.tick()
    expect(world.sent).toEqual([
      expect.objectContaining({
        ...{ kind: 'notice', approval: null },
        text: expect.not.stringContaining('without your private data'),
      }),
    ])
    expect(await world.ports.approvals.list(OWNER)).toEqual([])
    const reports = await Promise.all([task, second].map((id) => world.shell.report(id)))
    for (const report of reports)
      expect(report).toMatchObject({
        reply: waits(world)[0]?.text,
        task: { state: 'awaiting_home', approval: null, trouble: 'home_offline' },
      })
    await answer(world, world.homeCalls[0])
    expect((await stateOf(world, task))?.state).toBe('completed')
  })

  it('it holds the line no longer than the notice, and ends with the policy’s time', async () => {
    const world = edge()
    const task = await told(world, FREE)
    const greeting = await world.say('hello')
    expect((await stateOf(world, greeting))?.state).toBe('completed')
    await waitFor(world, TTL - HOLD)
    expect(await stateOf(world, task)).toMatchObject({ state: 'completed', trouble: 'home_offline' })
  })

  it('a later request with a part of the edge’s own is asked about, and a yes leaves the other waiting', async () => {
    const world = edge()
    const task = await told(world, FREE)
    await world.say(BOTH)
    await world.shell.tick()
    expect(world.sent.map(({ kind }) => kind)).toEqual(['notice', 'card'])
    await choose(world, 'approve')
    expect((await stateOf(world, task))?.state).toBe('awaiting_home')
  })

  it('one that needs home alone is not covered by a yes to an earlier question', async () => {
    const world = edge()
    await told(world)
    const second = await world.say(MONDAY)
    await world.shell.tick()
    expect(world.sent).toHaveLength(1)
    await choose(world, 'approve')
    expect((await stateOf(world, second))?.state).toBe('awaiting_home')
  })

  it('after a write nothing is asked, since a yes would repeat it', async () => {
    const world = edge()
    await told(world, `remind me tomorrow at 9 to call Tom, and ${FREE}`)
    expect(cards(world)).toEqual([])
    expect(waits(world)).toHaveLength(1)
  })

  it('after a crash before the notice was noted it comes once', async () => {
    const before = edge()
    const task = await before.say(FREE)
    const after = edge({ disk: before.disk })
    after.clock.now = before.clock.now + HOLD
    await after.shell.recover()
    await after.shell.tick()
    await after.shell.tick()
    expect(waits(after)).toHaveLength(1)
    expect((await stateOf(after, task))?.state).toBe('awaiting_home')
  })
})

describe('what the edge says of itself', () => {
  const offered = (world: World): readonly string[] =>
    world.prompts.find(({ parts }) => parts.purpose === 'plan')?.parts.tools.map(({ id }) => id) ?? []

  it.each([
    ['home is there: all of the template', true, ['calendar.freebusy', 'web.feed', 'web.read', 'web.search']],
    ['home is away: only what may wait', false, ['calendar.freebusy']],
  ] as const)('%s', async (_name, up, tools) => {
    const world = edge()
    world.link.up = up
    await world.say('what is the meaning of it all?')
    expect(offered(world).filter((id) => /^(calendar|web)/.test(id))).toEqual(tools)
  })

  it('a read that may not wait is told at once while home is away, and not asked for', async () => {
    const world = edge()
    world.link.up = false
    const task = await world.say('read https://example.org/a')
    expect(await stateOf(world, task)).toMatchObject({ trouble: 'home_offline' })
    expect(world.homeCalls).toEqual([])
  })

  it('a task without private data is offered nothing that lives at home', async () => {
    const world = edge()
    const task = await told(world)
    const stored = world.powers.store.loadTask(task)
    if (stored === null) throw new Error('no task')
    world.prompts.length = 0
    await choose(world, 'approve')
    const synthesis = world.prompts.at(-1)?.parts.tools.map(({ id }) => id)
    expect(synthesis?.filter((id) => /^(calendar|web)/.test(id))).toEqual([])
  })
})
