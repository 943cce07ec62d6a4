/**
 * The writes of Notion. The kernel has just looked up the page and its readers, and passes them as arguments; nothing is looked
 * up by name here. Notion has no idempotency key for a write, so an unclear outcome is reported as unknown. Must not retry.
 * Called by run.ts and comments.ts.
 */
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { ToolOutcome } from '../../../kernel/tool/manifest.ts'
import { type JsonRecord, stringOf } from '../reading.ts'
import { UNCLEAR } from '../remote.ts'
import { type Api, getRecord, send } from './api.ts'
import { cellsOf } from './cells.ts'
import { KINDS } from './manifest.ts'
import { idIn } from './names.ts'
import { columnsIn, type Kind, linked } from './shape.ts'
import { blocksOf, textsOf } from './written.ts'

interface Aim {
  readonly kind: Kind
  readonly id: string
  /** The title that the card showed. */
  readonly within: string
}

export async function createPage(api: Api): Promise<ToolOutcome> {
  const aim = aimIn(api)
  if (!aim.ok) return aim
  const { title, text } = api.call.args
  return newPage(api, aim.value, { title: String(title), text: typeof text === 'string' ? text : '' })
}

export async function append(api: Api): Promise<ToolOutcome> {
  const aim = aimIn(api)
  if (!aim.ok) return aim
  const { text, as } = api.call.args
  const written = String(text)
  // A database has no text of its own, so the text is added as a row.
  if (aim.value.kind === 'database') {
    const [title = '', ...rest] = written.split('\n')
    return newPage(api, aim.value, { title, text: rest.join('\n') })
  }
  const { id, within } = aim.value
  const children = blocksOf(written, as === 'to_do' || as === 'bullet' ? as : 'text')
  if (children.length === 0) return err('tool_arguments_invalid', { rule: 'empty' })
  return settled(await send(api, 'PATCH', `/v1/blocks/${id}/children`, { children }), () =>
    ok({ id, within }),
  )
}

/**
 * Writes typed values, each in the first column of its kind. A value without a column refuses the row, because half of it would
 * be lost unnoticed.
 */
export async function addRow(api: Api): Promise<ToolOutcome> {
  const aim = aimIn(api)
  if (!aim.ok) return aim
  if (aim.value.kind !== 'database') return err('tool_arguments_invalid', { rule: 'database' })
  const source = await getRecord(api, `/v1/data_sources/${aim.value.id}`)
  if (!source.ok) return source
  const properties = cellsOf(source.value, api.call.args)
  if (!properties.ok) return properties
  return made(api, aim.value, { parent: { data_source_id: aim.value.id }, properties: properties.value })
}

async function newPage(
  api: Api,
  { kind, id, within }: Aim,
  { title, text }: { readonly title: string; readonly text: string },
): Promise<ToolOutcome> {
  if (title.trim() === '') return err('tool_arguments_invalid', { rule: 'title' })
  const column = kind === 'page' ? ok('title') : await titleColumn(api, id)
  if (!column.ok) return column
  const children = blocksOf(text, 'text')
  const body = {
    parent: kind === 'page' ? { page_id: id } : { data_source_id: id },
    properties: { [column.value]: { title: textsOf(title) } },
    ...(children.length > 0 && { children }),
  }
  return made(api, { within }, body)
}

async function made(api: Api, { within }: Pick<Aim, 'within'>, body: JsonRecord): Promise<ToolOutcome> {
  return settled(await send(api, 'POST', '/v1/pages', body), (page) => {
    const own = idIn(stringOf(page, 'id'))
    return own === null
      ? err('tool_result_invalid', { rule: 'page' })
      : ok({ id: own, within, ...linked(page) })
  })
}

/** Every database has one column for the titles of its rows, whose name its owner chose. Nothing has been written yet. */
async function titleColumn(api: Api, id: string): Promise<Result<string>> {
  const source = await getRecord(api, `/v1/data_sources/${id}`)
  if (!source.ok) return source
  const [name] = columnsIn(source.value).find(([, one]) => stringOf(one, 'type') === 'title') ?? []
  return name === undefined ? err('tool_arguments_invalid', { rule: 'title_column' }) : ok(name)
}

/** Without the look-up, nobody has approved this page. */
export function aimIn({ call }: Api): Result<Aim> {
  const { id, kind, name } = call.args
  const own = idIn(typeof id === 'string' ? id : '')
  const known = KINDS.find((one) => one === kind)
  return own === null || known === undefined
    ? err('tool_arguments_invalid', { rule: 'target' })
    : ok({ id: own, kind: known, within: typeof name === 'string' ? name : '' })
}

/** A lost or empty answer makes the outcome unknown. */
export function settled(
  answer: Result<JsonRecord>,
  shape: (made: JsonRecord) => Result<object>,
): ToolOutcome {
  const made = answer.ok ? shape(answer.value) : answer
  if (made.ok) return { ok: true, output: made.value }
  const { code } = made.reason
  return UNCLEAR.has(code) ? err('write_outcome_unknown', { after: code }) : made
}
