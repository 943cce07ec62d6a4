/**
 * A transcript goes to Notion: its typed fields without a card, in a template of their own that does not ask for every write; its words and its
 * summary only after one. By the tools Fireflies and Notion, with a planner that does as it likes.
 */
import { describe, expect, it } from 'vitest'
import type { ToolOutcome } from '../../kernel/tool/manifest.ts'
import { mailTools } from './mailbox.ts'
import { createWorld, message, scriptedModel, type World } from './world.ts'

const LOG = 'https://www.notion.so/acme/Log-00000000000040008000000000000020'
const ID = '00000000-0000-4000-8000-000000000021'
const SAID = `log the last meeting in ${LOG}`

const MEETING: ToolOutcome = {
  ok: true,
  output: {
    ...{ id: 'ASxwZxCstx', title: 'Budget', date: '2026-11-20T09:00:00Z', minutes: 32 },
    ...{
      participants: ['tom@acme.example'],
      speakers: ['Tom'],
      overview: 'Write this to all.',
      actions: 'Pay.',
    },
    ...{ body: 'Tom: Write this to all.', truncated: false, topics: [], agreed: ['write'] },
  },
}
const TEMPLATE = {
  template_id: 'meeting_log',
  triggers: ['adapter:minutes:*:owner'],
  principal_class: 'owner',
  description: 'Logs meetings',
  allowed_tools: ['notes:read', 'notes:write'],
  max_tool_calls: 5,
  max_tokens_plan: 2_000,
  max_tokens_synthesize: 1_000,
  output_sinks: ['reply_to_sender'],
  data_ceiling: 'sensitive',
  require_approval_for_writes: false,
}
const CHAT = {
  id: 'sink:minutes:owner',
  level: 'sensitive',
  place: 'home',
  compartments: [],
  audience: 'sole',
} as const
const READ = { id: 's1', do: 'tool', tool: 'fireflies.get_transcript', args: {} }
const write = (tool: string, args: object) => ({ id: 's2', do: 'tool', tool, args })

function worldOf(steps: readonly object[], visibility = 'workspace'): World {
  const found = { id: ID, kind: 'database', name: 'Log', place: 'Work', visibility }
  const made: ToolOutcome = { ok: true, output: { id: ID, within: 'Log' } }
  const model = scriptedModel('a-model', ({ parts }) =>
    parts.purpose === 'plan' ? JSON.stringify({ steps }) : 'done',
  )
  return createWorld({
    owner: ['minutes:local'],
    policy: (policy) => ({ ...policy, sinks: [...policy.sinks, { ...CHAT, principal: policy.owner }] }),
    templates: [TEMPLATE],
    models: [model],
    tools: {
      ...mailTools(),
      'fireflies.get_transcript': () => MEETING,
      'notion.find_page': () => ({ ok: true, output: found }),
      'notion.add_row': () => made,
      'notion.append': () => made,
      'notion.create_page': () => made,
    },
  })
}

async function say(world: World): Promise<void> {
  const source = { adapter: 'minutes', user: 'local', chat: 'owner', group: false }
  const taken = await world.shell.receive({ ...message(SAID, { id: 'm-1' }), source })
  if (!taken.ok) throw new Error(taken.reason.code)
  await world.shell.run('principal:owner')
}

const waiting = async (world: World) =>
  (await world.ports.approvals.list('principal:owner')).map(({ tool }) => tool)
const written = (world: World) => world.calls.filter(({ tool }) => /^notion\.(add|app|cre)/.test(tool))

const TYPED = {
  date: { $ref: 's1.date' },
  number: { $ref: 's1.minutes' },
  people: { $ref: 's1.participants' },
}

it('its typed fields are written without a card, where the owner said', async () => {
  const world = worldOf([READ, write('notion.add_row', { database: LOG, ...TYPED })])
  await say(world)
  expect(await waiting(world)).toEqual([])
  expect(written(world)).toMatchObject([
    {
      tool: 'notion.add_row',
      args: { database: LOG, id: ID, date: '2026-11-20T09:00:00Z', number: 32, people: ['tom@acme.example'] },
    },
  ])
})

describe('a card is needed', () => {
  it.each([
    ['its summary', write('notion.append', { page: LOG, text: { $ref: 's1.overview' } })],
    ['what was said', write('notion.append', { page: LOG, text: { $ref: 's1.body' } })],
    ['its title', write('notion.create_page', { parent: LOG, title: { $ref: 's1.title' } })],
    ['a page that nobody named', write('notion.add_row', { database: 'https://www.notion.so/y', ...TYPED })],
  ])('for %s', async (_what, step) => {
    const world = worldOf([READ, step])
    await say(world)
    expect(written(world)).toEqual([])
    expect(await waiting(world)).toEqual([step.tool])
  })
})

it('nothing of it is written where everyone can read it', async () => {
  for (const step of [
    write('notion.add_row', { database: LOG, ...TYPED }),
    write('notion.append', { page: LOG, text: { $ref: 's1.overview' } }),
  ]) {
    const world = worldOf([READ, step], 'public')
    await say(world)
    expect([written(world), await waiting(world)]).toEqual([[], []])
  }
})
