/**
 * Makes an app of the owner's at Slack his private line at home: looks whether the tokens are what they should be, finds the owner by a
 * code that he sends to the app, and has home keep them, the tokens in its vault. The edge hears nothing of it. Must not take anybody
 * for the owner who did not send the code. Called by `pfar slack connect`.
 */
import { randomBytes } from 'node:crypto'
import { createSlackApi, identityOf } from '../../integrations/channels/slack/api.ts'
import { appOf, isBotToken } from '../../integrations/channels/slack/token.ts'
import type { Transport } from '../../integrations/http/transport.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { CODE_LENGTH, codeFrom } from '../../kernel/tunnel/pairing.ts'
import type { SlackConfig } from '../slack/slack-config.ts'
import { hearSlackCode } from '../slack/slack-owner.ts'

/** Milliseconds for the owner to find his app. */
const OWNER_WITHIN = 300_000

/** What the owner pasted, by what each is. */
export type SlackPair = Readonly<Record<'app' | 'bot', string>>

export interface SlackSetup {
  readonly pair: SlackPair
  /** Of the Web API. */
  readonly origin: string
  readonly transport: Transport
  /** Puts a token into the vault. */
  readonly keep: (which: keyof SlackPair, token: string) => Promise<Result<unknown>>
  /** Writes whose line it is into the configuration; false where that must be done by hand. */
  readonly write: (slack: SlackConfig) => boolean
  readonly tell: (words: string) => void
}

/** Two tokens in any order, apart by white space; null where they are not one of each. */
export function pairIn(text: string): SlackPair | null {
  const words = text.split(/\s+/).filter((word) => word !== '')
  const app = words.find((word) => appOf(word) !== null)
  const bot = words.find(isBotToken)
  return words.length === 2 && app !== undefined && bot !== undefined ? { app, bot } : null
}

/**
 * Refusals: credential_rejected and remote_rejected (a token, or what it may do), pairing_refused (nobody sent the code), those of the
 * service and of the vault.
 */
export async function connectSlack(setup: SlackSetup): Promise<Result<{ readonly written: boolean }>> {
  const { pair, origin, transport, keep, write, tell } = setup
  const app = appOf(pair.app)
  if (app === null) return err('field_malformed')
  const whose = await identityOf(createSlackApi({ token: pair.bot, origin, transport }))
  if (!whose.ok) return whose
  const { team, name } = whose.value
  const code = codeFrom(randomBytes(CODE_LENGTH))
  let isTold = false
  const found = await hearSlackCode({
    ...{ opener: createSlackApi({ token: pair.app, origin, transport }), origin, app, team, code },
    signal: AbortSignal.timeout(OWNER_WITHIN),
    ready() {
      if (!isTold) tell(`Send this to @${name} at Slack, as a direct message from your own account: ${code}`)
      isTold = true
    },
  })
  if (!found.ok) return found
  if (found.value === null) return err('pairing_refused', { why: 'nobody' })
  tell(`You are ${found.value.owner} there.`)
  for (const which of ['app', 'bot'] as const) {
    const kept = await keep(which, pair[which])
    if (!kept.ok) return kept
  }
  return ok({ written: write({ ...found.value, team, app, api: origin }) })
}
