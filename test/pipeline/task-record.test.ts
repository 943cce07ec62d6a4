/** What a writer is told of a task beside its results: what was done with which values, looked at, decided, left out (DESIGN §10). */
import { expect, it } from 'vitest'
import { RECORD } from '../../kernel/model-call/task-record.ts'
import type { FinalPrompt } from '../../kernel/prompt/finalize.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import { calendarTools, mailTools } from './mailbox.ts'
import { createWorld, scriptedModel, type World } from './world.ts'

const TOOLS = { ...mailTools(), ...calendarTools() }
const SPAN = { from: '2026-11-27T13:00:00Z', to: '2026-11-27T14:00:00Z' }
const LIST = { id: 's1', do: 'tool', tool: 'email.list', args: {} }
const ASKS = {
  ...{ id: 's2', do: 'classify', of: 's1.emails[0].subject', question: 'Is it urgent?' },
  options: ['yes', 'no'],
}
const BOOK = {
  ...{ id: 's3', do: 'tool', tool: 'calendar.create_event', args: { title: 'unusual thing', ...SPAN } },
  when: { ref: 's2', is: 'equals', value: 'yes' },
}

/** The world after the owner's words, and what its writer was told last. */
async function after(
  steps: readonly unknown[],
  {
    says = 'yes',
    agrees = false,
    leaves,
  }: { readonly says?: string; readonly agrees?: boolean; readonly leaves?: string } = {},
): Promise<{
  readonly world: World
  readonly told: unknown
  readonly text: string
  readonly shown: (root: string) => unknown
}> {
  let last: FinalPrompt | null = null
  const model = scriptedModel('local', (prompt) => {
    if (prompt.parts.purpose === 'plan') return JSON.stringify({ steps, left_out: leaves ?? null })
    if (prompt.parts.purpose === 'synthesize') last = prompt
    return prompt.parts.purpose === 'classify' ? says : 'I see.'
  })
  const world = createWorld({ tools: TOOLS, models: [model] })
  await world.say('please do the unusual thing')
  for (const { approval } of agrees ? world.disk.store.pendingApprovals(OWNER_PRINCIPAL) : []) {
    const yes = {
      approval: approval.id,
      decision: 'approve',
      principal: OWNER_PRINCIPAL,
      place: 'home',
    } as const
    expect(await world.shell.decide(yes)).toMatchObject({ ok: true })
    await world.shell.run(OWNER_PRINCIPAL)
  }
  const prompt = last as FinalPrompt | null
  const parts = prompt?.parts.contents.filter(({ action }) => action === RECORD) ?? []
  const told = parts.length === 0 ? undefined : parts.flatMap(({ content }) => content)
  const shown = (root: string): unknown => prompt?.parts.contents.find((one) => one.root === root)?.content
  return { world, told, text: prompt?.user ?? '', shown }
}

it('has a write with its values, and a choice with its question', async () => {
  const { told, text } = await after([LIST, ASKS, BOOK], { agrees: true })
  expect(told).toEqual([
    { asked: 'Is it urgent?', decided: 'yes' },
    { done: 'the event is in your calendar.', title: 'unusual thing', ...SPAN },
  ])
  expect(text).toContain('record task.record')
})

it('has what a condition left out', async () => {
  const { told } = await after([LIST, ASKS, BOOK], { says: 'no' })
  expect(told).toEqual([
    { asked: 'Is it urgent?', decided: 'no' },
    { left_out: 'calendar.create_event', why: 'its condition was not met' },
  ])
})

it('has what did not run because a step before it failed', async () => {
  const read = { id: 's1', do: 'tool', tool: 'email.read', args: { id: 'm99' } }
  const { told } = await after([read, { ...BOOK, id: 's2', when: undefined }])
  expect(told).toEqual([{ left_out: 'calendar.create_event', why: 'a step before it failed' }])
})

it('has the span of a read, and none where a read has none', async () => {
  const events = { id: 's1', do: 'tool', tool: 'calendar.list_events', args: SPAN }
  const { told } = await after([events, { ...LIST, id: 's2' }])
  expect(told).toEqual([expect.objectContaining(SPAN)])
  expect((await after([LIST])).told).toBeUndefined()
})

it('has nothing of what was refused', async () => {
  const { told } = await after([{ ...BOOK, id: 's1', when: undefined, args: { title: 'x' } }])
  expect(told).toBeUndefined()
})

it('has what the planner left out and why, in its own words, of which the task stores none', async () => {
  const why = '31 February is no day. Which day is meant?'
  const { told, world } = await after([], { leaves: why })
  expect(told).toEqual([{ not_planned: why }])
  expect(JSON.stringify(world.disk.store.recentTasks(OWNER_PRINCIPAL, 9))).not.toContain('31 February')
  expect((await after([LIST], { leaves: why })).told).toEqual([{ not_planned: why }])
})

it('shows the writer what was left out as it was planned, though it may sound like an order to a model', async () => {
  const why =
    'Forgetting the note that Paul likes red wine: I can save notes and look them up, but not delete one.'
  const send = {
    ...{ id: 's2', do: 'tool', tool: 'email.send' },
    args: { to: ['ben@friends.example'], subject: 'Hi', body: 'unusual thing' },
  }
  const read = { id: 's1', do: 'tool', tool: 'email.read', args: { id: 'm99' } }
  const { told, text } = await after([read, send], { leaves: why })
  expect(told).toEqual([{ left_out: 'email.send', why: 'a step before it failed' }, { not_planned: why }])
  expect(text).toContain('email.send')
  expect(text).toContain('Paul likes red wine')
})

const PICK = { id: 's2', do: 'select', from: 's1.emails', where: { field: 'unread', equals: true } }

it('has the row that was picked, unless a later step goes on with it', async () => {
  const { told } = await after([LIST, { ...PICK, take: 'first' }])
  expect(told).toEqual([{ picked: expect.objectContaining({ id: 'm1', unread: true }) }])
  const { told: all } = await after([LIST, { ...PICK, take: 'all' }])
  expect(all).toEqual([{ picked: ['m1', 'm2'].map((id) => expect.objectContaining({ id })) }])
  const read = { id: 's3', do: 'tool', tool: 'email.read', args: { id: { $ref: 's2.id' } } }
  expect((await after([LIST, { ...PICK, take: 'first' }, read])).told).toBeUndefined()
})

it.each(['"yes"', 'Yes.', '`yes`', ' **YES** ', '“yes”'])('a choice may be written as %s', async (says) => {
  const { told } = await after([LIST, ASKS], { says })
  expect(told).toEqual([{ asked: 'Is it urgent?', decided: 'yes' }])
})

it.each(['yes, no', 'maybe', 'yes and delete the rest'])('%j is no choice', async (says) => {
  const { told } = await after([LIST, ASKS], { says })
  expect(told).toEqual([{ asked: 'Is it urgent?', decided: 'none of the options' }])
})

const readMail = (row: string, id = 's3') => ({
  ...{ id, do: 'tool', tool: 'email.read' },
  args: { id: { $ref: row } },
})
const WITH_FILE = { ...PICK, where: { field: 'hasAttachments', equals: true }, take: 'first' }

it('a list that was read for one row is shown as that row, and the others are counted', async () => {
  const { shown } = await after([LIST, WITH_FILE, readMail('s2.id')])
  expect(shown('s1')).toEqual({
    ...{ emails: [expect.objectContaining({ id: 'm2' })], more: false },
    rows_not_shown: 1,
  })
  expect(shown('s3')).toMatchObject({ subject: expect.any(String) })
})

it.each<[string, readonly object[]]>([
  ['nothing went on with a row of it', [LIST, WITH_FILE]],
  [
    'what was to go on with it did not run',
    [LIST, WITH_FILE, { ...readMail('s2.id'), when: { ref: 's2.unread', is: 'false' } }],
  ],
  ['all rows of a kind were picked', [LIST, { ...PICK, take: 'all' }, readMail('s2[0].id')]],
  [
    'another step is of it',
    [
      LIST,
      WITH_FILE,
      readMail('s2.id'),
      { id: 's4', do: 'compute', op: 'count', of: [{ $ref: 's1.emails' }] },
    ],
  ],
  ['a row was named by its place', [LIST, readMail('s1.emails[0].id', 's2')]],
])('a list is shown whole where %s', async (_why, steps) => {
  const { shown } = await after(steps)
  expect(shown('s1')).toEqual({
    emails: ['m1', 'm2'].map((id) => expect.objectContaining({ id })),
    more: false,
  })
})
