/** The writes of the tool Notion against a strict scripted server: where they go, what blocks and cells they have (I-15). */
import { describe, expect, it } from 'vitest'
import { databaseRows, idOf, pageRow, put, type Row } from '../fakes/notion-server.ts'
import { outputOf } from './calls.ts'
import { notion, withTasks } from './notion-calls.ts'

const AIM = { id: idOf(1), kind: 'page', name: 'Todo', visibility: 'workspace' }

describe('a write', () => {
  it('goes to the page that was shown, whatever has its name by now', async () => {
    const { call, state } = await notion((own) => put(own, pageRow(1, 'Old name'), pageRow(2, 'Todo')))
    const output = outputOf(await call('append', { page: 'Todo', text: 'buy paint', ...AIM }))
    expect(output).toMatchObject({ id: idOf(1), within: 'Todo' })
    expect(state.asked.map(({ method, path }) => [method, path])).toEqual([
      ['PATCH', `/v1/blocks/${idOf(1)}/children`],
    ])
    expect(state.children[idOf(1)]).toMatchObject([
      { type: 'paragraph', paragraph: { rich_text: [{ text: { content: 'buy paint' } }] } },
    ])
  })

  it.each([
    [{ text: 'milk', as: 'to_do' }, ['to_do']],
    [{ text: 'milk', as: 'bullet' }, ['bulleted_list_item']],
    [
      { text: '# Head\ntext\n- one\n1. two\n[ ] three\n- [x] four\n> five' },
      ['heading_1', 'paragraph', 'bulleted_list_item', 'numbered_list_item', 'to_do', 'to_do', 'quote'],
    ],
    [{ text: '#hashtag\n-5 degrees' }, ['paragraph', 'paragraph']],
  ])('%j has the blocks %j', async (args, types) => {
    const { call, state } = await notion((own) => put(own, pageRow(1, 'Todo')))
    outputOf(await call('append', { page: 'Todo', ...AIM, ...args }))
    expect(state.children[idOf(1)]?.map(({ type }) => type)).toEqual(types)
  })

  it('keeps within the limits of Notion, and loses nothing', async () => {
    const long = `${'x'.repeat(1_999)}🏠${'y'.repeat(3_000)}`
    const lines = Array.from({ length: 140 }, (_, at) => `line ${at}`)
    const { call, state } = await notion((own) => put(own, pageRow(1, 'Todo')))
    outputOf(await call('append', { page: 'Todo', text: [long, ...lines].join('\n'), ...AIM }))
    const written = (state.children[idOf(1)] ?? []).map((block) => {
      const inner = block[String(block['type'])] as { rich_text: { text: { content: string } }[] }
      return inner.rich_text.map((part) => part.text.content).join('')
    })
    expect(written).toHaveLength(100)
    expect(written.join('\n')).toBe([long, ...lines].join('\n'))
  })

  it('to a database is a row of it', async () => {
    const { call, state } = await notion((own) => withTasks(own))
    const aim = { ...AIM, id: idOf(21), kind: 'database', name: 'Tasks' }
    outputOf(await call('append', { page: 'Tasks', text: 'Paint\nTwo coats', ...aim }))
    const made = state.asked.at(-1)
    expect(made?.body).toMatchObject({
      parent: { data_source_id: idOf(21) },
      properties: { Task: { title: [{ text: { content: 'Paint' } }] } },
      children: [{ type: 'paragraph' }],
    })
  })

  it('of a page is under the one that was shown', async () => {
    const { call, state } = await notion((own) => put(own, pageRow(1, 'House')))
    const output = outputOf(
      await call('create_page', { parent: 'House', title: 'Roof', text: 'Soon', ...AIM, name: 'House' }),
    )
    expect(output).toMatchObject({ within: 'House', link: expect.stringContaining('notion.so') })
    expect(state.asked.at(-1)?.body).toMatchObject({ parent: { page_id: idOf(1) } })
  })

  it.each([
    ['append', { page: 'Todo', text: 'x', visibility: 'unknown' }],
    ['append', { page: 'Todo', text: 'x', ...AIM, id: '../users' }],
    ['append', { page: 'Todo', text: ' \n ', ...AIM }],
    ['create_page', { parent: 'Todo', title: ' ', ...AIM }],
  ])('%s with %j is none', async (action, args) => {
    const { call, state } = await notion((own) => put(own, pageRow(1, 'Todo')))
    expect(await call(action, args)).toMatchObject({ reason: { code: 'tool_arguments_invalid' } })
    expect(state.asked).toEqual([])
  })
})

describe('a row of typed values', () => {
  const COLUMNS: Row = {
    Name: { type: 'title', title: {} },
    When: { type: 'date', date: {} },
    Minutes: { type: 'number', number: {} },
    Notes: { type: 'rich_text', rich_text: {} },
    Participants: { type: 'rich_text', rich_text: {} },
    Topics: { type: 'multi_select', multi_select: {} },
    'Next steps': { type: 'multi_select', multi_select: {} },
    Done: { type: 'checkbox', checkbox: {} },
  }
  const IN = { ...AIM, id: idOf(21), kind: 'database', name: 'Log', database: 'https://www.notion.so/x' }

  it('has each in the column of its kind, and is named by its day', async () => {
    const { call, state } = await notion((own) => put(own, ...databaseRows(20, 'Log', COLUMNS)))
    const args = {
      date: '2026-11-20T09:00:00Z',
      number: 32,
      people: ['a@x.example', 'b@x.example'],
      topics: ['budget', 'sales'],
      agreed: ['find_out'],
      done: true,
    }
    expect(outputOf(await call('add_row', { ...IN, ...args }))).toMatchObject({ within: 'Log' })
    expect(state.asked.at(-1)?.body).toEqual({
      parent: { data_source_id: idOf(21) },
      properties: {
        Name: { title: [{ type: 'text', text: { content: '2026-11-20' } }] },
        When: { date: { start: '2026-11-20T09:00:00Z' } },
        Minutes: { number: 32 },
        Participants: { rich_text: [{ type: 'text', text: { content: 'a@x.example, b@x.example' } }] },
        Topics: { multi_select: [{ name: 'budget' }, { name: 'sales' }] },
        'Next steps': { multi_select: [{ name: 'find out' }] },
        Done: { checkbox: true },
      },
    })
  })

  it.each([
    ['no value', COLUMNS, {}],
    [
      'a value without its column',
      { Name: COLUMNS['Name'], When: COLUMNS['When'] },
      { date: '2026-11-20', number: 3 },
    ],
    ['topics without their column', { When: COLUMNS['When'] }, { date: '2026-11-20', topics: ['budget'] }],
    ['a checkbox of another meaning', { Paid: { type: 'checkbox' } }, { done: true }],
  ])('with %s is not written', async (_what, columns, args) => {
    const { call, state } = await notion((own) => put(own, ...databaseRows(20, 'Log', columns)))
    expect(await call('add_row', { ...IN, ...args })).toMatchObject({
      reason: { code: 'tool_arguments_invalid' },
    })
    expect(state.asked.filter(({ method }) => method !== 'GET')).toEqual([])
  })

  it('with no topics needs no column for them', async () => {
    const columns = { When: COLUMNS['When'] }
    const { call } = await notion((own) => put(own, ...databaseRows(20, 'Log', columns)))
    const args = { ...IN, date: '2026-11-20', topics: [], agreed: [] }
    expect(outputOf(await call('add_row', args))).toMatchObject({ within: 'Log' })
  })

  it('is none of a page', async () => {
    const { call } = await notion((own) => put(own, pageRow(1, 'Todo')))
    const args = { ...IN, id: idOf(1), kind: 'page', number: 3 }
    expect(await call('add_row', args)).toMatchObject({ reason: { code: 'tool_arguments_invalid' } })
  })
})
