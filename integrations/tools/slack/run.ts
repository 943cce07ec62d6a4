/**
 * Slack over its Web API: which action is which reads. Must not write. Called through integrations/tools/port.ts.
 */
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { Tool, ToolCall, ToolOutcome } from '../../../kernel/tool/manifest.ts'
import type { Api } from './api.ts'
import { readChannel, readThread, searchMessages } from './look.ts'
import { HOST, SLACK_MANIFEST } from './manifest.ts'
import { ownerOf } from './people.ts'
import { listUnanswered } from './unanswered.ts'

const ACTIONS: ReadonlyMap<string, (api: Api, call: ToolCall) => Promise<ToolOutcome>> = new Map([
  ['slack.list_unanswered', listUnanswered],
  ['slack.search', (api: Api, { args }: ToolCall) => searchMessages(api, args)],
  ['slack.read_channel', (api: Api, { args }: ToolCall) => readChannel(api, args)],
  ['slack.read_thread', (api: Api, { args }: ToolCall) => readThread(api, args)],
])

export function createSlackTool({ baseUrl }: { readonly baseUrl?: string } = {}): Tool {
  const base = (baseUrl ?? `https://${HOST}`).replace(/\/+$/, '')
  return {
    manifest: { ...SLACK_MANIFEST, network: [new URL(base).host] },
    check: async (call): Promise<Result<string | null>> => {
      const owner = await ownerOf({ base, call })
      return owner.ok ? ok(owner.value.name) : owner
    },
    execute: async (call) => (await ACTIONS.get(call.action)?.({ base, call }, call)) ?? err('tool_unknown'),
  }
}
