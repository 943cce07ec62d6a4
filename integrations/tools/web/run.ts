/**
 * Fetches one page and parses it with the place's reader. Must not follow its links, run its scripts or send a credential.
 * Called through integrations/tools/port.ts.
 */
import { err } from '../../../kernel/flow/verdict.ts'
import type { Tool, ToolCall, ToolOutcome } from '../../../kernel/tool/manifest.ts'
import type { PageReader } from '../../extractors/page.ts'
import { toLink } from '../../extractors/page-clean.ts'
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
  // A page has no account that could be connected again.
  if (!status.ok)
    return status.reason.code === 'remote_unauthorized' ? err('remote_rejected', status.reason.facts) : status
  const page = await shapePage(response.value, reader)
  if (!page.ok) return page
  const url = toLink(response.value.url)
  return { ok: true, output: { ...page.value, ...(url !== null && { url }) } }
}
