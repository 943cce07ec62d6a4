/** Every operation at its door: who may call it, where, with what, and what is written down of it (DESIGN §9, Q-01). */
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ok } from '../../kernel/flow/verdict.ts'
import { createOperations } from '../../kernel/operations/call.ts'
import type { Caller, Door } from '../../kernel/operations/caller.ts'
import { OPERATIONS } from '../../kernel/operations/index.ts'
import { defineOperation, type Operation } from '../../kernel/operations/operation.ts'
import { record, text } from '../../kernel/operations/shape.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import { leftToWrite } from '../../scripts/new/unwritten.ts'
import { createWorld, type World } from '../pipeline/world.ts'

const HOME: Caller = {
  ...{ principal: OWNER_PRINCIPAL, place: 'home', door: 'terminal' },
  ...{ sink: 'sink:terminal:owner', message: 'm1' },
}
const EDGE: Caller = { ...HOME, place: 'edge', door: 'open', sink: 'sink:openline:owner' }

/** What it says of itself, by a rule of this test's own: doors from the narrowest. */
const NARROWER: Readonly<Record<Door, readonly Door[]>> = {
  terminal: ['terminal'],
  private: ['terminal', 'private'],
  open: ['terminal', 'private', 'open'],
}

async function codeOf(world: World, call: Parameters<ReturnType<typeof createOperations>>[0]) {
  const done = (await world.powers.operations?.(call)) ?? { ok: true, value: null }
  return done.ok ? 'done' : done.reason.code
}

/** Refusals of a door, and none of an operation that was reached. */
const DOOR_CODES = ['approval_place_too_low', 'principal_not_allowed', 'operation_unknown']

const rows = OPERATIONS.map((operation) => [operation.name, operation] as const)

describe.each(rows)('%s', (name, operation) => {
  it.each(['terminal', 'private', 'open'] as const)('by the %s door at home', async (door) => {
    const code = await codeOf(createWorld(), { operation: name, args: {}, caller: { ...HOME, door } })
    const may = operation.place !== 'edge' && NARROWER[operation.from].includes(door)
    if (may) expect(DOOR_CODES).not.toContain(code)
    else expect(code).toBe('approval_place_too_low')
  })

  it('at the edge', async () => {
    const world = createWorld({ place: 'edge' })
    const code = await codeOf(world, { operation: name, args: {}, caller: EDGE })
    const may = operation.place !== 'home' && operation.from === 'open'
    if (may) expect(DOOR_CODES).not.toContain(code)
    else expect(code).toBe('approval_place_too_low')
  })

  it('at the edge, as if it came from home’s terminal', async () => {
    const call = { operation: name, args: {}, caller: { ...EDGE, door: 'terminal' } as const }
    const code = await codeOf(createWorld({ place: 'edge' }), call)
    if (operation.place === 'home') expect(code).toBe('approval_place_too_low')
    else expect(DOOR_CODES).not.toContain(code)
  })

  it.each([
    'principal:telegram:peer:7',
    'principal:cron:digest',
    'principal:webhook:x',
    'principal:slack:W1:C1:U1',
    'principal:whatsapp:peer:kim',
    '',
  ])('not for %s, by whatever door', async (principal) => {
    const world = createWorld()
    for (const door of NARROWER.open)
      expect(await codeOf(world, { operation: name, args: {}, caller: { ...HOME, door, principal } })).toBe(
        'principal_not_allowed',
      )
  })

  it('takes no argument that it does not declare', async () => {
    const call = { operation: name, args: { ...someArguments(operation), principal: 'x' }, caller: HOME }
    expect(await codeOf(createWorld(), call)).toBe('tool_arguments_invalid')
    for (const args of ['text', ['a'], 7])
      expect(await codeOf(createWorld(), { ...call, args })).toBe('tool_arguments_invalid')
  })

  it('is in the audit with its outcome, unless it only reads', async () => {
    const world = createWorld()
    await codeOf(world, { operation: name, args: someArguments(operation), caller: HOME })
    const lines = world.audited.filter(({ kind }) => kind === 'operation_called')
    expect(lines.map(({ facts }) => [facts['operation'], facts['by'], facts['door']])).toEqual(
      operation.effect === 'read' ? [] : [[name, OWNER_PRINCIPAL, 'terminal']],
    )
  })

  it('says of itself what help needs', () => {
    expect(operation.summary).toMatch(/^[a-z].*[^.]$/)
    expect(operation.command.join(' ')).toMatch(/^[a-z]+( [a-z]+)?$/)
    for (const { about, form, initial } of Object.values(operation.args)) {
      expect(about).not.toBe('')
      if (form === 'option') expect(initial).not.toBeUndefined()
    }
  })
})

/** Some words for each argument that has to be said. */
function someArguments({ args }: Operation): Readonly<Record<string, unknown>> {
  const needed = Object.entries(args).filter(([, { initial }]) => initial === undefined)
  return Object.fromEntries(needed.map(([key, { typed }]) => [key, typed === 'count' ? 1 : 'some']))
}

it('nothing of a new operation is left to write', () => {
  const left = leftToWrite(join(import.meta.dirname, '../..'), 'kernel/features')
  expect(left, `left to write:\n${left.join('\n')}\n`).toEqual([])
})

it('no two have one name, one command or one slash', () => {
  const commands = OPERATIONS.flatMap(({ command, aliases }) =>
    [command, ...aliases].map((one) => one.join(' ')),
  )
  const slashes = OPERATIONS.flatMap(({ slash }) => (slash === null ? [] : [slash]))
  for (const names of [OPERATIONS.map(({ name }) => name), commands, slashes])
    expect(new Set(names).size).toBe(names.length)
})

it('one that nobody knows is refused, and a place that lacks what it takes says so', async () => {
  const world = createWorld()
  expect(await codeOf(world, { operation: 'grants.everything', args: {}, caller: HOME })).toBe(
    'operation_unknown',
  )
  const bare = createOperations({ powers: world.powers, ports: {} })
  expect(await bare({ operation: 'edge.unlock', args: {}, caller: HOME })).toMatchObject({
    reason: { code: 'tool_unavailable' },
  })
})

it('what widens puts a card and changes nothing; what it changes is written with before and after', async () => {
  const world = createWorld()
  const call = (operation: string, args: unknown) =>
    world.powers.operations?.({ operation, args, caller: HOME })
  const asked = await call('people.invite', { name: 'Sarah' })
  expect(asked).toMatchObject({ ok: true, value: { approval: expect.any(String), say: expect.any(String) } })
  const agreement = asked?.ok === true ? Reflect.get(asked.value as object, 'agreement') : ''
  expect(await call('people.list', {})).toMatchObject({ value: [{ id: agreement, state: 'asked' }] })
  await call('people.revoke', { id: agreement })
  const line = world.audited.findLast(({ kind }) => kind === 'operation_called')
  expect(line?.facts).toMatchObject({
    operation: 'people.revoke',
    ok: true,
    before_state: 'asked',
    after_state: 'revoked',
  })
})

const PROBE = (given: Partial<Parameters<typeof defineOperation>[0]> = {}) =>
  defineOperation(
    {
      ...{ name: 'probe.look', place: 'home', effect: 'read', args: {}, ports: ['usage'] },
      ...{ result: record({ seen: text('internal') }), text: () => '' },
      run: async (ports) => ok({ seen: Object.keys(ports).join(), more: 'x' } as never),
      ...given,
    } as Parameters<typeof defineOperation>[0],
    { summary: 'look' },
  )

it('an operation gets the ports that it names, and gives back what it declares', async () => {
  const prepared = PROBE().prepare({})
  const { usage, grants } = createWorld().ports
  const done = prepared.ok ? await prepared.value.run({ usage, grants }, HOME) : prepared
  expect(done).toEqual(ok({ seen: 'usage' }))
})

it('one that widens and puts no card is a bug, and nobody is told that it was done', async () => {
  const prepared = PROBE({ effect: 'widen' }).prepare({})
  const { usage } = createWorld().ports
  await expect(prepared.ok && prepared.value.run({ usage }, HOME)).rejects.toThrow('has put no card')
})
