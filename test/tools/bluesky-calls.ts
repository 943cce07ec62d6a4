/** The tool Bluesky over a scripted server of its own, for one test. Called by bluesky.test.ts and bluesky-refusals.test.ts. */
import { onTestFinished } from 'vitest'
import { createBlueskyTool } from '../../integrations/tools/bluesky/run.ts'
import type { Json } from '../../kernel/flow/json.ts'
import { LOGIN, type PdsState, pdsState, servePds } from '../fakes/pds-server.ts'
import { callTool } from './calls.ts'

export const CREDENTIAL = { scheme: 'bearer', value: LOGIN } as const

export async function bluesky(fill: (state: PdsState) => void = () => undefined) {
  const state = pdsState()
  fill(state)
  const { origin, close } = await servePds(state)
  onTestFinished(close)
  const tool = createBlueskyTool({ baseUrl: origin })
  const call = (action: string, args: { readonly [key: string]: Json }, value = LOGIN) =>
    callTool(tool, `bluesky.${action}`, args, {
      exemptOrigins: [origin],
      credential: { scheme: 'bearer', value },
    })
  return { state, call, tool, origin }
}
