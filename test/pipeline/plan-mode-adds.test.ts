/**
 * Plan mode adds questions and takes none away (P-19, P-31): the same day with and without it, each plan agreed to, has the same
 * verdicts, calls, cards for writes, refusals and answers.
 */
import { expect, it } from 'vitest'
import { OWNER, waiting } from './approvals-owner.ts'
import { calendarTools, mailTools } from './mailbox.ts'
import { createWorld, scriptedModel, type World } from './world.ts'

const SAYINGS = [
  'check my email',
  'book lunch with Sarah on Friday at 13:00',
  'please juggle my letters',
  'read https://evil.example/',
  'remember that the lanterns are in the shed',
  'hello',
]

/** A read, writes that ask and are agreed to or not, a plan of a model's that tries something, a page, a note. */
async function day(shows: boolean): Promise<World> {
  const evil = { title: 'x', from: '2026-11-27T13:00:00Z', to: '2026-11-27T14:00:00Z' }
  const steps = [
    { id: 's1', do: 'tool', tool: 'email.list', args: { unread: true } },
    { id: 's2', do: 'tool', tool: 'email.read', args: { id: { $ref: 's1.emails[1].id' } } },
    { id: 's3', do: 'tool', tool: 'calendar.create_event', args: { ...evil, title: { $ref: 's2.subject' } } },
    { id: 's4', do: 'tool', tool: 'web.read', args: { url: { $ref: 's2.body' } } },
  ]
  const local = scriptedModel('local', ({ parts }) =>
    parts.purpose === 'plan' ? JSON.stringify({ steps, explanation: '' }) : 'Done as you said.',
  )
  const world = createWorld({ tools: { ...mailTools(), ...calendarTools() }, models: [local] })
  await world.say(shows ? '/plan on' : '/plan off', 'first')
  for (const [index, words] of SAYINGS.entries()) {
    await world.say(words, `day${index}`)
    await agreed(world)
  }
  return world
}

/** Plans are agreed to, and every other write. */
async function agreed(world: World): Promise<void> {
  let writes = 0
  for (;;) {
    const [view] = await waiting(world)
    if (view === undefined) return
    const isNo = view.kind !== 'plan' && ++writes % 2 === 0
    const decision = isNo ? 'deny' : 'approve'
    const decided = await world.shell.decide({ approval: view.id, decision, principal: OWNER, place: 'home' })
    if (!decided.ok) throw new Error(decided.reason.code)
    await world.shell.run(OWNER)
  }
}

/** All that was decided, asked, called or said, without ids and without the plans' own questions. */
function decided(world: World): string {
  const plans = new Set(
    world.audited.flatMap(({ facts }) => (facts['kind'] === 'plan' ? [facts['approval']] : [])),
  )
  const lines = world.audited
    .filter(({ kind, facts }) => !plans.has(facts['approval'] as string) && kind !== 'model_called')
    .map(({ kind, facts }) => [kind, { ...facts, approval: null, capability: null, bytes: null }])
    .filter(([kind, facts]) => kind !== 'egress' || JSON.stringify(facts).includes('"answer"'))
  const cards = world.sent.filter(({ approval }) => approval !== null && !plans.has(approval))
  // The first is about the setting itself.
  const [, ...answers] = world.sent.filter(({ kind }) => kind === 'answer')
  const tasks = world.disk.store.recentTasks(OWNER, 99).slice(0, SAYINGS.length)
  return JSON.stringify(
    {
      lines,
      calls: world.calls,
      cards: cards.map(({ text, sink, label }) => ({ text, sink, label })),
      answers: answers.map(({ text, label }) => ({ text, label })),
      traces: tasks.map(({ traces, trouble, callsUsed, state }) => ({
        traces,
        trouble,
        callsUsed,
        at: state.at,
      })),
    },
    null,
    1,
  )
}

it('the same day has the same verdicts with it, and more questions', async () => {
  const [off, on] = [await day(false), await day(true)]
  expect(decided(on)).toBe(decided(off))
  const asked = (world: World, plans: boolean): number =>
    world.audited.filter(
      ({ kind, facts }) => kind === 'approval_asked' && (facts['kind'] === 'plan') === plans,
    ).length
  expect([asked(off, true), asked(off, false)]).toEqual([0, 2])
  expect([asked(on, true), asked(on, false)]).toEqual([3, 2])
})
