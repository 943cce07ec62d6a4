/**
 * `/pause` at one place, through the real pipeline: nothing goes on, nothing is lost, and it survives a
 * restart. What two places make of it is in test/task/pause.test.ts.
 */
import { describe, expect, it } from 'vitest'
import { consolidate } from '../../kernel/features/memory/consolidate.ts'
import { sayPause } from '../../kernel/features/pause/pause.ts'
import { ownerWords, receive } from '../../kernel/flow/provenance.ts'
import { keepText } from '../../kernel/powers/sealed.ts'
import type { FinalPrompt } from '../../kernel/prompt/finalize.ts'
import { leftOver, tellRestart } from '../../kernel/runtime/restart.ts'
import { NEVER_PAUSED, type PauseState } from '../../kernel/task/pause.ts'
import { answer, BOOK, created, OWNER, onlyOne, waiting, worldWith } from './approvals-owner.ts'
import { createDisk, createWorld, type Disk, message, scriptedModel, type World } from './world.ts'

const PAUSED = expect.stringMatching(/^I pause\./)
const texts = ({ sent }: World): readonly string[] => sent.map(({ text }) => text)
const local = () => scriptedModel('local', () => 'As you wish.')
/** Taken in, and left to whoever drives. */
async function take(world: World, text: string, id = text.replaceAll(/\W/g, '')): Promise<string> {
  const received = await world.shell.receive(message(text, { id, at: world.clock.now }))
  if (!received.ok) throw new Error(received.reason.code)
  return received.value.task
}

describe('while the owner has everything pause', () => {
  it('what comes is kept, and answered in order after it', async () => {
    const world = createWorld({ models: [local()] })
    await world.say('/pause')
    await world.say('tell me of the harbour')
    await world.say('tell me of the tide')
    expect([texts(world), world.prompts]).toEqual([[PAUSED], []])
    await world.say('/resume')
    expect(texts(world)).toEqual([
      PAUSED,
      'I go on. 2 messages waited, and are answered now in their order.',
      ...['As you wish.', 'As you wish.'],
    ])
    const asked = world.sent.map(({ turn }) => turn)
    expect(asked.slice(2)).toEqual([2, 3])
  })

  it('the words of nobody else say it', async () => {
    const world = createWorld({ models: [local()], paired: ['whatsapp:kim'] })
    const source = { adapter: 'whatsapp', user: 'kim', chat: 'kim', group: false }
    await world.shell.receive({ ...message('/pause', { id: 'k' }), source })
    await world.say('hello', 'q', ['/pause'])
    expect(world.shell.paused()).toBeNull()
  })

  it('the answer of a running model call is taken, and nothing follows from it until the pause ends', async () => {
    let answered = (): void => undefined
    let asked = (): void => undefined
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve
    })
    const slow = scriptedModel('slow', () => 'As you wish.')
    const held = {
      ...slow,
      complete: async (...call: Parameters<typeof slow.complete>) => {
        asked()
        await new Promise<void>((resolve) => {
          answered = resolve
        })
        return slow.complete(...call)
      },
    }
    const world = createWorld({ models: [held] })
    await take(world, 'hello')
    const run = world.shell.run(OWNER)
    await isAsked
    await take(world, '/pause')
    answered()
    await run
    expect([texts(world), world.prompts.length]).toEqual([[PAUSED], 1])
    await take(world, '/resume')
    await world.shell.run(OWNER)
    // Its answer is the one that was heard: no model is asked again for it.
    expect([texts(world).at(-1), world.prompts.length]).toEqual(['As you wish.', 1])
  })

  it('a crash leaves it as it is', async () => {
    const disk = createDisk()
    await createWorld({ disk, models: [local()] }).say('/pause')
    const world = createWorld({ disk, models: [local()] })
    await world.say('hello')
    await world.shell.recover()
    await world.shell.tick()
    expect([texts(world), world.shell.paused()?.sink]).toEqual([[], 'sink:terminal:owner'])
  })

  it('a crash before the answer to the word leaves that answer to be given', async () => {
    const disk = createDisk()
    const first = createWorld({
      disk,
      send: () => ({ ok: false, reason: { code: 'network_failed', facts: {} } }),
    })
    await first.say('/pause')
    const world = createWorld({ disk })
    world.clock.now += 60_000
    await world.shell.recover()
    expect(texts(world)).toEqual([PAUSED])
  })

  it('memory is consolidated, content expires and a pasted key is deleted, and nothing is said of it', async () => {
    const gone: string[] = []
    const world = createWorld({
      models: [local()],
      retract: ({ message: which }) => {
        gone.push(which)
        return { ok: true, value: true }
      },
    })
    await world.say('remember that my locker is 4417')
    await world.say('remember that my locker is 5512')
    const { powers, clock, disk } = world
    const keeping = {
      principal: OWNER,
      store: 'sessions',
      until: clock.now + 1_000,
      id: 'temporary',
    } as const
    await keepText(powers, keeping, receive('a page', ownerWords('sink:terminal:owner', 'sensitive')))
    await world.say('/pause')
    const before = [world.prompts.length, world.sent.length]
    const key = `ghp_${'q7Zr2Lx9Vb4Nw8Kd1Tm6Pj3Hs5Gf0YcAeBu'}A`
    await world.shell.receive({ ...message(`use ${key}`, { id: 'key', at: clock.now }), message: '4711' })
    await world.shell.run(OWNER)
    clock.now += 60_000
    await world.shell.tick()
    expect(await consolidate(powers, OWNER)).toMatchObject({ facts: 2 })
    expect([gone, disk.store.getSealed('temporary')]).toEqual([['4711'], null])
    expect([world.prompts.length, world.sent.length]).toEqual(before)
  })

  it('its clock does not spin, and housekeeping goes on', async () => {
    const world = worldWith()
    await world.say(BOOK)
    await world.say('/pause')
    for (const _ of [1, 2, 3]) {
      const next = await world.shell.tick()
      expect(next ?? Infinity).toBeGreaterThan(world.clock.now + 999)
      world.clock.now = next ?? world.clock.now
    }
  })
})

describe('a card that waits during a pause', () => {
  it('can be approved during the pause, and its call runs after it', async () => {
    const world = worldWith()
    await world.say(BOOK)
    await world.say('/pause')
    expect(await answer(world, (await onlyOne(world)).id)).toBe('ok')
    expect(created(world)).toEqual([])
    await world.say('/resume')
    expect(created(world)).toHaveLength(1)
  })

  it.each([
    ['whose time ran out', false],
    ['whose yes could not be used in time', true],
  ])('%s meanwhile is put anew, under another number, and runs once', async (_what, said) => {
    const world = worldWith()
    await world.say(BOOK)
    await world.say('/pause')
    const { id } = await onlyOne(world)
    if (said) expect(await answer(world, id)).toBe('ok')
    for (let hour = 0; hour < 30; hour += 1) {
      world.clock.now += 3_600_000
      await world.shell.tick()
    }
    if (!said) expect(await answer(world, id)).toBe('approval_expired')
    const before = world.sent.length
    await world.say('/resume')
    await world.shell.tick()
    const again = await onlyOne(world)
    expect([again.id === id, world.sent.slice(before).map(({ kind }) => kind)]).toEqual([
      false,
      ['answer', 'card'],
    ])
    expect(created(world)).toEqual([])
    expect(await answer(world, again.id)).toBe('ok')
    expect(created(world)).toHaveLength(1)
    expect(await waiting(world)).toEqual([])
  })

  it('expires: content that is a week over its time is deleted, and the owner is told', async () => {
    const world = worldWith()
    await world.say(BOOK)
    await world.say('/pause')
    for (let hour = 0; hour < 8 * 24; hour += 1) {
      world.clock.now += 3_600_000
      await world.shell.tick()
    }
    expect(world.disk.store.nextExpiry()).toBeNull()
  })
})

it.each([
  ['/pause', 'I pause already, since 2026-11-20 12:00, by the terminal. Nothing runs'],
  ['/resume', 'I go on. No message waited.'],
  ['/RESUME', 'I go on.'],
])('%s is answered while it holds', async (typed, says) => {
  const world = createWorld()
  await world.say('/pause')
  await world.say(typed, 'again')
  expect(world.heard()).toContain(says)
})

it('is written down, and no prompt has it', async () => {
  const prompts: FinalPrompt[] = []
  const world = createWorld()
  await world.say('/pause')
  await world.say('/resume')
  const lines = world.audited.filter(({ kind }) => kind === 'pause_changed').map(({ facts }) => facts)
  expect([prompts, lines]).toEqual([
    [],
    [
      { said: 'pause', did: 'paused', sink: 'sink:terminal:owner' },
      { said: 'resume', did: 'resumed', sink: 'sink:terminal:owner' },
    ],
  ])
})

it('a message of the owner in a chat of the edge can pause home, and cannot end the pause', async () => {
  const there = 'sink:fake:there'
  const world = createWorld({
    owner: ['fake:there'],
    models: [local()],
    policy: (policy) => ({
      ...policy,
      sinks: [
        ...policy.sinks,
        { id: there, place: 'edge', level: 'internal', compartments: [], principal: OWNER, audience: 'sole' },
      ],
    }),
  })
  const said = (what: 'pause' | 'resume') =>
    sayPause(world.powers, { do: what, sink: there, sent: world.clock.now }).did
  expect([said('resume'), said('pause'), said('resume')]).toEqual(['not_paused', 'paused', 'held'])
  expect(world.shell.paused()?.by).toBe('home')
  await world.say('/resume')
  expect(world.shell.paused()).toBeNull()
})

it('a start says that it holds, and not that it goes on', async () => {
  const disk = createDisk()
  const first = worldWith({ disk })
  await first.say(BOOK)
  await first.say('/pause')
  await take(first, 'hello')
  const { powers, sent, clock } = worldWith({ disk })
  clock.now += 600_000
  const facts = { first: false, name: 'Ada', services: [], broken: [], skills: 0, offers: 0, troubles: [] }
  await tellRestart(powers, { id: 'restart:1', facts, left: leftOver(powers), lastTold: null })
  expect(sent.at(-1)?.text).toMatch(
    /1 question still .* I go on pausing, since 2026-11-20 12:00, by the terminal/,
  )
  expect(sent.at(-1)?.text).not.toMatch(/ran out of time|working on/)
})

it('a write that was to run next has not begun, also where a restart follows', async () => {
  const disk = createDisk()
  const pause: { state: PauseState } = { state: NEVER_PAUSED }
  // Said between the yes that is used up and the call.
  const store: Disk['store'] = {
    ...disk.store,
    saveApproval(approval, card) {
      disk.store.saveApproval(approval, card)
      if (approval.state === 'spent')
        pause.state = { ...NEVER_PAUSED, home: { do: 'pause', at: 1, sink: 's' } }
    },
  }
  const world = worldWith({ disk: { ...disk, store, pause } })
  await world.say(BOOK)
  expect(await answer(world, (await onlyOne(world)).id)).toBe('ok')
  expect([created(world), world.shell.paused()?.since]).toEqual([[], 1])
  const after = worldWith({ disk })
  await after.shell.recover()
  expect([created(after).length, after.heard()]).toEqual([1, expect.not.stringMatching(/cannot tell/)])
})
