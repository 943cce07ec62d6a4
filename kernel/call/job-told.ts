/**
 * Finds the job whose approval covers what a call discloses (DESIGN §2, §9): exactly these words, by
 * this step of the frozen plan, for this job alone, to the hosts of that time. Denies by default.
 * Must not lower a label; the approval does. Called by call-verdict.ts and proposal-told.ts.
 */
import { approvedJob } from '../features/jobs/frozen.ts'
import type { JobStore } from '../features/jobs/port.ts'
import { reachOfJob, wideningsOf } from '../features/jobs/reach.ts'
import { digestOf } from '../flow/digest.ts'
import { combine, fingerprint } from '../flow/labeled.ts'
import type { StoreOf } from '../powers/stores.ts'
import type { CallInput, ResolvedArgument } from './resolve.ts'

/** Digest of the words that one call discloses, with its action. */
export function disclosedDigest(tool: string, told: readonly ResolvedArgument[]): string {
  const values = combine(
    told.map(({ value }) => value),
    (all) => told.map(({ name }, at) => [name, all[at] ?? null]),
  )
  return fingerprint(values, (all) => digestOf([tool, all]))
}

/** Number of the job whose card showed exactly these words; null if there is none. */
export function jobThatTells(
  input: CallInput & { readonly powers: StoreOf<Pick<JobStore, 'findJob'>> },
  told: readonly ResolvedArgument[],
): number | null {
  const { powers, task, index, action } = input
  const job = approvedJob(powers.store, task.principal)
  const step = task.plan?.steps[index]
  // Under a condition, what was read would decide whether the service learns the words.
  if (!job.ok || job.value.state !== 'on' || step?.do !== 'tool' || step.when !== undefined) return null
  const { number, frozen, reach, template } = job.value
  const isShown = template === task.template && frozen.tells?.[step.id] === disclosedDigest(action.id, told)
  const isAsItWas = reach !== null && wideningsOf(reach, reachOfJob(powers.registry, job.value)).length === 0
  return isShown && isAsItWas ? number : null
}
