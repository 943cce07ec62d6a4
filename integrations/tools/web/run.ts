/**
 * Fetches one page and reads it with the reader of its place. Must not follow the page's links or run its scripts,
 * and sends no credential: it has none. Called through integrations/tools/port.ts.
 */
import { err } from '../../../kernel/flow/verdict.ts'
import type { Tool, ToolCall, ToolOutcome } from '../../../kernel/tool/manifest.ts'
import type { PageReader } from '../../extractors/page.ts'
import { checkStatus } from '../remote.ts'
import { WEB_MANIFEST } from './manifest.ts'
import { shapePage } from './shape.ts'

const ACCEPT = 'text/html,application/xhtml+xml,text/plain,application/json;q=0.8'

export function createWebTool(options: { readonly reader: PageReader }): Tool {
  return { manifest: WEB_MANIFEST, execute: (call) => readPage(call, options.reader) }
}

async function readPage(call: ToolCall, reader: PageReader): Promise<ToolOutcome> {
  if (call.action !== 'web.read') return err('tool_unknown')
  const response = await call.http.request({
    method: 'GET',
    url: String(call.args['url']),
    headers: { accept: ACCEPT },
  })
  if (!response.ok) return response
  const status = checkStatus(response.value)
  // No account stands behind a page, so there is none to connect again.
  if (!status.ok)
    return status.reason.code === 'remote_unauthorized' ? err('remote_rejected', status.reason.facts) : status
  const page = await shapePage(response.value, reader)
  return page.ok ? { ok: true, output: page.value } : page
}
