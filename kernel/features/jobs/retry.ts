/**
 * When a run that failed for lack of a service is retried: a few times with growing pauses, before the next
 * time of the job. Pure. Called by runner.ts and telling.ts.
 */
import type { ReasonCode } from '../../reasons.ts'
import type { Task } from '../../task/task.ts'
import { type Job, type JobRun, RETRY_AFTER } from './port.ts'

/** Refusals that pass by themselves. */
const PASSING: readonly ReasonCode[] = [
  'network_failed',
  'response_timeout',
  'remote_unavailable',
  'remote_rate_limited',
]

/** Epoch milliseconds; null where it is not tried again. */
export function retryAt(
  job: Pick<Job, 'state' | 'due'> | null,
  { attempt, code }: Pick<JobRun, 'attempt' | 'code'>,
  now: number,
): number | null {
  const delay = RETRY_AFTER[attempt - 1]
  if (job?.state !== 'on' || code === null || delay === undefined || !PASSING.includes(code)) return null
  return job.due !== null && now + delay < job.due ? now + delay : null
}

/** Why a step failed, or the task. */
export function reasonOf({ results, trouble }: Pick<Task, 'results' | 'trouble'>): ReasonCode | null {
  const failure = Object.values(results).find((result) => result.kind === 'failed')
  return failure?.kind === 'failed' ? failure.reason.code : (trouble?.code ?? null)
}
