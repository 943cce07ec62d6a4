/**
 * Finds the standing grant under which a job may add its output to a page without asking (DESIGN §3, X-18):
 * for exactly this job as it was approved, this tool, and this page as it is now. Denies by default. Must not
 * count a use. Called by call-verdict.ts.
 */
import { standingGrants } from '../features/grants/grants.ts'
import { approvedJob, readsOf } from '../features/jobs/frozen.ts'
import type { JobStore } from '../features/jobs/port.ts'
import { PAGE_TEMPLATE } from '../features/jobs/port.ts'
import { digestOf } from '../flow/digest.ts'
import { findAppendGrant } from '../flow/grant.ts'
import type { Json } from '../flow/json.ts'
import { fingerprint, type Labeled } from '../flow/labeled.ts'
import type { Clock } from '../powers/ports.ts'
import type { StoreOf } from '../powers/stores.ts'
import type { ReasonCode } from '../reasons.ts'
import type { RegisteredAction } from '../tool/registry.ts'
import type { CallInput } from './resolve.ts'

/**
 * Questions that such a grant answers: authorship, destination, and the template's rule. Never one about a
 * new reader.
 */
const ANSWERED: readonly ReasonCode[] = [
  'write_raw',
  'write_free_text',
  'write_unknown_destination',
  'write_template_asks',
]

/** Null if the owner must be asked. `asked`: the question that the grant would answer. */
export function pageGrantFor(
  input: CallInput & { readonly powers: Clock & StoreOf<Pick<JobStore, 'findJob'>> },
  asked: ReasonCode,
): string | null {
  const { powers, task, template, action, call } = input
  const { adds } = action
  // With a second step or a condition, content could decide how often the job writes.
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

/** The named value from the lookup of a write's target. */
export function pageDigest(
  { target }: Pick<RegisteredAction, 'target'>,
  whole: Labeled<{ readonly [key: string]: Json }>,
): string {
  const names = target === undefined ? [] : [target.field, ...Object.keys(target.shows ?? {})].sort()
  return fingerprint(whole, (values) =>
    digestOf(names.map((name) => [name, (values as { readonly [key: string]: Json })[name] ?? null])),
  )
}
