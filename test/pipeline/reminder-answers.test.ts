/**
 * Answers to a reminder that came (DESIGN §9): buttons in Telegram and Slack, a number or a word where there
 * are none, each bound to its chat and its occurrence and done once; and what `/undo` takes back.
 */
import { describe, expect, it } from 'vitest'
import {
  buttonIdIn,
  buttonsUnder,
  type CheckedTap,
  createCardService,
  settleTap,
} from '../../integrations/channels/runtime/cards.ts'
import type { Called, ChannelState } from '../../integrations/channels/runtime/channel-state.ts'
import { createWorld, FRIDAY_NOON, type World } from './world.ts'

const MINUTE = 60_000
const HOUR = 3_600_000
const DAY = 86_400_000
const KEY = new Uint8Array(32).fill(7)

const row = ({ disk }: World) => disk.store.reminderNumbered('principal:owner', 1)
const reminders = ({ sent }: World) => sent.filter(({ id }) => id.startsWith('reminder:'))

async function at(world: World, moment: number): Promise<void> {
  world.clock.now = moment
  await world.shell.tick()
}

/** Owner’s zone of the world: Madrid, an hour ahead of UTC. */
const local = (due: number | null | undefined) => new Date((due ?? 0) + HOUR).toISOString().slice(0, 16)

async function come(world: World, said = 'in 20 minutes remind me to check the oven'): Promise<void> {
  await world.say(said)
  await at(world, Number(row(world)?.due))
}

const CHATS: readonly {
  readonly channel: 'telegram' | 'slack'
  readonly chat: Called
  readonly message: Called
}[] = [
  { channel: 'telegram', chat: 7, message: 31 },
  { channel: 'slack', chat: 'D1', message: '1.1' },
]

/** A chat with buttons, in which the reminder came. */
async function shown(
  { channel, chat, message }: (typeof CHATS)[number],
  place: 'home' | 'edge',
  said?: string,
) {
  const values = new Map<string, unknown>()
  const kept = {
    get: (name: string) => values.get(name),
    put: (name: string, value: unknown) => void values.set(name, structuredClone(value)),
  } as ChannelState
  const world = createWorld({ place, pushes: true })
  await come(world, said)
  const first = reminders(world)[0]
  if (first === undefined) throw new Error('no reminder came')
  const cards = createCardService({ kept, channel }, KEY)
  const buttons = (buttonsUnder(cards, first, chat) ?? []).flat()
  return {
    world,
    first,
    buttons,
    async tap(label: string, over: Partial<CheckedTap> = {}) {
      const data = buttons.find(({ text }) => text === label)?.data ?? ''
      const button = buttonIdIn(KEY, { channel, chat }, data) ?? ''
      const { powers, shell } = world
      const settled = await settleTap(
        { kept, channel },
        { powers, shell },
        { button, chat, message, ...over },
      )
      return settled.ok ? [settled.value.what, settled.value.words] : [settled.reason.code]
    },
  }
}

describe.each(['home', 'edge'] as const)('at the %s', (place) => {
  describe.each(CHATS)('by a button, over $channel', (chat) => {
    it('has done and later under it, and no number in its text', async () => {
      const { buttons, first } = await shown(chat, place)
      expect(buttons.map(({ text }) => text)).toEqual(['Done', 'In an hour', 'Tomorrow at 9'])
      expect(first.text).toBe('Reminder 1: check the oven')
    })

    it('done, once: its message says so, without buttons, and a second tap says that it was done', async () => {
      const { tap, world, first } = await shown(chat, place)
      expect(await tap('Done')).toEqual(['chosen', 'Done.'])
      expect(world.sent.at(-1)).toMatchObject({ id: first.id, text: `${first.text}\n\nDone.` })
      expect(world.sent.at(-1)?.offers).toBeUndefined()
      expect(await tap('Done')).toEqual(['late', 'This was done before.'])
      expect(await tap('In an hour')).toEqual(['late', 'This was done before.'])
      await at(world, FRIDAY_NOON + 3 * DAY)
      expect(new Set(reminders(world).map(({ id }) => id)).size).toBe(1)
    })

    it('later, once: it comes again with buttons of its own', async () => {
      const { tap, world } = await shown(chat, place)
      expect(await tap('In an hour')).toEqual(['chosen', 'I remind you again in an hour.'])
      expect(await tap('Tomorrow at 9')).toEqual([
        'late',
        expect.stringMatching(/^This was put off before, to /),
      ])
      await at(world, world.clock.now + HOUR)
      expect(reminders(world).at(-1)?.offers).toHaveLength(3)
      expect(await tap('Done')).toEqual(['late', 'This reminder has come again since then: answer that one.'])
      expect(row(world)?.answered).toBeNull()
    })

    it('tomorrow at nine on the owner’s clocks', async () => {
      const { tap, world } = await shown(chat, place)
      await tap('Tomorrow at 9')
      expect(local(row(world)?.due)).toBe('2026-11-21T09:00')
    })

    it('of a repetition it is about this occurrence only', async () => {
      const { tap, world } = await shown(chat, place, 'remind me every day at 7 to stretch')
      expect(await tap('Done')).toEqual(['chosen', 'Done.'])
      expect([row(world)?.state, local(row(world)?.due)]).toEqual(['open', '2026-11-22T07:00'])
    })

    it('says that it is gone, or was cancelled', async () => {
      const { tap, world } = await shown(chat, place, 'remind me every day at 7 to stretch')
      await world.say('/unremind 1')
      expect(await tap('Done')).toEqual(['late', 'This reminder was cancelled.'])
      await at(world, world.clock.now + 2 * DAY)
      expect(row(world)).toBeNull()
      expect(await tap('Done')).toEqual(['late', 'This reminder is not kept any more.'])
    })

    it('counts in its chat and its message only', async () => {
      const { tap, world } = await shown(chat, place)
      expect(await tap('Done', { chat: 'elsewhere' })).toEqual(['approval_unknown'])
      expect(await tap('Done', { button: '0'.repeat(16) })).toEqual(['approval_unknown'])
      expect(await tap('Done')).toEqual(['chosen', 'Done.'])
      expect(await tap('Done', { message: 'another' })).toEqual(['approval_unknown'])
      expect(row(world)?.answered).toBe('done')
    })

    it('two taps at once do one thing', async () => {
      const { tap, world } = await shown(chat, place)
      const both = await Promise.all([tap('Done'), tap('In an hour')])
      expect(both.filter(([what]) => what === 'chosen')).toHaveLength(1)
      expect(row(world)?.answered).toBe('done')
    })

    it('/undo takes a tap back', async () => {
      const { tap, world } = await shown(chat, place)
      await tap('Done')
      await world.say('/undo')
      expect([row(world)?.state, row(world)?.answered]).toEqual(['fired', null])
      expect(await tap('In an hour')).toEqual(['chosen', 'I remind you again in an hour.'])
    })
  })

  it('one that waited for its chat has its buttons when it goes out', async () => {
    let up = false
    const world = createWorld({
      place,
      pushes: true,
      send: ({ id }) =>
        up || !id.startsWith('reminder:')
          ? { ok: true, value: true }
          : { ok: false, reason: { code: 'network_failed', facts: {} } },
    })
    await come(world)
    expect(reminders(world)).toEqual([])
    up = true
    await at(world, world.clock.now + HOUR)
    await world.shell.run('principal:owner')
    expect(reminders(world).map(({ offers }) => offers?.length)).toEqual([3])
  })

  it('a line without buttons says the numbers', async () => {
    const world = createWorld({ place })
    await come(world)
    expect(world.heard()).toBe('Reminder 1: check the oven\n1 Done · 2 In an hour · 3 Tomorrow at 9')
  })

  it.each([
    ['1', 'ended'],
    ['2', '2026-11-20T13:20'],
    ['3.', '2026-11-21T09:00'],
    ['done', 'ended'],
    ['Done!', 'ended'],
    ['I did it', 'ended'],
    ['erledigt', 'ended'],
    ['hab ich schon gemacht', 'ended'],
    ['tomorrow', '2026-11-21T09:00'],
    ['morgen', '2026-11-21T09:00'],
    ['snooze for an hour', '2026-11-20T13:20'],
  ])('"%s" answers it', async (said, expected) => {
    const world = createWorld({ place })
    await come(world)
    await world.say(said)
    expect(row(world)?.state === 'ended' ? 'ended' : local(row(world)?.due)).toBe(expected)
  })

  it('a number is for what came last only, and "done" for one that waits for an answer', async () => {
    const world = createWorld({ place })
    await come(world)
    await world.say('hello')
    await world.say('1')
    expect(row(world)?.answered).toBeNull()
    await world.say('done')
    expect(row(world)?.answered).toBe('done')
    await world.say('done')
    expect(world.heard()).not.toMatch(/^Done: /)
  })

  it('"done" said twice ends no older one', async () => {
    const world = createWorld({ place })
    await come(world)
    await world.say('in 20 minutes remind me to call mum')
    await at(world, world.clock.now + 20 * MINUTE)
    await world.say('done')
    await world.say('done')
    expect([row(world)?.answered, world.disk.store.reminderNumbered('principal:owner', 2)?.answered]).toEqual(
      [null, 'done'],
    )
  })

  it.each([
    ['/unremind 1', 'cancel that reminder'],
    ['cancel the reminder to call mum', '/undo'],
  ])('/undo brings a cancelled reminder back: %s', async (said) => {
    const world = createWorld({ place })
    await world.say('remind me tomorrow at 9 to call mum')
    await world.say(said)
    expect(row(world)?.state).toBe('ended')
    await world.say('/undo')
    expect(world.heard()).not.toMatch(/could not|cannot/)
    expect([row(world)?.state, local(row(world)?.due)]).toEqual(['open', '2026-11-21T09:00'])
    await at(world, Number(row(world)?.due))
    expect(reminders(world)).toHaveLength(1)
  })

  it('/undo puts done tasks back on the list, and once more takes them off', async () => {
    const world = createWorld({ place })
    await world.say('put milk and eggs on my list')
    await world.say('I bought the milk and the eggs')
    await world.say('/undo')
    await world.say('/tasks')
    expect(world.heard()).toBe('1. milk\n2. eggs')
    await world.say('/undo')
    await world.say('/tasks')
    expect(world.heard()).toMatch(/^Nothing is on your list/)
  })

  it.each([
    ['the bench is sanded, cross it off', '1. paint the gate'],
    ['tick off the gate and add string to the list', '2. sand the bench\n3. string'],
  ])('/undo takes back a tick that a plan made: %s', async (said, left) => {
    const world = createWorld({ place })
    const list = async () => {
      await world.say('/tasks')
      return world.heard()
    }
    await world.say('add paint the gate and sand the bench to my list')
    await world.say(said)
    expect(await list()).toBe(left)
    await world.say('/undo')
    expect(await list()).toMatch(/^1\. paint the gate\n2\. sand the bench/)
    await world.say('/undo')
    expect(await list()).toBe(left)
  })

  it.each([
    ['/done lawn', [3, 4]],
    ['hello', [1, 2, 3, 4]],
  ])('/undo takes back all ticks of one plan, and first what was done after it: %s', async (after, left) => {
    const world = createWorld({ place })
    await world.say('add paint the gate, sand the bench and mow the lawn to my list')
    await world.say('add glue to my list and tick off the gate and tick off the bench')
    const open = () => world.disk.store.openReminders('principal:owner', 'task').map(({ number }) => number)
    expect(open()).toEqual([3, 4])
    await world.say(after)
    await world.say('/undo')
    expect(open()).toEqual(left)
  })

  it('what was cancelled is deleted after a day, with its text', async () => {
    const world = createWorld({ place })
    await world.say('remind me in 3 weeks to call mum')
    const { ref } = row(world) ?? {}
    await world.say('/unremind 1')
    await at(world, world.clock.now + DAY + MINUTE)
    expect(row(world)).toBeNull()
    expect(world.disk.store.getSealed(ref?.id ?? '')).toBeNull()
  })
})

describe('in the morning briefing', () => {
  const MONDAY_8 = Date.parse('2026-11-23T07:00:00Z')
  const empty = {
    'calendar.list_events': () => ({ ok: true as const, output: { events: [], more: false } }),
    'email.list': () => ({ ok: true as const, output: { emails: [], more: false } }),
  }
  const briefed = async (): Promise<World> => {
    const world = createWorld({ tools: empty, pushes: true })
    await world.say('start the morning briefing')
    await world.shell.tick()
    world.clock.now += 1_000
    await world.say('yes')
    return world
  }
  const briefings = ({ sent }: World) =>
    sent.filter(({ text }) => text.startsWith('Morning briefing')).map(({ text }) => text)

  it('what came and was not answered is told once, and what was answered is not', async () => {
    const world = await briefed()
    await world.say('remind me on sunday at 20:00 to water the plants')
    await world.say('remind me on sunday at 21:00 to call mum')
    for (const hour of [20, 21]) await at(world, MONDAY_8 - (32 - hour) * HOUR)
    await world.say('done')
    await at(world, MONDAY_8)
    expect(briefings(world)).toHaveLength(1)
    expect(briefings(world)[0]).toMatch(/Came and not answered:\n1\. .*20:00: water the plants/)
    expect(briefings(world)[0]).not.toContain('call mum')
    // The next day there is nothing new to tell.
    await at(world, MONDAY_8 + DAY)
    expect(briefings(world)).toHaveLength(1)
  })
})
