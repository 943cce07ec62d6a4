/**
 * Why a chat could not be connected, in a sentence for whoever has just given a token. Must not quote the service. Called by
 * `pfar channel connect`.
 */
import type { Refusal } from '../../kernel/flow/verdict.ts'

/** A service, and what to look at where it is the token. */
export interface TokenHint {
  readonly title: string
  readonly tokenHint: string
}

/** Null where it is none of the service's. */
export function chatTrouble({ title: service, tokenHint }: TokenHint, { code }: Refusal): string | null {
  switch (code) {
    case 'credential_rejected':
      return `${service} did not accept that, so nothing was stored. ${tokenHint}`
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
