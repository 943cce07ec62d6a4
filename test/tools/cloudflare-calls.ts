/** The tool Cloudflare over a scripted server of its own, for one test. Called by cloudflare.test.ts. */
import { onTestFinished } from 'vitest'
import { createCloudflareTool } from '../../integrations/tools/cloudflare/run.ts'
import type { Json } from '../../kernel/flow/json.ts'
import {
  type CloudflareState,
  cloudflareState,
  idOf,
  recordRow,
  serveCloudflare,
  TOKEN,
  zoneRow,
} from '../fakes/cloudflare-server.ts'
import { callTool } from './calls.ts'
import { startClient } from './servers.ts'

export const CREDENTIAL = { scheme: 'bearer', value: TOKEN } as const

/** `example.com` with three records, `example.co.uk` with none. */
export async function cloudflare(fill: (state: CloudflareState) => void = () => undefined) {
  const state = cloudflareState()
  state.zones.push(zoneRow(1, 'example.com'), zoneRow(2, 'example.co.uk', { status: 'pending' }))
  state.records[idOf(1)] = [
    recordRow(10, 'A', 'www.example.com', '203.0.113.5', { proxied: true }),
    recordRow(11, 'CNAME', 'docs.example.com', 'pages.example.net'),
    recordRow(12, 'TXT', 'example.com', 'v=spf1 -all'),
  ]
  state.records[idOf(2)] = []
  fill(state)
  const { origin, close } = await serveCloudflare(state)
  onTestFinished(close)
  const tool = createCloudflareTool({ baseUrl: origin })
  const call = (action: string, args: { readonly [key: string]: Json } = {}) =>
    callTool(tool, `cloudflare.${action}`, args, { exemptOrigins: [origin], credential: CREDENTIAL })
  const http = () => startClient({ hosts: tool.manifest.network, exemptOrigins: [origin] })
  return { state, call, tool, origin, http }
}
