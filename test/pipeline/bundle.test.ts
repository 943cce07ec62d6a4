/**
 * Questions of background work: not told one by one, but as one bundle in the owner's morning, with a decision each;
 * they wait a day for it, and nothing runs without a yes.
 */
import { describe, expect, it } from 'vitest'
import { answer, auditedAs, booking, OWNER, onlyOne, TOOLS, waiting } from './approvals-owner.ts'
import { addJobRow } from './job-row.ts'
import { createDisk, createWorld, message, type World } from './world.ts'

const HOUR = 3_600_000
const JOB = {
  template_id: 'nightly',
  triggers: ['adapter:cron:cron_trigger:cron'],
  principal_class: 'cron',
  description: 'A job of the night.',
  planner_task_description: 'Put what is due into the calendar.',
  allowed_tools: ['calendar.create_event', 'email.read'],
  max_tool_calls: 3,
  max_tokens_plan: 500,
  max_tokens_synthesize: 500,
  output_sinks: ['reply_to_sender'],
  data_ceiling: 'sensitive',
  require_approval_for_writes: true,
}

/** Runs one job at an hour of the owner's night; each has a name of its own, as no two ask the same. */
async function job(
  disk: ReturnType<typeof createDisk>,
  title: string,
  at: string,
  steps: readonly unknown[] = [booking({ title })],
): Promise<World> {
  const world = createWorld({ tools: TOOLS, disk, templates: [JOB] })
  if (disk.store.findJob(title) === null) addJobRow(disk, { id: title, sink: 'sink:cron:owner', steps })
  world.clock.now = Date.parse(at)
  const source = { adapter: 'cron', user: title, chat: 'owner', group: false }
  const event = { ...message('due', { id: `e-${title}`, at: world.clock.now }), kind: 'cron_trigger', source }
  const received = await world.shell.receive(event)
  if (!received.ok) throw new Error(`${received.reason.code} ${JSON.stringify(received.reason.facts)}`)
  await world.shell.run(received.value.principal)
  return world
}

const NIGHT = '2026-11-21T01:00:00Z'
/** Eight in Madrid. */
const MORNING = Date.parse('2026-11-21T07:00:00Z')

describe('a question of background work', () => {
  it('is told again, ever more seldom, when the bundle could not go out', async () => {
    const disk = createDisk()
    await job(disk, 'Rent', NIGHT)
    let up = false
    const world = createWorld({
      ...{ tools: TOOLS, disk, templates: [JOB] },
      send: () =>
        up ? { ok: true, value: true } : { ok: false, reason: { code: 'network_failed', facts: {} } },
    })
    world.clock.now = MORNING
    expect(await world.shell.tick()).toBe(MORNING + 15_000)
    expect(await world.shell.tick()).toBe(MORNING + 15_000)
    world.clock.now = MORNING + 15_000
    expect(await world.shell.tick()).toBe(MORNING + 45_000)
    expect(auditedAs(world, 'egress')).toHaveLength(2)
    up = true
    world.clock.now = MORNING + 45_000
    expect(await world.shell.tick()).toBe(MORNING + 24 * HOUR)
    expect(world.sent.map(({ kind }) => kind)).toEqual(['card'])
  })

  it('waits while the owner has everything pause, as do the jobs that are due, and all goes on after it', async () => {
    const disk = createDisk()
    await job(disk, 'Rent', NIGHT)
    await createWorld({ disk }).say('/pause')
    const world = await job(disk, 'Water', '2026-11-21T03:00:00Z')
    expect(await waiting(world)).toHaveLength(1)
    for (const at of [MORNING, MORNING + HOUR]) {
      world.clock.now = at
      await world.shell.tick()
    }
    expect([world.prompts, world.sent, world.calls]).toEqual([[], [], []])
    expect(await waiting(world)).toHaveLength(1)
    await world.say('/resume')
    await world.shell.tick()
    expect(await waiting(world)).toHaveLength(2)
    // The first at once, as its morning has come; of the second, which has run only now, in the next.
    expect(world.sent.map(({ kind }) => kind)).toEqual(['answer', 'card'])
    world.clock.now = MORNING + 24 * HOUR
    await world.shell.tick()
    expect(world.sent.filter(({ kind }) => kind === 'card')).toHaveLength(2)
  })

  it('is told in the morning, together with the others, once', async () => {
    const disk = createDisk()
    const first = await job(disk, 'Rent', NIGHT)
    const world = await job(disk, 'Water', '2026-11-21T03:00:00Z')
    expect([first.sent, world.sent]).toEqual([[], []])
    world.clock.now = MORNING - 1
    expect(await world.shell.tick()).toBe(MORNING)
    expect(world.sent).toEqual([])
    world.clock.now = MORNING
    expect(await world.shell.tick()).toBe(MORNING + 24 * HOUR)
    await world.shell.tick()
    expect(world.sent).toMatchObject([{ kind: 'card', sink: 'sink:terminal:owner', approval: null }])
    const [rent, water] = await waiting(world)
    expect(world.heard()).toContain('2 questions from work in the background.')
    expect(world.heard()).toContain(
      `1. ${rent?.card}\n   Yes: pfar approve ${rent?.id}   No: pfar deny ${rent?.id}`,
    )
    expect(world.heard()).toContain(`2. ${water?.card}`)
    expect(world.heard()).toContain('pfar deny all')
  })

  it('has a decision of its own', async () => {
    const disk = createDisk()
    await job(disk, 'Rent', NIGHT)
    const world = await job(disk, 'Water', NIGHT)
    world.clock.now = MORNING
    await world.shell.tick()
    const [rent, water] = await waiting(world)
    expect(await answer(world, rent?.id ?? '')).toBe('ok')
    expect(await answer(world, water?.id ?? '', { decision: 'deny' })).toBe('ok')
    expect(world.calls.map(({ args }) => args['title'])).toEqual(['Rent'])
  })

  it('waits a day after it was told, and is no after that', async () => {
    const world = await job(createDisk(), 'Rent', NIGHT)
    world.clock.now = MORNING + 24 * HOUR - 1
    await world.shell.tick()
    const { id } = await onlyOne(world)
    world.clock.now += 1
    expect(await answer(world, id)).toBe('approval_expired')
    await world.shell.tick()
    expect(await waiting(world)).toEqual([])
    expect(auditedAs(world, 'approval_decided').at(-1)).toMatchObject({ approval: id, decision: 'expired' })
    expect(world.calls).toEqual([])
  })

  it('is told once across a restart, and late if home slept through the morning', async () => {
    const disk = createDisk()
    const world = await job(disk, 'Rent', NIGHT)
    world.clock.now = MORNING + 3 * HOUR
    await world.shell.tick()
    const after = createWorld({ tools: TOOLS, disk, templates: [JOB] })
    after.clock.now = world.clock.now + HOUR
    await after.shell.recover()
    await after.shell.tick()
    expect([world.sent.length, after.sent.length]).toEqual([1, 0])
    expect(await answer(after, (await onlyOne(after)).id)).toBe('ok')
    expect(after.calls).toHaveLength(1)
  })

  it('still runs on the bytes that were shown, long after raw content goes', async () => {
    const disk = createDisk()
    const steps = [
      { id: 's1', do: 'tool', tool: 'email.read', args: { id: 'm1' } },
      booking({ title: { $ref: 's1.subject' } }, 's2'),
    ]
    const world = await job(disk, 'Mail', NIGHT, steps)
    world.clock.now = MORNING + 20 * HOUR
    await world.shell.tick()
    const after = createWorld({ tools: TOOLS, disk, templates: [JOB] })
    after.clock.now = world.clock.now
    expect(await answer(after, (await onlyOne(after)).id)).toBe('ok')
    expect(after.calls.map(({ args }) => args['title'])).toEqual(['Q3 budget'])
  })

  it('of the next day comes with the next day’s', async () => {
    const disk = createDisk()
    const world = await job(disk, 'Rent', NIGHT)
    world.clock.now = MORNING
    await world.shell.tick()
    const later = await job(disk, 'Water', '2026-11-21T09:00:00Z')
    await later.shell.tick()
    expect(later.sent).toEqual([])
    later.clock.now = MORNING + 24 * HOUR
    await later.shell.tick()
    expect(later.sent.map(({ text }) => text.split('.')[0])).toContain(
      'One question from work in the background',
    )
  })

  it('is decided by nobody but the owner', async () => {
    const world = await job(createDisk(), 'Rent', NIGHT)
    const { id } = await onlyOne(world)
    expect(await world.ports.approvals.list('principal:cron:Rent')).toEqual([])
    expect(await answer(world, id, { principal: 'principal:cron:Rent' })).toBe('approval_wrong_principal')
    expect(await answer(world, id, { principal: OWNER })).toBe('ok')
  })
})
