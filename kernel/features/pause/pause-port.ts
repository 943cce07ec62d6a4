/**
 * Stores the pause state of a place and notifies its listeners. `write` is durable when it returns; inside a
 * transaction of the caller's it notifies only after the commit. Implemented at each place, called by pause.ts.
 */
import type { PauseState } from '../../task/pause.ts'

export interface PausePort {
  readonly read: () => PauseState
  readonly write: (state: PauseState) => void
}
