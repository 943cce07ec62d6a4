/** An operation behind a slash, in the owner's chats: read as typed, done once, and shown only where its label may go (DESIGN §9). */
import { describe, expect, it } from 'vitest'
import { argumentsInMessage } from '../../kernel/operations/commands.ts'
import { OPERATIONS, operationNamed } from '../../kernel/operations/index.ts'
import type { Operation } from '../../kernel/operations/operation.ts'
import { wordsFor } from '../../kernel/wording/words.ts'
import { createWorld, message, type World } from '../pipeline/world.ts'

const named = (name: string): Operation => operationNamed(name) ?? (OPERATIONS[0] as Operation)

describe('what is typed behind a slash', () => {
  it.each<[string, string, object | string]>([
    ['grants.revoke', ' g1 ', { id: 'g1' }],
    ['memory.correct', '3 tea at  five', { which: '3', text: 'tea at  five' }],
    ['memory.undo', '', {}],
    ['memory.undo', '4', { number: 4 }],
    ['people.invite', '--name Sarah --for 30d --as a,b', { name: 'Sarah', for: 30, as: ['a', 'b'] }],
    ['people.invite', '—expires=48h', { expires: 48 }],
    ['grants.freebusy', '--per-day 3', { perDay: 3 }],
    ['brain.write', '--cleanup SOUL be brief', { cleanup: true, name: 'SOUL', text: 'be brief' }],
    ['memory.undo', 'last', 'number'],
    ['people.invite', '--for ever', 'for'],
    ['people.invite', '--for', 'for'],
    ['grants.list', 'all', 'unknown'],
    ['grants.revoke', 'g1 g2', 'unknown'],
    ['people.invite', '--admin yes', 'unknown'],
  ])('%s: %j', (name, rest, expected) => {
    const said = argumentsInMessage(named(name), rest)
    expect(said.ok ? said.value : said.reason.facts['path']).toEqual(expected)
  })
})

const calls = (world: World) => world.audited.filter(({ kind }) => kind === 'operation_called')

describe.each(['home', 'edge'] as const)('in a chat at %s', (place) => {
  it('is answered without a model, in the words of the command line', async () => {
    const world = createWorld({ place })
    await world.say('remember that the gate code is fig')
    const before = world.prompts.length
    await world.say('/memory')
    expect(world.heard()).toMatch(/^1\. the gate code is fig \([^·]+ ago[^·\n]*\)$/)
    await world.say('/forget 1')
    expect(world.heard()).toBe(
      'Forgotten: the gate code is fig. For ten minutes this brings it back: /unforget',
    )
    await world.say('/unforget')
    expect(world.heard()).toMatch(/^Remembered again:\n1\. the gate code is fig/)
    expect(calls(world).map(({ facts }) => [facts['operation'], facts['door'], facts['ok']])).toEqual([
      ['memory.forget', place === 'home' ? 'private' : 'open', true],
      ['memory.undo', place === 'home' ? 'private' : 'open', true],
    ])
    expect(world.prompts).toHaveLength(before)
  })

  it.each([
    ['memory', '/memory'],
    ['my reminders?', '/reminders'],
    ['Tasks', '/tasks'],
  ])('a name alone that only reads is the same without its slash: %s', async (bare, slash) => {
    const world = createWorld({ place })
    await world.say('remember that the gate code is fig')
    await world.say(slash)
    const typed = world.heard()
    await world.say(bare)
    expect(world.heard()).toBe(typed)
  })

  it('a name alone that changes something is no command', async () => {
    const world = createWorld({ place })
    await world.say('remember that the gate code is fig')
    for (const said of ['forget', 'pause', 'lock', 'done']) await world.say(said)
    expect(calls(world)).toEqual([])
    await world.say('/memory')
    expect(world.heard()).toMatch(/^1\. the gate code is fig/)
  })

  it('says what it takes where that is not there, and does nothing', async () => {
    const world = createWorld({ place })
    await world.say('/forget')
    expect(world.heard()).toBe(wordsFor('tool_arguments_invalid'))
    await world.say('/forget 1 2')
    expect(world.heard()).toMatch(
      /^I did not understand what stands behind forget\. It takes:\n {3}which: id, number/,
    )
  })

  it('refuses in words what is not there', async () => {
    const world = createWorld({ place })
    await world.say('/forget 7')
    expect(world.heard()).toBe(wordsFor('memory_unknown'))
  })
})

it('what is home’s is not said at the edge, and no command there', async () => {
  const world = createWorld({ place: 'edge' })
  for (const said of ['/grants', '/revoke g1', '/unlock', '/lock', '/invite']) {
    await world.say(said)
    expect([said, world.heard()]).toEqual([said, wordsFor('approval_place_too_low')])
  }
  await world.say('/help all')
  expect(world.heard()).not.toMatch(/^\/(?:grants|unlock|lock|invite)\b/m)
})

it('a chat that may not see it is not shown it', async () => {
  const low = {
    ...{ template_id: 'low', triggers: ['adapter:fake:message:owner'], principal_class: 'owner' },
    ...{ description: 'The owner in an open chat.', allowed_tools: [], max_tool_calls: 0 },
    ...{ max_tokens_plan: 500, max_tokens_synthesize: 500, data_ceiling: 'internal' },
    output_sinks: ['reply_to_sender'],
  }
  const world = createWorld({
    owner: ['fake:local'],
    templates: [low],
    policy: (policy) => ({
      ...policy,
      sinks: [
        ...policy.sinks,
        {
          ...{ id: 'sink:fake:owner', level: 'internal', place: 'home', compartments: [] },
          ...{ audience: 'sole', principal: policy.owner },
        },
      ],
    }),
  })
  await world.powers.operations?.({
    operation: 'people.invite',
    args: { name: 'Zebedee' },
    caller: {
      ...{ principal: 'principal:owner', place: 'home', door: 'terminal' },
      ...{ sink: 'sink:terminal:owner', message: 'm1' },
    },
  })
  const source = { adapter: 'fake', user: 'local', chat: 'owner', group: false }
  const received = await world.shell.receive({ ...message('/people', { id: 'p1' }), source })
  if (received.ok) await world.shell.run(received.value.principal)
  const there = world.sent.filter(({ sink }) => sink === 'sink:fake:owner')
  expect(there).toHaveLength(1)
  expect(JSON.stringify(there)).not.toContain('Zebedee')
  await world.say('/people')
  expect(world.heard()).toContain('Zebedee')
})

it('a write that a crash cut off is not done again', async () => {
  const world = createWorld()
  await world.say('remember that the gate code is fig')
  const received = await world.shell.receive(message('/forget 1', { id: 'f1' }))
  if (!received.ok) throw new Error(received.reason.code)
  world.disk.store.countUse(`operation:${received.value.task}`, 1)
  await world.shell.run(received.value.principal)
  expect(world.heard()).toBe(wordsFor('write_outcome_unknown'))
  await world.say('/memory')
  expect(world.heard()).toContain('the gate code is fig')
})

it('a card that it puts comes behind its answer, so that a bare yes is to the card', async () => {
  const world = createWorld({ pushes: true })
  await world.say('/invite --name Sarah')
  await world.shell.tick()
  expect(world.sent.map(({ kind }) => kind)).toEqual(['answer', 'card'])
  expect(world.sent[0]?.text).toMatch(
    /\n {3}pair [0-9A-Z-]+\n[\s\S]*Nothing is allowed yet\.(?![^\n]*\/approve)/,
  )
  expect(world.sent[1]?.text).toContain('Sarah')
  await world.say('yes')
  expect(await world.ports.people.list()).toMatchObject([{ name: 'Sarah', state: 'open' }])
})
