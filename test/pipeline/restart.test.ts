/**
 * The notice to the owner after a start: facts only, in the owner's own chat, and not repeated (M-27, M-28).
 */
import { describe, expect, it, test } from 'vitest'
import type { Policy } from '../../kernel/flow/policy.ts'
import { receive } from '../../kernel/flow/provenance.ts'
import { taintOf } from '../../kernel/flow/taint.ts'
import { keepText } from '../../kernel/powers/sealed.ts'
import { connectedIn, LEAST_BETWEEN_NOTICES, leftOver, tellRestart } from '../../kernel/runtime/restart.ts'
import { takeSnapshot } from '../../kernel/self/snapshot.ts'
import { type RestartCounts, type RestartFacts, restartWords } from '../../kernel/wording/restart.ts'
import { TEST_SOURCES } from '../fakes/self.ts'
import { HIGH } from './plan-mode-owner.ts'
import { createDisk, createWorld, FRIDAY_NOON, message, type ScriptedTool, type World } from './world.ts'

const FACTS: RestartFacts = {
  ...{ first: false, name: 'Ada', services: [], broken: [], skills: 0, offers: 0, troubles: [] },
}
const NOTHING: RestartCounts = { waiting: 0, lapsed: 0, underWay: 0 }
const google = 'google'

describe('it says', () => {
  test.each<[string, Partial<RestartFacts>, Partial<RestartCounts>, string]>([
    ['that nothing is set up', {}, {}, 'I was restarted. No service is connected yet.'],
    ['what is connected', { services: [google, 'wiki'] }, {}, 'Connected: google, wiki.'],
    ['what does not work', { broken: ['google'] }, {}, 'I was restarted. Not working now: google.'],
    ['how many skills', { skills: 2 }, {}, 'I was restarted. 2 skills loaded.'],
    ['what did not come up', { troubles: ['account work'] }, {}, 'Not started in time: account work.'],
    ['what waits', {}, { waiting: 1 }, '1 question still for your yes or no: `pfar approvals`.'],
    ['what ran out of time', {}, { lapsed: 2 }, '2 questions ran out of time; nothing was done about it.'],
    ['what goes on', {}, { underWay: 1 }, 'I go on with 1 request that I was working on.'],
    ['that nothing runs', {}, { paused: 'since noon' }, 'I go on pausing, since noon: /resume goes on with'],
    ['what was typed elsewhere', { offers: 1 }, {}, '1 credential to accept or decline: `pfar secret list`.'],
    ['that he may ask again', {}, {}, 'If you were waiting for anything else, just ask again.'],
    [
      'welcome at a first start',
      { first: true },
      {},
      'Welcome. I am Ada, your private assistant. No service',
    ],
  ])('%s', (_, facts, counts, words) =>
    expect(restartWords({ ...FACTS, ...facts }, { ...NOTHING, ...counts })).toContain(words),
  )

  test('nothing of what is not there', () => {
    const said = restartWords({ ...FACTS, services: [google] }, NOTHING)
    expect(said).toBe(
      'I was restarted. Connected: google. If you were waiting for anything else, just ask again.',
    )
    expect(restartWords({ ...FACTS, first: true }, NOTHING)).not.toMatch(/restarted|waiting/)
  })

  test('of a service what the picture of it says', () => {
    const broken = { name: 'wiki', tools: 2, categories: ['pages'], state: 'failed' } as const
    const integrations = () => [...TEST_SOURCES.integrations(), broken]
    const skills = () => ['invoices', 'trips'].map((name) => ({ name, note: '' }))
    const picture = takeSnapshot({ ...TEST_SOURCES, integrations, skills }, null, 0)
    expect(connectedIn(picture)).toMatchObject({
      ...{ services: ['google'], broken: ['wiki'], skills: 2 },
    })
    expect(connectedIn(takeSnapshot(TEST_SOURCES, null, 0)).skills).toBe(0)
  })
})

const tell = (world: World, lastTold: number | null = null, id = 'restart:1') =>
  tellRestart(world.powers, { id, facts: FACTS, left: leftOver(world.powers), lastTold })

describe('it is told', () => {
  it('is sent to the chat of the owner, as a notice', async () => {
    const world = createWorld()
    expect(await tell(world)).toEqual({ ok: true, value: true })
    expect(world.sent).toMatchObject([
      {
        sink: 'sink:terminal:owner',
        principal: 'principal:owner',
        kind: 'notice',
        task: null,
        label: 'sensitive',
      },
    ])
  })

  test.each([
    ['never', null, true],
    ['a moment ago', FRIDAY_NOON - 1, false],
    ['almost long enough ago', FRIDAY_NOON - LEAST_BETWEEN_NOTICES + 1, false],
    ['long enough ago', FRIDAY_NOON - LEAST_BETWEEN_NOTICES, true],
    ['by a clock that was set back since', FRIDAY_NOON + 3_600_000, true],
  ])('when the last was told %s: %s', async (_, lastTold, told) => {
    const world = createWorld()
    expect(await tell(world, lastTold)).toEqual({ ok: true, value: told })
    expect(world.sent).toHaveLength(told ? 1 : 0)
  })

  it('is sent nowhere else if that chat does not take it: it waits for a chat that is away, and is dropped if the chat refuses it', async () => {
    const world = createWorld({ send: () => ({ ok: false, reason: { code: 'network_failed', facts: {} } }) })
    expect(await tell(world)).toEqual({ ok: true, value: true })
    expect([world.sent, world.shell.waiting().length]).toEqual([[], 1])
    const gone = createWorld({ send: () => ({ ok: false, reason: { code: 'sink_unknown', facts: {} } }) })
    expect(await tell(gone)).toMatchObject({ ok: false, reason: { code: 'sink_unknown' } })
    expect([gone.sent, gone.shell.waiting()]).toEqual([[], []])
  })
})

/** The owner's terminal may show regulated data, too. */
const heldByTerminal = (policy: Policy): Policy => ({
  ...policy,
  sinks: policy.sinks.map((sink) =>
    sink.id === 'sink:terminal:owner' ? { ...sink, level: 'regulated' as const } : sink,
  ),
  allowLists: policy.allowLists.map((list) => ({
    ...list,
    patterns: [...list.patterns, 'sink:terminal:owner'],
  })),
})

describe('what waited', () => {
  const booking: Readonly<Record<string, ScriptedTool>> = {
    'calendar.create_event': () => ({ ok: false, reason: { code: 'tool_failed', facts: {} } }),
  }
  const asked = async () => {
    const disk = createDisk()
    const before = createWorld({ disk, tools: booking })
    const task = await before.say('book "Dentist" tomorrow from 15:00 to 16:00')
    expect(before.sent.map(({ kind }) => kind)).toEqual(['card'])
    return { disk, task }
  }

  it('is counted, and still there', async () => {
    const { disk } = await asked()
    const after = createWorld({ disk, tools: booking })
    await tell(after)
    expect(after.heard()).toContain('1 question still for your yes or no')
    expect(after.heard()).not.toContain('I go on with')
    await after.shell.recover()
    expect(await after.ports.approvals.list('principal:owner')).toHaveLength(1)
  })

  it('for nobody is said to go on', async () => {
    const disk = createDisk()
    await createWorld({ disk }).shell.receive(message('hello', { id: 'm1' }))
    const after = createWorld({ disk })
    await tell(after)
    expect(after.heard()).toContain('I go on with 1 request that I was working on.')
  })

  it('is told of as guarded as the question itself', async () => {
    const { disk } = await asked()
    const after = createWorld({ disk, tools: booking, policy: heldByTerminal })
    const [question] = disk.store.pendingApprovals(null)
    if (question === undefined) throw new Error('no question')
    const keeping = { principal: 'principal:owner', store: 'sessions', until: null } as const
    const card = receive('May I?', { label: HIGH, taint: taintOf('clean', 'x') })
    const questions = [{ ...question, card: await keepText(after.powers, keeping, card) }]
    await tellRestart(after.powers, {
      ...{ id: 'restart:1', facts: FACTS, left: { questions, underWay: 0 }, lastTold: null },
    })
    expect(after.heard()).toContain('1 question still for your yes or no')
    expect(after.sent).toMatchObject([{ kind: 'notice', label: 'regulated' }])
  })

  it('and ran out of time is said to have, and its task tells why nothing was done (M-28)', async () => {
    const { disk, task } = await asked()
    const after = createWorld({ disk, tools: booking })
    after.clock.now += 3_600_000
    await tell(after)
    expect(after.heard()).toContain('1 question ran out of time; nothing was done about it.')
    expect(after.heard()).not.toContain('still for your yes')
    await after.shell.tick()
    expect(after.heard()).toContain('You did not answer in time')
    expect((await after.shell.report(task))?.task).toMatchObject({ trouble: 'approval_expired' })
    expect(after.calls).toEqual([])
  })

  it('is counted by nobody whose chat may not show its card', async () => {
    const { disk } = await asked()
    const [question] = disk.store.pendingApprovals(null)
    if (question === undefined) throw new Error('no question')
    const after = createWorld({ disk, tools: booking })
    // Its card cannot be opened any more: that there is one is not told either.
    disk.store.deleteSealed([question.card.id])
    await tell(after)
    expect(after.heard()).not.toContain('question')
  })
})
