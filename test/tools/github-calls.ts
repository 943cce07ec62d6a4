/** The tool GitHub over a scripted server of its own, for one test. Called by github.test.ts and github-refusals.test.ts. */
import { onTestFinished } from 'vitest'
import { createGithubTool } from '../../integrations/tools/github/run.ts'
import type { Json } from '../../kernel/flow/json.ts'
import {
  type GithubState,
  githubState,
  issueRow,
  repoRow,
  serveGithub,
  TOKEN,
} from '../fakes/github-server.ts'
import { callTool } from './calls.ts'

export const REPO = 'acme/site'
export const CREDENTIAL = { scheme: 'bearer', value: TOKEN } as const
export const OWN = { repo: REPO, visibility: 'public' }

export async function github(fill: (state: GithubState) => void = () => undefined) {
  const state = githubState()
  state.repos[REPO] = repoRow(REPO)
  fill(state)
  const { origin, close } = await serveGithub(state)
  onTestFinished(close)
  const tool = createGithubTool({ baseUrl: origin })
  const call = (action: string, args: { readonly [key: string]: Json }) =>
    callTool(tool, `github.${action}`, args, { exemptOrigins: [origin], credential: CREDENTIAL })
  return { state, call, tool, origin }
}

export const pull = (number: number, more: object = {}) =>
  issueRow(REPO, number, { pull_request: { merged_at: null }, draft: false, ...more })
