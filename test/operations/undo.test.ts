/** Taking back the last change, by what its operation declares and its audit row keeps (DESIGN §9). */
import { expect, it } from 'vitest'
import type { Caller } from '../../kernel/operations/caller.ts'
import { OPERATIONS, operationNamed } from '../../kernel/operations/index.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import { createWorld, type World } from '../pipeline/world.ts'

const AT_HOME: Caller = {
  ...{ principal: OWNER_PRINCIPAL, sink: 'sink:terminal:owner', message: 'm1' },
  ...{ place: 'home', door: 'terminal' },
}

async function asked(world: World, operation: string, args: unknown, caller: Partial<Caller> = {}) {
  const done = await world.powers.operations?.({ operation, args, caller: { ...AT_HOME, ...caller } })
  return done?.ok === true ? done.value : done?.reason.code
}

const FACT = { which: '1' }

it('brings back what was forgotten, in the words of a chat', async () => {
  const world = createWorld()
  await world.say('remember that the gate code is fig')
  await world.say('/memory')
  await world.say('/forget 1')
  await world.say('/memory')
  expect(world.heard()).not.toContain('fig')
  await world.say('Undo what I changed last.')
  expect(world.heard()).toBe('It is as it was before. Taken back: forget something that is remembered.')
  await world.say('/memory')
  expect(world.heard()).toContain('fig')
  await world.say('/undo')
  await world.say('/memory')
  expect(world.heard()).not.toContain('fig')
})

it('makes the version before the newest one again, and says it twice to have it back', async () => {
  const world = createWorld()
  const write = (text: string, replaces: number) =>
    asked(world, 'brain.write', { name: 'TRAVEL', text, replaces })
  const header = '---\nowns: travel\nmode: agent_requested\n---\n'
  await write(`${header}- by train\n`, 0)
  expect(await asked(world, 'changes.undo', {})).toBe('change_stays')
  await write(`${header}- by train\n- no flights\n`, 1)
  // A line goes by it, so it asks as the restoring itself does.
  const undone = await asked(world, 'changes.undo', {})
  expect(undone).toMatchObject({ undid: 'brain.write', by: 'brain.restore', approval: expect.any(String) })
  const [card] = await world.ports.approvals.list(OWNER_PRINCIPAL)
  expect(card?.full).toContain('no flights')
  expect(await asked(world, 'brain.show', { name: 'TRAVEL' })).toMatchObject({ version: 2 })
})

it('asks as the owner does: a lower door takes back nothing that it could not have said', async () => {
  const world = createWorld()
  await asked(world, 'edge.lock', {})
  expect(await asked(world, 'changes.undo', {}, { door: 'open' })).toBe('approval_place_too_low')
  expect(await asked(world, 'changes.undo', {}, { principal: 'principal:telegram:7' })).toBe(
    'principal_not_allowed',
  )
  expect(await asked(world, 'changes.undo', {})).toMatchObject({ undid: 'edge.lock', by: 'edge.unlock' })
  expect(await asked(world, 'changes.undo', {})).toMatchObject({ undid: 'edge.unlock', by: 'edge.lock' })
})

it('takes back nothing where nothing was changed, what cannot be, and what is a day old', async () => {
  const world = createWorld()
  expect(await asked(world, 'changes.undo', {})).toBe('nothing_found')
  await world.say('remember that the gate code is fig')
  await world.say('/memory')
  await asked(world, 'memory.forget', FACT)
  world.clock.now += 11 * 60_000
  expect(await asked(world, 'changes.undo', {})).toBe('memory_gone')
  world.clock.now += 25 * 3_600_000
  expect(await asked(world, 'changes.undo', {})).toBe('nothing_found')
})

it('keeps no content for it: names, numbers and ids', async () => {
  const world = createWorld()
  await world.say('remember that the gate code is fig')
  await world.say('/memory')
  await asked(world, 'memory.forget', FACT)
  const line = world.audited.findLast(({ kind }) => kind === 'operation_called')
  expect(line?.facts).toMatchObject({ operation: 'memory.forget', undo: 'memory.undo', undo_number: 1 })
  expect(JSON.stringify(line)).not.toContain('fig')
})

it('every undo names an operation that there is', () => {
  expect(operationNamed('memory.undo')).not.toBeNull()
  expect(OPERATIONS.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['memory.undo', 'brain.restore', 'edge.lock', 'edge.unlock']),
  )
})
