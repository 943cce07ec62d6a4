/** Single columns of a row of Notion: which cell is meant, what stands there before and after, what fits none, and the write of exactly that (I-15). */
import { describe, expect, it } from 'vitest'
import type { Json } from '../../kernel/flow/json.ts'
import { databaseRows, idOf, pageRow, put, type Row, richText } from '../fakes/notion-server.ts'
import { outputOf, tokenFor } from './calls.ts'
import { CREDENTIAL, notion, TASK_COLUMNS, taskRow, withTasks } from './notion-calls.ts'
import { startClient } from './servers.ts'

type Args = Readonly<Record<string, Json>>

/** A Wednesday. */
const NOW = Date.parse('2026-11-25T10:00:00Z')
const TOKEN = {
  ...tokenFor('notion.find_cell'),
  claims: { ...tokenFor('notion.find_cell').claims, issuedAt: NOW },
}

async function cells(
  fill = (own: Parameters<typeof put>[0]) => {
    withTasks(own)
    put(own, pageRow(3, 'Garden'))
  },
) {
  const { tool, origin, state } = await notion(fill)
  const call = async (action: string, args: Args) => {
    const http = startClient({ hosts: tool.manifest.network, exemptOrigins: [origin] })
    const made = await tool.execute({
      action: `notion.${action}`,
      args,
      capability: TOKEN,
      credential: CREDENTIAL,
      http,
    })
    return made.ok ? { ok: true as const, value: made.output as Json } : made
  }
  return { tool, state, call }
}

describe('a cell is found', () => {
  it.each<[args: Args, cell: string, as: string, before: string | undefined, after: string]>([
    [{ row: 'Call Tom', to: 'done' }, 'Status', 'status', undefined, 'Done'],
    [{ row: 'roof', to: 'erledigt' }, 'Status', 'status', 'Doing', 'Done'],
    [{ row: 'paint', to: 'not done' }, 'Status', 'status', 'Done', 'Not started'],
    [{ row: 'paint', column: 'status', to: 'doing' }, 'Status', 'status', 'Done', 'Doing'],
    [{ row: 'Call Tom', to: 'house' }, 'Area', 'select', undefined, 'House'],
    [{ row: 'Call Tom', column: 'due', to: 'Friday' }, 'Due', 'date', undefined, '2026-11-27'],
    [{ row: 'roof', column: 'Frist', to: 'am 4. Dezember' }, 'Due', 'date', '2026-12-01', '2026-12-04'],
    [
      { row: 'roof', column: 'due date', to: 'tomorrow at 9:30' },
      'Due',
      'date',
      '2026-12-01',
      '2026-11-26T09:30:00+00:00',
    ],
    [{ row: 'roof', column: 'Effort', to: '1,5' }, 'Effort', 'number', '5', '1.5'],
    [{ row: 'roof', column: 'paid', to: 'yes' }, 'Paid', 'checkbox', '☐', '☑'],
    [{ row: 'roof', column: 'NOTES', to: 'Ask Tom: twice' }, 'Notes', 'text', undefined, 'Ask Tom: twice'],
    [{ row: idOf(32), column: 'area', to: 'House' }, 'Area', 'select', undefined, 'House'],
  ])('by %j', async (args, cell, as, before, after) => {
    const { call } = await cells()
    const found = outputOf(await call('find_cell', args))
    expect([found['cell'], found['as'], found['before'], found['after']]).toEqual([cell, as, before, after])
    expect(found).toMatchObject({ place: 'Tasks', visibility: 'workspace' })
  })

  it.each<[what: string, args: Args, code: string]>([
    ['a row that is not there', { row: 'cellar', to: 'done' }, 'remote_not_found'],
    ['a page of no database', { row: 'Garden', to: 'done' }, 'tool_arguments_invalid'],
    ['a column that is not there', { row: 'roof', column: 'Colour', to: 'red' }, 'tool_arguments_invalid'],
    ['its title', { row: 'roof', column: 'Task', to: 'Mend the roof' }, 'tool_arguments_invalid'],
    ['a new option', { row: 'roof', column: 'Area', to: 'Garden' }, 'tool_arguments_invalid'],
    ['a word of no column', { row: 'roof', to: 'later' }, 'tool_arguments_invalid'],
    ['a number that may be two', { row: 'roof', column: 'Effort', to: '1,200' }, 'tool_arguments_invalid'],
    ['no number', { row: 'roof', column: 'Effort', to: 'a lot' }, 'tool_arguments_invalid'],
    ['no day', { row: 'roof', column: 'due', to: 'soon' }, 'tool_arguments_invalid'],
    ['a day among other words', { row: 'roof', column: 'due', to: 'Friday or so' }, 'tool_arguments_invalid'],
    ['no yes and no no', { row: 'roof', column: 'paid', to: 'maybe' }, 'tool_arguments_invalid'],
  ])('not for %s', async (_what, args, code) => {
    const { call } = await cells()
    expect(await call('find_cell', args)).toMatchObject({ ok: false, reason: { code } })
  })

  it('by a checkbox that says so, where there is no status', async () => {
    const { call } = await notion((own) => {
      const { Status: _, ...columns } = TASK_COLUMNS
      put(own, ...databaseRows(20, 'Tasks', { ...columns, Done: { type: 'checkbox', checkbox: {} } }))
      put(own, taskRow(31, 'Roof', '', { Done: { type: 'checkbox', checkbox: false } }))
    })
    expect(outputOf(await call('find_cell', { row: 'Roof', to: 'done' }))).toMatchObject({
      ...{ cell: 'Done', as: 'checkbox', before: '☐', after: '☑' },
    })
  })

  it('not where two columns have that option', async () => {
    const again: Row = { type: 'select', select: { options: [{ id: 'x', name: 'House' }] } }
    const { call } = await notion((own) => {
      put(own, ...databaseRows(20, 'Tasks', { ...TASK_COLUMNS, Place: again }), taskRow(31, 'Roof', ''))
    })
    expect(await call('find_cell', { row: 'Roof', to: 'House' })).toMatchObject({
      reason: { code: 'tool_arguments_invalid' },
    })
  })
})

describe('a cell is set', () => {
  const KNOWN = { row: 'roof', to: 'x', id: idOf(31), name: 'Fix the roof' }
  it.each<[as: string, cell: string, after: string, expected: object]>([
    ['status', 'Status', 'Done', { status: { name: 'Done' } }],
    ['select', 'Area', 'House', { select: { name: 'House' } }],
    ['date', 'Due', '2026-12-04', { date: { start: '2026-12-04' } }],
    ['number', 'Effort', '1.5', { number: 1.5 }],
    ['checkbox', 'Paid', '☑', { checkbox: true }],
    ['checkbox', 'Paid', '☐', { checkbox: false }],
    ['text', 'Notes', 'Ask Tom', { rich_text: [{ type: 'text', text: { content: 'Ask Tom' } }] }],
  ])('of kind %s', async (as, cell, after, expected) => {
    const { call, state } = await cells()
    expect(outputOf(await call('set_cell', { ...KNOWN, cell, as, after }))).toMatchObject({
      ...{ id: idOf(31), within: 'Fix the roof', cell, after },
    })
    expect(state.asked.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['PATCH', `/v1/pages/${idOf(31)}`, { properties: { [cell]: expected } }],
    ])
  })

  it.each([['id'], ['cell'], ['as'], ['after']])('never without %s, which is looked up', async (left) => {
    const { tool, state } = await cells()
    const args = { ...KNOWN, cell: 'Paid', as: 'checkbox', after: '☑' }
    const { [left as 'id']: _, ...rest } = args
    const http = { request: () => Promise.reject(new Error('asked')) }
    const call = { action: 'notion.set_cell', args: rest, credential: null, http, capability: TOKEN }
    expect(await tool.execute(call)).toMatchObject({ reason: { code: 'tool_arguments_invalid' } })
    expect(state.asked).toEqual([])
  })
})

describe('a cell is set back', () => {
  const KNOWN = { id: idOf(31), name: 'Fix the roof' }
  const SPAN = { type: 'date', date: { start: '2026-12-01', end: '2026-12-05', time_zone: null } }
  const HERE: Readonly<Record<string, Row>> = {
    Effort: { type: 'number', number: 1_234.125 },
    Due: SPAN,
    Paid: { type: 'checkbox', checkbox: true },
    Notes: { type: 'rich_text', rich_text: richText(' Ask Tom, "twice" ') },
  }

  it.each<[column: string, next: string]>([
    ['Status', 'done'],
    ['Area', 'House'],
    ['Due', 'Friday'],
    ['Effort', '7'],
    ['Paid', 'no'],
    ['Notes', 'nothing'],
  ])('%s, to exactly what stood there', async (column, next) => {
    const { call, state } = await cells((own) => {
      withTasks(own)
      put(own, taskRow(31, 'Fix the roof', 'Doing', HERE))
    })
    const row = state.objects[idOf(31)]
    const cell = () => (row?.['properties'] as Record<string, Row> | undefined)?.[column]
    const before = structuredClone(cell())
    const found = outputOf(await call('find_cell', { row: idOf(31), column, to: next })) as Args
    const set = outputOf(await call('set_cell', { row: idOf(31), to: next, ...found }))
    expect(cell()).not.toEqual(before)
    const back = { row: idOf(31), column, to: set['was'] as string, exactly: true }
    const again = outputOf(await call('find_cell', back)) as Args
    expect(outputOf(await call('set_cell', { ...back, ...again }))['after']).toBe(set['was'])
    const type = String(before?.['type'])
    expect(plain(cell()?.[type] as Json)).toEqual(plain(before?.[type] as Json))
  })

  it.each<[column: string, to: string]>([
    ['Status', 'Gone'],
    ['Status', ''],
    ['Area', 'house'],
    ['Due', 'Friday'],
    ['Due', '2026-12-01/2026-12-02/2026-12-03'],
    ['Effort', 'seven'],
    ['Paid', 'yes'],
    ['Paid', ''],
  ])('%s never to what it could not have said: %j', async (column, to) => {
    const { call } = await cells()
    expect(await call('find_cell', { row: 'roof', column, to, exactly: true })).toMatchObject({
      reason: { code: 'tool_arguments_invalid' },
    })
  })

  it.each<[what: string, cell: Row, partly: boolean | undefined]>([
    ['plain words', { type: 'rich_text', rich_text: richText('Ask Tom') }, undefined],
    ['a link', { type: 'rich_text', rich_text: [{ ...richText('x')[0], href: 'https://x.example' }] }, true],
    [
      'a style',
      { type: 'rich_text', rich_text: [{ ...richText('x')[0], annotations: { bold: true } }] },
      true,
    ],
    ['a mention', { type: 'rich_text', rich_text: [{ ...richText('x')[0], type: 'mention' }] }, true],
    ['a long text', { type: 'rich_text', rich_text: richText('x'.repeat(1_001)) }, true],
  ])('not where it was %s that would be lost', async (_what, Notes, partly) => {
    const { call } = await cells((own) => {
      withTasks(own)
      put(own, taskRow(31, 'Fix the roof', 'Doing', { Notes }))
    })
    const found = outputOf(await call('find_cell', { row: 'roof', column: 'Notes', to: 'y' })) as Args
    expect(found['partly']).toBe(partly)
    const set = outputOf(await call('set_cell', { row: 'roof', to: 'y', ...found, ...KNOWN }))
    expect(Object.hasOwn(set, 'was')).toBe(partly === undefined)
  })

  it('a date in a zone of its own is said to be more than its words', async () => {
    const Due = { type: 'date', date: { start: '2026-12-01T09:00:00', end: null, time_zone: 'Asia/Tokyo' } }
    const { call } = await cells((own) => {
      withTasks(own)
      put(own, taskRow(31, 'Fix the roof', 'Doing', { Due }))
    })
    expect(outputOf(await call('find_cell', { row: 'roof', column: 'Due', to: 'Friday' }))['partly']).toBe(
      true,
    )
  })
})

/** Values without what Notion adds to them. */
function plain(value: Json): Json {
  if (Array.isArray(value)) return value.map((part: Json) => (part as { plain_text: Json }).plain_text)
  if (value === null || typeof value !== 'object') return value
  const { id: _, time_zone: __, end, ...rest } = value as { readonly [key: string]: Json }
  return { ...rest, ...(end !== null && end !== undefined && { end }) }
}
