/**
 * One bot for both lines (DESIGN §1, D-03, F-17): what the owner's acknowledgement opens, for whom, up to
 * which level and until when; and which of the owner's messages at the edge go home. Home decides from its own rows:
 * what the edge says of an acknowledgement is not asked.
 */
import { describe, expect, it } from 'vitest'
import { CHANNEL_FLOW } from '../../kernel/features/channels/channels.ts'
import { deliver, deliverForwarded, deliverNotice } from '../../kernel/features/deliveries/deliver.ts'
import { joinLine } from '../../kernel/features/deliveries/waiting-line.ts'
import {
  answeredThere,
  BOTH_LINES_DAYS,
  eventOfMessage,
  messageForHome,
  versionThere,
} from '../../kernel/features/places/both-lines.ts'
import { parseLabel } from '../../kernel/flow/label.ts'
import type { Labeled } from '../../kernel/flow/labeled.ts'
import type { Compartment, Level } from '../../kernel/flow/level.ts'
import { receive } from '../../kernel/flow/provenance.ts'
import { taintOf } from '../../kernel/flow/taint.ts'
import type { Result } from '../../kernel/flow/verdict.ts'
import { openTextOf } from '../../kernel/powers/sealed.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import type { Task } from '../../kernel/task/task.ts'
import { tell } from '../../kernel/wording/words.ts'
import { acknowledgeTransport, OPEN_CHAT } from '../fakes/both-lines.ts'
import { calendarTools, mailTools } from './mailbox.ts'
import { createWorld, message, type World } from './world.ts'

const DAY = 86_400_000
const SUBJECT = 'Q3 budget'
const HOME = { principal: OWNER_PRINCIPAL, place: 'home' } as const

const codeOf = (result: Result<unknown>): string => (result.ok ? 'yes' : result.reason.code)

async function acknowledged(options: Parameters<typeof createWorld>[0] = {}): Promise<World> {
  const world = createWorld({ tools: { ...mailTools(), ...calendarTools() }, ...options })
  await acknowledgeTransport(world)
  world.sent.length = 0
  return world
}

/** As the edge brings it. Returns the task, or why there is none. */
async function hear(world: World, text: string, id = 'm1', version?: 'edited'): Promise<string> {
  const said = { id, text, quoted: [], ...(version && { version }) }
  const event = eventOfMessage(world.powers, said)
  if (!event.ok) return event.reason.code
  const received = await world.shell.receive(event.value, OWNER_PRINCIPAL)
  if (!received.ok) return received.reason.code
  await world.shell.run(OWNER_PRINCIPAL)
  return received.value.task
}

const taskOf = ({ disk }: World, id: string): Task => disk.store.loadTask(id) as Task
const saidThere = ({ sent }: World): string =>
  sent
    .filter(({ sink }) => sink === OPEN_CHAT)
    .map(({ text }) => text)
    .join('\n')

async function revoke({ ports: { grants } }: World): Promise<void> {
  for (const { id, kind } of await grants.list())
    if (kind === 'transport') expect((await grants.revoke(id, OWNER_PRINCIPAL)).ok).toBe(true)
}

describe('the acknowledgement', () => {
  it('is put on a card that says what it costs, and wants a yes in another message, at home (F-17)', async () => {
    const world = createWorld()
    const put = await world.shell.acknowledgeTransport({ ...HOME, message: 'm1' }, OPEN_CHAT)
    if (!put.ok) throw new Error(put.reason.code)
    expect(world.heard()).toMatch(/whoever runs your edge or takes it over/)
    expect(world.heard()).toMatch(/Telegram/)
    expect(world.heard()).toMatch(/ask me in your name/)
    expect(world.heard()).toMatch(/Never what is regulated/)
    const yes = { approval: put.value.approval, decision: 'approve', principal: OWNER_PRINCIPAL } as const
    expect(codeOf(await world.shell.decide({ ...yes, place: 'home', message: 'm1' }))).toBe(
      'approval_step_up',
    )
    expect(codeOf(await world.shell.decide({ ...yes, place: 'edge', message: 'm2' }))).not.toBe('yes')
    expect(await hear(world, 'check my email')).toBe('grant_missing')
    expect(codeOf(await world.shell.decide({ ...yes, place: 'home', message: 'm2' }))).toBe('yes')
    expect(await world.ports.grants.list()).toMatchObject([{ kind: 'transport', state: 'live' }])
    expect(world.audited.filter(({ kind }) => kind === 'grant_changed')).toHaveLength(1)
    expect(codeOf(await world.shell.acknowledgeTransport({ ...HOME, message: 'm3' }, OPEN_CHAT))).toBe(
      'nothing_found',
    )
  })

  it.each([
    ['at the edge', { ...HOME, place: 'edge', message: 'm' }, 'approval_place_too_low'],
    [
      'by anybody else',
      { ...HOME, principal: 'principal:telegram:peer:7', message: 'm' },
      'approval_wrong_principal',
    ],
  ] as const)('asked for %s is refused', async (_what, proposer, code) => {
    const world = createWorld()
    expect(codeOf(await world.shell.acknowledgeTransport(proposer, OPEN_CHAT))).toBe(code)
  })

  it.each([
    ['before it', async () => createWorld({ tools: mailTools() }), 'grant_missing'],
    [
      'once it was taken back',
      async () => {
        const world = await acknowledged()
        await revoke(world)
        return world
      },
      'grant_missing',
    ],
    [
      'a year later',
      async () => {
        const world = await acknowledged()
        world.clock.now += BOTH_LINES_DAYS * DAY + 1
        return world
      },
      'grant_missing',
    ],
  ])(
    '%s nothing that the edge brings is taken, and nothing sensitive goes there',
    async (_what, make, code) => {
      const world = await make()
      world.sent.length = 0
      expect(await hear(world, 'check my email')).toBe(code)
      const task = taskOf(world, await world.say('hello'))
      const there = { ...task, sink: OPEN_CHAT, place: 'home' as const }
      expect(codeOf(await deliver(world.powers, there, payload('sensitive')))).not.toBe('yes')
      expect(world.sent.filter(({ sink }) => sink === OPEN_CHAT)).toEqual([])
    },
  )
})

describe('with the acknowledgement', () => {
  it('a task of the private line shows the owner there what the edge may not know', async () => {
    const world = await acknowledged()
    const task = taskOf(world, await hear(world, 'check my email'))
    expect(task).toMatchObject({ template: 'owner_private', place: 'home', sink: OPEN_CHAT })
    expect(saidThere(world)).toContain(SUBJECT)
    expect(world.sent.map(({ sink, label }) => [sink, label])).toEqual([[OPEN_CHAT, 'sensitive']])
  })

  it('words that the owner writes there keep the label of the edge, which received them', async () => {
    const world = await acknowledged()
    const task = taskOf(world, await hear(world, 'check my email'))
    const words = task.words === undefined ? null : await openTextOf(world.powers, task.words)
    expect(words?.ok === true && words.value.label.atoms.map(({ level }) => level)).toEqual(['internal'])
  })

  it('a message that is delivered twice is one task', async () => {
    const world = await acknowledged()
    const first = await hear(world, 'check my email')
    expect(await hear(world, 'check my email')).toBe(first)
    expect(world.sent).toHaveLength(1)
  })

  it.each<[string, string]>([
    ['public', 'yes'],
    ['internal', 'yes'],
    ['sensitive', 'yes'],
    ['regulated', 'write_down'],
    ['regulated:health', 'compartment_missing'],
    ['secret', 'secret_has_no_reader'],
  ])('%s: %s', async (label, code) => {
    const world = await acknowledged()
    const task = taskOf(world, await hear(world, 'hello'))
    world.sent.length = 0
    expect(codeOf(await deliver(world.powers, task, payload(label)))).toBe(code)
    expect(world.sent).toHaveLength(code === 'yes' ? 1 : 0)
  })

  it.each([
    ['another chat of the edge', 'sink:openline:owner'],
    ['a stranger', 'sink:telegram:66'],
    ['a group', 'sink:telegram:-7'],
    ['the edge itself', 'sink:place:edge'],
  ])('%s gets nothing more by it', async (_what, sink) => {
    const world = await acknowledged()
    const task = { ...taskOf(world, await hear(world, 'hello')), sink }
    world.sent.length = 0
    expect(codeOf(await deliver(world.powers, task, payload('sensitive')))).not.toBe('yes')
    expect(world.sent).toEqual([])
  })

  it('only answers of tasks of the private line, and notices, are sent there', async () => {
    const world = await acknowledged()
    const task = taskOf(world, await hear(world, 'hello'))
    expect(
      codeOf(await deliver(world.powers, { ...task, template: 'owner_open' }, payload('internal'))),
    ).toBe('place_not_cleared')
    const notice = { id: 'n', code: 'tool_degraded', sink: OPEN_CHAT, principal: OWNER_PRINCIPAL } as const
    expect(codeOf(await deliverNotice(world.powers, notice))).toBe('yes')
  })

  it('the answer of a running task is not sent once the acknowledgement is taken back', async () => {
    let world: World | null = null
    const tools = mailTools()
    const list = tools['email.list']
    const made = await acknowledged({
      tools: {
        'email.list': async (args) => {
          if (world !== null) await revoke(world)
          return list?.(args) ?? { ok: false, reason: { code: 'tool_unavailable', facts: {} } }
        },
      },
    })
    world = made
    await hear(made, 'check my email')
    expect(made.calls).toHaveLength(1)
    expect(saidThere(made)).not.toContain(SUBJECT)
  })

  it('a write is asked about at home, and a yes that comes by the edge does not count', async () => {
    const world = await acknowledged({
      // As home's sender does: no question is shown in a chat whose answers do not count.
      send: ({ sink, kind }) =>
        sink === OPEN_CHAT && kind === 'card'
          ? { ok: false, reason: { code: 'approval_place_too_low', facts: {} } }
          : { ok: true, value: true },
    })
    await hear(world, 'book "Checkup" tomorrow from 9:00 to 10:00')
    const card = world.sent.find(({ kind }) => kind === 'card')
    expect(card?.sink).toBe('sink:terminal:owner')
    const [waiting] = await world.ports.approvals.list(OWNER_PRINCIPAL)
    expect(waiting).toBeDefined()
    expect(world.calls.filter(({ tool }) => tool === 'calendar.create_event')).toEqual([])
    expect(await hear(world, 'yes', 'm2')).not.toBe('grant_missing')
    expect(world.calls.filter(({ tool }) => tool === 'calendar.create_event')).toEqual([])
  })

  it('an edited message takes back the card that its first version put at home, and agrees to none', async () => {
    const world = await acknowledged({
      send: ({ sink, kind }) =>
        sink === OPEN_CHAT && kind === 'card'
          ? { ok: false, reason: { code: 'approval_place_too_low', facts: {} } }
          : { ok: true, value: true },
    })
    const book = 'book "Checkup" tomorrow from 9:00 to 10:00'
    await hear(world, book, '7.31.aa')
    const [first] = await world.ports.approvals.list(OWNER_PRINCIPAL)
    await hear(world, book.replace('9:00', '8:00'), '7.31.bb', 'edited')
    const [second, ...others] = await world.ports.approvals.list(OWNER_PRINCIPAL)
    expect([second === undefined, second?.id === first?.id, others]).toEqual([false, false, []])
    const yes = { approval: first?.id ?? '', decision: 'approve', ...HOME } as const
    expect(codeOf(await world.shell.decide(yes))).toBe('approval_withdrawn')
    // By its number, in a message that is edited into a yes; typed anew, it is one like any from there.
    await hear(world, `yes ${second?.number}`, '7.32.cc', 'edited')
    expect(await world.ports.approvals.list(OWNER_PRINCIPAL)).toHaveLength(1)
    expect(world.calls.filter(({ tool }) => tool === 'calendar.create_event')).toEqual([])
  })

  it('nobody is asked there for a credential, and nothing that is typed there is taken for one', async () => {
    const given: string[] = []
    const world = await acknowledged({
      credentials: {
        lacking: new Set(['email']),
        refusal: () => null,
        give: async (_service, value) => {
          given.push(value)
          return { ok: true, value: 'stored' }
        },
      },
    })
    const task = taskOf(world, await hear(world, 'check my email'))
    expect([task.state.at, await world.ports.approvals.list(OWNER_PRINCIPAL)]).toEqual(['completed', []])
    await hear(world, '1//0abcdefghijklmnopqrstuvwxyz0123456789', 'm2')
    expect(given).toEqual([])
  })

  it.each(['connect google', '/connect google', 'connect slack'])(
    '"%s" is answered with where to say it',
    async (words) => {
      const none = { activating: () => null, isActive: () => false, has: () => false }
      const needs = [{ service: 'slack-app', title: 'Slack', where: 'A token.', shape: 'xapp-[-A-Z0-9]+' }]
      const world = await acknowledged({
        channels: {
          adapters: [{ name: 'slack', title: 'Slack', prove: 'Say this to', needs }],
          ...{ flow: CHANNEL_FLOW, home: none as never },
        },
        credentials: {
          lacking: new Set(['email']),
          refusal: () => null,
          give: async () => ({ ok: true, value: 'stored' }),
        },
      })
      await hear(world, words)
      expect(saidThere(world)).toBe(tell('credentials.only_at_home'))
    },
  )

  it('a one-time code that the edge brings is none', async () => {
    const world = await acknowledged()
    const ends = ['principal:telegram:peer:7', 'principal:slack:W1:C1:U1'] as const
    const started = await world.shell.identities.start({ ...HOME, message: 'j' }, ends)
    const code = started.ok ? (started.value.ends[0]?.say ?? '') : ''
    expect(code).not.toBe('')
    expect(await hear(world, code)).toBe('identity_code')
  })
})

function payload(label: string) {
  const [level, compartment] = label.split(':') as [Level, Compartment | undefined]
  const guard = parseLabel({
    atoms: [{ origin: 'tool:x', field: 'text', level, compartment: compartment ?? null }],
  })
  if (!guard.ok) throw new Error(label)
  const text: Labeled<string> = receive('words', { label: guard.value, taint: taintOf('raw', 'tool:x') })
  return { id: `d-${label}`, kind: 'answer', text, approval: null } as const
}

describe('at the edge', () => {
  const LINE = { sink: OPEN_CHAT, template: 'owner_private' }
  const OWNER_THERE = { adapter: 'telegram', user: '1001', chat: 'open', group: false }
  const edge = (more: Parameters<typeof createWorld>[0] = {}): World =>
    createWorld({
      ...{ place: 'edge', owner: ['telegram:1001'] },
      policy: (policy) => ({
        ...policy,
        sinks: [
          ...policy.sinks,
          {
            ...{ id: OPEN_CHAT, level: 'internal', compartments: [], place: 'edge' },
            ...{ principal: OWNER_PRINCIPAL, audience: 'sole' },
          },
        ],
      }),
      ...more,
    })
  const event = (over: Readonly<Record<string, unknown>> = {}): unknown => ({
    ...message('check my email', { id: 'm1', place: 'edge' }),
    source: OWNER_THERE,
    ...over,
  })
  const KEY = `ghp_${'a1B2c3D4'.repeat(4)}e5F6`
  const FILE = { kind: 'document', name: 'a.txt', mediaType: 'text/plain', size: 1, ref: 'f' }

  it.each<[string, Readonly<Record<string, unknown>>, boolean]>([
    ['his words in his chat', {}, true],
    ['with what he quoted', { quoted: ['x'] }, true],
    ['in another chat of his', { source: { ...OWNER_THERE, adapter: 'openline', user: 'local' } }, false],
    ['in a group', { source: { ...OWNER_THERE, chat: '-7', group: true } }, false],
    ['a stranger’s', { source: { ...OWNER_THERE, user: '66', chat: '66' } }, false],
    ['a stranger’s, by his chat’s name', { source: { ...OWNER_THERE, user: '66' } }, false],
    ['with a file', { attachments: [FILE] }, false],
    ['with a key that was pasted', { text: `it is ${KEY}` }, false],
    ['with a key in what he quoted', { quoted: [KEY] }, false],
    ['a word of pausing, which holds there at once', { text: '/Pause ' }, false],
    ['the end of a link, which does, too', { text: '/unlink telegram:7' }, false],
    ['no message', { kind: 'callback' }, false],
    ['no event', { id: '' }, false],
  ])('%s', (_what, over, goes) => {
    const said = messageForHome(edge().powers, event(over), LINE)
    expect(said !== null).toBe(goes)
    if (said !== null) expect(Object.keys(said).sort()).toEqual(['id', 'quoted', 'text'])
  })

  it('an edited message says so to home; answered there, it says no word of it', () => {
    const { powers } = edge()
    const edited = event({ id: '7.31.bb', edits: '7.31' })
    expect(messageForHome(powers, edited, LINE)).toMatchObject({ id: '7.31.bb', version: 'edited' })
    const version = versionThere(powers, edited, OPEN_CHAT)
    expect(version).toEqual({ principal: OWNER_PRINCIPAL, sink: OPEN_CHAT, event: '7.31.bb', edits: '7.31' })
    expect(version && answeredThere(version)).toEqual({
      id: '7.31.bb',
      text: '',
      quoted: [],
      version: 'elsewhere',
    })
    for (const over of [
      { id: '7.31.bb' },
      { id: '7.31.bb', edits: '7.31', source: { ...OWNER_THERE, user: '66', chat: '66' } },
      { id: '7.31.bb', edits: '7.31', source: { ...OWNER_THERE, adapter: 'openline', user: 'local' } },
    ])
      expect(versionThere(powers, event(over), OPEN_CHAT)).toBeNull()
  })

  it('what was taken there while home was away does not go home as well, delivered again', async () => {
    const world = edge()
    expect((await world.shell.receive(event(), OWNER_PRINCIPAL)).ok).toBe(true)
    expect(messageForHome(world.powers, event(), LINE)).toBeNull()
    expect(messageForHome(world.powers, event({ id: 'another' }), LINE)).not.toBeNull()
  })

  it('a message whose intent belongs to a narrower template of the edge is answered at the edge', () => {
    const narrow = {
      ...{ template_id: 'greets', triggers: ['adapter:telegram:*:owner'], principal_class: 'owner' },
      ...{ intents: ['greeting'], description: 'Greets', allowed_tools: [], denied_tools: [] },
      ...{ max_tool_calls: 1, max_tokens_plan: 100, max_tokens_synthesize: 100 },
      ...{ output_sinks: [OPEN_CHAT], data_ceiling: 'internal' },
    }
    const { powers } = edge({ templates: [narrow] })
    expect(messageForHome(powers, event({ text: 'hello' }), LINE)).toBeNull()
    expect(messageForHome(powers, event(), LINE)).not.toBeNull()
  })

  it.each([
    ['his own in another chat', 'openline', 'owner', { adapter: 'openline', user: 'local', chat: 'owner' }],
    ['a stranger’s', 'telegram', 'third_party', { adapter: 'telegram', user: '66', chat: '66' }],
    ['a stranger’s, by his chat’s name', 'telegram', 'third_party', { adapter: 'telegram', user: '66' }],
  ])('%s go nowhere, though a template there wanted home', (_what, adapter, who, source) => {
    const wants = {
      ...{ template_id: 'wants', triggers: [`adapter:${adapter}:message:${who}`], principal_class: who },
      ...{ description: 'Wants', allowed_tools: [], denied_tools: [], max_tool_calls: 1 },
      intents: ['email_check'],
      ...(who === 'third_party' && { planner_task_description: 'Wants' }),
      ...{ max_tokens_plan: 100, max_tokens_synthesize: 100, data_ceiling: 'sensitive' },
      output_sinks: adapter === 'openline' ? ['sink:openline:owner'] : ['reply_to_sender'],
    }
    const { powers } = edge({ templates: [wants] })
    expect(messageForHome(powers, event({ source: { ...OWNER_THERE, ...source } }), LINE)).toBeNull()
  })

  it('what home says there waits at home while the edge’s own deliveries to that chat wait', async () => {
    const world = edge()
    const row = { id: 'own', principal: OWNER_PRINCIPAL, sink: OPEN_CHAT }
    joinLine(world.powers, { row, asked: 0, bytes: 1, failed: null })
    const handed = { id: 'd1', kind: 'answer', text: 'later', label: 'public', sink: OPEN_CHAT } as const
    expect(codeOf(await deliverForwarded(world.powers, handed, 'owner_private'))).toBe('remote_unavailable')
    world.disk.store.dropWaiting('own')
    expect(codeOf(await deliverForwarded(world.powers, handed, 'owner_private'))).toBe('yes')
    expect(world.sent.map(({ text }) => text)).toEqual(['later'])
  })

  it.each<[string, string]>([
    ['public', 'yes'],
    ['internal', 'yes'],
    ['sensitive', 'yes'],
    ['regulated', 'write_down'],
    ['regulated:health', 'secret_has_no_reader'],
    ['secret', 'secret_has_no_reader'],
    ['nothing that is one', 'secret_has_no_reader'],
  ])('what home calls %s: %s; and it is kept nowhere', async (label, code) => {
    const world = edge()
    const handed = { id: 'd1', kind: 'answer', text: 'the canary sings', label, sink: OPEN_CHAT } as const
    expect(codeOf(await deliverForwarded(world.powers, handed, 'owner_private'))).toBe(code)
    expect(world.sent.map(({ text }) => text)).toEqual(code === 'yes' ? ['the canary sings'] : [])
    expect(JSON.stringify(world.audited)).not.toContain('canary')
    expect(world.disk.store.lastDelivery('d1')).toBeNull()
    // For its own tasks the chat is what it was.
    expect(world.powers.policy().sinks.find(({ id }) => id === OPEN_CHAT)?.level).toBe('internal')
  })
})
