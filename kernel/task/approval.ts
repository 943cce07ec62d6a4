/**
 * Approvals: the owner's *yes* to exactly these bytes, once, in time (F-03 – F-06, F-09). Pure transitions on
 * plain records; storage and cards are elsewhere. Silence is *no*.
 */
import type { Place } from '../flow/place.ts'

export type ApprovalState = 'pending' | 'approved' | 'denied' | 'expired' | 'spent'

export interface Approval {
  readonly id: string
  readonly task: string
  readonly step: string
  readonly principal: string
  readonly tool: string
  /** Sink that the write goes to, or the task's own sink. */
  readonly sink: string
  /** SHA-256 over canonical tool, arguments and sink, hex (F-04). */
  readonly digest: string
  /** Why it is asked, as a reason code. */
  readonly reason: string
  /** `describeLabel` of the arguments. */
  readonly label: string
  /** `sensitive` and above may only be approved at home (DESIGN §1). */
  readonly place: Place
  /** Id of the sealed card: the exact bytes that will run, rendered. */
  readonly card: string
  readonly state: ApprovalState
  /** Epoch milliseconds. */
  readonly createdAt: number
  readonly expiresAt: number
  readonly decidedAt: number | null
  readonly decidedBy: string | null
}

/** Default wait for an answer, milliseconds (F-05). */
export const APPROVAL_TIMEOUT = 300_000
