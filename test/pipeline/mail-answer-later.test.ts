/** Answers and forwards at a time, without a model: one card that says when, nothing before it, and the approved mail then, once; how many may wait. */
import { describe, expect, it } from 'vitest'
import { MOST_SCHEDULED } from '../../kernel/features/scheduled/port.ts'
import { err } from '../../kernel/flow/verdict.ts'
import { decideFirst } from './asked-world.ts'
import { createWorld, type ScriptedTool, type World } from './world.ts'

const HOUR = 3_600_000
const contacts = [{ name: 'Tom Baker', email: 'tom@baker.example' }]
const MAIL = {
  ...{ id: 'm1', from: 'sandra@friends.example', fromName: 'Sandra Lee', subject: 'Friday' },
  ...{ date: '2026-11-19T08:00:00Z', hasAttachments: false },
}
const sent: ScriptedTool = ({ to }) => ({
  ok: true,
  output: { to: [to].flat() as string[], refused: [], filed: true },
})

function having(): World {
  const tools: Record<string, ScriptedTool> = {
    ...{ 'email.reply': sent, 'email.forward': sent, 'email.send': sent },
    ...Object.fromEntries(
      ['reply_later', 'forward_later', 'send_later'].map((verb) => [
        `email.${verb}`,
        () => err('tool_unknown'),
      ]),
    ),
    'email.enclosed': () => ({
      ok: true,
      output: { files: [], from: 'Ada <ada@home.example>', version: 'v1' },
    }),
    'email.list': () => ({
      ok: true,
      output: { emails: [{ ...MAIL, unread: true, snippet: 'As agreed.' }], more: false },
    }),
    'email.read': () => ({
      ok: true,
      output: {
        ...{ ...MAIL, to: ['owner@home.example'], body: 'As agreed.', truncated: false },
        ...{ links: [], dates: [], requests: [] },
      },
    }),
  }
  return createWorld({ tools, contacts })
}

const calls = (world: World, tool: string) =>
  world.calls.filter((one) => one.tool === tool).map(({ args }) => args)
const due = ({ disk }: World): string => {
  const [task] = disk.store.activeTasks('principal:owner').map((one) => one.task)
  return task?.state.at === 'awaiting_time'
    ? new Date(task.state.until + HOUR).toISOString().slice(0, 16)
    : ''
}

describe('at its time', () => {
  it.each([
    ['reply to Sandra tomorrow at 8 that I will come', 'email.reply', { body: 'I will come' }],
    ['reply to Sandra tomorrow at 8: see you at 17', 'email.reply', { body: 'See you at 17' }],
    ['antworte Sandra morgen um 8: ich komme', 'email.reply', { body: 'Ich komme' }],
    ['reply tomorrow at 8: I will come', 'email.reply', { body: 'I will come' }],
    ['reply to it tomorrow at 8 that I will come', 'email.reply', { body: 'I will come' }],
    ['antworte ihr morgen um 8: ich komme', 'email.reply', { body: 'Ich komme' }],
    ['forward it to Tom tomorrow at 8', 'email.forward', { to: ['tom@baker.example'], text: 'As agreed.' }],
  ])('%s', async (said, tool, args) => {
    const world = having()
    await world.say('check my email')
    await world.say('read the first one')
    await world.say(said)
    expect(world.heard()).toContain('AT THE TIME below')
    expect(world.heard()).toContain('goes out as: Ada <ada@home.example>')
    await decideFirst(world, 'approve')
    expect(world.heard()).toContain('It waits, and is sent')
    expect(calls(world, tool)).toEqual([])
    expect(due(world)).toBe('2026-11-21T08:00')
    world.clock.now = Date.parse('2026-11-21T08:00:00+01:00')
    await world.shell.tick()
    expect(calls(world, tool)).toMatchObject([{ id: 'm1', ...args }])
    await world.shell.tick()
    expect(calls(world, tool)).toHaveLength(1)
  })

  it('a time in the text alone is no time of the answer', async () => {
    const world = having()
    await world.say('check my email')
    await world.say('read the first one')
    await world.say('reply: see you tomorrow at 8')
    await decideFirst(world, 'approve')
    expect(calls(world, 'email.reply')).toMatchObject([{ body: 'See you tomorrow at 8' }])
  })
})

it('no more than there may be wait, also where all were asked for before any yes', async () => {
  const world = having()
  for (let nth = 0; nth < MOST_SCHEDULED - 1; nth += 1) {
    await world.say(`send Tom tomorrow at 9: number ${nth}`)
    await decideFirst(world, 'approve')
  }
  await world.say('send Tom tomorrow at 9: last')
  await world.say('send Tom tomorrow at 9: one too many')
  await decideFirst(world, 'approve')
  await decideFirst(world, 'approve')
  const waits = world.disk.store
    .activeTasks('principal:owner')
    .filter(({ task }) => task.state.at === 'awaiting_time')
  expect(waits).toHaveLength(MOST_SCHEDULED)
  expect(world.heard()).not.toContain('It waits')
}, 120_000)

describe('under another address', () => {
  it.each([
    'send from work@home.example to Tom: hello',
    'email Tom as work@home.example: hello',
    'schreib von work@home.example an Tom: hello',
  ])('%s', async (said) => {
    const world = having()
    await world.say(said)
    await decideFirst(world, 'approve')
    expect(calls(world, 'email.enclosed')[0]).toMatchObject({ from: 'work@home.example' })
    expect(calls(world, 'email.send')).toMatchObject([
      { to: ['tom@baker.example'], from: 'work@home.example', body: 'Hello' },
    ])
  })
})

describe('what did I promise', () => {
  it.each([
    ['what did I promise?', {}],
    ['what have I said I would do?', {}],
    ['was habe ich versprochen?', {}],
    ['what did I promise Sandra?', { to: 'Sandra' }],
    ['was habe ich Sandra versprochen?', { to: 'Sandra' }],
  ])('%s', async (said, args) => {
    const promised = { id: 'm7', to: 'sandra@friends.example', toName: 'Sandra Lee', subject: 'Plans' }
    const world = createWorld({
      tools: {
        'email.promises': () => ({
          ok: true,
          output: {
            emails: [
              {
                ...promised,
                date: '2026-11-19T08:00:00Z',
                sentence: 'I will call.',
                due: '2026-11-21T00:00:00+01:00',
              },
            ],
            more: false,
          },
        }),
      },
    })
    await world.say(said)
    expect(calls(world, 'email.promises')).toEqual([args])
    expect(world.heard()).toMatch(/1\. Sandra Lee: “I will call\.” \(due .*21.*, said .*, Plans\)/)
  })
})
