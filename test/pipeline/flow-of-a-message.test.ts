/** One message from intake to answer: the whole pipeline over real storage, with nothing but the world scripted. */
import { describe, expect, it } from 'vitest'
import { EVENT_MEMORY } from '../../integrations/store/events.ts'
import type { Powers } from '../../kernel/powers/all-powers.ts'
import { createShell } from '../../kernel/runtime/shell.ts'
import { CANARY, calendarTools, mailTools } from './mailbox.ts'
import { createWorld, message, scriptedModel } from './world.ts'

const TOOLS = { ...mailTools(), ...calendarTools() }

describe('a message at home', () => {
  it('reads mail by a canned plan and says where it ran and what label it bears', async () => {
    const world = createWorld({ tools: TOOLS })
    const task = await world.say('check my email')
    const report = await world.shell.report(task)
    expect(report?.task).toMatchObject({
      ...{
        place: 'home',
        template: 'owner_private',
        label: 'sensitive',
        taint: 'raw',
        state: 'completed',
        path: 'full',
      },
      steps: [{ tool: 'email.list', place: 'home', label: 'sensitive', approved: false, outcome: 'done' }],
      delivered: [{ sink: 'sink:terminal:owner', label: 'sensitive' }],
    })
    expect(report?.task.planner).toBe('canned')
    expect(world.heard()).toContain('Sarah Chen')
    expect(report?.reply).toBe(world.heard())
  })

  it('answers a greeting without planning (C-26)', async () => {
    const world = createWorld({ tools: TOOLS })
    const report = await world.shell.report(await world.say('hi'))
    expect(report?.task).toMatchObject({ path: 'fast', steps: [], state: 'completed' })
    expect(world.prompts.map(({ parts }) => parts.purpose)).toEqual(['synthesize'])
  })

  it('reads "the one from Sarah" with an id that turn 1 produced (B-17)', async () => {
    const world = createWorld({ tools: TOOLS })
    await world.say('check my email')
    const report = await world.shell.report(await world.say('read the one from Sarah'))
    expect(report?.task.state).toBe('completed')
    expect(world.calls.at(-1)).toMatchObject({ tool: 'email.read', args: { id: 'm1' } })
    expect(world.calls.filter(({ tool }) => tool === 'email.list')).toHaveLength(1)
  })

  it('remembers and finds', async () => {
    const world = createWorld({ tools: TOOLS })
    await world.say('remember that the wifi code is on the fridge')
    await world.say('what do you know about the wifi?')
    expect(world.heard()).toContain('fridge')
  })

  it('takes a second delivery of an event once (B-24)', async () => {
    const world = createWorld({ tools: TOOLS })
    await world.say('check my email', 'same')
    const again = await world.shell.receive(message('check my email', { id: 'same' }))
    expect(again).toMatchObject({ ok: true, value: { duplicate: true } })
    expect(world.sent).toHaveLength(1)
  })

  it('takes a delivery that is repeated after its id was forgotten for the same task (B-24)', async () => {
    const world = createWorld({ tools: TOOLS })
    const first = await world.say('check my email', 'same')
    world.clock.now += EVENT_MEMORY + 24 * 3_600_000
    // Old ids are dropped once in so many turns.
    for (let turn = 0; turn < 70; turn += 1) await world.shell.receive(message('hi', { id: `n${turn}` }))
    const before = world.disk.store.auditOf(first)
    const again = await world.shell.receive(message('check my email', { id: 'same' }))
    expect(again).toMatchObject({ ok: true, value: { task: first, turn: 1, duplicate: true } })
    expect(world.disk.store.auditOf(first)).toEqual(before)
    expect(world.disk.store.loadTask(first)?.state.at).toBe('completed')
  })

  it('answers fifty messages in order, none lost, none twice (R-30)', async () => {
    const world = createWorld({ tools: TOOLS })
    const received = await Promise.all(
      Array.from({ length: 50 }, (_, index) => world.shell.receive(message('hi', { id: `n${index}` }))),
    )
    await world.shell.run('principal:owner')
    expect(received.every((one) => one.ok)).toBe(true)
    expect(world.sent.map(({ turn }) => turn)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1))
  })

  it('says what went wrong in words, without code or label (Q-12, Q-15, Q-19)', async () => {
    const world = createWorld({
      tools: { 'email.list': () => ({ ok: false, reason: { code: 'remote_unavailable', facts: {} } }) },
    })
    const report = await world.shell.report(await world.say('check my email'))
    expect(report?.task).toMatchObject({ trouble: 'remote_unavailable' })
    expect(world.heard()).toMatch(/trouble right now/)
    expect(world.heard()).not.toMatch(/remote_|sensitive|internal|[a-f0-9]{24}/)
  })

  it('tells a person about a tool that lies about its shape', async () => {
    const world = createWorld({
      tools: { 'email.list': () => ({ ok: true, output: { emails: 'everything' } }) },
    })
    const report = await world.shell.report(await world.say('check my email'))
    expect(report?.task.trouble).toBe('tool_result_invalid')
    expect(world.heard().length).toBeGreaterThan(10)
  })

  it('ends a task whose step has a bug with words, and goes on', async () => {
    const world = createWorld({ tools: TOOLS })
    const { sealer } = world.powers
    const { seal } = sealer
    let seals = 0
    // The words of the event are sealed first, the extraction's record second.
    sealer.seal = async (address, bytes) => {
      seals += 1
      if (seals === 2) throw new Error(CANARY)
      return seal(address, bytes)
    }
    const report = await world.shell.report(await world.say('hi'))
    expect(report?.task).toMatchObject({ state: 'failed', trouble: 'internal_fault' })
    expect(world.heard()).toMatch(/went wrong on my side/)
    expect(JSON.stringify(world.disk.store.auditOf(report?.task.id ?? ''))).not.toContain(CANARY)
  })
})

describe('a model that throws', () => {
  const broken = scriptedModel('broken', () => {
    throw new Error(CANARY)
  })

  it('has failed: the next one is tried', async () => {
    const world = createWorld({ tools: TOOLS, models: [broken] })
    const report = await world.shell.report(await world.say('hi'))
    expect(report?.task).toMatchObject({ state: 'completed', model: 'rules', trouble: null })
    const audit = world.disk.store.auditOf(report?.task.id ?? '')
    expect(audit.find(({ kind }) => kind === 'model_called')?.facts['failed']).toBe('broken model_failed')
    expect(JSON.stringify(audit)).not.toContain(CANARY)
  })

  it('is a refusal without its words when it was the last', async () => {
    const { powers } = createWorld({ tools: TOOLS })
    const only: Powers = { ...powers, models: [broken] }
    const shell = createShell(only)
    const received = await shell.receive(message('hi', { id: 'm1' }))
    if (!received.ok) throw new Error(received.reason.code)
    await shell.run(received.value.principal)
    const report = await shell.report(received.value.task)
    expect(report?.task).toMatchObject({ state: 'failed', trouble: 'model_failed' })
    expect(JSON.stringify(report)).not.toContain(CANARY)
  })
})

describe('the edge', () => {
  it('asks home for free/busy, waits, and answers with what it is cleared for', async () => {
    const world = createWorld({ place: 'edge' })
    const task = await world.say('when am I free on Friday?')
    expect((await world.shell.report(task))?.task.state).toBe('awaiting_home')
    const call = world.homeCalls[0]
    expect(call).toMatchObject({
      tool: 'calendar.freebusy',
      principal: 'principal:owner',
      template: 'owner_open',
    })
    if (call === undefined) throw new Error('home was not asked')
    const answer = {
      id: call.id,
      task,
      step: call.step,
      label: 'internal',
      inputs: call.provenance,
      reported: null,
    }
    const slots = [{ from: '2026-11-27T09:00:00+01:00', to: '2026-11-27T10:00:00+01:00', busy: true }]
    await world.shell.homeAnswered({ ...answer, ok: true, output: { slots } })
    await world.shell.homeAnswered({ ...answer, ok: true, output: { slots: [] } })
    await world.shell.run('principal:owner')
    const report = await world.shell.report(task)
    expect(report?.task).toMatchObject({
      ...{ place: 'edge', label: 'internal', state: 'completed' },
      steps: [{ tool: 'calendar.freebusy', place: 'home', label: 'internal' }],
      delivered: [{ sink: 'sink:openline:owner', label: 'internal' }],
    })
    expect(world.sent).toHaveLength(1)
  })

  it('refuses an answer above its clearance, whoever sent it', async () => {
    const world = createWorld({ place: 'edge' })
    const task = await world.say('when am I free on Friday?')
    const call = world.homeCalls[0]
    if (call === undefined) throw new Error('home was not asked')
    const slots = [{ from: '2026-11-27T09:00:00+01:00', to: '2026-11-27T10:00:00+01:00', busy: true }]
    const answer = { id: call.id, task, step: call.step, label: 'internal', inputs: call.provenance }
    await world.shell.homeAnswered({ ...answer, ok: true, output: { slots }, reported: 'sensitive' })
    await world.shell.run('principal:owner')
    expect((await world.shell.report(task))?.task.trouble).toBe('place_not_cleared')
  })

  it('says that mail is for the private line', async () => {
    const world = createWorld({ place: 'edge' })
    const report = await world.shell.report(await world.say('check my email'))
    expect(report?.task.steps).toEqual([])
    expect(world.heard()).toMatch(
      /cannot do that in this conversation[\s\S]*private line, at home: ask for it there/,
    )
    expect(world.homeCalls).toEqual([])
  })
})
