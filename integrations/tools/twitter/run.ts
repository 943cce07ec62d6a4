/**
 * twitterapi.io over its documented interface (https://docs.twitterapi.io): one page of a search, or of an account. Its errors may come with status 200. Must
 * not put its text into a reason. Called through integrations/tools/port.ts.
 */
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { Tool, ToolCall, ToolOutcome } from '../../../kernel/tool/manifest.ts'
import { type JsonRecord, stringOf } from '../reading.ts'
import { callJson } from '../remote.ts'
import { HOST, TWITTER_MANIFEST } from './manifest.ts'
import { shapeTweets } from './shape.ts'

const USER = /^@?([A-Za-z0-9_]{1,15})$/

export function createTwitterTool({ baseUrl }: { readonly baseUrl?: string } = {}): Tool {
  const base = baseUrl ?? `https://${HOST}`
  return {
    manifest: { ...TWITTER_MANIFEST, network: [new URL(base).host] },
    // What is left of the account's credits: it costs nothing, and names nobody.
    check: async (call): Promise<Result<string | null>> => {
      const answer = await ask(call, `${base}/oapi/my/info`)
      return answer.ok ? ok(null) : answer
    },
    execute: async (call): Promise<ToolOutcome> => {
      const path = pathOf(call)
      if (!path.ok) return path
      const answer = await ask(call, base + path.value)
      return answer.ok ? { ok: true, output: shapeTweets(answer.value) } : answer
    },
  }
}

function pathOf({ action, args }: ToolCall): Result<string> {
  const cursor = typeof args['from'] === 'string' ? { cursor: args['from'] } : {}
  if (action === 'twitter.search_tweets') {
    const queryType = args['sort'] === 'top' ? 'Top' : 'Latest'
    const query = { query: String(args['words']), queryType, ...cursor }
    return ok(`/twitter/tweet/advanced_search?${new URLSearchParams(query)}`)
  }
  if (action !== 'twitter.user_tweets') return err('tool_unknown')
  const [, userName] = USER.exec(String(args['user'])) ?? []
  return userName === undefined
    ? err('tool_arguments_invalid', { rule: 'user' })
    : ok(`/twitter/user/last_tweets?${new URLSearchParams({ userName, ...cursor })}`)
}

/** The key goes into a header of its own. */
async function ask(call: Pick<ToolCall, 'credential' | 'http'>, url: string): Promise<Result<JsonRecord>> {
  if (call.credential === null) return err('credential_missing')
  const headers = { 'x-api-key': call.credential.value }
  const answer = await callJson(call, { method: 'GET', url, keyless: true, headers })
  if (!answer.ok || stringOf(answer.value, 'status') !== 'error') return answer
  // An account that is not there, or that is closed, is told of in words alone.
  return err('remote_not_found')
}
