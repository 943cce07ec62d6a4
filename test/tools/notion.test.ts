/** The tool Notion against a strict scripted server: its reads, with real shapes and odd ones (I-15). */
import { describe, expect, it } from 'vitest'
import { MAX_BLOCKS, MAX_REQUESTS } from '../../integrations/tools/notion/blocks.ts'
import { blockRow, databaseRows, idOf, pageRow, put, type Row, richText } from '../fakes/notion-server.ts'
import { outputOf } from './calls.ts'
import { notion, taskRow, withTasks } from './notion-calls.ts'

const text = (value: string, more: Row = {}): Row => ({ rich_text: richText(value), ...more })

describe('a search', () => {
  it('finds pages and databases by title, and leaves out the bin', async () => {
    const { call } = await notion((own) => {
      put(own, pageRow(1, 'Roof plan'), pageRow(2, 'Roof, old', { in_trash: true }))
      put(own, ...databaseRows(10, 'Roofers', {}))
    })
    expect(outputOf(await call('search', { words: 'roof' }))).toMatchObject({
      pages: [
        { id: idOf(1), kind: 'page', name: 'Roof plan', edited: '2026-11-20T09:30:00Z' },
        { id: idOf(11), kind: 'database', name: 'Roofers' },
      ],
      more: false,
    })
    expect(outputOf(await call('search', { words: 'roof', kind: 'database' }))['pages']).toHaveLength(1)
  })

  it('says that there are more', async () => {
    const { call } = await notion((own) => {
      for (let at = 1; at <= 60; at += 1) put(own, pageRow(at, `Roof ${at}`))
    })
    const { pages, more } = outputOf(await call('search', { words: 'roof', count: 99 }))
    expect([(pages as readonly unknown[]).length, more]).toEqual([50, true])
  })
})

describe('a page is found', () => {
  const fill = (own: Parameters<typeof put>[0]): void => {
    put(own, pageRow(1, '🏠 Todo'), pageRow(2, 'Todo of last year'), pageRow(3, 'Garden'))
    put(own, pageRow(4, 'Notes'), pageRow(5, 'notes'))
    withTasks(own)
  }
  const hex = idOf(3).replaceAll('-', '')
  it.each([
    ['todo', 1],
    ['last year', 2],
    ['"Garden"', 3],
    [idOf(3), 3],
    [hex, 3],
    [`https://www.notion.so/acme/Garden-${hex}?pvs=4`, 3],
    [`https://acme.notion.site/Garden-${hex}`, 3],
    ['Tasks', 21],
    [idOf(20), 21],
    [idOf(21), 21],
    [`https://www.notion.so/acme/${idOf(20).replaceAll('-', '')}?v=${hex}`, 21],
  ])('by %s', async (page, number) => {
    const { call } = await notion(fill)
    expect(outputOf(await call('find_page', { page }))['id']).toBe(idOf(number))
  })

  it.each([
    ['notes', 'tool_arguments_invalid'],
    ['cellar', 'remote_not_found'],
    ['...', 'remote_not_found'],
    [idOf(99), 'remote_not_found'],
    [`https://evil.example/Garden-${hex}`, 'remote_not_found'],
    [`https://notion.so.evil.example/${hex}`, 'remote_not_found'],
  ])('not by %s: %s', async (page, code) => {
    const { call } = await notion(fill)
    expect(await call('find_page', { page })).toMatchObject({ ok: false, reason: { code } })
  })

  it('not where a database has several tables', async () => {
    const { call } = await notion((own) => {
      const [base = {}, ...others] = databaseRows(20, 'Tasks', {})
      put(own, { ...base, data_sources: [{ id: idOf(21) }, { id: idOf(23) }] }, ...others)
    })
    expect(await call('find_page', { page: idOf(20) })).toMatchObject({
      reason: { code: 'tool_arguments_invalid' },
    })
  })
})

describe('who reads a page', () => {
  const under = (type: string, number: number): Row => ({ parent: { type, [type]: idOf(number) } })
  const WEB = { public_url: 'https://acme.notion.site/x' }
  it.each<[string, readonly Row[], object]>([
    ['at the top', [pageRow(1, 'Todo')], { visibility: 'workspace' }],
    ['published', [pageRow(1, 'Todo', WEB)], { visibility: 'public' }],
    [
      'under a page',
      [pageRow(1, 'Todo', under('page_id', 2)), pageRow(2, 'House')],
      { visibility: 'workspace', place: 'House' },
    ],
    [
      'under a published page',
      [pageRow(1, 'Todo', under('page_id', 2)), pageRow(2, 'House', WEB)],
      { visibility: 'public', place: 'House' },
    ],
    [
      'two below a published page, in a column',
      [
        pageRow(1, 'Todo', under('block_id', 5)),
        blockRow(5, 'column', {}, under('page_id', 2)),
        pageRow(2, 'House', under('page_id', 3)),
        pageRow(3, 'All', WEB),
      ],
      { visibility: 'public', place: 'House' },
    ],
    [
      'under a page that is not shared',
      [pageRow(1, 'Todo', under('page_id', 2))],
      { visibility: 'workspace' },
    ],
  ])('%s', async (_where, rows, expected) => {
    const { call } = await notion((own) => put(own, ...rows))
    const { visibility, place } = outputOf(await call('find_page', { page: 'Todo' }))
    expect({ visibility, ...(place !== undefined && { place }) }).toEqual(expected)
  })

  it.each<[string, Row, object]>([
    ['of a database is that of its page', {}, { visibility: 'workspace', place: 'House' }],
    ['of a published database', WEB, { visibility: 'public', place: 'House' }],
  ])('%s', async (_what, more, expected) => {
    const { call } = await notion((own) => {
      withTasks(own, { ...under('page_id', 2), ...more })
      put(own, pageRow(2, 'House'))
    })
    expect(outputOf(await call('find_page', { page: 'Tasks' }))).toMatchObject(expected)
  })

  it('is the database of a row, too', async () => {
    const { call } = await notion((own) => withTasks(own, WEB))
    expect(outputOf(await call('find_page', { page: 'Call Tom' }))).toMatchObject({
      visibility: 'public',
      place: 'Tasks',
    })
  })

  it.each<[string, readonly Row[]]>([
    ['Notion does not say it', [{ ...pageRow(1, 'Todo'), public_url: undefined }]],
    ['it is odd', [pageRow(1, 'Todo', { public_url: 7 })]],
    ['its database is not shown', [databaseRows(20, 'Todo', {})[1] ?? {}]],
    [
      'it lies too deep',
      Array.from({ length: 12 }, (_, at) =>
        pageRow(at + 1, at === 0 ? 'Todo' : 'x', under('page_id', at + 2)),
      ),
    ],
    ['it lies in itself', [pageRow(1, 'Todo', under('page_id', 1))]],
  ])('is not said where %s', async (_why, rows) => {
    const { call } = await notion((own) => put(own, ...rows))
    expect(await call('find_page', { page: 'Todo' })).toMatchObject({ ok: false })
  })
})

describe('the text of a page', () => {
  it('is Markdown, nested', async () => {
    const { call } = await notion((own) => {
      put(own, pageRow(1, 'Roof'))
      own.children[idOf(1)] = [
        blockRow(101, 'heading_1', text('Roof')),
        blockRow(102, 'paragraph', text('Two parts.')),
        blockRow(103, 'to_do', text('ladder', { checked: true })),
        blockRow(104, 'to_do', text('tiles', { checked: false }), { has_children: true }),
        blockRow(105, 'numbered_list_item', text('up')),
        blockRow(106, 'numbered_list_item', text('down')),
        blockRow(107, 'code', text('a = 1')),
        blockRow(108, 'child_page', { title: 'Photos' }, { has_children: true }),
        blockRow(109, 'table', { table_width: 2 }, { has_children: true }),
        blockRow(110, 'image', { caption: [], file: { url: 'https://s3.example/secret?sig=1' } }),
        blockRow(111, 'hologram', text('from the future')),
        blockRow(112, 'unsupported', {}),
        blockRow(113, 'column_list', {}, { has_children: true }),
      ]
      own.children[idOf(104)] = [blockRow(120, 'bulleted_list_item', text('red'))]
      own.children[idOf(109)] = [blockRow(121, 'table_row', { cells: [richText('a'), richText('b')] })]
      own.children[idOf(113)] = [blockRow(122, 'column', {}, { has_children: true })]
      own.children[idOf(122)] = [blockRow(123, 'quote', text('side'))]
    })
    const { body, truncated } = outputOf(await call('read_page', { page: 'Roof' }))
    expect(String(body).split('\n')).toEqual([
      ...['# Roof', 'Two parts.', '- [x] ladder', '- [ ] tiles', '  - red', '1. up', '2. down'],
      ...['```', 'a = 1', '```', '[page] Photos', '| a | b |', '[image]', 'from the future', '> side'],
    ])
    expect(truncated).toBe(false)
  })

  it('is read page by page', async () => {
    const { call, state } = await notion((own) => {
      put(own, pageRow(1, 'Long'))
      own.children[idOf(1)] = Array.from({ length: 230 }, (_, at) =>
        blockRow(200 + at, 'paragraph', text(`line ${at}`)),
      )
    })
    const { body, truncated } = outputOf(await call('read_page', { page: idOf(1) }))
    expect([String(body).split('\n').length, truncated]).toEqual([230, false])
    expect(state.asked.filter(({ path }) => path.endsWith('/children'))).toHaveLength(3)
  })

  it.each([
    ['many blocks', MAX_BLOCKS + 50],
    ['many lists, each a request', -(MAX_REQUESTS + 10)],
  ])('ends at its bound with %s, and says so', async (_what, many) => {
    const { call, state } = await notion((own) => {
      put(own, pageRow(1, 'Long'))
      own.children[idOf(1)] = Array.from({ length: Math.abs(many) }, (_, at) => {
        const isList = many < 0
        if (isList) own.children[idOf(2_000 + at)] = [blockRow(5_000 + at, 'paragraph', text('under'))]
        return blockRow(2_000 + at, 'toggle', text('on'), { has_children: isList })
      })
    })
    expect(outputOf(await call('read_page', { page: idOf(1) }))['truncated']).toBe(true)
    expect(state.asked.length).toBeLessThanOrEqual(MAX_REQUESTS + 1)
  })

  it('that goes on in itself ends', async () => {
    const { call } = await notion((own) => {
      put(own, pageRow(1, 'Loop'))
      own.children[idOf(1)] = [blockRow(50, 'toggle', text('again'), { has_children: true })]
      own.children[idOf(50)] = [...(own.children[idOf(1)] ?? [])]
    })
    expect(outputOf(await call('read_page', { page: 'Loop' }))['truncated']).toBe(true)
  })

  it('with nulls and odd values is read as far as it can be', async () => {
    const { call } = await notion((own) => {
      put(own, {
        ...pageRow(1, 'Odd'),
        url: 'javascript:alert(1)',
        last_edited_time: null,
        properties: {
          title: pageRow(1, 'Odd')['properties'] && (pageRow(1, 'Odd')['properties'] as Row)['title'],
          X: null,
          Y: { type: 'constructor' },
          Z: { type: '__proto__', number: 4 },
        },
      })
      own.children[idOf(1)] = [
        {
          object: 'block',
          id: 'not an id',
          type: 'toggle',
          toggle: { rich_text: [null, 7, { plain_text: 4 }] },
          has_children: true,
        },
        { object: 'block', id: idOf(60) },
        blockRow(61, 'table_row', { cells: [null, 'x', [null]] }),
        blockRow(62, 'paragraph', { rich_text: null }),
        blockRow(63, 'paragraph', text('\u202eend')),
        null as unknown as Row,
      ]
    })
    const output = outputOf(await call('read_page', { page: 'Odd' }))
    expect(output).toMatchObject({ name: 'Odd', truncated: true })
    expect(output['link']).toBeUndefined()
    expect(output['body']).toMatch(/end$/)
    expect(output['body']).not.toContain('\u202e')
  })

  it('of a row has its cells, typed', async () => {
    const { call } = await notion((own) => withTasks(own))
    expect(outputOf(await call('read_page', { page: 'Fix the roof' }))['columns']).toEqual([
      { column: 'Status', kind: 'status', text: 'Doing' },
      { column: 'Due', kind: 'date', date: '2026-12-01' },
      { column: 'Effort', kind: 'number', number: 5 },
      { column: 'Area', kind: 'select', text: 'House' },
      { column: 'Paid', kind: 'checkbox', checked: false },
    ])
  })
})

describe('a database', () => {
  const titles = (output: Record<string, unknown>) =>
    (output['rows'] as readonly { readonly name: string }[]).map(({ name }) => name)

  it('has its columns and rows, with state and date', async () => {
    const { call } = await notion((own) => withTasks(own))
    expect(outputOf(await call('query_db', { database: 'tasks' }))).toMatchObject({
      database: 'Tasks',
      schema: [
        { column: 'Task', kind: 'title' },
        { column: 'Status', kind: 'status', options: ['Not started', 'Doing', 'Done'] },
        { column: 'Due', kind: 'date' },
        { column: 'Effort', kind: 'number' },
        { column: 'Area', kind: 'select', options: ['House'] },
        { column: 'Paid', kind: 'checkbox' },
        { column: 'Notes', kind: 'text' },
      ],
      rows: [
        { name: 'Fix the roof', state: 'in_progress', due: '2026-12-01' },
        { name: 'Buy paint', state: 'complete' },
        { name: 'Call Tom', state: 'to_do' },
      ],
      more: false,
    })
  })

  it.each([
    [{ state: 'open' }, ['Fix the roof', 'Call Tom']],
    [{ state: 'complete' }, ['Buy paint']],
    [{ words: 'roof' }, ['Fix the roof']],
    [{ words: 'house' }, ['Fix the roof']],
    [{ words: 'done' }, ['Buy paint']],
    [{ words: 'paint', state: 'open' }, []],
    [{ words: '  ' }, ['Fix the roof', 'Buy paint', 'Call Tom']],
    [{ count: 1 }, ['Fix the roof']],
  ])('by %j has %j', async (args, expected) => {
    const { call } = await notion((own) => withTasks(own))
    const output = outputOf(await call('query_db', { database: 'Tasks', ...args }))
    expect(titles(output)).toEqual(expected)
    expect(output['more']).toBe('count' in args)
  })

  it('with a checkbox alone is open by it', async () => {
    const columns = { Name: { type: 'title', title: {} }, Done: { type: 'checkbox', checkbox: {} } }
    const row = (number: number, title: string, done: boolean): Row =>
      pageRow(number, title, {
        parent: { type: 'data_source_id', data_source_id: idOf(21) },
        properties: {
          Name: { type: 'title', title: richText(title) },
          Done: { type: 'checkbox', checkbox: done },
        },
      })
    const { call } = await notion((own) =>
      put(own, ...databaseRows(20, 'Shopping', columns), row(31, 'Milk', false), row(32, 'Eggs', true)),
    )
    const output = outputOf(await call('query_db', { database: 'shopping', state: 'open' }))
    expect(output['rows']).toMatchObject([{ name: 'Milk', state: 'to_do' }])
  })

  it('without either has rows without a state', async () => {
    const { call } = await notion((own) => {
      put(own, ...databaseRows(20, 'Books', { Name: { type: 'title', title: {} } }), taskRow(31, 'Dune', ''))
    })
    const { rows } = outputOf(await call('query_db', { database: 'Books', state: 'open' }))
    expect((rows as readonly object[])[0]).not.toHaveProperty('state')
  })
})
