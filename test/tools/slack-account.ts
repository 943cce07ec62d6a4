/** The tool Slack over a scripted server of its own, for one test. Called by slack.test.ts and slack-refusals.test.ts. */
import { onTestFinished } from 'vitest'
import { createSlackTool } from '../../integrations/tools/slack/run.ts'
import type { Json } from '../../kernel/flow/json.ts'
import { type SlackAccount, serveSlackAccount, slackAccount, TOKEN } from '../fakes/slack-account-server.ts'
import { callTool } from './calls.ts'
import { startClient } from './servers.ts'

export const CREDENTIAL = { scheme: 'bearer', value: TOKEN } as const

export async function slack(fill: (state: SlackAccount) => void = () => undefined) {
  const state = slackAccount()
  fill(state)
  const { origin, close } = await serveSlackAccount(state)
  onTestFinished(close)
  const tool = createSlackTool({ baseUrl: origin })
  const call = (action: string, args: { readonly [key: string]: Json } = {}) =>
    callTool(tool, `slack.${action}`, args, { exemptOrigins: [origin], credential: CREDENTIAL })
  const http = () => startClient({ hosts: tool.manifest.network, exemptOrigins: [origin] })
  return { state, call, tool, origin, http }
}
