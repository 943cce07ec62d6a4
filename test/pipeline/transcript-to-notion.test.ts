/**
 * A transcript goes to Notion in the shipped template for it: its typed fields without a card, once the owner has said so; its words and its
 * summary only after one. By the tools Fireflies and Notion, with rules and with a planner that does as it likes.
 */
import { describe, expect, it } from 'vitest'
import type { ToolOutcome } from '../../kernel/tool/manifest.ts'
import { mailTools } from './mailbox.ts'
import { createWorld, scriptedModel, type World } from './world.ts'

const LOG = 'https://www.notion.so/acme/Log-00000000000040008000000000000020'
const ID = '00000000-0000-4000-8000-000000000021'
const SAID = `log whatever came out of the last meeting under ${LOG}, roughly`

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
    ...{ body: 'Tom: Write this to all.', truncated: false, topics: ['budget'], agreed: ['write'] },
  },
}
const READ = { id: 's1', do: 'tool', tool: 'fireflies.get_transcript', args: {} }
const write = (tool: string, args: object) => ({ id: 's2', do: 'tool', tool, args })

function worldOf(steps: readonly object[], visibility = 'workspace'): World {
  const found = { id: ID, kind: 'database', name: 'Log', place: 'Work', visibility }
  const made: ToolOutcome = { ok: true, output: { id: ID, within: 'Log' } }
  const model = scriptedModel('a-model', ({ parts }) =>
    parts.purpose === 'plan' ? JSON.stringify({ steps }) : 'done',
  )
  return createWorld({
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

const BY = { principal: 'principal:owner', place: 'home' } as const

/** The owner's yes to the card of it. */
async function allow({ ports, shell }: World): Promise<void> {
  const asked = await ports.unasked.allow({ ...BY, message: 'ask' }, null)
  if (!asked.ok) throw new Error(asked.reason.code)
  const { approval } = asked.value
  const decided = await shell.decide({ ...BY, approval, decision: 'approve', message: 'yes' })
  if (!decided.ok) throw new Error(decided.reason.code)
}

async function allowedWorld(...given: Parameters<typeof worldOf>): Promise<World> {
  const world = worldOf(...given)
  await allow(world)
  return world
}

const waiting = async (world: World) =>
  (await world.ports.approvals.list('principal:owner')).map(({ tool }) => tool)
const written = (world: World) => world.calls.filter(({ tool }) => /^notion\.(add|app|cre)/.test(tool))

const TYPED = {
  date: { $ref: 's1.date' },
  number: { $ref: 's1.minutes' },
  people: { $ref: 's1.participants' },
  topics: { $ref: 's1.topics' },
  agreed: { $ref: 's1.agreed' },
}
const ROW = [READ, write('notion.add_row', { database: LOG, ...TYPED })]
const WRITTEN = {
  tool: 'notion.add_row',
  args: {
    ...{ database: LOG, id: ID, date: '2026-11-20T09:00:00Z', number: 32, people: ['tom@acme.example'] },
    ...{ topics: ['budget'], agreed: ['write'] },
  },
}

describe('its typed fields', () => {
  it('are written without a card where the owner said, once that was allowed', async () => {
    const world = await allowedWorld(ROW)
    await world.say(SAID)
    expect(await waiting(world)).toEqual([])
    expect(written(world)).toMatchObject([WRITTEN])
  })

  it('need no model: the words for it are known', async () => {
    const world = await allowedWorld([])
    await world.say(`log my last meeting in ${LOG}`)
    expect(await waiting(world)).toEqual([])
    expect(written(world)).toMatchObject([WRITTEN])
  })

  it('ask until it is allowed, and again from when it is taken back', async () => {
    const before = worldOf(ROW)
    await before.say(SAID)
    expect([written(before), await waiting(before)]).toEqual([[], ['notion.add_row']])
    const after = await allowedWorld(ROW)
    expect((await after.ports.unasked.withdraw(BY.principal, null)).ok).toBe(true)
    await after.say(SAID)
    expect([written(after), await waiting(after)]).toEqual([[], ['notion.add_row']])
  })

  it('ask when as many were written that day as the card said', async () => {
    const world = await allowedWorld(ROW)
    for (let day = 0; day < 20; day += 1) await world.say(`${SAID} ${day}`)
    expect(written(world)).toHaveLength(20)
    await world.say(`${SAID} more`)
    expect([written(world).length, await waiting(world)]).toEqual([20, ['notion.add_row']])
  })

  it('ask in every other template, whatever was allowed for this one', async () => {
    const world = await allowedWorld(ROW)
    await world.say(`have a look at what Tom said and make the best of it for ${LOG}`)
    expect([written(world), await waiting(world)]).toEqual([[], ['notion.add_row']])
  })
})

it('nobody but the owner, and nothing but a yes, allows it', async () => {
  const world = worldOf(ROW)
  const by = { principal: 'principal:telegram:peer:9', place: 'home', message: 'ask' } as const
  expect(await world.ports.unasked.allow(by, null)).toMatchObject({
    reason: { code: 'approval_wrong_principal' },
  })
  expect(await world.ports.unasked.allow({ ...BY, message: 'ask' }, 'owner_private')).toMatchObject({
    reason: { code: 'template_none_matches' },
  })
  expect((await world.ports.unasked.allow({ ...BY, message: 'ask' }, 'meeting_log')).ok).toBe(true)
  expect(world.heard()).toContain('notion.add_row')
  await world.say(SAID)
  expect(written(world)).toEqual([])
})

describe('a card is needed, whatever was allowed,', () => {
  it.each([
    ['its summary', write('notion.append', { page: LOG, text: { $ref: 's1.overview' } })],
    ['what was said', write('notion.append', { page: LOG, text: { $ref: 's1.body' } })],
    ['its title', write('notion.create_page', { parent: LOG, title: { $ref: 's1.title' } })],
    ['words of the owner', write('notion.append', { page: LOG, text: 'roughly' })],
    ['a page that nobody named', write('notion.add_row', { database: 'https://www.notion.so/y', ...TYPED })],
  ])('for %s', async (_what, step) => {
    const world = await allowedWorld([READ, step])
    await world.say(SAID)
    expect(written(world)).toEqual([])
    expect(await waiting(world)).toEqual([step.tool])
  })

  it('for its summary beside its typed fields, which are written', async () => {
    const world = await allowedWorld([])
    await world.say(`log my last meeting in ${LOG} with its summary`)
    expect(written(world)).toMatchObject([WRITTEN])
    expect(await waiting(world)).toEqual(['notion.append'])
    expect(world.heard()).toContain('Write this to all.')
  })
})

it('nothing of it is written where everyone can read it', async () => {
  for (const step of [
    write('notion.add_row', { database: LOG, ...TYPED }),
    write('notion.append', { page: LOG, text: { $ref: 's1.overview' } }),
  ]) {
    const world = await allowedWorld([READ, step], 'public')
    await world.say(SAID)
    expect([written(world), await waiting(world)]).toEqual([[], []])
  }
})
