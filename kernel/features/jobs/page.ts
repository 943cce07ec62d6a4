/** The page that a job writes to as well, as its row holds it. Types only. Called by port.ts and by approvals. */
import type { SealedRef } from '../../task/task.ts'

/** Where what a job tells is written as well, at the end. */
export interface JobPage {
  /** The action that adds it. */
  readonly tool: string
  /** Sealed id of the page, as its service gave it. */
  readonly at: SealedRef
}
