/** References to lists (DESIGN §10): all of a list where a list is taken, and what fits no declaration goes back to the planner. */
import { describe, expect, it } from 'vitest'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import { CANARY, calendarTools, EMAILS, mailTools } from './mailbox.ts'
import { createWorld, type ScriptedTool, scriptedModel, type World } from './world.ts'

const LIST = { id: 's1', do: 'tool', tool: 'email.list', args: [] }
const ALL = {
  ...{ id: 's2', do: 'select', from: 's1.emails', take: 'all' },
  where: { field: 'unread', equals: true },
}
const FIRST = { ...ALL, take: 'first' }
const READ_ALL = {
  ...{ id: 's2', do: 'forEach', in: 's1.emails', max: 5, tool: 'email.read' },
  args: [{ name: 'id', ref: 'item.id' }],
}
const remove = (id: string, ids: object): object => ({
  ...{ id, do: 'tool', tool: 'email.delete' },
  args: [{ name: 'ids', ...ids }],
})

function worldOf(plans: readonly (readonly object[])[], emails: readonly object[] = EMAILS): World {
  let round = 0
  const model = scriptedModel('a-model', ({ parts }) =>
    parts.purpose === 'plan' ? JSON.stringify({ steps: plans[round++] ?? [] }) : 'done',
  )
  const deleted: ScriptedTool = ({ ids }) => ({
    ok: true,
    output: { emails: [], changed: (ids as string[]).length, gone: 0 },
  })
  const list: ScriptedTool = () => ({ ok: true, output: { emails, more: false } })
  const tools = { ...mailTools(), ...calendarTools(), 'email.delete': deleted, 'email.list': list }
  return createWorld({ tools, models: [model] })
}

async function agree(world: World): Promise<void> {
  const [card] = world.disk.store.pendingApprovals(OWNER_PRINCIPAL)
  const approval = card?.approval.id ?? ''
  const yes = { approval, decision: 'approve', principal: OWNER_PRINCIPAL, place: 'home' } as const
  expect(await world.shell.decide(yes)).toMatchObject({ ok: true })
  await world.shell.run(OWNER_PRINCIPAL)
}

describe('a list argument', () => {
  it.each<[string, readonly object[]]>([
    ['a field of all items', [LIST, remove('s2', { ref: 's1.emails.id' })]],
    ['the same within a list', [LIST, remove('s2', { list: [{ ref: 's1.emails.id' }] })]],
    ['one by one', [LIST, remove('s2', { list: [{ ref: 's1.emails[0].id' }, { ref: 's1.emails[1].id' }] })]],
    ['a selection', [LIST, ALL, remove('s3', { ref: 's2.id' })]],
    ['a selection within a list', [LIST, ALL, remove('s3', { list: [{ ref: 's2.id' }] })]],
    ['results of a list', [LIST, READ_ALL, remove('s3', { list: [{ ref: 's2.id' }] })]],
  ])('takes %s, on one card that shows each', async (_what, plan) => {
    const world = worldOf([plan])
    await world.say('please do the unusual thing')
    const card = world.heard()
    expect(card).toContain('May I do this?')
    expect(card).toContain('Q3 budget')
    expect(card).toContain(CANARY)
    await agree(world)
    expect(world.calls.at(-1)).toEqual({ tool: 'email.delete', args: { ids: ['m1', 'm2'] } })
  })

  it('takes one value as a list of one', async () => {
    const world = worldOf([[LIST, FIRST, remove('s3', { ref: 's2.id' })]])
    await world.say('please do the unusual thing')
    await agree(world)
    expect(world.calls.at(-1)).toEqual({ tool: 'email.delete', args: { ids: ['m1'] } })
  })

  it('of an empty list says that nothing was found', async () => {
    const world = worldOf([[LIST, remove('s2', { ref: 's1.emails.id' })]], [])
    const { task } = (await world.shell.report(await world.say('please do the unusual thing'))) ?? {}
    expect(task?.trouble).toBe('nothing_found')
    expect(world.calls.map(({ tool }) => tool)).toEqual(['email.list'])
  })

  it('keeps label and taint of the fields: what others wrote still asks', async () => {
    const save = {
      ...{ id: 's2', do: 'tool', tool: 'memory.save' },
      args: [{ name: 'text', ref: 's1.emails[0].snippet' }],
    }
    const world = worldOf([[LIST, save]])
    await world.say('please do the unusual thing')
    expect(world.heard()).toContain('May I do this?')
    const compose = {
      ...{ id: 's2', do: 'compose', from: ['s1.emails.snippet'], instruction: 'Say it.', maxChars: 100 },
    }
    const other = worldOf([[LIST, compose, { ...save, id: 's3', args: [{ name: 'text', ref: 's2' }] }]])
    await other.say('please do the unusual thing')
    expect(other.heard()).toContain('May I do this?')
    expect(other.disk.store.facts(OWNER_PRINCIPAL, 5)).toEqual([])
  })
})

describe('a reference that fits nothing', () => {
  const read = (ref: string): object => ({
    ...{ id: 's2', do: 'tool', tool: 'email.read' },
    args: [{ name: 'id', ref }],
  })

  it.each<[string, readonly object[], string]>([
    ['a field that a result does not have', [LIST, read('s1.mails[0].id')], 's2.id'],
    ['a field of the items that they do not have', [LIST, remove('s2', { ref: 's1.emails.uid' })], 's2.ids'],
    ['all where one is taken', [LIST, read('s1.emails.id')], 's2.id'],
    ['a record where one is taken', [LIST, read('s1.emails[0]')], 's2.id'],
    ['records where a list of values is taken', [LIST, remove('s2', { ref: 's1.emails' })], 's2.ids'],
    ['a position in what is no list', [LIST, read('s1[0].id')], 's2.id'],
    ['a selection from what is no list', [LIST, { ...ALL, from: 's1.more' }], 's2.from'],
    [
      'a selection by a field that no item has',
      [LIST, { ...ALL, where: { field: 'isUnread', equals: true } }],
      's2.where',
    ],
    [
      'a condition on what is not there',
      [LIST, { ...read('s1.emails[0].id'), when: { ref: 's1.count', is: 'empty' } }],
      's2',
    ],
    [
      'an item by a field that it does not have',
      [LIST, { ...READ_ALL, args: [{ name: 'id', ref: 'item.uid' }] }],
      's2.id',
    ],
  ])('%s: goes back to the planner before any step runs', async (_what, plan, where) => {
    const world = worldOf([plan, [LIST]])
    await world.say('please do the unusual thing')
    const second = world.prompts.filter(({ parts }) => parts.purpose === 'plan')[1]
    expect(second?.parts.troubles).toEqual([{ tool: where, reason: 'reference_malformed' }])
    expect(world.calls.map(({ tool }) => tool)).toEqual(['email.list'])
  })

  it('in a later plan is judged by the steps that ran', async () => {
    const wrong = { ...read('s1.mails[0].id') }
    let round = 0
    const plans = [{ steps: [LIST], again: true }, { steps: [wrong] }, { steps: [read('s1.emails[0].id')] }]
    const model = scriptedModel('a-model', ({ parts }) =>
      parts.purpose === 'plan' ? JSON.stringify(plans[round++] ?? { steps: [] }) : 'done',
    )
    const world = createWorld({ tools: { ...mailTools(), ...calendarTools() }, models: [model] })
    await world.say('please do the unusual thing')
    expect(world.calls.map(({ tool }) => tool)).toEqual(['email.list', 'email.read'])
    expect(round).toBe(3)
  })

  it('where only the run can tell, is no fault of a service', async () => {
    const later = { ...read('w1.mails[0].id'), id: 's1' }
    const world = worldOf([[LIST], [later]])
    await world.say('please do the unusual thing')
    const { task } = (await world.shell.report(await world.say('and the unusual thing with that'))) ?? {}
    expect(task?.trouble).toBe('reference_malformed')
  })
})
