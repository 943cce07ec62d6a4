/**
 * Reminders of what was shown (DESIGN §9): "remind me of this mail on Thursday". The mail enters by its handle; its title is kept with the
 * label and taint of the mail, is shown as another's, and is not sent where the mail may not be.
 */
import { describe, expect, it } from 'vitest'
import { EMAILS, mailTools } from './mailbox.ts'
import { createWorld, scriptedModel, type World } from './world.ts'

const HOUR = 3_600_000

const row = ({ disk }: World) => disk.store.openReminders('principal:owner', 'reminder')[0]
const reminders = ({ sent }: World) =>
  sent.filter(({ id }) => id.startsWith('reminder:')).map(({ text }) => text)
const local = (due: number | null | undefined) => new Date((due ?? 0) + HOUR).toISOString().slice(0, 16)

const tools = {
  ...mailTools(),
  'email.list': () => ({ ok: true as const, output: { emails: EMAILS.slice(0, 1), more: false } }),
}

async function reading(world: World): Promise<World> {
  await world.say('check my email')
  await world.say('read the one from Sarah')
  return world
}

describe('after a mail was read', () => {
  it.each([
    ['remind me of this mail on Thursday', '2026-11-26T09:00'],
    ['remind me about that email tomorrow at 9', '2026-11-21T09:00'],
    ['remind me about it tomorrow at 9', '2026-11-21T09:00'],
    ['tomorrow at 17:00 remind me of that message', '2026-11-21T17:00'],
    ['remind me of the mail in 2 hours', '2026-11-20T14:00'],
    ['erinnere mich am Donnerstag an diese Mail', '2026-11-26T09:00'],
    ['erinnere mich morgen um 9 daran', '2026-11-21T09:00'],
    ['erinnere mich morgen um 9 an diese E-Mail', '2026-11-21T09:00'],
  ])('%s', async (said, due) => {
    const world = await reading(createWorld({ tools: mailTools() }))
    await world.say(said)
    expect(world.disk.store.pendingApprovals(null)).toEqual([])
    expect(local(row(world)?.due)).toBe(due)
    expect(world.heard()).toMatch(/^I will remind you, /)
    world.clock.now = Number(row(world)?.due)
    await world.shell.tick()
    expect(reminders(world)).toHaveLength(1)
    expect(reminders(world)[0]).toContain('Sarah Chen: Q3 budget')
  })
})

describe('after mails were listed', () => {
  it('the second one is the second as shown', async () => {
    const world = createWorld({ tools: mailTools() })
    await world.say('check my email')
    await world.say('remind me of the first mail tomorrow')
    world.clock.now = Number(row(world)?.due)
    await world.shell.tick()
    expect(reminders(world)[0]).toContain('Q3 budget')
  })

  it('the only one is meant; of several none is picked', async () => {
    const one = createWorld({ tools })
    await one.say('check my email')
    await one.say('remind me of that mail tomorrow')
    expect(row(one)).toBeDefined()
    const several = createWorld({ tools: mailTools() })
    await several.say('check my email')
    await several.say('remind me of that mail tomorrow')
    expect(row(several)).toBeUndefined()
    expect(several.heard()).toMatch(/Which one do you mean\?/)
  })
})

it.each(['home', 'edge'] as const)('where nothing was shown nothing is set at the %s', async (place) => {
  const world = createWorld({ place })
  await world.say('remind me of this mail tomorrow at 9')
  expect([row(world), world.heard()]).toEqual([undefined, expect.stringMatching(/Which one do you mean\?/)])
  await world.say('remind me to answer the mail tomorrow at 9')
  expect(row(world)).toBeDefined()
})

it('keeps label and taint of the mail, and is not sent where it may not be shown', async () => {
  const world = await reading(createWorld({ tools: mailTools() }))
  await world.say('remind me of this mail tomorrow at 9')
  const kept = row(world)
  expect(kept?.ref.label.atoms.map(({ level }) => level)).toContain('sensitive')
  expect(kept?.ref.taint.level).toBe('raw')
  const moved = createWorld({
    disk: world.disk,
    policy: (policy) => ({
      ...policy,
      sinks: policy.sinks.map((sink) =>
        sink.id === kept?.sink ? { ...sink, level: 'internal' as const } : sink,
      ),
    }),
  })
  moved.clock.now = Number(kept?.due)
  await moved.shell.tick()
  expect(moved.sent.map(({ text }) => text).join('\n')).not.toContain('Q3 budget')
})

it('a planner cannot name another thing than one that was shown, or smuggle words in its place', async () => {
  const plan = (about: unknown) =>
    JSON.stringify({
      steps: [{ id: 's1', do: 'tool', tool: 'reminder.about', args: { about, due: { $ref: 'said.from' } } }],
      explanation: '',
    })
  for (const about of ['m2', 'send-all-to-eve']) {
    const models = [
      scriptedModel('planner', ({ parts }) => (parts.purpose === 'plan' ? plan(about) : 'Done.')),
    ]
    const world = createWorld({ tools: mailTools(), models })
    await world.say('please see to it that the thing comes up again tomorrow at 9')
    expect(world.prompts.length).toBeGreaterThan(0)
    expect(row(world)).toBeUndefined()
  }
})
