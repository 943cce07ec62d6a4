/**
 * Which of the owner's chats gets a question (F-02, F-18): the chat of the request, else the configured one; if that
 * chat fails, the next one that may show the question. A question that no chat accepted is sent again and not lost.
 */
import { describe, expect, it } from 'vitest'
import { putElsewhere } from '../../kernel/features/approvals/asking.ts'
import { tellOwner } from '../../kernel/features/deliveries/deliver.ts'
import { WAITS_AT_MOST } from '../../kernel/features/deliveries/waiting-line.ts'
import type { Policy } from '../../kernel/flow/policy.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import { createShell } from '../../kernel/runtime/shell.ts'
import {
  answer,
  auditedAs,
  BOOK,
  booking,
  created,
  OWNER,
  onlyOne,
  planning,
  TOOLS,
  waiting,
} from './approvals-owner.ts'
import { createWorld, message, type World, type WorldOptions } from './world.ts'

const TERMINAL = 'sink:terminal:owner'
const SECOND = 'sink:second:owner'
const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** The owner has a second chat at home, cleared for this. */
function withSecond(level: 'internal' | 'sensitive' = 'sensitive') {
  return (policy: Policy): Policy => ({
    ...policy,
    sinks: [
      ...policy.sinks,
      { id: SECOND, level, compartments: [], place: 'home', principal: OWNER, audience: 'sole' },
    ],
    allowLists: policy.allowLists.map((list) => ({ ...list, patterns: [...list.patterns, SECOND] })),
  })
}

interface Chats {
  /** Sinks that fail, and how; changed by the test. */
  readonly down: Map<string, ReasonCode>
}

function chatsWorld(options: WorldOptions = {}): World & Chats {
  const down = new Map<string, ReasonCode>()
  const world = createWorld({
    ...{ tools: TOOLS, policy: withSecond(), adminSinks: [SECOND, TERMINAL] },
    send: ({ sink, kind }) => {
      const code = kind === 'answer' ? undefined : down.get(sink)
      return code === undefined ? { ok: true, value: true } : { ok: false, reason: { code, facts: {} } }
    },
    ...options,
  })
  return { ...world, down }
}

function cards(world: World): readonly string[] {
  return world.sent.filter(({ kind }) => kind === 'card').map(({ sink }) => sink)
}

/** Card deliveries that were tried: where, and whether it went. */
function tried(world: World): readonly (readonly [unknown, unknown])[] {
  return auditedAs(world, 'egress')
    .filter(({ kind }) => kind === 'card')
    .map(({ sink, ok }) => [sink, ok])
}

describe('a card for a request of the owner', () => {
  it('comes to the chat of the request, whatever is configured', async () => {
    const world = chatsWorld()
    await world.say(BOOK)
    expect(cards(world)).toEqual([TERMINAL])
  })

  it.each<ReasonCode>(['network_failed', 'sink_unknown'])(
    'comes to the next chat when that fails (%s)',
    async (code) => {
      const world = chatsWorld()
      world.down.set(TERMINAL, code)
      await world.say(BOOK)
      expect(tried(world)).toEqual([
        [TERMINAL, false],
        [SECOND, true],
      ])
      expect(await answer(world, (await onlyOne(world)).id)).toBe('ok')
      expect(created(world)).toEqual(['Lunch with Sarah'])
    },
  )

  it('never comes to a chat that may not show it', async () => {
    const planner = planning(
      { id: 's1', do: 'tool', tool: 'email.read', args: { id: 'm2' } },
      booking({ title: { $ref: 's1.body' } }, 's2'),
    )
    const world = chatsWorld({ models: [planner], policy: withSecond('internal') })
    world.down.set(TERMINAL, 'network_failed')
    await world.say('do the unusual thing')
    expect(tried(world)).toEqual([[TERMINAL, false]])
    expect(auditedAs(world, 'denial').at(-1)).toMatchObject({ code: 'write_down', sink: SECOND })
    expect(cards(world)).toEqual([])
    expect(await waiting(world)).toHaveLength(1)
  })

  it('is denied where no chat will ever take it', async () => {
    const world = chatsWorld()
    for (const sink of [TERMINAL, SECOND]) world.down.set(sink, 'sink_unknown')
    await world.say(BOOK)
    expect(await waiting(world)).toEqual([])
    expect(created(world)).toEqual([])
  })
})

describe('a card of background work', () => {
  const PLANNER = planning({ id: 's1', do: 'tool', tool: 'message.reply', args: { text: 'He is away.' } })

  async function asksBob(world: World): Promise<void> {
    const source = { adapter: 'telegram', user: 'bob', chat: 'bob', group: false }
    const event = { ...message('could we meet?', { id: 'e1', at: world.clock.now }), source }
    const received = await world.shell.receive(event)
    if (!received.ok) throw new Error(received.reason.code)
    await world.shell.run(received.value.principal)
  }

  it.each([
    [[SECOND, TERMINAL], SECOND],
    [[TERMINAL, SECOND], TERMINAL],
  ])('comes to the first of %j', async (adminSinks, first) => {
    const world = chatsWorld({ models: [PLANNER], adminSinks })
    await asksBob(world)
    expect(cards(world)).toEqual([first])
  })

  it('comes to the second when the first is down', async () => {
    const world = chatsWorld({ models: [PLANNER] })
    world.down.set(SECOND, 'remote_unavailable')
    await asksBob(world)
    expect(tried(world)).toEqual([
      [SECOND, false],
      [TERMINAL, true],
    ])
  })
})

describe('a chat that cannot receive answers', () => {
  /** Its bot has lost its token, say: what is sent there may even arrive, and no answer comes back. */
  const deafTo = (world: World & Chats, deaf: string) => {
    const { powers } = world
    return createShell({ ...powers, hears: (sink) => sink !== deaf })
  }

  it('gets no card while another chat can receive answers, and gets it if none can (F-18)', async () => {
    const world = chatsWorld()
    const event = message(BOOK, { id: 'e1', at: world.clock.now })
    const shell = deafTo(world, TERMINAL)
    await shell.receive(event)
    await shell.run(OWNER)
    expect(cards(world)).toEqual([SECOND])
    const alone = chatsWorld({ adminSinks: [TERMINAL] })
    const only = deafTo(alone, TERMINAL)
    await only.receive(event)
    await only.run(OWNER)
    expect(cards(alone)).toEqual([TERMINAL])
  })

  it('gives up what waits there: the question comes to the next, once, and runs once wherever it is answered', async () => {
    const world = chatsWorld()
    await world.say(BOOK)
    expect(cards(world)).toEqual([TERMINAL])
    const shell = deafTo(world, TERMINAL)
    putElsewhere(world.powers, SECOND)
    await shell.tick()
    expect(cards(world)).toEqual([TERMINAL])
    putElsewhere(world.powers, TERMINAL)
    await shell.tick()
    await shell.tick()
    expect(cards(world)).toEqual([TERMINAL, SECOND])
    const { id } = await onlyOne(world)
    const yes = { approval: id, decision: 'approve', principal: OWNER, place: 'home' } as const
    expect(await Promise.all([shell.decide(yes), shell.decide(yes)])).toMatchObject([
      { ok: true },
      { ok: true },
    ])
    await shell.run(OWNER)
    expect(await shell.decide({ ...yes, decision: 'deny' })).toMatchObject({
      reason: { code: 'approval_spent' },
    })
    await shell.run(OWNER)
    expect(created(world)).toEqual(['Lunch with Sarah'])
  })
})

describe('a question that no chat took', () => {
  it('waits, is listed, and is tried again ever more seldom, until one takes it', async () => {
    const world = chatsWorld()
    for (const sink of [TERMINAL, SECOND]) world.down.set(sink, 'network_failed')
    const began = world.clock.now
    await world.say(BOOK)
    expect((await onlyOne(world)).reason).toBe('write_template_asks')
    const moments: number[] = []
    for (let n = 0; n < 4; n += 1) {
      const next = (await world.shell.tick()) ?? 0
      moments.push((next - began) / 1_000)
      // Looked at in between, it is left alone.
      await world.shell.tick()
      world.clock.now = next
    }
    expect(moments).toEqual([15, 45, 105, 225])
    expect(tried(world)).toHaveLength(2 * 5)
    world.down.clear()
    expect(await world.shell.tick()).toBe(world.clock.now + world.powers.approvalTimeout)
    await world.shell.tick()
    expect(cards(world)).toEqual([TERMINAL])
    expect(await answer(world, (await onlyOne(world)).id)).toBe('ok')
    expect(created(world)).toEqual(['Lunch with Sarah'])
  })

  it('is told by the next process when this one ends', async () => {
    const first = chatsWorld()
    for (const sink of [TERMINAL, SECOND]) first.down.set(sink, 'network_failed')
    await first.say(BOOK)
    const next = chatsWorld({ disk: first.disk })
    await next.shell.tick()
    expect(cards(next)).toEqual([TERMINAL])
  })

  it.each([
    ['after three hours of an outage', 3 * HOUR],
    ['minutes before it is given up', WAITS_AT_MOST - 10 * MINUTE],
  ])('has its whole time once it is shown, and what it asked for is still there: %s', async (_, away) => {
    const world = chatsWorld()
    for (const sink of [TERMINAL, SECOND]) world.down.set(sink, 'remote_unavailable')
    await world.say(BOOK)
    for (let at = 0; at < away; at += 5 * MINUTE) {
      world.clock.now += 5 * MINUTE
      await world.shell.tick()
    }
    expect([cards(world), (await waiting(world)).length]).toEqual([[], 1])
    world.down.clear()
    world.clock.now += 2 * MINUTE
    await world.shell.tick()
    expect(cards(world)).toEqual([TERMINAL])
    const { id, expiresAt } = await onlyOne(world)
    expect(expiresAt - world.clock.now).toBe(world.powers.approvalTimeout)
    world.clock.now += world.powers.approvalTimeout - 1
    await world.shell.tick()
    expect(await answer(world, id)).toBe('ok')
    expect(created(world)).toEqual(['Lunch with Sarah'])
  })

  it('is a no after its time where nobody answers what was shown at last', async () => {
    const world = chatsWorld()
    for (const sink of [TERMINAL, SECOND]) world.down.set(sink, 'remote_unavailable')
    await world.say(BOOK)
    world.down.clear()
    world.clock.now += HOUR
    await world.shell.tick()
    world.clock.now += world.powers.approvalTimeout
    await world.shell.tick()
    expect([await waiting(world), created(world)]).toEqual([[], []])
    expect(world.heard()).toContain('You did not answer in time')
  })

  it('is given up after 24 hours, and that is said', async () => {
    const world = chatsWorld()
    for (const sink of [TERMINAL, SECOND]) world.down.set(sink, 'network_failed')
    await world.say(BOOK)
    world.clock.now += WAITS_AT_MOST - 1
    await world.shell.tick()
    expect(await waiting(world)).toHaveLength(1)
    world.clock.now += 1
    await world.shell.tick()
    expect([await waiting(world), created(world)]).toEqual([[], []])
    world.down.clear()
    world.clock.now += HOUR
    await world.shell.tick()
    expect(world.heard()).toContain('could not be reached for a whole day')
  })
})

describe('a notice', () => {
  it('comes to the first chat that takes it, and waits for one where all are away for now', async () => {
    const world = chatsWorld()
    world.down.set(SECOND, 'response_timeout')
    expect(await tellOwner(world.powers, { id: 'n1', code: 'backup_missed' })).toMatchObject({ ok: true })
    expect(world.sent.map(({ sink }) => sink)).toEqual([TERMINAL])
    world.down.set(TERMINAL, 'sink_unknown')
    expect(await tellOwner(world.powers, { id: 'n2', code: 'backup_missed' })).toMatchObject({ ok: true })
    expect(world.shell.waiting()).toHaveLength(1)
    world.down.set(SECOND, 'sink_unknown')
    world.disk.store.dropWaiting('n2')
    expect(await tellOwner(world.powers, { id: 'n3', code: 'backup_missed' })).toMatchObject({
      reason: { code: 'sink_unknown' },
    })
  })
})
