/**
 * GitHub over its REST API (I-14): maps actions to calls. A configured address is that of a GitHub Enterprise Server, with its
 * path. Must not do more than one write per call. Called through integrations/tools/port.ts.
 */
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { Tool, ToolOutcome } from '../../../kernel/tool/manifest.ts'
import { callJson } from '../remote.ts'
import type { Api } from './api.ts'
import { ciState } from './ci.ts'
import { getIssue, getRepo, listNotifications, listPulls, searchItems } from './look.ts'
import { GITHUB_MANIFEST, HOST } from './manifest.ts'
import { loginOf } from './shape.ts'
import { comment, createIssue } from './write.ts'

const ACTIONS: ReadonlyMap<string, (api: Api) => Promise<ToolOutcome>> = new Map([
  ['github.list_prs', listPulls],
  ['github.list_notifications', listNotifications],
  ['github.get_issue', getIssue],
  ['github.search', searchItems],
  ['github.ci_state', ciState],
  ['github.get_repo', getRepo],
  ['github.create_issue', createIssue],
  ['github.comment', comment],
])

export function createGithubTool({ baseUrl }: { readonly baseUrl?: string } = {}): Tool {
  const base = baseUrl ?? `https://${HOST}`
  return {
    manifest: { ...GITHUB_MANIFEST, network: [new URL(base).host] },
    // The token's owner, which every token may read.
    check: async (call): Promise<Result<string | null>> => {
      const answer = await callJson(call, { method: 'GET', url: `${base}/user` })
      return answer.ok ? ok(loginOf(answer.value, 'login')) : answer
    },
    execute: async (call) => (await ACTIONS.get(call.action)?.({ base, call })) ?? err('tool_unknown'),
  }
}
