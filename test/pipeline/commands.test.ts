/**
 * The commands of a chat: every one that is listed is answered, at both places (O-22); the kernel's own
 * without a model, and one that stands for a prompt like the words that it stands for (O-21).
 */
import { describe, expect, it } from 'vitest'
import { edgeTelegram } from '../../integrations/channels/telegram/edge-setting.ts'
import { withPrompt } from '../../kernel/features/commands/commands.ts'
import { sentBy } from '../../kernel/features/people/route.ts'
import { commandsAt, takenNames } from '../../kernel/operations/commands.ts'
import { COMMANDS } from '../../kernel/task/command.ts'
import { tell, wordsFor } from '../../kernel/wording/words.ts'
import { parseChatLine } from '../../sidecar/cli/chat/chat-line.ts'
import { parseConfig } from '../../sidecar/config/config.ts'
import { BOT_TOKEN } from '../fakes/telegram-token.ts'
import { SECRET } from '../fakes/telegram-updates.ts'
import { calendarTools, mailTools } from './mailbox.ts'
import { createWorld, message, scriptedModel, type World } from './world.ts'

const OWN = [
  { name: 'fika', description: 'coffee', prompt: 'Tell me about the harbour lanterns.', open: true },
]
/** The owner in a chat of another channel. */
const LOW = {
  ...{ template_id: 'low', triggers: ['adapter:fake:message:owner'], principal_class: 'owner' },
  ...{ description: 'The owner in an open chat.', allowed_tools: [], max_tool_calls: 0 },
  ...{ max_tokens_plan: 500, max_tokens_synthesize: 500, data_ceiling: 'internal' },
  output_sinks: ['reply_to_sender'],
}
const local = () => scriptedModel('local', () => 'As you wish.')
const world = (more: Parameters<typeof createWorld>[0] = {}): World =>
  createWorld({ models: [local()], tools: { ...mailTools(), ...calendarTools() }, commands: OWN, ...more })

describe.each(['home', 'edge'] as const)('at %s', (place) => {
  it.each(commandsAt(OWN, place))('/$name is answered', async ({ name, prompt }) => {
    const it = world({ place })
    const task = await it.say(`/${name}`)
    const state = (await it.shell.report(task))?.task.state
    // Over the link, what the owner's data is needed for is asked of home, as for the same words.
    if (place === 'edge' && it.homeCalls.length > 0) expect(state).toBe('awaiting_home')
    else {
      expect(state).toBe('completed')
      expect(it.heard()).not.toBe('')
      expect(it.heard()).not.toBe(tell('commands.unknown'))
      expect(it.heard()).not.toBe(wordsFor('plan_empty'))
    }
    if (prompt === undefined) expect([it.prompts, it.calls, it.homeCalls]).toEqual([[], [], []])
  })

  it('/help all lists each of them', async () => {
    const it = world({ place })
    await it.say('/help all')
    for (const { name } of commandsAt(OWN, place))
      expect(it.heard()).toMatch(new RegExp(`^/${name}[ :]`, 'm'))
  })

  it('what a messenger says first is a cry for help', async () => {
    const [started, helped] = [world({ place }), world({ place })]
    await started.say('/start')
    await helped.say('/help')
    expect([started.heard(), started.prompts]).toEqual([helped.heard(), []])
  })

  it('the help of the edge says where mail is asked for', async () => {
    const it = world({ place })
    await it.say('/help')
    expect(it.heard().includes(tell('commands.help_edge'))).toBe(place === 'edge')
  })

  it('one that is none of them is said to be none, without a model', async () => {
    const it = world({ place })
    await it.say('/dance for me')
    expect([it.heard(), it.prompts]).toEqual([tell('commands.unknown'), []])
  })
})

it.each(COMMANDS.filter(({ at }) => at === 'terminal'))(
  '/$name is known to the terminal’s chat',
  ({ name }) => {
    const words = name === 'edit' ? '/edit 1 other words' : `/${name}`
    expect(parseChatLine(words, 1).kind).not.toMatch(/unknown|say/)
  },
)

describe('a prompt command', () => {
  it.each([
    ['/fika', OWN[0]?.prompt],
    ['/FIKA', OWN[0]?.prompt],
    ['/fika in July', `${OWN[0]?.prompt}\nin July`],
  ])('%s is read as the words that it stands for', async (typed, words) => {
    const it = world()
    await it.say(typed)
    expect(it.prompts.at(-1)?.parts.request).toContain(words)
    expect(it.prompts.at(-1)?.parts.request).not.toContain('/')
  })

  it('runs what its words would run, by the same steps', async () => {
    const [typed, said] = [world(), world()]
    await typed.say('/inbox')
    await said.say('Check my unread mail.')
    expect(typed.calls.map(({ tool }) => tool)).toEqual(['email.list'])
    expect(typed.calls).toEqual(said.calls)
  })

  it('is nobody else’s, and none in what the owner quotes', async () => {
    const it = world({ paired: ['whatsapp:kim'] })
    const source = { adapter: 'whatsapp', user: 'kim', chat: 'kim', group: false }
    const received = await it.shell.receive({ ...message('/inbox', { id: 'k1' }), source })
    if (received.ok) await it.shell.run(received.value.principal)
    await it.say('thanks', 'q1', ['/inbox'])
    expect(it.calls).toEqual([])
    const sent = sentBy(it.powers, { ...message('/inbox', { id: 'k2' }), source })
    expect(sent.ok && withPrompt(it.powers, sent.value).event.text).toBe('/inbox')
  })
})

it.each(commandsAt([], 'home').filter(({ prompt }) => prompt === undefined))(
  '/$name of a friend is a word like any other, and reveals nothing',
  async ({ name }) => {
    const it = world({ paired: ['whatsapp:kim'] })
    const source = { adapter: 'whatsapp', user: 'kim', chat: 'kim', group: false }
    const received = await it.shell.receive({ ...message(`/${name}`, { id: 'k1' }), source })
    if (received.ok) await it.shell.run(received.value.principal)
    expect(it.sent.map(({ text }) => text)).toEqual(['As you wish.'])
  },
)

describe('/stop', () => {
  it('ends what was asked for before it in the same chat', async () => {
    const it = world()
    const first = await it.shell.receive(message('book lunch with Sarah on Friday at 13:00', { id: 'b1' }))
    const stop = await it.shell.receive(message('/stop', { id: 's1' }))
    if (!first.ok || !stop.ok) throw new Error('not received')
    await it.shell.run(stop.value.principal)
    expect((await it.shell.report(first.value.task))?.task.state).toBe('cancelled')
    const words = 'book lunch with Sarah on Friday at 13:00'
    expect(it.sent.map(({ text }) => text)).toEqual([
      tell('wording.stopped_of', { words }),
      tell('commands.stopped'),
    ])
    expect(it.calls).toEqual([])
  })

  it('names each request that it ends, long ones by their beginning', async () => {
    const it = world()
    const received: Awaited<ReturnType<typeof it.shell.receive>>[] = []
    const long = `remember that ${'the keys are in the drawer and '.repeat(4)}nowhere else`
    for (const [id, text] of [
      ['q1', long],
      ['q2', 'remind me tomorrow at 9 to call mum'],
      ['q3', '/stop'],
    ] as const)
      received.push(await it.shell.receive(message(text, { id })))
    const [one] = received
    if (!one?.ok) throw new Error('not received')
    await it.shell.run(one.value.principal)
    expect(it.sent.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^Stopped: "remember that the keys .{10,40}…"\.$/),
      'Stopped: "remind me tomorrow at 9 to call mum".',
      tell('commands.stopped'),
    ])
  })

  it('leaves what comes while it is still read', async () => {
    const it = world()
    const both = [message('/stop', { id: 's1' }), message('hello', { id: 'l1' })]
    const [stop, later] = await Promise.all(both.map((one) => it.shell.receive(one)))
    if (!stop?.ok || !later?.ok) throw new Error('not received')
    await it.shell.run(later.value.principal)
    expect((await it.shell.report(later.value.task))?.task.state).toBe('completed')
  })

  it('is a stranger’s word like any other', async () => {
    const it = world({ paired: ['whatsapp:kim'] })
    const source = { adapter: 'whatsapp', user: 'kim', chat: 'kim', group: false }
    const first = await it.shell.receive({ ...message('hello', { id: 'p1' }), source })
    const stop = await it.shell.receive({ ...message('/stop', { id: 'p2' }), source })
    if (!first.ok || !stop.ok) throw new Error('not received')
    await it.shell.run(stop.value.principal)
    expect((await it.shell.report(first.value.task))?.task.state).toBe('completed')
  })

  it('leaves what was asked for in another chat, and what comes after it', async () => {
    const it = world({ owner: ['fake:me'], templates: [LOW] })
    const source = { adapter: 'fake', user: 'me', chat: 'me', group: false }
    const other = await it.shell.receive({ ...message('hello', { id: 'o1' }), source })
    const stop = await it.shell.receive(message('/stop', { id: 's1' }))
    const later = await it.shell.receive(message('hello', { id: 'l1' }))
    if (!other.ok || !stop.ok || !later.ok) throw new Error('not received')
    await it.shell.run(later.value.principal)
    await it.shell.run(other.value.principal)
    for (const { value } of [other, later])
      expect((await it.shell.report(value.task))?.task.state).toBe('completed')
  })
})

describe('the owner’s own commands', () => {
  const entry = (over: string): string =>
    `[[commands]]\nname = "fika"\ndescription = "coffee"\nprompt = "Tell me."\n${over}`
  const many = (count: number): string =>
    Array.from({ length: count }, (_, n) => entry('').replace('fika', `fika${n}`)).join('\n')
  it('may be as many and as long as there is room for', () => {
    const long = entry('').replace('coffee', 'x'.repeat(100)).replace('Tell me.', 'x'.repeat(2_000))
    expect([parseConfig(many(30)).ok, parseConfig(long).ok]).toEqual([true, true])
  })

  it('stand in config.toml, and the edge knows none that is not open', () => {
    const parsed = parseConfig(entry(''))
    expect(parsed.ok && parsed.value.commands).toEqual([
      { name: 'fika', description: 'coffee', prompt: 'Tell me.', open: false },
    ])
  })

  it.each([
    ['a capital', '"Fika"'],
    ['a space', '"fi ka"'],
    ['no name', '""'],
  ])('are refused with %s', (_what, name) => {
    const bad = entry('').replace('"fika"', name)
    expect(parseConfig(bad)).toMatchObject({ ok: false, reason: { facts: { key: 'commands.0.name' } } })
    const atEdge = { owner: 7, commands: [{ name: JSON.parse(name), description: 'x', prompt: 'y' }] }
    const env = { TELEGRAM: JSON.stringify(atEdge), TELEGRAM_TOKEN: BOT_TOKEN, TELEGRAM_SECRET: SECRET }
    expect(edgeTelegram(env).trouble).toBe('TELEGRAM.commands.0.name')
  })

  it.each(['usage', 'approve', 'start', 'exit'])(
    'one named /%s stands, and the program’s is meant',
    async (name) => {
      const parsed = parseConfig(entry('').replace('fika', name))
      const at = { owner: 7, commands: [{ name, description: 'x', prompt: 'y' }] }
      const env = { TELEGRAM: JSON.stringify(at), TELEGRAM_TOKEN: BOT_TOKEN, TELEGRAM_SECRET: SECRET }
      expect([parsed.ok, edgeTelegram(env).trouble]).toEqual([true, null])
      if (!parsed.ok) return
      const it = world({ commands: parsed.value.commands })
      await it.say(`/${name}`)
      expect([takenNames(parsed.value.commands), it.prompts]).toEqual([[name], []])
      expect(commandsAt(parsed.value.commands, 'home')).toEqual(commandsAt([], 'home'))
    },
  )

  it.each([
    ['one name for two', `${entry('')}\n${entry('')}`, 'commands'],
    ['a key that is none', entry('action = "x"'), 'commands.0.action'],
    ['a line break in what is listed', entry('').replace('coffee', 'a\\nb'), 'commands.0.description'],
    ['more than a menu has', many(31), 'commands'],
    ['more to list than fits', entry('').replace('coffee', 'x'.repeat(101)), 'commands.0.description'],
    ['more to say than fits', entry('').replace('Tell me.', 'x'.repeat(2_001)), 'commands.0.prompt'],
    ['nothing to say', entry('').replace('Tell me.', ' '), 'commands.0.prompt'],
  ])('are refused with %s', (_what, text, key) =>
    expect(parseConfig(text)).toMatchObject({ ok: false, reason: { facts: { key } } }),
  )
})
