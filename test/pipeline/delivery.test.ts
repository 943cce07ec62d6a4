/**
 * A chat that cannot be reached: its deliveries wait, in order and for a day; nothing else does, and nothing
 * ends unseen (F-18, Q-19, B-26).
 */
import { describe, expect, it } from 'vitest'
import { deliverNotice } from '../../kernel/features/deliveries/deliver.ts'
import { NOTICE_AFTER, tryNow } from '../../kernel/features/deliveries/resend.ts'
import {
  FIRST_WAIT,
  LONGEST_ASKED_WAIT,
  LONGEST_WAIT,
  MOST_WAITING,
  MOST_WAITING_BYTES,
  WAITS_AT_MOST,
} from '../../kernel/features/deliveries/waiting-line.ts'
import type { Policy } from '../../kernel/flow/policy.ts'
import type { ReasonFacts } from '../../kernel/flow/verdict.ts'
import type { Delivery } from '../../kernel/powers/ports.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import { createShell } from '../../kernel/runtime/shell.ts'
import type { PauseState } from '../../kernel/task/pause.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import { createDisk, createWorld, type Disk, message, type World } from './world.ts'

interface Channel {
  readonly world: World
  /** Texts that were tried, in order. */
  readonly tried: string[]
  /** Why it refuses now; null when it takes what comes. */
  broken: { readonly code: ReasonCode; readonly facts?: ReasonFacts } | null
}

function channel(
  code: ReasonCode | null,
  { facts = {}, disk, adminSinks }: { facts?: ReasonFacts; disk?: Disk; adminSinks?: readonly string[] } = {},
): Channel {
  const tried: string[] = []
  const send = ({ text, sink }: Delivery) => {
    tried.push(text)
    const { broken } = made
    if (broken === null || sink !== OWN) return { ok: true, value: true } as const
    return { ok: false, reason: { facts: {}, ...broken } } as const
  }
  const world = createWorld({
    send,
    policy: withChat,
    owner: ['probe:local'],
    templates: [PROBE],
    ...(disk && { disk }),
    ...(adminSinks && { adminSinks }),
  })
  const made: Channel = { world, tried, broken: code === null ? null : { code, facts } }
  return made
}

const OWN = 'sink:terminal:owner'
const CHAT = 'sink:probe:owner'
const PROBE = {
  ...{ template_id: 'probe_owner', triggers: ['adapter:probe:*:owner'], principal_class: 'owner' },
  ...{ description: 'Another chat', allowed_tools: ['email.list'], max_tool_calls: 1 },
  ...{ max_tokens_plan: 500, max_tokens_synthesize: 500, output_sinks: ['reply_to_sender'] },
  data_ceiling: 'sensitive',
}

function withChat(policy: Policy): Policy {
  const chat = { id: CHAT, level: 'sensitive', place: 'home', compartments: [], audience: 'sole' } as const
  return { ...policy, sinks: [...policy.sinks, { ...chat, principal: policy.owner }] }
}

async function wait(world: World, milliseconds: number): Promise<number | null> {
  world.clock.now += milliseconds
  return world.shell.tick()
}

/** The clock as the place's own scheduler moves it: from moment to moment. */
async function pass(world: World, milliseconds: number): Promise<void> {
  const end = world.clock.now + milliseconds
  for (let next = await world.shell.tick(); next !== null && next <= end; next = await world.shell.tick())
    world.clock.now = Math.max(next, world.clock.now)
  world.clock.now = end
  await world.shell.tick()
}

const HOUR = 3_600_000
/** Ids of what the owner's own chat got, in order. */
const got = (world: World, sink = OWN) => world.sent.filter((one) => one.sink === sink).map(({ id }) => id)
const textsIn = (world: World, sink: string) =>
  world.sent.filter((one) => one.sink === sink).map(({ text }) => text)

const stateOf = async (world: World, task: string) => (await world.shell.report(task))?.task.state

describe('a chat that cannot be reached for now', () => {
  it.each(['network_failed', 'response_timeout', 'remote_unavailable', 'remote_rate_limited'] as const)(
    '%s: its answer waits, the task ends, and the same is sent again, not before its moment, and once',
    async (code) => {
      const made = channel(code)
      const { world, tried } = made
      const task = await world.say('hi')
      await world.shell.recover()
      expect([tried.length, await stateOf(world, task)]).toEqual([1, 'completed'])
      expect(await world.shell.tick()).toBe(world.clock.now + FIRST_WAIT)
      await wait(world, FIRST_WAIT - 1)
      expect(tried).toHaveLength(1)
      made.broken = null
      expect(await wait(world, 1)).toBeNull()
      expect(tried).toEqual([tried[0], tried[0]])
      expect(world.sent.map(({ id, kind }) => [id, kind])).toEqual([[`${task}:answer`, 'answer']])
      expect(world.shell.waiting()).toEqual([])
    },
  )

  it.each([
    ['as long as its channel asks', 90_000, 90_000],
    ['no longer than the bound, whatever it asks', 1e12, LONGEST_ASKED_WAIT],
    ['no shorter than its own wait', 1, FIRST_WAIT],
  ])('waits %s', async (_, retryAfter, expected) => {
    const { world } = channel('remote_rate_limited', { facts: { retryAfter } })
    await world.say('hi')
    const next = () => Date.parse(world.shell.waiting()[0]?.next ?? '') - world.clock.now
    expect(next()).toBe(expected)
    await world.say('hi')
    // A later message hurries nobody whom the channel has asked to wait.
    expect(next()).toBe(retryAfter === 1 ? 8_000 : expected)
  })

  it('is tried ever more seldom, up to a quarter of an hour', async () => {
    const { world } = channel('network_failed')
    await world.say('hi')
    const waits: number[] = []
    for (let n = 0; n < 7; n += 1) {
      const next = world.shell.waiting()[0]?.next ?? ''
      waits.push(Date.parse(next) - world.clock.now)
      await wait(world, Date.parse(next) - world.clock.now)
    }
    expect(waits).toEqual([2_000, 8_000, 32_000, 128_000, 512_000, LONGEST_WAIT, LONGEST_WAIT])
  })

  it('gets everything after three hours, once and in order, whoever restarts meanwhile', async () => {
    const disk = createDisk()
    const dying = channel('remote_unavailable', { disk })
    const tasks = [await dying.world.say('hi', 'm1'), await dying.world.say('hello', 'm2')]
    await pass(dying.world, HOUR)
    const made = channel('remote_unavailable', { disk })
    made.world.clock.now = dying.world.clock.now
    await made.world.shell.recover()
    tasks.push(await made.world.say('hi', 'm3'))
    await pass(made.world, 2 * HOUR)
    expect([dying.world.sent, made.world.sent]).toEqual([[], []])
    made.broken = null
    await pass(made.world, LONGEST_WAIT)
    expect(got(made.world)).toEqual(tasks.map((task) => `${task}:answer`))
    expect(made.world.shell.waiting()).toEqual([])
  })

  it('holds up no task: a later one runs to its end and remembers what was said before', async () => {
    const made = channel('network_failed')
    const { world } = made
    const tasks = [await world.say('hi', 'm1'), await world.say('hi', 'm2')]
    expect(await Promise.all(tasks.map((task) => stateOf(world, task)))).toEqual(['completed', 'completed'])
    const turns = world.disk.store.recentTasks(OWNER_PRINCIPAL, 5)
    expect(turns.every(({ answer }) => answer !== null)).toBe(true)
  })

  it('lets no later answer go first, and holds up no other chat (B-26)', async () => {
    const made = channel('network_failed')
    const { world } = made
    await world.say('hi', 'm1')
    await world.say('hi', 'm2')
    const source = { adapter: 'probe', user: 'local', chat: 'owner', group: false }
    expect((await world.shell.receive({ ...message('hi', { id: 'm3' }), source })).ok).toBe(true)
    await world.shell.run(OWNER_PRINCIPAL)
    expect(world.sent.map(({ sink }) => sink)).toEqual([CHAT])
    made.broken = null
    await world.say('hi', 'm4')
    expect(world.sent.map(({ turn }) => turn)).toEqual([3, 1, 2, 4])
  })

  it('is tried at once when the way to it is back, unless the channel asked to wait', async () => {
    const made = channel('network_failed')
    const { world } = made
    const task = await world.say('hi')
    await pass(world, HOUR)
    made.broken = null
    tryNow(world.powers, CHAT)
    await world.shell.run(OWNER_PRINCIPAL)
    expect(got(world)).toEqual([])
    tryNow(world.powers, OWN)
    await world.shell.run(OWNER_PRINCIPAL)
    expect(got(world)).toEqual([`${task}:answer`])
    made.broken = { code: 'remote_rate_limited', facts: { retryAfter: 90_000 } }
    await world.say('hello')
    made.broken = null
    tryNow(world.powers, OWN)
    await world.shell.run(OWNER_PRINCIPAL)
    expect(got(world)).toHaveLength(1)
  })

  it('is listed with what was asked for, since when it waits and when it is tried next, and never a word of it', async () => {
    const { world } = channel('network_failed')
    await world.say('hi')
    const at = new Date(world.clock.now).toISOString()
    const next = new Date(world.clock.now + FIRST_WAIT).toISOString()
    expect(world.shell.waiting()).toEqual([{ chat: 'the terminal', asked: at, since: at, next }])
  })

  it('is given up where its text cannot be read any more, and what waits behind it goes on', async () => {
    const made = channel('network_failed')
    const { world } = made
    const lost = await world.say('hi', 'm1')
    const kept = await world.say('hello', 'm2')
    const text = world.disk.store.findDelivery(`${lost}:answer`)?.text.id ?? ''
    world.disk.store.deleteSealed([text])
    made.broken = null
    await pass(world, HOUR)
    expect(got(world)).toContain(`${kept}:answer`)
    expect(got(world)).not.toContain(`${lost}:answer`)
    const ended = world.audited.filter(({ facts }) => facts['ended'] === true)
    expect(ended.map(({ task, facts }) => [task, facts['code']])).toEqual([[lost, 'record_unreadable']])
    expect(world.shell.waiting()).toEqual([])
  })
})

describe('another chat of the owner’s', () => {
  const TWO = { adminSinks: [OWN, CHAT] }

  it('hears once of an outage, after a while, which chat it is and when it was asked for, and no word of the answer', async () => {
    const made = channel('remote_unavailable', TWO)
    const { world } = made
    await world.say('hi', 'm1')
    await pass(world, NOTICE_AFTER - 1)
    expect(world.sent).toEqual([])
    await pass(world, HOUR)
    await world.say('hi', 'm2')
    await pass(world, HOUR)
    expect(textsIn(world, CHAT)).toEqual([
      'the terminal cannot be reached. The answer that you asked for at 2026-11-20 12:00 waits for your chat there, and later ones wait behind it, in order. I keep trying for 24 hours; `pfar status` lists what waits.',
    ])
    expect(made.tried[0]).not.toBe('')
    expect(textsIn(world, CHAT)[0]).not.toContain(made.tried[0])
  })

  it('is told by /status what waits for which chat and when it was asked for, and no word of it', async () => {
    const made = channel('remote_unavailable')
    const { world, tried } = made
    const status = async (id: string): Promise<string> => {
      const source = { adapter: 'probe', user: 'local', chat: 'owner', group: false }
      await world.shell.receive({ ...message('/status', { id, at: world.clock.now }), source })
      await world.shell.run(OWNER_PRINCIPAL)
      return textsIn(world, CHAT).at(-1) ?? ''
    }
    expect(await status('s0')).not.toMatch(/waits for your chat/)
    await world.say('hi', 'm1')
    const line = 'The answer that you asked for at 2026-11-20 12:00 waits for your chat at the terminal.'
    expect((await status('s1')).split('\n')).toContain(line)
    // The first that was tried is the status before.
    const answer = tried[1] ?? ''
    expect(answer).not.toBe('')
    expect(await status('s2')).not.toContain(answer)
    for (let n = 2; n <= 7; n += 1) await world.say('hi', `m${n}`)
    const many = (await status('s3')).split('\n')
    expect(many.filter((one) => one.includes('waits for your chat'))).toHaveLength(5)
    expect(many.at(-1)).toBe('And 2 more (`pfar status` lists them all).')
    made.broken = null
    await pass(world, HOUR)
    expect(await status('s4')).not.toMatch(/waits for your chat/)
  })

  it('is told by /status of nothing that waits for somebody else, or for that chat itself', async () => {
    const { world } = channel('remote_unavailable')
    const { powers } = world
    const status = async (id: string): Promise<string> => {
      const report = await world.shell.report(await world.say('/status', id))
      return report?.reply ?? ''
    }
    await world.say('hi', 'm1')
    const own = await status('s1')
    const [row] = powers.store.waiting()
    if (row === undefined) throw new Error('nothing waits')
    powers.store.putWaiting({ ...row, id: 'theirs', principal: 'principal:telegram:peer:9', sink: CHAT })
    for (const said of [own, await status('s2')]) {
      expect(said).toContain('I answer here from your home box.')
      expect(said).not.toMatch(/waits for your chat/)
    }
    expect(powers.store.waiting().map(({ id }) => id)).toContain('theirs')
  })

  it('hears of what was given up after 24 hours', async () => {
    const { world } = channel('remote_unavailable', TWO)
    await world.say('hi')
    await pass(world, WAITS_AT_MOST - 1)
    expect(world.shell.waiting()).toHaveLength(1)
    await pass(world, 1)
    expect(world.shell.waiting()).toEqual([])
    expect(textsIn(world, CHAT).at(-1)).toBe(
      'The answer that you asked for at 2026-11-20 12:00 did not get into your chat at the terminal: it could not be reached for 24 hours. Please ask again.',
    )
    const ended = world.audited.filter(({ facts }) => facts['ended'] === true)
    expect(ended.map(({ facts }) => facts['code'])).toEqual(['delivery_overdue'])
  })

  it.each(['remote_rejected', 'credential_rejected', 'sink_unknown'] as const)(
    'hears at once that nothing gets there any more: %s',
    async (code) => {
      const { world, tried } = channel(code, TWO)
      const task = await world.say('hi')
      // The answer, and the notice that says why there is none.
      expect([tried.length, await stateOf(world, task)]).toEqual([2 + 1, 'failed'])
      expect(textsIn(world, CHAT)).toEqual([
        expect.stringMatching(/^The answer that you asked for at .* did not/),
      ])
      await pass(world, HOUR)
      expect(tried).toHaveLength(3)
    },
  )

  it('hears at once where what waits is refused for good', async () => {
    const made = channel('remote_unavailable', TWO)
    const { world } = made
    await world.say('hi', 'm1')
    await world.say('hi', 'm2')
    made.broken = { code: 'remote_rejected' }
    await pass(world, 10_000)
    expect(textsIn(world, CHAT)).toHaveLength(2)
    expect(world.shell.waiting()).toEqual([])
  })

  it('gets a notice that is for the owner and for no chat in particular', async () => {
    const { world } = channel('remote_unavailable', { adminSinks: [OWN] })
    const { tellOwner } = await import('../../kernel/features/deliveries/deliver.ts')
    expect((await tellOwner(world.powers, { id: 'n1', code: 'tool_degraded' })).ok).toBe(true)
    expect(world.shell.waiting()).toHaveLength(1)
  })
})

describe('the chat itself, where there is no other', () => {
  it('hears afterwards that not all could be kept, once', async () => {
    const made = channel('remote_unavailable')
    const { world } = made
    await world.say('hi', 'm1')
    await world.say('hi', 'm2')
    await pass(world, WAITS_AT_MOST + HOUR)
    made.broken = null
    await pass(world, LONGEST_WAIT)
    expect(textsIn(world, OWN)).toEqual([expect.stringContaining('not everything that was meant for it')])
    expect(world.shell.waiting()).toEqual([])
  })

  it('hears it even where it refused before, and nobody is written to for ever', async () => {
    const made = channel('remote_rejected')
    const { world, tried } = made
    await world.say('hi')
    await pass(world, HOUR)
    expect(world.sent).toEqual([])
    expect(world.shell.waiting()).toHaveLength(1)
    await pass(world, 7 * 24 * HOUR)
    const before = tried.length
    await pass(world, 24 * HOUR)
    expect([tried.length, world.shell.waiting()]).toEqual([before, []])
  })
})

describe('a pause of the owner’s', () => {
  it('keeps what waits as it is, and what grew too old in it is tried once more afterwards', async () => {
    const disk = createDisk()
    const dying = channel('remote_unavailable', { disk })
    const task = await dying.world.say('hi')
    const { world } = channel(null, { disk })
    const since = world.clock.now
    let state: PauseState = { home: { do: 'pause', at: since, sink: OWN }, edge: null, over: null }
    const pause = { read: () => state, write: () => undefined }
    const shell = createShell({ ...world.powers, pause })
    for (let hour = 0; hour < 30; hour += 1) {
      world.clock.now += HOUR
      await shell.tick()
    }
    expect([world.sent, shell.waiting().length]).toEqual([[], 1])
    state = { home: null, edge: null, over: { since, until: world.clock.now } }
    await shell.tick()
    expect(got(world)).toEqual([`${task}:answer`])
  })
})

describe('the line before a chat', () => {
  const put = (world: World, id: string, words: string) =>
    deliverNotice(world.powers, { id, sink: OWN, principal: OWNER_PRINCIPAL, code: 'task_stopped', words })

  it('is bounded in count: what comes too late is refused and told of, and nothing that waits is dropped', async () => {
    const made = channel('remote_unavailable', { adminSinks: [OWN, CHAT] })
    const { world } = made
    for (let n = 0; n < MOST_WAITING; n += 1) expect((await put(world, `n${n}`, 'x')).ok).toBe(true)
    const task = await world.say('hi')
    expect(world.shell.waiting()).toHaveLength(MOST_WAITING)
    expect((await world.shell.report(task))?.task.trouble).toBe('outbox_full')
    expect(textsIn(world, CHAT)[0]).toContain('too much waits for it already')
    made.broken = null
    await pass(world, LONGEST_WAIT)
    expect(got(world)).toHaveLength(MOST_WAITING)
  })

  it('is bounded in bytes', async () => {
    const { world } = channel('remote_unavailable')
    const words = 'x'.repeat(MOST_WAITING_BYTES / 2)
    const put2 = [await put(world, 'n1', words), await put(world, 'n2', words), await put(world, 'n3', 'x')]
    expect(put2.map((one) => (one.ok ? 'waits' : one.reason.code))).toEqual(['waits', 'waits', 'outbox_full'])
  })

  it('lets nothing go that may not go any more', async () => {
    const disk = createDisk()
    const dying = channel('remote_unavailable', { disk })
    await dying.world.say('hi')
    const next = channel(null, { disk })
    const policy = next.world.powers.policy()
    const sinks = policy.sinks.map((sink) => (sink.id === OWN ? { ...sink, principal: 'principal:x' } : sink))
    const shell = createShell({ ...next.world.powers, policy: () => ({ ...policy, sinks }) })
    next.world.clock.now += FIRST_WAIT
    await shell.tick()
    expect(next.tried).toEqual([])
    expect(next.world.audited.filter(({ kind }) => kind === 'denial')).toHaveLength(2)
  })
})

describe('a principal whose rows cannot be read', () => {
  it('keeps nobody else waiting, and is looked at again (R-01)', async () => {
    const disk = createDisk()
    const world = createWorld({ disk })
    await world.shell.receive(message('hello', { id: 'm1' }))
    const source = { adapter: 'telegram', user: 'bob', chat: 'bob', group: false }
    await world.shell.receive({ ...message('hello', { id: 'm2' }), source })
    const broken = disk.store.activePrincipals().find((principal) => principal !== 'principal:owner') ?? ''
    const activeTasks = (principal: string) => {
      if (principal === broken) throw new Error('a damaged page')
      return disk.store.activeTasks(principal)
    }
    const order = () => [broken, 'principal:owner']
    const store = { ...world.powers.store, activeTasks, activePrincipals: order }
    const shell = createShell({ ...world.powers, store })
    await shell.recover()
    expect(world.sent.map(({ sink }) => sink)).toContain('sink:terminal:owner')
    expect(world.audited.filter(({ kind }) => kind === 'fault').map(({ facts }) => facts)).toEqual([
      { code: 'internal_fault', name: 'Error', principal: broken },
    ])
  })
})

describe('what a killed place may have sent', () => {
  const notice = {
    id: 'n1',
    sink: OWN,
    principal: OWNER_PRINCIPAL,
    code: 'task_stopped',
    words: 'x',
  } as const
  const flags = ({ sent }: World) => sent.map(({ again }) => again !== undefined)

  it('is marked by the next one, in the same chat alone', async () => {
    const disk = createDisk()
    const dying = channel(null, { disk }).world
    await deliverNotice(dying.powers, notice)
    const next = channel(null, { disk, adminSinks: [OWN, CHAT] }).world
    await deliverNotice(next.powers, notice)
    await deliverNotice(next.powers, { ...notice, sink: CHAT })
    await deliverNotice(next.powers, { ...notice, id: 'n2' })
    expect([flags(dying), flags(next)]).toEqual([[false], [true, false, false]])
    expect(next.sent[0]?.again).toMatch(/It may be here already/)
  })

  it('is marked in the line before a chat from its second attempt on', async () => {
    const disk = createDisk()
    const dying = channel('remote_unavailable', { disk }).world
    await deliverNotice(dying.powers, { ...notice, patience: 'behind' })
    const next = channel(null, { disk }).world
    // It was killed in its first attempt.
    const [row] = next.powers.store.waiting()
    if (row === undefined) throw new Error('nothing waits')
    let counted = -1
    const sender = {
      ...dying.powers.sender,
      send: async () => {
        counted = dying.powers.store.waiting()[0]?.attempts ?? -1
        throw new Error('killed')
      },
    }
    await createShell({ ...dying.powers, sender }).tick()
    expect([row.attempts, counted]).toEqual([0, 1])
    await wait(next, FIRST_WAIT)
    expect(flags(next)).toEqual([true])
  })
})
