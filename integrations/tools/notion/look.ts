/**
 * The reads of Notion: search, one page's place and readers, its text, the rows of a database. Each requests a bounded number of
 * pages and reports if there are more. Must not write. Called by run.ts.
 */
import type { ToolOutcome } from '../../../kernel/tool/manifest.ts'
import { type JsonRecord, stringOf } from '../reading.ts'
import { type Api, postForPage } from './api.ts'
import { markdownOf } from './blocks.ts'
import { find, searchFor, standingOf } from './find.ts'
import { DEFAULT_ITEMS, KINDS, MAX_ITEMS, NOTION_TEXT } from './manifest.ts'
import { idIn, namedBy } from './names.ts'
import { filterOf } from './query.ts'
import {
  doneBy,
  dueOf,
  type Found,
  isGone,
  type Kind,
  shapeColumns,
  shapeHead,
  shapeSchema,
  stateOf,
  titleOf,
} from './shape.ts'

export async function search(api: Api): Promise<ToolOutcome> {
  const { words, kind, from } = api.call.args
  const only = KINDS.find((one) => one === kind)
  const size = countIn(api)
  const searched = await searchFor(api, String(words), {
    ...{ size, ...(only !== undefined && { kind: only }), ...(typeof from === 'string' && { from }) },
  })
  if (!searched.ok) return searched
  const { found, next, more } = searched.value
  const pages = found.slice(0, size).map(shapeHead)
  const isMore = more || found.length > size
  return { ok: true, output: { pages, more: isMore, ...(next !== null && { next }) } }
}

/** The read by which the kernel learns where a write would go, and who can read it. */
export async function findPage(api: Api): Promise<ToolOutcome> {
  const found = await find(api, api.call.args['page'])
  if (!found.ok) return found
  const standing = await standingOf(api, found.value)
  return standing.ok ? { ok: true, output: { ...shapeHead(found.value), ...standing.value } } : standing
}

export async function readPage(api: Api): Promise<ToolOutcome> {
  const found = await find(api, api.call.args['page'], 'page')
  if (!found.ok) return (await rowsAsText(api)) ?? found
  const text = await markdownOf(api, found.value.id, api.call.args['from'])
  if (!text.ok) return text
  const columns = shapeColumns(found.value.object)
  return { ok: true, output: { ...shapeHead(found.value), ...text.value, columns } }
}

/** For a database, which lists contain besides pages: the titles of its first rows; null if the id is not that of a database. */
async function rowsAsText(api: Api): Promise<ToolOutcome | null> {
  const named = namedBy(String(api.call.args['page']))
  const found = 'id' in named ? await find(api, named.id, 'database') : null
  if (found?.ok !== true) return null
  const page = await postForPage(api, `/v1/data_sources/${found.value.id}/query`, { page_size: MAX_ITEMS })
  if (!page.ok) return page
  const names = page.value.rows.flatMap(rowIn).map((row) => `- ${titleOf(row.object)}`)
  const output = {
    body: names.join('\n').slice(0, NOTION_TEXT.body),
    truncated: page.value.more,
    columns: [],
  }
  return { ok: true, output: { ...shapeHead(found.value), ...output } }
}

export async function queryDatabase(api: Api): Promise<ToolOutcome> {
  const { database, words, state, from } = api.call.args
  const found = await find(api, database, 'database')
  if (!found.ok) return found
  const source = found.value.object
  const size = countIn(api)
  const filter = filterOf(source, {
    ...(typeof words === 'string' && { words }),
    ...((state === 'open' || state === 'complete') && { state }),
  })
  const page = await postForPage(api, `/v1/data_sources/${found.value.id}/query`, {
    page_size: size,
    ...(filter !== null && { filter }),
    ...(typeof from === 'string' && { start_cursor: from }),
  })
  if (!page.ok) return page
  const { next, more } = page.value
  const done = doneBy(source)
  const rows = page.value.rows.flatMap(rowIn).slice(0, size)
  return {
    ok: true,
    output: {
      database: titleOf(source),
      schema: shapeSchema(source),
      rows: rows.map((row) => ({
        ...shapeHead(row),
        ...stateOf(row.object, done),
        ...dueOf(row.object),
        columns: shapeColumns(row.object),
      })),
      more: more || page.value.rows.length > size,
      ...(next !== null && { next }),
    },
  }
}

/** A database of databases has other rows too; an unreadable row hides no other. */
function rowIn(object: JsonRecord): readonly Found[] {
  const id = idIn(stringOf(object, 'id'))
  const kind: Kind = 'page'
  return id === null || stringOf(object, 'object') !== 'page' || isGone(object) ? [] : [{ kind, id, object }]
}

function countIn({ call }: Api): number {
  const { count } = call.args
  return typeof count === 'number' && count >= 1 ? Math.min(Math.floor(count), MAX_ITEMS) : DEFAULT_ITEMS
}
