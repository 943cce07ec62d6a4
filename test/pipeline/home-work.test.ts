/**
 * Home at work for a task of the edge (C-32): the edge says which step that is out of its own plan, in its
 * own words, and only of a call that it waits for. Home reports progress on a message of the owner's
 * there only under the owner's acknowledgement.
 */
import { describe, expect, it } from 'vitest'
import type { Working } from '../../kernel/features/deliveries/work-port.ts'
import { eventOfMessage, hearHomeAtWork } from '../../kernel/features/places/both-lines.ts'
import type { HomeCall } from '../../kernel/features/places/home-port.ts'
import type { Powers } from '../../kernel/powers/all-powers.ts'
import { createShell } from '../../kernel/runtime/shell.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import { wordsOf } from '../../kernel/wording/progress.ts'
import { acknowledgeTransport, OPEN_CHAT } from '../fakes/both-lines.ts'
import { mailTools } from './mailbox.ts'
import { createWorld, type World } from './world.ts'

const OPEN = 'sink:openline:owner'

interface Waiting {
  readonly world: World
  readonly powers: Powers
  readonly call: HomeCall
  readonly shown: Working[]
}

/** An edge's task that waits for home. */
async function waiting(): Promise<Waiting> {
  const world = createWorld({ place: 'edge' })
  const shown: Working[] = []
  const work = {
    working: () => undefined,
    rests: async () => undefined,
    elsewhere: async (one: Working) => {
      shown.push(one)
      return { ok: true, value: true } as const
    },
  }
  await world.say('when am I free on Friday?')
  const [call] = world.homeCalls
  if (call === undefined) throw new Error('home was not asked')
  return { world, powers: { ...world.powers, sender: { ...world.powers.sender, work } }, call, shown }
}

async function answer({ world, call: { id, task, step } }: Waiting): Promise<undefined> {
  await world.shell.homeAnswered({ id, task, step, ok: false, reason: 'home_timeout' })
}

describe('a call that home is at', () => {
  it('is told of by the step of the edge’s own plan', async () => {
    const { powers, call, shown } = await waiting()
    expect(await hearHomeAtWork(powers, { on: 'call', ...call })).toMatchObject({ ok: true })
    expect(shown).toMatchObject([{ sink: OPEN, task: call.task }])
    expect(shown.map(({ how }) => how && wordsOf(how))).toEqual(['1 of 2: looking at the calendar…'])
  })

  it.each<[string, (on: Waiting) => Promise<{ readonly id?: string; readonly task?: string } | undefined>]>([
    ['of no task', async () => ({ task: 'nobody' })],
    ['of another call', async ({ call }) => ({ id: `${call.id}x` })],
    ['of another of its tasks', async ({ world }) => ({ task: await world.say('hello') })],
    ['that was answered', answer],
  ])('%s is not', async (_what, change) => {
    const made = await waiting()
    const over = (await change(made)) ?? {}
    const { id, task } = { ...made.call, ...over }
    const heard = await hearHomeAtWork(made.powers, { on: 'call', id, task })
    expect([heard.ok || heard.reason.code, made.shown]).toEqual(['task_unknown', []])
  })
})

describe('a message of the owner at the edge that home answers', () => {
  /** What home tells of its work there. */
  async function told(acknowledged: boolean): Promise<readonly unknown[]> {
    const world = createWorld({ tools: mailTools() })
    await acknowledgeTransport(world)
    const event = eventOfMessage(world.powers, { id: 's1', text: 'check my email', quoted: [] })
    if (!event.ok) throw new Error(event.reason.code)
    const received = await world.shell.receive(event.value, OWNER_PRINCIPAL)
    if (!received.ok) throw new Error(received.reason.code)
    if (!acknowledged)
      for (const { id } of await world.ports.grants.list())
        await world.ports.grants.revoke(id, OWNER_PRINCIPAL)
    const heard: unknown[] = []
    const work = {
      working: ({ sink, event: said, how }: Working & { readonly event: string }) =>
        void heard.push([sink, said, how === null ? null : wordsOf(how)]),
      rests: async () => undefined,
    }
    const shell = createShell({ ...world.powers, sender: { ...world.powers.sender, work } })
    await shell.run(OWNER_PRINCIPAL)
    return heard
  }

  it('is reported in the chat of the edge if the owner acknowledged that', async () => {
    expect(await told(true)).toContainEqual([OPEN_CHAT, 's1', '1 of 2: looking through the mail…'])
  })

  it('and not how far it is once that was taken back', async () => {
    const heard = await told(false)
    expect(heard.length).toBeGreaterThan(0)
    expect(heard.filter((one) => (one as readonly unknown[])[2] !== null)).toEqual([])
  })
})
