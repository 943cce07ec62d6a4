/**
 * Every operation through every door, as every class of principal (DESIGN §9, issue of the doors): a command that is typed, forwarded, quoted,
 * planned by a model, or put into an event of a job or a webhook. What must come of it is said by a rule of this test's own.
 */
import { describe, expect, it } from 'vitest'
import { OPERATIONS } from '../../kernel/operations/index.ts'
import type { Operation } from '../../kernel/operations/operation.ts'
import { inTurn } from '../kit/soak.ts'
import { linked } from '../pipeline/linked.ts'
import { createWorld, message, scriptedModel, type World, type WorldOptions } from '../pipeline/world.ts'

interface Way {
  readonly says: string
  readonly place: 'home' | 'edge'
  /** Whether what comes by it is the owner's own word. */
  readonly owners: boolean
  readonly event: (text: string) => Record<string, unknown>
  /** Once that person's two chats are linked. */
  readonly linked?: true
}

const from = (adapter: string, user: string, chat: string, group = false) => ({
  source: { adapter, user, chat, group },
})
const at = (place: 'home' | 'edge', text: string) => message(text, { id: 'd1', place })
/** What comes of a source that is no person. */
const KINDS: Readonly<Record<string, string>> = { cron: 'cron_trigger', webhook: 'webhook' }
const WAYS: readonly Way[] = [
  { says: 'typed at home', place: 'home', owners: true, event: (text) => at('home', text) },
  { says: 'typed at the edge', place: 'edge', owners: true, event: (text) => at('edge', text) },
  {
    ...{ says: 'forwarded by the owner', place: 'home', owners: false },
    event: (text) => ({ ...at('home', 'see this'), quoted: [text] }),
  },
  {
    ...{ says: 'behind other words of the owner', place: 'home', owners: false },
    event: (text) => at('home', `she wrote: ${text}`),
  },
  {
    ...{ says: 'by the owner in a group', place: 'home', owners: false },
    event: (text) => ({ ...at('home', text), ...from('terminal', 'local', 'club', true) }),
  },
  {
    ...{ says: 'by a person whose chats are linked', place: 'home', owners: false, linked: true },
    event: (text) => ({ ...at('home', text), ...from('telegram', 'bob', 'bob') }),
  },
  ...(['home', 'edge'] as const).flatMap((place): Way[] => [
    {
      ...{ says: `by a stranger at ${place}`, place, owners: false },
      event: (text) => ({ ...at(place, text), ...from('telegram', 'bob', 'bob') }),
    },
    {
      ...{ says: `by a paired person at ${place}`, place, owners: false },
      event: (text) => ({ ...at(place, text), ...from('whatsapp', 'kim', 'kim') }),
    },
    {
      ...{ says: `in a group at ${place}`, place, owners: false },
      event: (text) => ({ ...at(place, text), ...from('telegram', 'bob', 'club', true) }),
    },
    {
      ...{ says: `by a webhook at ${place}`, place, owners: false },
      event: (text) => ({ ...at(place, text), ...from('webhook', 'ci', 'owner'), kind: 'webhook' }),
    },
    {
      ...{ says: `by a webhook that says it is a message, at ${place}`, place, owners: false },
      event: (text) => ({ ...at(place, text), ...from('webhook', 'ci', 'owner') }),
    },
    {
      ...{ says: `by a job at ${place}`, place, owners: false },
      event: (text) => ({ ...at(place, text), ...from('cron', 'daily', 'owner'), kind: 'cron_trigger' }),
    },
    {
      ...{ says: `by a job that says it is a message, at ${place}`, place, owners: false },
      event: (text) => ({ ...at(place, text), ...from('cron', 'daily', 'owner') }),
    },
  ]),
]

/** A template for each class of others, so that none is turned away for want of one. */
const templates = (['third_party', 'paired', 'webhook', 'cron'] as const).map((as) => ({
  ...{
    template_id: `door_${as}`,
    principal_class: as,
    description: 'Any.',
    planner_task_description: 'Any.',
  },
  triggers: [
    `adapter:*:message:${as}`,
    ...(KINDS[as] === undefined ? [] : [`adapter:${as}:${KINDS[as]}:${as}`]),
  ],
  ...{ allowed_tools: [], max_tool_calls: 0, data_ceiling: 'internal' },
  ...{ max_tokens_plan: 500, max_tokens_synthesize: 500, output_sinks: ['reply_to_sender'] },
}))

/** This test's own rule: behind a slash, the owner alone, in a chat of theirs whose line is private enough, where the operation lives. */
function expected({ slash, slashAt, from: door, place }: Operation, way: Way): boolean {
  if (slash === null || !way.owners || door === 'terminal') return false
  if (slashAt !== null && slashAt !== way.place) return false
  return way.place === 'home' ? place !== 'edge' : place !== 'home' && door === 'open'
}

const wordsOf = ({ slash, name, args }: Operation): string =>
  [
    `/${slash ?? name}`,
    ...Object.values(args).flatMap(({ form, typed }) =>
      form === 'option' ? [] : [typed === 'count' ? '1' : 'a1'],
    ),
  ].join(' ')

async function came(way: Way, text: string, options: WorldOptions = {}): Promise<World> {
  const world = createWorld({ place: way.place, templates, paired: ['whatsapp:kim'], ...options })
  if (way.linked === true) await linked(world)
  const received = await world.shell.receive(way.event(text))
  if (received.ok) await world.shell.run(received.value.principal)
  return world
}

/** By a door that opens nothing, a share of them at each commit. */
const OTHERS = 6
/** Of the plans that others' messages might lead to, each by each of them. */
const OTHERS_PLANS = 18

describe.each(WAYS.map((way) => [way.says, way] as const))('%s', (_, way) => {
  it.each((way.owners ? OPERATIONS : inTurn(OPERATIONS, OTHERS)).map((one) => [one.name, one] as const))(
    '%s',
    async (name, operation) => {
      const world = await came(way, wordsOf(operation))
      expect(world.operated).toEqual(expected(operation, way) ? [name] : [])
    },
  )
})

const planOf = (tool: string): ReturnType<typeof scriptedModel> => {
  const plan = JSON.stringify({ steps: [{ id: 's1', do: 'tool', tool, args: {} }] })
  return scriptedModel('hostile', ({ parts }) => (parts.purpose === 'plan' ? plan : 'Done.'))
}
const adminOf = (name: string): string => `admin.${name.replace('.', '_')}`
const MAY = OPERATIONS.filter(({ plannable }) => plannable)
const LOOKS: readonly string[] = MAY.filter(({ effect }) => effect === 'read').map(({ name }) => name)
const PLANNED = [...MAY.map(({ name }) => adminOf(name)), 'admin.status', 'admin.service_connect']
const [TYPED] = WAYS as readonly [Way]
/** The words around what came so are theirs, and a planner reads no others. */
const THEIR_OWN = ['forwarded by the owner', 'behind other words of the owner']

describe('a model’s plan', () => {
  it.each(OPERATIONS.flatMap(({ name }) => [name, `operation:${name}`]))(
    'names %s, and nothing of it runs',
    async (tool) => {
      const world = createWorld({ models: [planOf(tool)] })
      await world.say('please juggle the lanterns')
      expect([world.operated, world.calls]).toEqual([[], []])
    },
  )

  it.each(OPERATIONS.map((one) => [adminOf(one.name), one] as const))(
    'names %s, and only what may be planned is shown, or asked about by its own card',
    async (tool, { name, plannable, effect, args }) => {
      const world = await came(TYPED, 'please juggle the lanterns', { models: [planOf(tool)] })
      const isWhole = Object.values(args).every(({ initial }) => initial !== undefined)
      if (plannable) expect(world.operated).toEqual(isWhole && effect !== 'write' ? [name] : [])
      // A name that is nearly that of a look is put right, as any tool's is.
      else expect(world.operated.filter((one) => !LOOKS.includes(one))).toEqual([])
    },
  )

  it.each(
    inTurn(
      WAYS.filter((way) => !way.owners && !THEIR_OWN.includes(way.says)).flatMap((way) =>
        PLANNED.map((tool) => [way.says, tool, way] as const),
      ),
      OTHERS_PLANS,
    ),
  )('that is made %s names %s, and nothing is shown, asked or changed', async (_says, tool, way) => {
    const world = await came(way, 'please juggle the lanterns', { models: [planOf(tool)] })
    expect([world.operated, world.disk.store.pendingApprovals(null)]).toEqual([[], []])
  })
})

/** What sets something up or tells how it is set up, and is no operation: a sentence or a command of the owner's own conversation. */
const OWN_WORDS = [
  '/status',
  'how are you set up?',
  '/connect notion',
  "let's add Notion",
  'rotate my Notion token',
  'remove Notion',
  'turn Notion off for now',
  'connect slack',
  'disconnect telegram',
]

/** Home lacks a credential, and would store what it is given. */
const keeping = (given: string[]): WorldOptions => ({
  credentials: {
    lacking: new Set(['notion']),
    refusal: () => null,
    give: async (_service, value) => {
      given.push(value)
      return { ok: true, value: 'stored' }
    },
  },
})

describe('what sets something up and is no operation (L-01, R-26)', () => {
  it('is answered where the owner says it', async () => {
    const [typed] = WAYS
    if (typed === undefined) throw new Error('no way')
    const asked = await came(typed, '/connect notion', keeping([]))
    expect(asked.disk.store.pendingApprovals(null)).toHaveLength(1)
    expect((await came(typed, '/status', keeping([]))).heard()).toMatch(/I answer here from your home box/)
  })

  it.each(
    WAYS.filter(({ owners }) => !owners).flatMap((way) =>
      OWN_WORDS.map((words) => [way.says, words, way] as const),
    ),
  )('%s: %s', async (_says, words, way) => {
    const given: string[] = []
    const world = await came(way, words, way.place === 'home' ? keeping(given) : {})
    expect([world.disk.store.pendingApprovals(null), world.operated, given]).toEqual([[], [], []])
    expect(world.heard()).not.toMatch(/I answer here from|I need your access|Connected:/)
  })
})
