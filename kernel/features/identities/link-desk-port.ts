/**
 * Which accounts are linked, and the end of a link at the owner's word (F-16). It narrows, so it takes effect at once where it is said: at
 * home for good, at the edge until home has made it so. Implemented at both places, called by pipeline/unlink.ts.
 */
import type { Result } from '../../flow/verdict.ts'

export interface LiveLink {
  readonly id: string
  /** Canonical principals. */
  readonly ends: readonly string[]
}

export interface LinkDeskPort {
  live(): Promise<readonly LiveLink[]>
  /** Refusals: identity_unknown; home_offline where it could not be noted. */
  end(link: string): Promise<Result<unknown>>
}
