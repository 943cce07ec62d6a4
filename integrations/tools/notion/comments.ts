/**
 * Comments of a Notion page: open ones on the page as a whole, and a new one. The kernel has just looked up the page for a new
 * comment, and passes it as an argument. Must not retry. Called by run.ts.
 */
import { err, ok } from '../../../kernel/flow/verdict.ts'
import type { ToolOutcome } from '../../../kernel/tool/manifest.ts'
import { cleanLine, toDate } from '../../extractors/page-clean.ts'
import { type JsonRecord, recordOf, stringOf } from '../reading.ts'
import { type Api, getComments, send } from './api.ts'
import { COMMENTS } from './commenting.ts'
import { find } from './find.ts'
import { idIn } from './names.ts'
import { plainOf, shapeHead } from './shape.ts'
import { aimIn, settled } from './write.ts'
import { textsOf } from './written.ts'

/** Refusals: those of `find` and of the call. */
export async function readComments(api: Api): Promise<ToolOutcome> {
  const { page, from } = api.call.args
  const found = await find(api, page, 'page')
  if (!found.ok) return found
  const listed = await getComments(api, found.value.id, COMMENTS.most, typeof from === 'string' ? from : null)
  if (!listed.ok) return listed
  const { rows, next, more } = listed.value
  const comments = rows.flatMap(commentIn).slice(0, COMMENTS.most)
  return { ok: true, output: { ...shapeHead(found.value), comments, more, ...(next !== null && { next }) } }
}

function commentIn(row: JsonRecord): readonly object[] {
  const id = idIn(stringOf(row, 'id'))
  if (id === null || stringOf(row, 'object') !== 'comment') return []
  const author = cleanLine(stringOf(recordOf(row, 'display_name'), 'resolved_name'), COMMENTS.author)
  const created = toDate(stringOf(row, 'created_time'))
  return [
    {
      id,
      text: plainOf(row, 'rich_text').slice(0, COMMENTS.text),
      ...(author !== '' && { author }),
      ...(created !== null && { created }),
    },
  ]
}

/** Refusal: tool_arguments_invalid for a database, which has no comments, and for an empty text. */
export async function addComment(api: Api): Promise<ToolOutcome> {
  const aim = aimIn(api)
  if (!aim.ok) return aim
  const { id, kind, within } = aim.value
  const text = String(api.call.args['text']).trim()
  if (kind !== 'page' || text === '') return err('tool_arguments_invalid', { rule: 'comment' })
  const body = { parent: { page_id: id }, rich_text: textsOf(text) }
  return settled(await send(api, 'POST', '/v1/comments', body), (made) =>
    idIn(stringOf(made, 'id')) === null
      ? err('tool_result_invalid', { rule: 'comment' })
      : ok({ id, within }),
  )
}
