/**
 * Notion over its REST API (I-15): maps actions to calls. Must not do more than one write per call. Called through
 * integrations/tools/port.ts.
 */
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { Tool, ToolOutcome } from '../../../kernel/tool/manifest.ts'
import { cleanLine } from '../../extractors/page-clean.ts'
import { recordOf, stringOf } from '../reading.ts'
import { callJson } from '../remote.ts'
import { type Api, HEADERS } from './api.ts'
import { findCell, setCell } from './cell.ts'
import { addComment, readComments } from './comments.ts'
import { findPage, queryDatabase, readPage, search } from './look.ts'
import { HOST, NOTION_MANIFEST } from './manifest.ts'
import { addRow, append, createPage } from './write.ts'

/** UTF-16 units of a workspace's name. */
const ACCOUNT = 100

const ACTIONS: ReadonlyMap<string, (api: Api) => Promise<ToolOutcome>> = new Map([
  ['notion.search', search],
  ['notion.find_page', findPage],
  ['notion.read_page', readPage],
  ['notion.query_db', queryDatabase],
  ['notion.create_page', createPage],
  ['notion.append', append],
  ['notion.add_row', addRow],
  ['notion.set_cell', setCell],
  ['notion.comments', readComments],
  ['notion.comment', addComment],
])

/** `timezone`: for days that the owner names. */
export function createNotionTool({
  baseUrl,
  timezone = 'UTC',
}: {
  readonly baseUrl?: string
  readonly timezone?: string
} = {}): Tool {
  const base = baseUrl ?? `https://${HOST}`
  return {
    manifest: { ...NOTION_MANIFEST, network: [new URL(base).host] },
    // The token's owner, which every token may read.
    check: async (call): Promise<Result<string | null>> => {
      const answer = await callJson(call, { method: 'GET', url: `${base}/v1/users/me`, headers: HEADERS })
      if (!answer.ok) return answer
      const workspace = stringOf(recordOf(answer.value, 'bot'), 'workspace_name')
      return ok(cleanLine(workspace || stringOf(answer.value, 'name'), ACCOUNT) || null)
    },
    execute: async (call) =>
      call.action === 'notion.find_cell'
        ? findCell({ base, call }, timezone)
        : ((await ACTIONS.get(call.action)?.({ base, call })) ?? err('tool_unknown')),
  }
}
