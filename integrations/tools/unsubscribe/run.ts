/**
 * Sends one POST to the address that the card showed, with the fixed body of RFC 8058: no cookies, no redirect, none of the
 * owner's data. Must not request any other address. Called through integrations/tools/port.ts.
 */
import { err } from '../../../kernel/flow/verdict.ts'
import type { Tool, ToolCall, ToolOutcome } from '../../../kernel/tool/manifest.ts'
import { UNCLEAR } from '../remote.ts'
import { UNSUBSCRIBE_MANIFEST } from './manifest.ts'
import { shapeLeft } from './shape.ts'

/** RFC 8058 §3.1. */
const BODY = 'List-Unsubscribe=One-Click'

export function createUnsubscribeTool(_powers: object = {}): Tool {
  return { manifest: UNSUBSCRIBE_MANIFEST, execute: leave }
}

async function leave({ action, args, http }: ToolCall): Promise<ToolOutcome> {
  if (action !== 'unsubscribe.link') return err('tool_unknown')
  const url = URL.parse(String(args['url']))
  if (url?.protocol !== 'https:') return err('tool_arguments_invalid', { rule: 'https' })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const answer = await http.request({ method: 'POST', url: url.href, headers, body: BODY })
  if (answer.ok) return shapeLeft(url.host, answer.value)
  const { code } = answer.reason
  return UNCLEAR.has(code) ? err('write_outcome_unknown', { after: code }) : answer
}
