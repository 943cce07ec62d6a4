/** A delivery that fails: tried again later, in order, a bounded number of times; never lost, never twice (B-26, DESIGN §3). */
import { describe, expect, it } from 'vitest'
import type { Policy } from '../../kernel/flow/policy.ts'
import type { ReasonCode, ReasonFacts } from '../../kernel/flow/verdict.ts'
import { FIRST_DELIVERY_WAIT, MAX_DELIVERY_ATTEMPTS } from '../../kernel/machine/finish.ts'
import { openDelivery } from '../../kernel/pipeline/deliver.ts'
import type { Delivery } from '../../kernel/powers/ports.ts'
import { createShell } from '../../kernel/runtime/shell.ts'
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
  { facts = {}, disk }: { facts?: ReasonFacts; disk?: Disk } = {},
): Channel {
  const tried: string[] = []
  const send = ({ text, sink }: Delivery) => {
    tried.push(text)
    const { broken } = made
    if (broken === null || sink !== 'sink:terminal:owner') return { ok: true, value: true } as const
    return { ok: false, reason: { facts: {}, ...broken } } as const
  }
  const world = createWorld({
    send,
    policy: withChat,
    owner: ['probe:local'],
    templates: [PROBE],
    ...(disk && { disk }),
  })
  const made: Channel = { world, tried, broken: code === null ? null : { code, facts } }
  return made
}

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

const stateOf = async (world: World, task: string) => (await world.shell.report(task))?.task.state

describe('a failure that passes', () => {
  it.each(['network_failed', 'response_timeout', 'remote_unavailable', 'remote_rate_limited'] as const)(
    '%s: the same is sent again, not before its moment, and once',
    async (code) => {
      const made = channel(code)
      const { world, tried } = made
      const task = await world.say('hi')
      await world.shell.run('principal:owner')
      await world.shell.recover()
      expect([tried.length, await stateOf(world, task)]).toEqual([1, 'delivering'])
      expect(await world.shell.tick()).toBe(world.clock.now + FIRST_DELIVERY_WAIT)
      await wait(world, FIRST_DELIVERY_WAIT - 1)
      expect(tried).toHaveLength(1)
      made.broken = null
      expect(await wait(world, 1)).toBeNull()
      expect(tried).toEqual([tried[0], tried[0]])
      expect(world.sent.map(({ id, kind }) => [id, kind])).toEqual([[`${task}:answer`, 'answer']])
      expect(await stateOf(world, task)).toBe('completed')
    },
  )

  it('waits as long as the channel asks', async () => {
    const { world } = channel('remote_rate_limited', { facts: { retryAfter: 90_000 } })
    await world.say('hi')
    expect(await world.shell.tick()).toBe(world.clock.now + 90_000)
  })

  it('that does not pass ends the task, audited, with its text in the outbox', async () => {
    const { world, tried } = channel('network_failed')
    const task = await world.say('hi')
    for (let n = 0; n < 10; n += 1) await wait(world, 3_600_000)
    expect(tried).toHaveLength(MAX_DELIVERY_ATTEMPTS)
    expect((await world.shell.report(task))?.task).toMatchObject({
      state: 'failed',
      trouble: 'network_failed',
    })
    const audit = world.disk.store.auditOf(task)
    expect(audit.filter(({ kind }) => kind === 'egress').map(({ facts }) => facts['ok'])).toEqual(
      tried.map(() => false),
    )
    expect(audit.at(-1)).toMatchObject({
      kind: 'task_ended',
      facts: { state: 'failed', code: 'network_failed' },
    })
    const row = world.disk.store.lastDelivery(task)
    const opened = row === null ? null : await openDelivery(world.powers, row)
    expect(opened?.ok && opened.value.text).toBe(tried[0])
  })

  it('survives a restart, and its moment with it', async () => {
    const disk = createDisk()
    const dying = channel('network_failed', { disk })
    const task = await dying.world.say('hi')
    const { world, tried } = channel(null, { disk })
    await world.shell.recover()
    expect(tried).toEqual([])
    expect(await world.shell.tick()).toBe(world.clock.now + FIRST_DELIVERY_WAIT)
    await wait(world, FIRST_DELIVERY_WAIT)
    expect([tried, await stateOf(world, task)]).toEqual([dying.tried, 'completed'])
  })

  it('lets no later answer go first in its chat, and holds up no other chat (B-26)', async () => {
    const made = channel('network_failed')
    const { world } = made
    await world.say('hi', 'm1')
    made.broken = null
    await world.say('hi', 'm2')
    expect(world.sent).toEqual([])
    const source = { adapter: 'probe', user: 'local', chat: 'owner', group: false }
    expect((await world.shell.receive({ ...message('hi', { id: 'm3' }), source })).ok).toBe(true)
    await world.shell.run('principal:owner')
    expect(world.sent.map(({ sink }) => sink)).toEqual([CHAT])
    await wait(world, FIRST_DELIVERY_WAIT)
    expect(world.sent.map(({ turn }) => turn)).toEqual([3, 1, 2])
  })
})

describe('a failure that lasts', () => {
  it.each(['sink_unknown', 'remote_rejected', 'remote_unauthorized'] as const)(
    '%s: is not tried again',
    async (code) => {
      const { world, tried } = channel(code)
      const task = await world.say('hi')
      // The answer, and the notice that says why there is none.
      expect([tried.length, await stateOf(world, task)]).toEqual([2, 'failed'])
      await wait(world, 3_600_000)
      expect(tried).toHaveLength(2)
    },
  )
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
