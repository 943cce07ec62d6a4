/**
 * Explains why a chat could not be connected, to a person who has just entered a token. Must not quote the service.
 * Called by `pfar channel connect`.
 */
import type { Refusal } from '../../../kernel/flow/verdict.ts'

/** Name of the service, and what to check if the token is the cause. */
export interface TokenHint {
  readonly title: string
  readonly tokenHint: string
}

/** Null if the refusal is not from the service. */
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
