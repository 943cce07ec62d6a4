/**
 * Approvals of calls that run at a later time, such as a scheduled mail. The approval that was spent on
 * scheduling becomes the approval of the one run at that time; it is restored if the owner takes a
 * cancellation back. Pure. Must not create an approval in any other way. Called by features/scheduled.
 */
import { err, ok, type Result } from '../flow/verdict.ts'
import type { Approval } from './approval.ts'
import { OWNER_PRINCIPAL } from './principal.ts'

/**
 * The owner takes back that what was approved for a later time was cancelled: the same yes, for the same call
 * and time. Refusals: approval_unknown for what was not cancelled while it waited; approval_expired from its
 * time on.
 */
export function uncancel(approval: Approval, now: number): Result<Approval> {
  const facts = { approval: approval.id }
  const { state, due, decidedBy } = approval
  if (state !== 'withdrawn' || due === null || decidedBy !== OWNER_PRINCIPAL)
    return err('approval_unknown', facts)
  return now < due ? ok(Object.freeze({ ...approval, state: 'approved' })) : err('approval_expired', facts)
}

export interface Carrying {
  /** Of the approval that it becomes. */
  readonly id: string
  readonly task: string
  readonly step: string
  readonly tool: string
  /** Of the call that was approved to run then. */
  readonly digest: string
  readonly sink: string
  readonly due: number
}

/**
 * The approval of a call that runs at its time, made of the one that setting it has just spent: the same yes,
 * for one run of exactly that digest by one task, from then on and not much later (docs/decisions/022).
 * Refusal: approval_unknown for one that this very step did not spend.
 */
export function carry(
  approval: Approval,
  by: Pick<Approval, 'task' | 'step'>,
  carrying: Carrying,
): Result<Approval> {
  const isSpentHere = approval.state === 'spent' && approval.task === by.task && approval.step === by.step
  // One yes becomes one run: what was carried is not carried on.
  if (!isSpentHere || approval.due !== null) return err('approval_unknown', { approval: approval.id })
  return ok(Object.freeze({ ...approval, ...carrying, state: 'approved' }))
}
