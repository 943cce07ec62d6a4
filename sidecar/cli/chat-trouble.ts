/**
 * Why a chat could not be connected, in a sentence for whoever has just given a token. Must not quote the service. Called by
 * `pfar telegram connect` and `pfar slack connect`.
 */
import type { Refusal } from '../../kernel/flow/verdict.ts'

/** What to look at where it is the token. */
const TOKENS = Object.freeze({
  Telegram: 'Give it whole, as @BotFather shows it: /mybots, your bot, API Token.',
  Slack:
    'Give both whole, of one app that is installed; one that was revoked or made anew is no good any more.',
})

/** Null where it is none of the service's. */
export function chatTrouble(service: keyof typeof TOKENS, { code }: Refusal): string | null {
  switch (code) {
    case 'credential_rejected':
      return `${service} did not accept that, so nothing was stored. ${TOKENS[service]}`
    case 'network_failed':
    case 'response_timeout':
    case 'remote_unavailable':
      return `${service} could not be reached. Run this again when this machine is online.`
    case 'remote_rate_limited':
      return `${service} asks to slow down. Run this again in a few minutes.`
    case 'remote_rejected':
      return `${service} refused that, and does not say why. Run this again; if it stays so, make the token anew there.`
    default:
      return null
  }
}
