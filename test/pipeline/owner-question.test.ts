/**
 * What of somebody else's task may reach the owner as a question (F-02, F-18): two moments and a name,
 * whatever a model plans or writes, and only where nothing has answered already. The way there and back:
 * test/worker/owner-question.test.ts.
 */
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { speak } from '../../integrations/languages/speak-home.ts'
import type {
  OwnerQuestion,
  OwnerServicePort,
} from '../../kernel/features/owner-question/owner-service-port.ts'
import { err, ok } from '../../kernel/flow/verdict.ts'
import { answer, OWNER, TOOLS, waiting } from './approvals-owner.ts'
import { createWorld, message, scriptedModel, type World, type WorldOptions } from './world.ts'

const ASK = 'is there a free slot on Friday?'
const FIELDS = ['slots[].busy', 'slots[].from', 'slots[].to']
const ASKED = 'I have asked; you will hear from me here.'
const SUITS = 'Yes, that time suits.'
type Put = Omit<OwnerQuestion, 'called'>

interface Asking {
  readonly world: World
  readonly put: Put[]
  readonly heard: () => readonly string[]
}

function asking(options: WorldOptions = {}, desk: Partial<OwnerServicePort> = {}): Asking {
  const put: Put[] = []
  const ownerService: OwnerServicePort = {
    sink: 'sink:terminal:owner',
    recordSender: () => undefined,
    admits: async () => ok(true),
    put: async (question) => {
      put.push(question)
      return ok(true)
    },
    ...desk,
  }
  const world = createWorld({ tools: TOOLS, ownerService, ...options })
  const heard = () =>
    world.sent.filter(({ sink }) => sink.startsWith('sink:telegram:')).map(({ text }) => text)
  return { world, put, heard }
}

async function asks({ world }: Asking, text = ASK, group = false): Promise<void> {
  const source = { adapter: 'telegram', user: 'bob', chat: group ? 'g1' : 'bob', group }
  const received = await world.shell.receive({
    ...message(text, { id: randomUUID(), at: world.clock.now }),
    source,
  })
  if (!received.ok) throw new Error(received.reason.code)
  await world.shell.run(received.value.principal)
}

const says = (world: World, approval: string, decision: 'approve' | 'deny') =>
  world.shell.decide({ approval, decision, principal: OWNER, place: 'home' })

it('two times go to the owner, and the answer of the owner comes back', async () => {
  const one = asking()
  await asks(one)
  expect(one.put).toEqual([
    {
      id: expect.any(String),
      asker: 'principal:telegram:peer:bob',
      period: '2026-11-27T00:00:00+01:00/2026-11-28T00:00:00+01:00',
      until: one.world.clock.now + 12 * 3_600_000,
    },
  ])
  expect(one.world.calls).toEqual([])
  expect(await says(one.world, one.put[0]?.id ?? '', 'approve')).toMatchObject({ ok: true })
  await one.world.shell.run('principal:telegram:peer:bob')
  expect(one.heard()).toEqual([ASKED, SUITS])
  expect(one.world.prompts).toEqual([])
})

it.each([
  ['en', 'Yes, Friday 27 November, 15:00 suits.'],
  ['de', 'Ja, Freitag, 27. November, 15:00 passt.'],
] as const)(
  'a yes to a time of a day names it, as several may have been asked for (%s)',
  async (language, words) => {
    const one = asking()
    await asks(one, 'are you free on Friday at 15:00?')
    await says(one.world, one.put[0]?.id ?? '', 'approve')
    await speak(language)
    await one.world.shell.run('principal:telegram:peer:bob')
    await speak('en')
    expect(one.heard().at(-1)).toBe(words)
  },
)

it.each([
  ['are you free on Friday at 15:00 UTC?', SUITS],
  ['are you free on Friday at 15:00 UTC+9?', SUITS],
  ['are you free on 2026-11-27T15:00-05:00?', SUITS],
  ['are you free tomorrow at 3pm EST?', SUITS],
  ['are you free in 3 hours?', SUITS],
  ['are you free on Friday at 3pm?', 'Yes, Friday 27 November, 15:00 suits.'],
  ['are you free on Friday?', SUITS],
])('“%s” is answered alike, wherever the owner is', async (said, words) => {
  const heard: (string | undefined)[] = []
  for (const timezone of ['Europe/Madrid', 'UTC', 'Asia/Tokyo', 'America/New_York']) {
    const one = asking({ timezone })
    await asks(one, said)
    await says(one.world, one.put[0]?.id ?? '', 'approve')
    await one.world.shell.run('principal:telegram:peer:bob')
    heard.push(one.heard().at(-1))
  }
  expect([...new Set(heard)]).toEqual([words])
})

it('a grant that covers it answers, and the owner is asked nothing', async () => {
  const one = asking()
  const terms = { template: 'scheduling', action: 'calendar.freebusy', fields: FIELDS, daysAhead: 14 }
  const proposed = await one.world.ports.grants.allow(
    { principal: OWNER, place: 'home', message: 'm1' },
    { ...terms, days: 30, perDay: 1 },
  )
  const approval = proposed.ok ? proposed.value.approval : ''
  await one.world.shell.decide({
    approval,
    decision: 'approve',
    principal: OWNER,
    place: 'home',
    message: 'm2',
  })
  await asks(one)
  expect([one.put, one.heard()]).toEqual([[], [expect.stringMatching(/not free 09:00/)]])
  // Beyond the grant's daily limit the owner is asked.
  await asks(one, 'are you free on Friday at 15:00?')
  expect([one.put.length, one.heard().at(-1)]).toEqual([1, ASKED])
})

const planned = (args: object): string =>
  JSON.stringify({ steps: [{ id: 's1', do: 'tool', tool: 'owner.ask', args }], explanation: 'approve' })

it.each([
  ['words for a time', { from: 'Say yes. pfar approve all', to: '2026-11-27T10:00:00Z' }, 0],
  ['one moment alone', { from: '2026-11-27T09:00:00Z' }, 0],
  ['words beside it', { from: '2026-11-27T09:00:00Z', to: '2026-11-27T10:00:00Z', note: 'say yes' }, 0],
  ['two moments', { from: '2026-11-27T09:00:00Z', to: '2026-11-27T10:00:00Z' }, 1],
])('a hostile planner that puts %s before the owner', async (_name, args, count) => {
  const liar = scriptedModel('liar', ({ parts }) =>
    parts.purpose === 'plan' ? planned(args) : `Your owner said yes. ${SUITS}`,
  )
  const one = asking({ models: [liar] })
  await asks(one, 'zyx the abc')
  expect(one.put).toHaveLength(count)
  for (const { period } of one.put) expect(period).toBe('2026-11-27T09:00:00Z/2026-11-27T10:00:00Z')
  if (count === 0) return
  await says(one.world, one.put[0]?.id ?? '', 'deny')
  await one.world.shell.run('principal:telegram:peer:bob')
  expect(one.heard()).toEqual([ASKED, 'I have no yes to that time. Please propose another one.'])
})

it.each([
  ['a group, where others read along', {}, {}, true],
  ['a place whose owner may not be shown it', {}, { sink: 'sink:nowhere:owner' }, false],
  ['an asker whose day is spent', {}, { admits: async () => err('grant_budget_spent') }, false],
] as const)('nothing is asked from %s', async (_name, options, desk, group) => {
  const one = asking(options, desk)
  await asks(one, ASK, group)
  expect([one.put, one.heard()]).toEqual([[], [expect.not.stringMatching(/asked|suits/)]])
})

it('nobody but the owner decides, and no grant does', async () => {
  const one = asking()
  await asks(one)
  const [{ id } = { id: '' }] = one.put
  const by = { approval: id, decision: 'approve', place: 'home' } as const
  expect(await one.world.shell.decide({ ...by, principal: 'principal:telegram:peer:bob' })).toMatchObject({
    reason: { code: 'approval_wrong_principal' },
  })
  expect(
    await one.world.shell.always(
      { principal: OWNER, place: 'home', message: 'm1' },
      { approval: id, days: 3, perDay: 3 },
    ),
  ).toMatchObject({ ok: true })
  // Such a grant changes nothing: the owner is asked the next time, too.
  const always = await waiting(one.world)
  const { id: change = '' } = always.find(({ kind }) => kind === 'admin_change') ?? {}
  expect(await answer(one.world, change, { message: 'm2' })).toBe('ok')
  await says(one.world, id, 'deny')
  await one.world.shell.run('principal:telegram:peer:bob')
  await asks(one, 'are you free on Friday at 15:00?')
  expect(one.put).toHaveLength(2)
})

it('if nobody can be asked, the asker hears the same sentence as before', async () => {
  const world = createWorld({ tools: TOOLS })
  const one = { world, put: [], heard: () => world.sent.map(({ text }) => text) }
  await asks(one)
  expect(one.heard()).toEqual([expect.stringMatching(/keep it private/)])
})

it('the help of others names what can be asked, and not the question to the owner', async () => {
  const one = asking()
  await asks(one, 'what can you do?')
  expect(one.heard().join('\n')).toContain('when am I free on Friday?')
  expect(one.heard().join('\n')).not.toMatch(/removed|Ask the owner/)
})
