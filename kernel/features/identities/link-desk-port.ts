/**
 * Lists linked accounts and ends a link at the owner's request (F-16). Ending narrows, so it takes effect at once:
 * permanently at home; at the edge until home has confirmed it. Implemented at both places, called by unlink.ts.
 */
import type { Result } from '../../flow/verdict.ts'

export interface LiveLink {
  readonly id: string
  /** Canonical principals. */
  readonly ends: readonly string[]
}

export interface LinkDeskPort {
  live(): Promise<readonly LiveLink[]>
  /** Refusals: identity_unknown; home_offline when it could not be stored. */
  end(link: string): Promise<Result<unknown>>
}
