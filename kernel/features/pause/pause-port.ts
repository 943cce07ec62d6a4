/**
 * Where a place keeps what the owner said of pausing, and whom it tells. Durable when `write` returns; in a transaction of the
 * caller's, so it tells nobody before that has ended. Implemented at each place, called by runtime/pause.ts.
 */
import type { PauseState } from '../../task/pause.ts'

export interface PausePort {
  readonly read: () => PauseState
  readonly write: (state: PauseState) => void
}
