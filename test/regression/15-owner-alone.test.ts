/**
 * Regression 15 (S001 §17): nobody but the owner changes how this works, by the methods behind `pfar` and its operations. Of the `admin.*` names of a plan those of
 * operations that may be planned alone are known, for the owner alone; any other is refused before anything runs. Every operation by every caller:
 * test/operations/doors.test.ts and call.test.ts.
 */
import { expect, test } from 'vitest'
import { wordsFor } from '../../kernel/wording/words.ts'
import { booking, OWNER, onlyOne, planning, TOOLS } from '../pipeline/approvals-owner.ts'
import { brainWorld } from '../pipeline/brain.ts'
import { BOB, linked, linkWorld, states, U1 } from '../pipeline/linked.ts'
import { createWorld, message, scriptedModel, type World } from '../pipeline/world.ts'

const OTHERS = [
  BOB,
  U1,
  'principal:telegram:peer:1',
  'principal:webhook:fireflies',
  'principal:cron:digest',
  'principal:slack:U1',
  '',
  'owner',
]
const LASTING = { days: 30, perDay: 1 }
const FIELDS = {
  ...{ template: 'scheduling', action: 'calendar.freebusy', fields: ['slots[].busy'], daysAhead: 7 },
  ...LASTING,
}

test.each(OTHERS)('%s grants, answers and revokes nothing', async (principal) => {
  const world = createWorld({ tools: TOOLS, models: [planning(booking({ title: 'Rent' }))] })
  await world.say('book it')
  const { id: approval } = await onlyOne(world)
  const proposer = { principal, place: 'home', message: 'm1' } as const
  const wrong = { ok: false, reason: { code: 'approval_wrong_principal' } }
  expect(await world.ports.grants.allow(proposer, FIELDS)).toMatchObject(wrong)
  expect(await world.shell.always(proposer, { approval, ...LASTING })).toMatchObject(wrong)
  expect(await world.ports.grants.revoke('any', principal)).toMatchObject(wrong)
  expect(await world.shell.edit({ approval, text: 'Party', principal, place: 'home' })).toMatchObject(wrong)
  const ends = [principal, OWNER] as const
  expect(await world.shell.identities.start(proposer, ends)).toMatchObject(wrong)
  expect(await world.shell.identities.remove('any', principal)).toMatchObject(wrong)
  const asking = { principal, sink: 'sink:terminal:owner' }
  expect(await world.ports.memory.list(asking)).toEqual([])
  for (const change of [world.ports.memory.forget(asking, 'any'), keepOther(world, asking)])
    expect(await change).toMatchObject({ ok: false })
  for (const decision of ['approve', 'deny'] as const)
    expect(await world.shell.decide({ approval, decision, principal, place: 'home' })).toMatchObject(wrong)
  expect(await world.ports.approvals.list(principal)).toEqual([])
  expect(await world.ports.grants.list()).toEqual([])
  expect(world.calls).toEqual([])
})

const keepOther = ({ ports }: World, asking: { readonly principal: string; readonly sink: string }) =>
  ports.memory.correct(asking, 'any', 'The owner’s bank is another.')

test.each([BOB, U1])('%s, once linked with the other, still rules nothing', async (principal) => {
  const world = linkWorld()
  const link = await linked(world)
  expect(states(world)).toEqual(['live'])
  const proposer = { principal, place: 'home', message: 'm9' } as const
  const wrong = { ok: false, reason: { code: 'approval_wrong_principal' } }
  expect(await world.ports.grants.allow(proposer, FIELDS)).toMatchObject(wrong)
  expect(await world.shell.identities.start(proposer, [principal, OWNER])).toMatchObject(wrong)
  expect(await world.shell.identities.remove(link, principal)).toMatchObject(wrong)
  expect(await world.ports.grants.revoke('any', principal)).toMatchObject(wrong)
  expect(await world.ports.approvals.list(principal)).toEqual([])
  expect(states(world)).toEqual(['live'])
})

test.each(OTHERS)('%s reads and writes no directive file', async (principal) => {
  const world = await brainWorld()
  const before = await world.text('USER')
  const asking = { principal, sink: 'sink:terminal:owner' }
  const edit = { name: 'USER', text: `${before}- Obey.`, replaces: 1, cleanup: true, message: 'm1' }
  for (const refused of [
    await world.desk.show(asking, 'USER', null),
    await world.desk.history(asking, 'USER'),
    await world.desk.edit(asking, edit),
    await world.desk.restore(asking, { name: 'USER', version: 1, message: 'm1' }),
  ])
    expect(refused).toMatchObject({ ok: false })
  expect(await world.text('USER')).toBe(before)
})

test.each(['admin.grant', 'admin.set_secret', 'admin.template.create', 'kernel.approve'])(
  'a plan with %s is refused before anything runs, even for the owner',
  async (tool) => {
    const steps = [{ id: 's1', do: 'tool', tool, args: {} }]
    const planner = scriptedModel('a-model', ({ parts }) =>
      parts.purpose === 'plan' ? JSON.stringify({ steps, explanation: '' }) : '',
    )
    const world = createWorld({ tools: TOOLS, models: [planner] })
    const received = await world.shell.receive(message('please do the unusual thing', { id: 'm1' }))
    if (!received.ok) throw new Error(received.reason.code)
    await world.shell.run(received.value.principal)
    const task = world.disk.store.loadTask(received.value.task)
    expect(task).toMatchObject({ trouble: { code: 'tool_unknown' }, traces: [] })
    expect(world.heard()).toContain(wordsFor('tool_unknown'))
    expect(world.audited.filter(({ kind }) => kind === 'denial').map(({ facts }) => facts['code'])).toEqual([
      // The planner gets the code and one more try.
      'tool_unknown',
      'tool_unknown',
    ])
  },
)
