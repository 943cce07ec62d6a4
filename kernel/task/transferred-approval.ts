/**
 * Approvals of calls that run at a later time, such as a scheduled mail. The approval that was spent on
 * scheduling becomes the approval of the one run at that time; it is restored if the owner takes a
 * cancellation back. Pure. Must not create an approval in any other way. Called by features/scheduled.
 */
import { err, ok, type Result } from '../flow/verdict.ts'
import type { Approval } from './approval.ts'
import { OWNER_PRINCIPAL } from './principal.ts'

/**
 * Restores an approval when the owner undoes the cancellation of a scheduled call: same call, same time. Refusals:
 * approval_unknown if the owner did not cancel it while it was scheduled; approval_expired once its time has come.
 */
export function restoreApproval(approval: Approval, now: number): Result<Approval> {
  const facts = { approval: approval.id }
  const { state, due, decidedBy } = approval
  if (state !== 'withdrawn' || due === null || decidedBy !== OWNER_PRINCIPAL)
    return err('approval_unknown', facts)
  return now < due ? ok(Object.freeze({ ...approval, state: 'approved' })) : err('approval_expired', facts)
}

export interface ScheduledCall {
  /** Id, task, step and tool of the new approval. */
  readonly id: string
  readonly task: string
  readonly step: string
  readonly tool: string
  /** Digest, sink and time of the call that was approved to run then. */
  readonly digest: string
  readonly sink: string
  readonly due: number
}

/**
 * Turns the approval that this step spent on scheduling into the approval of the scheduled
 * call: for one run of exactly that digest by one task, at its time or shortly after
 * (docs/decisions/022). Refusal: approval_unknown for an approval that this step did not spend.
 */
export function transferApproval(
  approval: Approval,
  by: Pick<Approval, 'task' | 'step'>,
  call: ScheduledCall,
): Result<Approval> {
  const isSpentHere = approval.state === 'spent' && approval.task === by.task && approval.step === by.step
  // One approval becomes one run: an approval that has a time already cannot be used for another call.
  if (!isSpentHere || approval.due !== null) return err('approval_unknown', { approval: approval.id })
  return ok(Object.freeze({ ...approval, ...call, state: 'approved' }))
}
