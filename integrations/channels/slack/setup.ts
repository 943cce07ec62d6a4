/**
 * Sets up an owner's Slack app as the private line at home: checks the tokens, finds the owner by a code sent to the app, and
 * stores both, the tokens in home's vault. The edge is not involved. Must not accept anybody without that code. Called by `pfar
 * channel connect`.
 */
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { HomeSetup, HomeSetupPorts, Tokens } from '../runtime/home-package.ts'
import { createSlackApi, identityOf } from './api.ts'
import { appOf, isBotToken, SLACK_APP, SLACK_BOT } from './channel.ts'
import { isSetUpWrongly, slackTroubleWords } from './home-app.ts'
import { waitForSlackCode } from './home-owner.ts'

/** Milliseconds for the owner to open the app and send the code. */
const OWNER_WITHIN = 300_000

export const SETUP: HomeSetup = Object.freeze({
  words: {
    prompts: ['Token of the app itself, xapp-…: ', 'Token of its bot, xoxb-…: '],
    notTokens:
      'Those are not the two tokens of an app: xapp-… is the app’s own, from “Basic Information”, and xoxb-… its bot’s, from “OAuth & Permissions”.',
    tokenHint:
      'Give both whole, of one app that is installed; one that was revoked or made anew is no good any more.',
    device: 'Slack open',
    done: 'Write to your app: that chat is your private line.',
  },
  tokensIn: pairIn,
  taken: () =>
    'There is a line at Slack already. `pfar channel disconnect slack` ends it; then connect anew.',
  connect: connectSlack,
  trouble: (refusal) => (isSetUpWrongly(refusal) ? slackTroubleWords(refusal) : null),
} satisfies HomeSetup)

/** Two tokens in any order, separated by white space; null unless there is one of each. */
function pairIn(text: string): Tokens | null {
  const words = text.split(/\s+/).filter((word) => word !== '')
  const app = words.find((word) => appOf(word) !== null)
  const bot = words.find(isBotToken)
  return words.length === 2 && app !== undefined && bot !== undefined
    ? { [SLACK_APP]: app, [SLACK_BOT]: bot }
    : null
}

/**
 * Refusals: credential_rejected and remote_rejected (a token, or its permissions), pairing_refused (nobody sent the code), those of
 * the service and of the vault.
 */
async function connectSlack(ports: HomeSetupPorts): Promise<Result<{ readonly written: boolean }>> {
  const { tokens, origin, transport, code, keep, write, tell, lookup } = ports
  const { [SLACK_APP]: own = '', [SLACK_BOT]: bots = '' } = tokens
  const app = appOf(own)
  if (app === null) return err('field_malformed')
  const whose = await identityOf(createSlackApi({ token: bots, origin, transport }))
  if (!whose.ok) return whose
  const { team, name } = whose.value
  let isTold = false
  const found = await waitForSlackCode({
    ...{ opener: createSlackApi({ token: own, origin, transport }), origin, app, team, code, lookup },
    signal: AbortSignal.timeout(OWNER_WITHIN),
    ready() {
      if (!isTold) tell(`Send this to @${name} at Slack, as a direct message from your own account: ${code}`)
      isTold = true
    },
  })
  if (!found.ok) return found
  if (found.value === null) return err('pairing_refused', { why: 'nobody' })
  tell(`You are ${found.value.owner} there.`)
  for (const [service, token] of Object.entries(tokens)) {
    const kept = await keep(service, token)
    if (!kept.ok) return kept
  }
  return ok({ written: write({ ...found.value, team, app, api: origin }) })
}
