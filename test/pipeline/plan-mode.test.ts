/**
 * Plan mode (P-19): the owner's setting, what the planner is told of it, and that a plan is shown to the owner
 * before any of it runs: as it is, in the program's words, for one approval, which lets no write pass.
 */
import { describe, expect, it } from 'vitest'
import { receive } from '../../kernel/flow/provenance.ts'
import { taintOf } from '../../kernel/flow/taint.ts'
import { runEffect } from '../../kernel/pipeline/drive.ts'
import { keepText } from '../../kernel/powers/sealed.ts'
import type { Task } from '../../kernel/task/task.ts'
import { PROVENANCE } from '../task/fixtures.ts'
import {
  answer,
  auditedAs,
  BOOK,
  booking,
  created,
  OWNER,
  onlyOne,
  TOOLS,
  waiting,
} from './approvals-owner.ts'
import { CANARY } from './mailbox.ts'
import { BOOKING, EVIL, HIGH, LIST, planner, READ, taskOf, WORDS, worldOn } from './plan-mode-owner.ts'
import { createDisk, createWorld, message, type World } from './world.ts'

describe('/plan', () => {
  it.each([
    ['/plan', /^Plan mode is off: .*Say \/plan on/],
    ['/plan on', /^Plan mode is on: .*\/plan off ends it/],
    ['/PLAN ON', /^Plan mode is on/],
    ['plan mode on', /^Plan mode is on/],
    ['/plan off', /^Plan mode is off/],
    ['/plan a trip', /^Plan mode is off/],
  ])('%s is answered by the kernel, without a model', async (words, told) => {
    const world = createWorld({ tools: TOOLS })
    await world.say(words)
    expect(world.heard()).toMatch(told)
    expect([world.prompts, world.calls]).toEqual([[], []])
  })

  it('holds for every later message, over a restart, until it is taken back', async () => {
    const disk = createDisk()
    const before = await worldOn({ disk })
    await before.say('hello')
    const after = createWorld({ tools: TOOLS, disk })
    await after.say('/plan')
    expect(after.heard()).toMatch(/is on/)
    await after.say('plan mode off')
    await after.say(BOOK)
    expect((await waiting(after)).map(({ kind }) => kind)).toEqual(['tainted_write'])
  })

  it('goes on with the task that answers without home in place of another', async () => {
    const world = createWorld({ place: 'edge' })
    await world.say('/plan on')
    // One part of it is the edge's as well, so it can be answered without home.
    await world.say('when am I free on Friday? And what do you know about the spare key?')
    expect(await answer(world, (await onlyOne(world)).id, { place: 'edge' })).toBe('ok')
    await later(world, 45_000)
    expect(await answer(world, (await onlyOne(world)).id, { place: 'edge' })).toBe('ok')
    expect(taskOf(world)).toMatchObject({ alone: true, planMode: { on: true } })
  })

  it('is the owner’s alone: a stranger’s, and a quoted one, change nothing', async () => {
    const world = createWorld({ tools: TOOLS, paired: ['whatsapp:kim'] })
    await world.say('hello', 'q1', ['/plan on'])
    const source = { adapter: 'whatsapp', user: 'kim', chat: 'kim', group: false }
    const received = await world.shell.receive({ ...message('/plan on', { id: 'k1' }), source })
    if (received.ok) await world.shell.run(received.value.principal)
    await world.say('/plan')
    expect(world.heard()).toMatch(/is off/)
    for (const principal of [OWNER, 'principal:whatsapp:peer:kim'])
      for (const task of world.disk.store.recentTasks(principal, 9)) expect(task.planMode).toBeUndefined()
  })

  it('holds in every chat of the owner; a chat that is not cleared for the setting is not told it', async () => {
    const low = {
      ...{ template_id: 'low', triggers: ['adapter:fake:message:owner'], principal_class: 'owner' },
      ...{ description: 'The owner in an open chat.', allowed_tools: ['memory.save'], max_tool_calls: 1 },
      ...{ max_tokens_plan: 500, max_tokens_synthesize: 500, data_ceiling: 'internal' },
      output_sinks: ['reply_to_sender'],
    }
    const world = await worldOn({ owner: ['fake:me'], templates: [low] })
    const source = { adapter: 'fake', user: 'me', chat: 'me', group: false }
    const received = await world.shell.receive({ ...message('/plan', { id: 'o1' }), source })
    if (!received.ok) throw new Error(received.reason.code)
    await world.shell.run(OWNER)
    expect(world.heard()).toMatch(/more private chat/)
    expect(taskOf(world).planMode?.on).toBe(true)
  })
})

describe('a prompt', () => {
  const of = (world: World, purpose: string) =>
    world.prompts.filter(({ parts, model }) => parts.purpose === purpose && model === 'a-model')
  const blocks = (world: World, purpose: string) =>
    of(world, purpose).map(({ parts }) => parts.blocks.map(({ name }) => name).join(' '))

  it('to plan has the block while it is on, and none else has; what is fixed of a prompt is the same bytes', async () => {
    const world = createWorld({ tools: TOOLS, models: [planner({ steps: [LIST] }, { steps: [LIST] })] })
    await world.say(WORDS)
    await world.say('/plan on')
    await world.say(WORDS)
    expect(blocks(world, 'plan')).toEqual(['', 'plan_mode'])
    expect(blocks(world, 'synthesize').join(' ')).not.toContain('plan_mode')
    for (const purpose of ['plan', 'synthesize']) {
      const [off, on] = of(world, purpose)
      expect(on?.stable).toBe(off?.stable)
      expect(on?.session).toBe(off?.session)
    }
    const [, planning] = of(world, 'plan')
    expect(planning?.now).toContain('[plan_mode] On: ')
    // How a shown plan looks stands in what is fixed.
    expect(of(world, 'synthesize')[0]?.stable).toContain('A plan that is shown has the goal in one line')
  })
})

describe('a plan', () => {
  it('of one read runs at once', async () => {
    const world = await worldOn()
    await world.say('check my email')
    expect(world.calls.map(({ tool }) => tool)).toEqual(['email.list'])
    expect(auditedAs(world, 'approval_asked')).toEqual([])
  })

  it.each<[string, string, readonly object[]]>([
    ['of several steps', WORDS, [{ steps: [LIST, READ] }]],
    ['with a write', WORDS, [{ steps: [{ ...BOOKING, id: 's1' }] }]],
    ['of the rules', BOOK, []],
    ['of the template itself', 'remember that the lanterns are in the shed', []],
  ])('%s is shown before any of it runs', async (_what, words, plans) => {
    const world = await worldOn({ models: plans.length === 0 ? [] : [planner(...plans)] })
    await world.say(words)
    const view = await onlyOne(world)
    expect(view).toMatchObject({ kind: 'plan', tool: 'plan.run', count: 1 })
    expect(world.calls).toEqual([])
    expect(world.sent.at(-1)).toMatchObject({ kind: 'card', buttons: { yes: 'Go', no: 'Stop' } })
    expect(world.heard()).toContain(`  you asked: ${words}\n1. `)
    expect(taskOf(world).state).toMatchObject({ at: 'awaiting_approval', asks: 'plan' })
  })

  it('is told in the program’s words: no text of a model’s, nor of a stranger’s', async () => {
    const asks = { id: 's3', do: 'classify', of: 's2.body', question: EVIL, options: [EVIL, CANARY] }
    const writes = { id: 's4', do: 'compose', from: ['s2.body'], instruction: EVIL, maxChars: 99 }
    const when = { ref: 's3', is: 'equals', value: CANARY }
    const books = { ...booking({ title: EVIL, attendees: [CANARY] }, 's5'), when }
    const each = { id: 's6', do: 'forEach', in: 's1.emails', max: 3, tool: 'email.read' }
    const every = { ...each, args: { id: { $ref: 'item.id' } } }
    const steps = [LIST, READ, asks, writes, books, every]
    const world = await worldOn({ models: [planner({ steps, explanation: EVIL })] })
    await world.say(WORDS)
    expect(world.heard().split('\n')).toEqual([
      'This is my plan. Shall I go?',
      `  you asked: ${WORDS}`,
      '1. Reads, at home: looking through the mail (email.list)',
      '2. Reads, at home: reading the message (email.read) It takes from: step 1.',
      '3. A model without tools chooses one of 2 answers. It takes from: step 2.',
      '4. A model without tools writes a text, of 99 characters at most. It takes from: step 2.',
      '5. Only if the checked value of step 3 is the expected one: WRITES, at home: Add this to your calendar. (calendar.create_event) It takes from: what the planning model wrote.',
      '   from: Friday 27 November, 14:00',
      '   to: Friday 27 November, 15:00',
      '6. Up to 3 times: Reads, at home: reading the message (email.read) It takes from: step 1.',
      'What changes something and needs your yes still asks for it when its turn comes, word for word.',
      'Go (yes): these steps, and no others. Stop (no), or no answer: none of them runs.',
    ])
    expect(JSON.stringify(world.sent)).not.toMatch(/evil|mother|IGNORE/)
  })

  it('quotes nobody but the owner: text that is not wholly the owner’s is left out', async () => {
    const world = await worldOn({ models: [planner({ steps: [LIST, READ] })] })
    await world.say(WORDS)
    const raw = receive(EVIL, { ...PROVENANCE, taint: taintOf('raw', 'somebody') })
    const words = await keepText(world.powers, { principal: OWNER, store: 'sessions', until: null }, raw)
    const shown = await runEffect(
      world.powers,
      { ...taskOf(world), words },
      { do: 'show_plan', step: 0, approval: null },
    )
    shown.commit?.()
    const cards = (await waiting(world)).map(({ full }) => full)
    expect(cards).toHaveLength(2)
    expect(cards.map((card) => card.includes('you asked'))).toEqual([true, false])
    expect(cards.join('\n')).not.toMatch(/mother|evil/)
  })

  it.each<[string, Partial<Task>]>([
    ['what was planned', { planned: { ...PROVENANCE, label: HIGH } }],
    ['his wish to see it', { planMode: { on: true, said: { ...PROVENANCE, label: HIGH } } }],
  ])('is as guarded on its card as %s', async (_what, over) => {
    const world = await worldOn({ models: [planner({ steps: [LIST, READ] })] })
    await world.say(WORDS)
    const effect = { do: 'show_plan', step: 0, approval: null } as const
    const shown = await runEffect(world.powers, { ...taskOf(world), ...over }, effect)
    shown.commit?.()
    const id = shown.outcome?.got === 'needs_approval' ? shown.outcome.approval : ''
    expect(world.disk.store.loadApproval(id)?.approval).toMatchObject({ label: 'regulated', place: 'home' })
  })

  it('runs once after a yes, and its write asks as ever', async () => {
    const world = await worldOn({ models: [planner({ steps: [LIST, BOOKING] })] })
    await world.say(WORDS)
    const shown = await onlyOne(world)
    expect(await answer(world, shown.id)).toBe('ok')
    expect(world.calls.map(({ tool }) => tool)).toEqual(['email.list'])
    const write = await onlyOne(world)
    expect(write).toMatchObject({ kind: 'tainted_write', tool: 'calendar.create_event' })
    expect(await answer(world, shown.id)).toBe('ok')
    expect(created(world)).toEqual([])
    expect(await answer(world, write.id)).toBe('ok')
    expect(created(world)).toEqual([EVIL])
    expect(world.calls).toHaveLength(2)
    expect(taskOf(world).state.at).toBe('completed')
    expect(world.disk.store.loadApproval(shown.id)?.approval.state).toBe('spent')
  })

  it.each<[string, (world: World, id: string) => Promise<unknown>, RegExp]>([
    ['a no', (world, id) => answer(world, id, { decision: 'deny' }), /Cancelled: I did not do it/],
    ['silence', (world) => later(world, 300_000), /You did not answer in time/],
    ['/stop', (world) => world.say('/stop'), /Stopped/],
  ])('ends as cancelled with %s, and nothing of it has run', async (_what, end, told) => {
    const world = await worldOn({ models: [planner({ steps: [{ ...LIST, independent: true }, READ] })] })
    const task = await world.say(WORDS)
    await end(world, (await onlyOne(world)).id)
    expect(world.sent.map(({ text }) => text).join('\n')).toMatch(told)
    expect(world.disk.store.loadTask(task)).toMatchObject({ state: { at: 'cancelled' }, callsUsed: 0 })
    expect(await waiting(world)).toEqual([])
    expect(world.calls).toEqual([])
    expect(world.prompts.filter(({ parts }) => parts.purpose === 'synthesize')).toEqual([])
  })

  it('is agreed to by its owner alone, and where its words may be known', async () => {
    const world = await worldOn()
    await world.say(BOOK)
    const { id } = await onlyOne(world)
    expect(await answer(world, id, { principal: 'principal:telegram:peer:1' })).toBe(
      'approval_wrong_principal',
    )
    expect(await answer(world, id, { place: 'edge' })).toBe('approval_place_too_low')
    expect(taskOf(world).state.at).toBe('awaiting_approval')
  })

  it('has no text to put other words for, and no standing yes', async () => {
    const world = await worldOn()
    await world.say(BOOK)
    const { id } = await onlyOne(world)
    const edit = { approval: id, text: 'Dinner', argument: 'title', principal: OWNER, place: 'home' } as const
    expect(await world.shell.edit(edit)).toMatchObject({ reason: { code: 'nothing_found' } })
    const proposer = { principal: OWNER, place: 'home', message: 'm' } as const
    const always = await world.shell.always(proposer, { approval: id, days: 1, perDay: 1 })
    expect(always.ok).toBe(false)
    expect(await onlyOne(world)).toMatchObject({ id, kind: 'plan' })
  })

  it('that is made anew is shown anew, with the numbers that its steps go on from', async () => {
    const again = { steps: [LIST], again: true }
    const world = await worldOn({ models: [planner(again, { steps: [READ] })] })
    await world.say(WORDS)
    expect(world.calls.map(({ tool }) => tool)).toEqual(['email.list'])
    const { id } = await onlyOne(world)
    expect(world.heard()).toMatch(/^This is how I would go on\. .*\n.*\nStep 1 has run\.\n2\. Reads/)
    await answer(world, id)
    expect(world.calls.map(({ tool }) => tool)).toEqual(['email.list', 'email.read'])
  })

  it('that was agreed to says that another follows', async () => {
    const first = { steps: [LIST, READ], again: true }
    const world = await worldOn({
      models: [planner(first, { steps: [{ ...READ, id: 's3', args: { id: 'm2' } }] })],
    })
    await world.say(WORDS)
    expect(world.heard()).toContain('When these have run I plan once more, and show you that as well.')
    await answer(world, (await onlyOne(world)).id)
    expect(world.calls).toHaveLength(2)
    expect(world.heard()).toContain('Steps 1 to 2 have run.')
    await answer(world, (await onlyOne(world)).id)
    expect(world.calls).toHaveLength(3)
  })

  it('goes on after a restart between the card and the yes', async () => {
    const disk = createDisk()
    const before = await worldOn({ disk, models: [planner({ steps: [LIST, READ] })] })
    await before.say(WORDS)
    const { id } = await onlyOne(before)
    const after = createWorld({ disk, tools: TOOLS, models: [planner()] })
    after.clock.now = before.clock.now + 60_000
    await after.shell.recover()
    expect(after.calls).toEqual([])
    expect(await answer(after, id)).toBe('ok')
    expect(after.calls.map(({ tool }) => tool)).toEqual(['email.list', 'email.read'])
    expect(taskOf(after).state.at).toBe('completed')
  })

  it('that waits for its turn after a yes for too long asks no more', async () => {
    const world = await worldOn()
    await world.say(BOOK)
    const { id } = await onlyOne(world)
    await world.shell.decide({ approval: id, decision: 'approve', principal: OWNER, place: 'home' })
    world.clock.now += 300_000
    await world.shell.run(OWNER)
    expect(taskOf(world)).toMatchObject({ state: { at: 'cancelled' }, trouble: { code: 'approval_expired' } })
  })

  it('is nobody else’s: a stranger’s task runs as ever', async () => {
    const world = await worldOn({ paired: ['whatsapp:kim'] })
    const source = { adapter: 'whatsapp', user: 'kim', chat: 'kim', group: false }
    const received = await world.shell.receive({ ...message('hello', { id: 'k1' }), source })
    if (received.ok) await world.shell.run(received.value.principal)
    expect(auditedAs(world, 'approval_asked')).toEqual([])
  })
})

async function later(world: World, by: number): Promise<void> {
  world.clock.now += by
  await world.shell.tick()
}
