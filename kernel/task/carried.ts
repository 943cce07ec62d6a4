/**
 * One yes for one run at a later time: the approval that setting it has spent becomes the approval of the call that runs then. Pure. Must not make one
 * of anything else. Called by features/scheduled.
 */
import { err, ok, type Result } from '../flow/verdict.ts'
import type { Approval } from './approval.ts'

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
 * The approval of a call that runs at its time, made of the one that setting it has just spent: the same yes, for one run of exactly that digest by
 * one task, from then on and not much later (docs/decisions/022). Refusal: approval_unknown for one that this very step did not spend.
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
