/**
 * Each request that the tool Notion makes, against Notion's own OpenAPI description (test/fixtures/notion): method, path, query and body. Where that description
 * is narrower than the API that its reference pages describe, the row says so.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { NOTION_MANIFEST } from '../../integrations/tools/notion/manifest.ts'
import type { Json } from '../../kernel/flow/json.ts'
import { idOf, pageRow, put, richText } from '../fakes/notion-server.ts'
import { CREDENTIAL, notion, withTasks } from './notion-calls.ts'
import { type Description, faultsOf } from './openapi.ts'
import { startClient } from './servers.ts'

const DESCRIBED: Description = JSON.parse(
  readFileSync(join(import.meta.dirname, '../fixtures/notion/openapi.json'), 'utf8'),
)

/** What the description has against a request that its own reference pages describe so (https://developers.notion.com/reference). */
const NARROWER: Readonly<Record<string, string>> = {
  'PATCH /v1/blocks/{block_id}/children.children[] fits none of its kinds':
    'it has paragraphs and bullets alone; the reference has all blocks',
  'POST /v1/comments.rich_text[].type is not described':
    'it leaves out the type of a text, which its own blocks and the reference have',
  'POST /v1/pages.children[] is no string':
    'its server takes blocks as JSON in strings; the API takes blocks',
  'POST /v1/pages.parent fits none of its kinds':
    'its version of 2025-09-03 names the former parent of a row; the reference has data_source_id',
}

const AIM = { id: idOf(1), kind: 'page', name: 'Todo', visibility: 'workspace' }
const ROWS = { id: idOf(21), kind: 'database', name: 'Tasks', visibility: 'workspace' }
const TEXT = '# Head\ntext\n- one\n1. two\n[ ] three\n> five'

/** By action: several arguments, for each form that its request has. */
const CALLS: Readonly<Record<string, readonly { readonly [key: string]: Json }[]>> = {
  search: [{ words: 'todo' }, { words: 'todo', kind: 'database', count: 5 }, { words: 'todo', kind: 'page' }],
  find_page: [{ page: 'Todo' }, { page: idOf(1) }, { page: 'Tasks' }],
  read_page: [{ page: 'Todo' }, { page: 'Fix the roof' }],
  query_db: [
    { database: 'Tasks' },
    { database: 'Tasks', state: 'open' },
    { database: 'Tasks', state: 'done' },
    { database: 'Tasks', count: 3 },
  ],
  create_page: [
    { parent: 'Todo', title: 'Roof', text: TEXT, ...AIM },
    { parent: 'Tasks', title: 'Roof', ...ROWS },
  ],
  append: [
    { page: 'Todo', text: TEXT, ...AIM },
    { page: 'Todo', text: 'milk', as: 'to_do', ...AIM },
    { page: 'Tasks', text: 'Paint\nTwo coats', ...ROWS },
  ],
  add_row: [{ database: 'https://www.notion.so/x', date: '2026-11-20T09:00:00Z', number: 32, ...ROWS }],
  find_cell: [{ row: 'Call Tom', to: 'done' }],
  set_cell: [
    { row: 'Call Tom', to: 'done', id: idOf(33), cell: 'Status', as: 'status', after: 'Done' },
    { row: 'Call Tom', to: 'yes', id: idOf(33), cell: 'Paid', as: 'checkbox', after: '☑' },
    { row: 'Call Tom', to: '1', id: idOf(33), cell: 'Effort', as: 'number', after: '1.5' },
    { row: 'Call Tom', to: 'x', id: idOf(33), cell: 'Due', as: 'date', after: '2026-11-27' },
  ],
  comments: [{ page: 'Todo' }],
  comment: [{ page: 'Todo', text: 'the slates are here', ...AIM }],
}

async function made() {
  const { call, state, tool, origin } = await notion((own) => {
    withTasks(own)
    put(own, pageRow(1, 'Todo'))
    own.children[idOf(1)] = [
      { id: idOf(50), type: 'paragraph', has_children: false, paragraph: { rich_text: richText('text') } },
    ]
  })
  for (const [action, calls] of Object.entries(CALLS))
    for (const args of calls)
      expect([action, args, await call(action, args)]).toMatchObject([action, args, { ok: true }])
  const http = startClient({ hosts: tool.manifest.network, exemptOrigins: [origin] })
  await tool.check?.({ credential: CREDENTIAL, http })
  return state.asked
}

test('each is described, but for what the description lacks', async () => {
  const asked = await made()
  const faults = new Set(asked.flatMap((request) => faultsOf(DESCRIBED, request)))
  expect([...faults].sort()).toEqual(Object.keys(NARROWER).sort())
  const methods = new Set(asked.map(({ method }) => method))
  expect([...methods].sort()).toEqual(['GET', 'PATCH', 'POST'])
})

test('no action is without its calls', () => {
  const actions = NOTION_MANIFEST.actions.map(({ id }) => id.slice('notion.'.length))
  expect(Object.keys(CALLS).sort()).toEqual(actions.sort())
})

test.each([
  ['POST', '/v1/pagez', {}, 'POST /v1/pagez is not described'],
  ['DELETE', '/v1/pages', {}, 'DELETE /v1/pages is not described'],
  ['POST', '/v1/pages', { properties: {} }, 'POST /v1/pages.parent is missing'],
  ['POST', '/v1/search', { page_size: '5' }, 'POST /v1/search.page_size is no integer'],
  ['POST', '/v1/search', { words: 'x' }, 'POST /v1/search.words is not described'],
  ['POST', '/v1/search', null, 'POST /v1/search has no body'],
  ['PATCH', `/v1/pages/${idOf(1)}`, { in_trash: 'yes' }, 'PATCH /v1/pages/{page_id}.in_trash is no boolean'],
] as const)('%s %s %j is a fault', (method, path, body, fault) => {
  expect(faultsOf(DESCRIBED, { method, path, query: new URLSearchParams(), body })).toContain(fault)
})
