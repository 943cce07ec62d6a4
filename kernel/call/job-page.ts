/**
 * Which standing grant lets a job add what it told to its page without asking (DESIGN §3, X-18): one for exactly this job as it was approved, this
 * tool, and this page as it is now. Deny by default: whatever is not exactly that asks. Must not count a use. Called by call-verdict.ts.
 */
import { standingGrants } from '../features/grants/grants.ts'
import { approvedJob, readsOf } from '../features/jobs/frozen.ts'
import type { JobStore } from '../features/jobs/port.ts'
import { PAGE_TEMPLATE } from '../features/jobs/port.ts'
import { digestOf } from '../flow/digest.ts'
import { findAppendGrant } from '../flow/grant.ts'
import type { Json } from '../flow/json.ts'
import { fingerprint, type Labeled } from '../flow/labeled.ts'
import type { CallInput } from '../pipeline/resolve.ts'
import type { Clock } from '../powers/ports.ts'
import type { StoreOf } from '../powers/stores.ts'
import type { ReasonCode } from '../reasons.ts'
import type { RegisteredAction } from '../tool/registry.ts'

/** Questions that it answers: who wrote the text, where it goes, and that the template asks. Never one about a new reader. */
const ANSWERED: readonly ReasonCode[] = [
  'write_raw',
  'write_free_text',
  'write_unknown_destination',
  'write_template_asks',
]

/** Null where the owner must be asked. `asked`: the question that it would answer. */
export function pageGrantFor(
  input: CallInput & { readonly powers: Clock & StoreOf<Pick<JobStore, 'findJob'>> },
  asked: ReasonCode,
): string | null {
  const { powers, task, template, action, call } = input
  const { adds } = action
  // A second step, or a condition, could let what was read decide how often is written.
  const isAlone = task.plan?.steps.length === 1 && task.plan.steps[0]?.when === undefined
  if (adds === undefined || template.id !== PAGE_TEMPLATE || !isAlone || !ANSWERED.includes(asked))
    return null
  if (call.readers === undefined) return null
  const job = approvedJob(powers.store, task.principal)
  if (!job.ok || job.value.state !== 'on' || job.value.page?.tool !== action.id) return null
  const shape = {
    template: template.id,
    tool: action.id,
    sink: action.sink ?? task.sink,
    args: call.args.map(({ name }) => name).sort(),
    job: job.value.id,
    reads: readsOf(job.value),
    target: pageDigest(action, call.whole),
    label: call.whole.label,
    now: powers.now(),
  }
  return findAppendGrant(standingGrants(powers), shape)?.id ?? null
}

/** Of all that was looked up about a write's target. */
export function pageDigest(
  { target }: Pick<RegisteredAction, 'target'>,
  whole: Labeled<{ readonly [key: string]: Json }>,
): string {
  const names = target === undefined ? [] : [target.field, ...Object.keys(target.shows ?? {})].sort()
  return fingerprint(whole, (values) =>
    digestOf(names.map((name) => [name, (values as { readonly [key: string]: Json })[name] ?? null])),
  )
}
