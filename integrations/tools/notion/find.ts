/**
 * Finds the one page or database that a name refers to, and reports its place and who can read it. Refuses an ambiguous name and
 * never guesses; readers are taken from Notion's answer, and left out if it has none. Must not write. Called by the reads, cells
 * and comments of this folder.
 */
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import { fieldOf, type JsonRecord, recordOf, recordsOf, stringOf } from '../reading.ts'
import { type Api, getRecord, postForPage } from './api.ts'
import type { VISIBILITIES } from './manifest.ts'
import { idIn, meantOf, namedBy } from './names.ts'
import { type Found, isGone, type Kind, titleOf } from './shape.ts'

/** Maximum number of results of one search; a title shared by more pages is no use for finding one. */
const SEARCHED = 100
/** Maximum number of ancestors that are read; each is a request. A page that is nested more deeply counts as public. */
const MAX_ABOVE = 8

const OBJECTS = { page: 'page', database: 'data_source' } as const

/** Pages and data sources whose titles have these words, as Notion ranks them. */
export async function searchFor(
  api: Api,
  words: string,
  { kind, size, from }: { readonly kind?: Kind; readonly size: number; readonly from?: string | null },
): Promise<
  Result<{ readonly found: readonly Found[]; readonly next: string | null; readonly more: boolean }>
> {
  const page = await postForPage(api, '/v1/search', {
    query: words,
    page_size: size,
    ...(kind !== undefined && { filter: { property: 'object', value: OBJECTS[kind] } }),
    ...(typeof from === 'string' && { start_cursor: from }),
  })
  if (!page.ok) return page
  const { rows, next, more } = page.value
  return ok({ found: rows.flatMap(foundIn), next, more })
}

/** Refusals: remote_not_found, tool_arguments_invalid for an ambiguous name, those of the calls. */
export async function find(api: Api, name: unknown, kind?: Kind): Promise<Result<Found>> {
  const named = namedBy(String(name))
  if ('id' in named) return byId(api, named.id, kind)
  const searched = await searchFor(api, named.title, { size: SEARCHED, ...(kind !== undefined && { kind }) })
  if (!searched.ok) return searched
  const meant = meantOf(named.title, searched.value.found, ({ object }) => titleOf(object))
  if (meant === 'none') return err('remote_not_found')
  return meant === 'several' ? err('tool_arguments_invalid', { rule: 'several' }) : ok(meant.one)
}

/** A link does not reveal its kind, so each kind is tried. */
async function byId(api: Api, id: string, kind?: Kind): Promise<Result<Found>> {
  const ways = { page: () => oneOf(api, `/v1/pages/${id}`), database: () => sourceOf(api, id) }
  for (const way of kind === 'database'
    ? [ways.database]
    : kind === 'page'
      ? [ways.page]
      : [ways.page, ways.database]) {
    const found = await way()
    if (found.ok || !isNoSuch(found)) return found
  }
  return err('remote_not_found')
}

async function sourceOf(api: Api, id: string): Promise<Result<Found>> {
  const database = await getRecord(api, `/v1/databases/${id}`)
  if (!database.ok) return isNoSuch(database) ? oneOf(api, `/v1/data_sources/${id}`) : database
  const [source, ...others] = recordsOf(database.value, 'data_sources')
  if (others.length > 0) return err('tool_arguments_invalid', { rule: 'several' })
  const of = idIn(stringOf(source ?? {}, 'id'))
  return of === null ? err('remote_not_found') : oneOf(api, `/v1/data_sources/${of}`)
}

async function oneOf(api: Api, path: string): Promise<Result<Found>> {
  const object = await getRecord(api, path)
  if (!object.ok) return object
  const [found] = foundIn(object.value)
  return found === undefined ? err('remote_not_found') : ok(found)
}

/** Not found, not shared, or of another kind, for which Notion answers 400. */
function isNoSuch(answer: Extract<Result<unknown>, { ok: false }>): boolean {
  const { code, facts } = answer.reason
  return code === 'remote_not_found' || (code === 'remote_rejected' && facts['status'] === 400)
}

function foundIn(object: JsonRecord): readonly Found[] {
  const said = stringOf(object, 'object')
  const kind = said === 'page' ? 'page' : said === 'data_source' ? 'database' : null
  const id = idIn(stringOf(object, 'id'))
  return kind === null || id === null || isGone(object) ? [] : [{ kind, id, object }]
}

interface Standing {
  /** Title of its parent; absent at the top of what the integration can see. */
  readonly place?: string
  readonly visibility: (typeof VISIBILITIES)[number]
}

/**
 * Its place and its readers: everyone, if it or a visible ancestor is published. Refusals: tool_result_invalid if Notion does not
 * report that, or it is nested too deeply; those of the calls.
 */
export async function standingOf(api: Api, { object, kind }: Found): Promise<Result<Standing>> {
  let here: JsonRecord | null = object
  let place: string | undefined
  let isPublic = false
  for (let above = 0; above <= MAX_ABOVE; above += 1) {
    const said = isPublished(here)
    if (said === null) return err('tool_result_invalid', { rule: 'public_url' })
    isPublic ||= said
    const isDone = isPublic && place !== undefined
    const parent: Result<JsonRecord | null> = isDone ? ok(null) : await parentOf(api, here)
    if (!parent.ok) return parent
    here = parent.value
    if (here === null)
      return ok({ visibility: isPublic ? 'public' : 'workspace', ...(place !== undefined && { place }) })
    // The database of a data source has the same title.
    const isOwn = kind === 'database' && above === 0
    if (place === undefined && !isOwn) place = titleOf(here) || undefined
  }
  return err('tool_result_invalid', { rule: 'depth' })
}

/** Blocks and data sources are published together with their parent. Null: Notion does not say. */
function isPublished(object: JsonRecord): boolean | null {
  const url = fieldOf(object, 'public_url')
  if (typeof url === 'string') return true
  const isPart = ['block', 'data_source'].includes(stringOf(object, 'object'))
  return url === null || isPart ? false : null
}

const PARENTS: Readonly<Record<string, string>> = Object.freeze({
  page_id: '/v1/pages/',
  database_id: '/v1/databases/',
  block_id: '/v1/blocks/',
})

/** Null at the top of the workspace, or of what the integration can see. A data source alone does not reveal its readers. */
async function parentOf(api: Api, object: JsonRecord): Promise<Result<JsonRecord | null>> {
  const parent = recordOf(object, 'parent')
  const type = stringOf(parent, 'type') === 'data_source_id' ? 'database_id' : stringOf(parent, 'type')
  const id = idIn(stringOf(parent, type))
  const path = Object.hasOwn(PARENTS, type) ? PARENTS[type] : undefined
  const isSource = stringOf(object, 'object') === 'data_source'
  if (path === undefined || id === null)
    return isSource ? err('tool_result_invalid', { rule: 'parent' }) : ok(null)
  const found = await getRecord(api, path + id)
  if (found.ok || isSource) return found
  const { code, facts } = found.reason
  return code === 'remote_not_found' || facts['status'] === 403 ? ok(null) : found
}
