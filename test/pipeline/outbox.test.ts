/** What the outbox keeps: cards with their question, answers with their turn, the rest until it was read and a while longer (C-04). */
import { describe, expect, it } from 'vitest'
import { deliverNotice, OUTBOX_LIFETIME } from '../../kernel/features/deliveries/deliver.ts'
import { createShell } from '../../kernel/runtime/shell.ts'
import { wordsFor } from '../../kernel/wording/words.ts'
import { calendarTools, mailTools } from './mailbox.ts'
import { createWorld, type World } from './world.ts'

const TOOLS = { ...mailTools(), ...calendarTools() }
const SINK = 'sink:terminal:owner'
const YEAR = 365 * 24 * 3_600_000

/** What a reader who begins at the first row is told now. */
async function textsOf(world: World, shell = world.shell): Promise<readonly string[]> {
  return (await shell.deliveries(SINK, 0, 100)).map(({ text }) => text)
}

async function pass(world: World, milliseconds: number): Promise<void> {
  world.clock.now += milliseconds
  await world.shell.tick()
}

async function readAll(world: World): Promise<void> {
  const last = (await world.shell.deliveries(SINK, 0, 100)).at(-1)?.seq ?? 0
  await world.shell.deliveries(SINK, last, 100)
}

describe('a card', () => {
  it('is gone once its question is closed, here and in the outbox', async () => {
    const world = createWorld({ tools: TOOLS })
    await world.say('book lunch with Sarah on Friday at 13:00')
    const [stored] = world.disk.store.pendingApprovals(null)
    const rows = [stored?.card.id ?? '', `out:${world.sent[0]?.id ?? ''}`]
    const held = () => rows.map((id) => world.disk.store.getSealed(id) !== null)
    await pass(world, 299_999)
    expect([held(), await world.ports.approvals.list('principal:owner')]).toMatchObject([
      [true, true],
      [{ card: world.heard() }],
    ])
    await pass(world, 1)
    expect([held(), await world.ports.approvals.list('principal:owner')]).toEqual([[false, false], []])
    expect(await textsOf(world)).toEqual([wordsFor('delivery_expired'), world.heard()])
  })

  it('is there as long as it may be decided', async () => {
    const world = createWorld({ tools: TOOLS })
    await world.say('book lunch with Sarah on Friday at 13:00')
    const approval = (await world.ports.approvals.list('principal:owner'))[0]?.id ?? ''
    await pass(world, 299_999)
    const decided = { approval, decision: 'approve', principal: 'principal:owner', place: 'home' } as const
    expect((await world.shell.decide(decided)).ok).toBe(true)
    await world.shell.run('principal:owner')
    expect(world.heard()).toMatch(/Booked/)
  })
})

describe('an answer', () => {
  it.each([
    ['nobody read', async () => {}],
    ['was read', readAll],
  ])('that %s stays, as a part of the conversation', async (_name, read) => {
    const world = createWorld()
    const task = await world.say('hi')
    const answer = world.heard()
    await read(world)
    await pass(world, YEAR)
    expect(await textsOf(world)).toEqual([answer])
    expect((await world.shell.report(task))?.reply).toBe(answer)
  })

  it('is one row with the turn that it is of', async () => {
    const world = createWorld()
    const task = await world.say('hi')
    const turn = world.disk.store.recentTurns('principal:owner', 1)[0]
    expect(world.disk.store.lastDelivery(task)?.text).toEqual(turn?.answer)
  })
})

describe('a text of its own, such as a notice,', () => {
  const told = wordsFor('backup_missed')
  const gone = wordsFor('delivery_expired')
  const tell = (world: World, id = 'n1'): Promise<unknown> =>
    deliverNotice(world.powers, { id, sink: SINK, principal: 'principal:owner', code: 'backup_missed' })

  it('that nobody read stays', async () => {
    const world = createWorld()
    await tell(world)
    await pass(world, YEAR)
    expect(await textsOf(world)).toEqual([told])
  })

  it('that was read stays a while, for other readers, and then goes', async () => {
    const world = createWorld()
    await tell(world)
    await readAll(world)
    await pass(world, OUTBOX_LIFETIME - 1)
    await readAll(world)
    expect(await textsOf(world)).toEqual([told])
    await pass(world, 1)
    expect(await textsOf(world)).toEqual([gone])
  })

  it('that was handed over in part is not acknowledged for that', async () => {
    const world = createWorld()
    await tell(world)
    const first = (await world.shell.deliveries(SINK, 0, 100)).at(-1)?.seq ?? 0
    await tell(world, 'n2')
    await world.shell.deliveries(SINK, first, 100)
    await pass(world, YEAR)
    expect(await textsOf(world)).toEqual([gone, told])
  })

  it.each([
    ['that the channel took goes after the same while', true, gone],
    ['that the channel only keeps for its reader stays', false, told],
  ])('%s', async (_name, acknowledges, expected) => {
    const world = createWorld()
    world.powers.sender.acknowledges = () => acknowledges
    await tell(world)
    await pass(world, OUTBOX_LIFETIME)
    expect(await textsOf(world)).toEqual([expected])
  })

  it('is found again by a shell that has just started', async () => {
    const world = createWorld()
    await tell(world)
    await readAll(world)
    const shell = createShell(world.powers)
    expect(await textsOf(world, shell)).toEqual([told])
    await pass(world, OUTBOX_LIFETIME)
    expect(await textsOf(world, shell)).toEqual([gone])
  })
})
