/**
 * The Web API of home's Slack app, with a token that is unsealed for each request and dropped afterwards. Must not wait or retry;
 * the caller does. Called by home-chat.ts, home-line.ts and home.ts.
 */

import type { Result } from '../../../kernel/flow/verdict.ts'
import type { Transport } from '../../http/transport.ts'
import { createSlackApi, type SlackApi } from './api.ts'
import type { SlackConfig } from './channel.ts'
import { askedOf, type SlackTokens } from './home-tokens.ts'

export interface SlackAppInput {
  readonly config: SlackConfig
  readonly tokens: SlackTokens
  readonly transport: Transport
}

/**
 * `of`: which of the two tokens to send. `fared`: receives the result of each call. Refusals: those of `SlackApi` and of the
 * custodian.
 */
export function createHomeSlack(
  { config, tokens, transport }: SlackAppInput,
  of: 'app' | 'bot',
  signal?: AbortSignal,
  fared: (answer: Result<unknown>) => void = () => undefined,
): SlackApi {
  const { api: origin, app } = config
  const asked = askedOf(of, { host: new URL(origin).host, app })
  return {
    async call(method, args) {
      const issued = await tokens[of].issue(asked)
      if (!issued.ok) return issued
      const { value: token, version } = issued.value
      const api = createSlackApi({ token, origin, transport, ...(signal !== undefined && { signal }) })
      const answer = await api.call(method, args)
      if (answer.ok) tokens[of].settle(version, 'accepted')
      else if (answer.reason.code === 'credential_rejected') tokens[of].settle(version, 'rejected')
      fared(answer)
      return answer
    },
  }
}
