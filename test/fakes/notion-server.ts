/**
 * Notion's REST API as its documentation describes it (version 2026-03-11), as far as the tool uses it: strict about token, headers, method, path, query
 * and body, with answers as Notion gives them, nulls and cursors included. Must not answer what Notion would refuse. Called by tests.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Served, serve } from '../kit/server.ts'

export const TOKEN = `ntn_${'A1b2C3d4'.repeat(6)}`
export const VERSION = '2026-03-11'

export type Row = Record<string, unknown>

export interface Asked {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly body: Row | null
}

export interface NotionState {
  /** By id: pages, databases, data sources, blocks. */
  readonly objects: Record<string, Row>
  /** Blocks of a page or block, in order. */
  readonly children: Record<string, Row[]>
  /** By id of the page. */
  readonly comments: Record<string, Row[]>
  /** Answers the next requests in the place of the above; false lets one through. */
  readonly next: ((request: Asked, response: ServerResponse) => boolean)[]
  readonly asked: Asked[]
  /** Those that are let in now. */
  readonly tokens: string[]
}

export function notionState(): NotionState {
  return { objects: {}, children: {}, comments: {}, next: [], asked: [], tokens: [TOKEN] }
}

/** `1` → an id as Notion writes it. */
export function idOf(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
}

export function richText(text: string): readonly Row[] {
  const annotations = { bold: false, italic: false, strikethrough: false, underline: false, code: false }
  return [
    {
      type: 'text',
      text: { content: text, link: null },
      annotations: { ...annotations, color: 'default' },
      plain_text: text,
      href: null,
    },
  ]
}

const TOP = { type: 'workspace', workspace: true }

export function pageRow(number: number, title: string, more: Row = {}): Row {
  const id = idOf(number)
  return {
    object: 'page',
    id,
    created_time: '2026-11-01T09:00:00.000Z',
    last_edited_time: '2026-11-20T09:30:00.000Z',
    in_trash: false,
    icon: null,
    cover: null,
    parent: TOP,
    properties: { title: { id: 'title', type: 'title', title: title === '' ? [] : richText(title) } },
    url: `https://www.notion.so/${id.replaceAll('-', '')}`,
    public_url: null,
    ...more,
  }
}

/** A database and its one data source, `number` and `number + 1`. */
export function databaseRows(number: number, title: string, columns: Row, more: Row = {}): readonly Row[] {
  const [id, source] = [idOf(number), idOf(number + 1)]
  const url = `https://www.notion.so/${id.replaceAll('-', '')}`
  return [
    {
      object: 'database',
      id,
      title: richText(title),
      parent: TOP,
      in_trash: false,
      url,
      public_url: null,
      data_sources: [{ id: source, name: title }],
      ...more,
    },
    {
      object: 'data_source',
      id: source,
      title: richText(title),
      parent: { type: 'database_id', database_id: id },
      in_trash: false,
      url,
      last_edited_time: '2026-11-21T10:00:00.000Z',
      properties: columns,
    },
  ]
}

export function put(state: NotionState, ...rows: readonly Row[]): void {
  for (const row of rows) state.objects[String(row['id'])] = row
}

export function blockRow(number: number, type: string, inner: Row, more: Row = {}): Row {
  return {
    object: 'block',
    id: idOf(number),
    type,
    has_children: false,
    in_trash: false,
    [type]: inner,
    ...more,
  }
}

/** As Notion gives it to an integration that may read comments. */
export function commentRow(number: number, page: number, text: string, more: Row = {}): Row {
  return {
    object: 'comment',
    id: idOf(number),
    parent: { type: 'page_id', page_id: idOf(page) },
    discussion_id: idOf(number + 500),
    created_time: '2026-11-22T08:15:00.000Z',
    last_edited_time: '2026-11-22T08:15:00.000Z',
    created_by: { object: 'user', id: idOf(700) },
    rich_text: richText(text),
    display_name: { type: 'user', resolved_name: 'Sarah' },
    ...more,
  }
}

export function serveNotion(state: NotionState): Promise<Served> {
  return serve((request, response, text) => answer(state, request, response, text))
}

function send(
  response: ServerResponse,
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void {
  response
    .writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
    .end(JSON.stringify(body))
}

const CODES: Readonly<Record<number, string>> = {
  400: 'validation_error',
  401: 'unauthorized',
  403: 'restricted_resource',
  404: 'object_not_found',
  409: 'conflict_error',
  429: 'rate_limited',
  503: 'service_unavailable',
}

export function refuse(
  response: ServerResponse,
  status: number,
  message = 'refused',
  headers: Record<string, string> = {},
): true {
  const code = CODES[status] ?? 'internal_server_error'
  send(response, { object: 'error', status, code, message, request_id: 'r-1' }, status, headers)
  return true
}

function answer(
  state: NotionState,
  request: IncomingMessage,
  response: ServerResponse,
  text: string,
): unknown {
  const url = new URL(request.url ?? '/', 'http://notion.test')
  const { authorization, 'notion-version': version, 'content-type': type } = request.headers
  if (!state.tokens.some((token) => authorization === `Bearer ${token}`))
    return refuse(response, 401, 'API token is invalid.')
  if (version !== VERSION) return refuse(response, 400, 'Notion-Version header failed validation')
  if (text !== '' && type !== 'application/json') return refuse(response, 400, 'Error parsing JSON body.')
  const body = text === '' ? null : (JSON.parse(text) as Row)
  const asked = { method: request.method ?? '', path: url.pathname, query: url.searchParams, body }
  state.asked.push(asked)
  if (state.next.shift()?.(asked, response) === true) return
  if (asked.method === 'GET') return read(state, asked, response)
  return body === null ? refuse(response, 400) : write(state, { ...asked, body }, response)
}

const KINDS: Readonly<Record<string, string>> = {
  pages: 'page',
  databases: 'database',
  data_sources: 'data_source',
  blocks: 'block',
}

function read(state: NotionState, { path, query }: Asked, response: ServerResponse): unknown {
  if (path === '/v1/users/me')
    return send(response, { object: 'user', type: 'bot', name: 'PFAR', bot: { workspace_name: 'Acme' } })
  if (path === '/v1/comments') {
    const of = String(query.get('block_id'))
    if ([...query.keys()].some((key) => !['block_id', 'page_size', 'start_cursor'].includes(key)))
      return refuse(response, 400)
    if (state.objects[of]?.['object'] !== 'page') return refuse(response, 404)
    return list(response, state.comments[of] ?? [], {
      page_size: Number(query.get('page_size') ?? 100),
      start_cursor: query.get('start_cursor'),
    })
  }
  const [, kind = '', id = '', children] = /^\/v1\/(\w+)\/([0-9a-f-]{36})(\/children)?$/.exec(path) ?? []
  const found = state.objects[id]
  if (children !== undefined) {
    if (kind !== 'blocks' || (found === undefined && state.children[id] === undefined))
      return refuse(response, 404)
    return list(response, state.children[id] ?? [], {
      page_size: Number(query.get('page_size') ?? 100),
      start_cursor: query.get('start_cursor'),
    })
  }
  const wanted = KINDS[kind]
  if (wanted === undefined || found === undefined) return refuse(response, 404)
  // As Notion answers an id of another kind.
  if (found['object'] !== wanted) return refuse(response, wanted === 'page' ? 400 : 404)
  return send(response, found)
}

/** With a cursor, as Notion leads on. */
function list(response: ServerResponse, rows: readonly Row[], body: Row): unknown {
  const { page_size: size = 100, start_cursor: cursor } = body
  if (typeof size !== 'number' || size < 1 || size > 100) return refuse(response, 400, 'page_size')
  const at = typeof cursor === 'string' ? Number(/^c-(\d+)$/.exec(cursor)?.[1] ?? Number.NaN) : 0
  if (Number.isNaN(at)) return refuse(response, 400, 'start_cursor')
  const isLast = at + size >= rows.length
  return send(response, {
    object: 'list',
    results: rows.slice(at, at + size),
    next_cursor: isLast ? null : `c-${at + size}`,
    has_more: !isLast,
  })
}

type Written = Asked & { readonly body: Row }

function write(state: NotionState, asked: Written, response: ServerResponse): unknown {
  const { method, path, body } = asked
  const [, source, blocks] =
    /^\/v1\/(?:data_sources\/([0-9a-f-]{36})\/query|blocks\/([0-9a-f-]{36})\/children)$/.exec(path) ?? []
  if (method === 'POST' && path === '/v1/search') return search(state, body, response)
  if (method === 'POST' && path === '/v1/pages') return create(state, body, response)
  if (method === 'POST' && path === '/v1/comments') return comment(state, body, response)
  if (method === 'POST' && source !== undefined) return query(state, source, body, response)
  if (method === 'PATCH' && blocks !== undefined) return append(state, blocks, body, response)
  const [, page] = /^\/v1\/pages\/([0-9a-f-]{36})$/.exec(path) ?? []
  if (method === 'PATCH' && page !== undefined) return change(state, page, body, response)
  return refuse(response, 400, 'Invalid request URL.')
}

function strange(body: Row, ...known: readonly string[]): boolean {
  return Object.keys(body).some((key) => !known.includes(key))
}

function titleOf(row: Row): string {
  const properties = (row['properties'] ?? {}) as Record<string, Row>
  const column = Object.values(properties).find((one) => one['type'] === 'title')
  const texts = (row['object'] === 'page' ? column?.['title'] : row['title']) as readonly Row[] | undefined
  return (texts ?? []).map((text) => String(text['plain_text'])).join('')
}

function search(state: NotionState, body: Row, response: ServerResponse): unknown {
  if (strange(body, 'query', 'filter', 'sort', 'page_size', 'start_cursor')) return refuse(response, 400)
  const filter = body['filter'] as Row | undefined
  if (
    filter !== undefined &&
    (filter['property'] !== 'object' || !['page', 'data_source'].includes(String(filter['value'])))
  )
    return refuse(response, 400)
  const words = String(body['query'] ?? '')
    .toLowerCase()
    .split(/\s+/)
  const rows = Object.values(state.objects).filter(
    (row) =>
      ['page', 'data_source'].includes(String(row['object'])) &&
      (filter === undefined || row['object'] === filter['value']) &&
      words.some((word) => titleOf(row).toLowerCase().includes(word)),
  )
  return list(response, rows, body)
}

function isRichText(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.length <= 100 &&
    value.every(
      (part: Row) => part['type'] === 'text' && String((part['text'] as Row)['content']).length <= 2_000,
    )
  )
}

function areBlocks(value: unknown): value is readonly Row[] {
  return (
    Array.isArray(value) &&
    value.length <= 100 &&
    value.every((block: Row) => {
      const inner = block[String(block['type'])] as Row | undefined
      return block['object'] === 'block' && isRichText(inner?.['rich_text'])
    })
  )
}

function append(state: NotionState, id: string, body: Row, response: ServerResponse): unknown {
  if (state.objects[id]?.['object'] !== 'page') return refuse(response, 404)
  const { children } = body
  if (strange(body, 'children', 'position') || !areBlocks(children) || children.length === 0)
    return refuse(response, 400)
  const made = children.map((block, at) => ({ ...block, id: idOf(9_000 + at), has_children: false }))
  state.children[id] = [...(state.children[id] ?? []), ...made]
  return send(response, { object: 'list', results: made, next_cursor: null, has_more: false })
}

function create(state: NotionState, body: Row, response: ServerResponse): unknown {
  const {
    parent,
    properties,
    children = [],
  } = body as { parent: Row; properties: Record<string, Row>; children: unknown }
  if (strange(body, 'parent', 'properties', 'children') || !areBlocks(children)) return refuse(response, 400)
  const [key = '', ...others] = Object.keys(parent)
  const under = state.objects[String(parent[key])]
  const kind = key === 'page_id' ? 'page' : key === 'data_source_id' ? 'data_source' : ''
  if (others.length > 0 || kind === '') return refuse(response, 400)
  if (under?.['object'] !== kind) return refuse(response, 404)
  const columns =
    kind === 'page' ? { title: { type: 'title' } } : (under['properties'] as Record<string, Row>)
  const cells = Object.entries(properties)
  if (!cells.every(([name, cell]) => isCell(cell, String((columns as Record<string, Row>)[name]?.['type']))))
    return refuse(response, 400)
  const texts = cells.flatMap(([, { title = [] }]) => title as readonly Row[])
  const text = texts.map((part) => String((part['text'] as Row)['content'])).join('')
  const made = pageRow(8_000 + Object.keys(state.objects).length, text, { parent: { type: key, ...parent } })
  put(state, made)
  return send(response, made)
}

function comment(state: NotionState, body: Row, response: ServerResponse): unknown {
  const { parent, rich_text: text } = body as { parent?: Row; rich_text?: readonly Row[] }
  if (strange(body, 'parent', 'rich_text') || !isRichText(text) || text?.length === 0)
    return refuse(response, 400)
  const page = Number(String(parent?.['page_id']).slice(-12))
  if (Object.keys(parent ?? {}).join() !== 'page_id') return refuse(response, 400)
  if (state.objects[idOf(page)]?.['object'] !== 'page') return refuse(response, 404)
  const words = (text ?? []).map((part) => String((part['text'] as Row)['content'])).join('')
  const made = commentRow(7_000, page, words, {
    display_name: { type: 'integration', resolved_name: 'PFAR' },
  })
  state.comments[idOf(page)] = [...(state.comments[idOf(page)] ?? []), made]
  return send(response, made)
}

/** Cells of a row, of columns that its database has, with options that it has. */
function change(state: NotionState, id: string, body: Row, response: ServerResponse): unknown {
  const page = state.objects[id]
  if (page?.['object'] !== 'page') return refuse(response, 404)
  const source = state.objects[String((page['parent'] as Row)['data_source_id'])]
  const columns = (source?.['properties'] ?? {}) as Record<string, Row>
  const cells = Object.entries((body['properties'] ?? {}) as Record<string, Row>)
  const isKnown = ([name, cell]: readonly [string, Row]): boolean => {
    const type = String(columns[name]?.['type'])
    const options = ((columns[name]?.[type] as Row | undefined)?.['options'] ?? []) as readonly Row[]
    // A status is never empty; a date, a number and an option may be.
    if (['select', 'date', 'number'].includes(type) && cell[type] === null)
      return Object.keys(cell).join() === type
    if (type !== 'status' && type !== 'select') return isCell(cell, type)
    const named = (cell[type] as Row | undefined)?.['name']
    return Object.keys(cell).join() === type && options.some(({ name: own }) => own === named)
  }
  if (strange(body, 'properties') || cells.length === 0 || !cells.every(isKnown)) return refuse(response, 400)
  const properties = page['properties'] as Record<string, Row>
  for (const [name, cell] of cells) {
    const rich = cell['rich_text'] as readonly Row[] | undefined
    const texts = rich?.map((part) => String((part['text'] as Row)['content'])).join('')
    properties[name] = {
      ...properties[name],
      ...cell,
      ...(texts !== undefined && { rich_text: richText(texts) }),
    }
  }
  return send(response, page)
}

/** A value of the kind that its column has, and nothing else. */
function isCell(cell: Row, type: string): boolean {
  const value = cell[type]
  if (Object.keys(cell).join() !== type) return false
  if (type === 'title' || type === 'rich_text') return isRichText(value)
  if (type === 'date') return /^\d{4}-\d{2}-\d{2}/.test(String((value as Row | null)?.['start']))
  if (type === 'multi_select') return Array.isArray(value) && value.every(isOption)
  return typeof value === (type === 'checkbox' ? 'boolean' : type)
}

/** An option by its name, in which Notion takes no comma. */
function isOption(option: Row): boolean {
  return Object.keys(option).join() === 'name' && /^[^,]{1,100}$/.test(String(option['name']))
}

function query(state: NotionState, id: string, body: Row, response: ServerResponse): unknown {
  const source = state.objects[id]
  if (source?.['object'] !== 'data_source') return refuse(response, 404)
  if (strange(body, 'filter', 'sorts', 'page_size', 'start_cursor')) return refuse(response, 400)
  const filter = body['filter'] as Row | undefined
  const columns = source['properties'] as Record<string, Row>
  if (filter !== undefined && !isFilter(filter, columns, 0)) return refuse(response, 400)
  const rows = Object.values(state.objects).filter(
    (row) =>
      (row['parent'] as Row | undefined)?.['data_source_id'] === id &&
      (filter === undefined || holds(filter, row)),
  )
  return list(response, rows, body)
}

const WAYS: Readonly<Record<string, readonly string[]>> = {
  title: ['contains'],
  rich_text: ['contains'],
  checkbox: ['equals'],
  select: ['equals'],
  status: ['equals', 'does_not_equal', 'is_empty'],
  multi_select: ['contains'],
}

/** Two levels at most, and each condition of its column's kind. */
function isFilter(filter: Row, columns: Record<string, Row>, depth: number): boolean {
  const group = filter['and'] ?? filter['or']
  if (group !== undefined)
    return (
      depth < 2 &&
      Array.isArray(group) &&
      group.length > 0 &&
      group.length <= 100 &&
      group.every((one: Row) => isFilter(one, columns, depth + 1))
    )
  const { property, ...condition } = filter
  const type = String(columns[String(property)]?.['type'])
  const [kind = '', ...others] = Object.keys(condition)
  const way = Object.keys((condition[kind] ?? {}) as Row)
  return others.length === 0 && kind === type && way.length === 1 && (WAYS[kind] ?? []).includes(way[0] ?? '')
}

function holds(filter: Row, row: Row): boolean {
  const { and, or, property, ...condition } = filter as { and?: Row[]; or?: Row[]; property?: string }
  if (and !== undefined) return and.every((one) => holds(one, row))
  if (or !== undefined) return or.some((one) => holds(one, row))
  const [kind = ''] = Object.keys(condition)
  const [way = '', wanted] = Object.entries((condition as Record<string, Row>)[kind] ?? {})[0] ?? []
  const cell = ((row['properties'] ?? {}) as Record<string, Row>)[String(property)]?.[kind]
  const value =
    kind === 'checkbox'
      ? cell
      : Array.isArray(cell)
        ? cell
            .map((one: Row) => String(one['plain_text'] ?? one['name']))
            .join(kind === 'multi_select' ? '\n' : '')
        : ((cell as Row | null)?.['name'] ?? '')
  if (way === 'contains') return String(value).toLowerCase().includes(String(wanted).toLowerCase())
  if (way === 'is_empty') return value === ''
  return (value === wanted) === (way === 'equals')
}
