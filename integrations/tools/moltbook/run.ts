/**
 * Moltbook over its public interface (https://www.moltbook.com/skill.md): the check of messages, and the home page of an agent. A refusal may come with status
 * 200. Must not follow what an answer suggests. Called through integrations/tools/port.ts.
 */
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { Tool, ToolCall } from '../../../kernel/tool/manifest.ts'
import { fieldOf, type JsonRecord, recordOf } from '../reading.ts'
import { callJson } from '../remote.ts'
import { HOST, MOLTBOOK_MANIFEST } from './manifest.ts'
import { nameOf, shapeMessages, shapeNews } from './shape.ts'

const ACTIONS: ReadonlyMap<
  string,
  { readonly path: string; readonly shape: (answer: JsonRecord) => Result<object> }
> = new Map([
  ['moltbook.check_dms', { path: '/agents/dm/check', shape: shapeMessages }],
  ['moltbook.check_notifications', { path: '/home', shape: shapeNews }],
])

export function createMoltbookTool({ baseUrl }: { readonly baseUrl?: string } = {}): Tool {
  const base = baseUrl ?? `https://${HOST}/api/v1`
  return {
    manifest: { ...MOLTBOOK_MANIFEST, network: [new URL(base).host] },
    check: async (call): Promise<Result<string | null>> => {
      const answer = await ask(call, `${base}/agents/me`)
      if (!answer.ok) return answer
      const agent = recordOf(answer.value, 'agent')
      return ok(nameOf(agent, 'name') ?? nameOf(answer.value, 'name'))
    },
    execute: async (call) => {
      const action = ACTIONS.get(call.action)
      if (action === undefined) return err('tool_unknown')
      const answer = await ask(call, base + action.path)
      const shaped = answer.ok ? action.shape(answer.value) : answer
      return shaped.ok ? { ok: true, output: shaped.value } : shaped
    },
  }
}

/** Unwraps an answer in `data`. */
async function ask(call: Pick<ToolCall, 'credential' | 'http'>, url: string): Promise<Result<JsonRecord>> {
  const answer = await callJson(call, { method: 'GET', url })
  if (!answer.ok) return answer
  if (fieldOf(answer.value, 'success') === false) return err('remote_rejected', { rule: 'success' })
  const inner = recordOf(answer.value, 'data')
  return Object.keys(inner).length > 0 ? ok(inner) : answer
}
