/**
 * Newer forms of jobs that the owner has set (G-09): an update gave the file of a job another plan. The job goes on as it was approved; the owner is told
 * once, and takes the newer plan by a card or leaves it. Must not change a job: `applyJob` does, in the transaction of the yes. Called by runner.ts and jobs.ts.
 */
import { digestOf } from '../../flow/digest.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import type { Actions, AtPlace, OwnerChats, Templates, Tools } from '../../powers/ports.ts'
import type { StoreOf } from '../../powers/stores.ts'
import type { Plan } from '../../task/plan.ts'
import { tell } from '../../wording/words.ts'
import { type DeliverPorts, tellOwner } from '../deliveries/deliver.ts'
import type { SettingStore } from '../quiet/port.ts'
import { isSamePlan } from './frozen.ts'
import { elsewhereIn, needed, offIn, unnamedIn } from './needs.ts'
import type { FrozenPlan, Job, JobStore } from './port.ts'
import type { JobReach } from './reach.ts'
import { planTells } from './requests/proposal-told.ts'
import { shippedWords } from './shipped-words.ts'

/** Of which newer forms the owner was told: ids of jobs, each with a digest of the plan. */
const TOLD = 'jobs_newer'
/** By id of a job: the plan that it had before a newer one was taken. */
const FORMER = 'jobs_former'

type NewerPorts = Actions & Tools & Templates

/** The plan of its file, where that is another one and all that it reads is there; null else, and for a plan in the owner's words. */
export function newerPlan(powers: NewerPorts, { template: id, frozen }: Job): Plan | null {
  const template = powers.templates.find((one) => one.id === id)
  const [plan] = Object.values(template?.plans ?? {})
  if (template?.job === undefined || plan === undefined || frozen.planner !== 'canned') return null
  if (isSamePlan(frozen.plan, plan) || planTells(powers, plan)) return null
  const tools = plan.steps.flatMap((step) => ('tool' in step ? [step.tool] : []))
  const isThere =
    needed(powers, plan) === null && offIn(powers, plan) === null && unnamedIn(powers, plan) === null
  return isThere && elsewhereIn(powers, tools) === null ? plan : null
}

/** Says once that there is a newer form, and how it is taken. */
export async function tellNewer(
  powers: NewerPorts & AtPlace & DeliverPorts & OwnerChats & StoreOf<JobStore & SettingStore>,
  job: Job,
): Promise<void> {
  const plan = powers.place === 'home' ? newerPlan(powers, job) : null
  const shipped = powers.templates.find(({ id }) => id === job.template)?.job
  if (plan === null || shipped === undefined) return
  const key = `${job.id} ${digestOf(JSON.parse(JSON.stringify(plan.steps))).slice(0, 16)}`
  const told = read<readonly string[]>(powers, TOLD) ?? []
  if (told.includes(key)) return
  const stays = powers.store.jobs().map(({ id }) => id)
  const kept = told.filter((one) => stays.includes(one.split(' ', 1)[0] ?? ''))
  powers.store.saveSetting(TOLD, JSON.stringify([...kept, key]))
  const { title, tells } = shippedWords(shipped)
  const words = tell('jobs.newer', { number: job.number, title, tells })
  await tellOwner(powers, { id: `job:${job.id}:newer:${key.slice(-16)}`, code: 'job_newer', words })
}

/** Keeps the plan that a newer one takes the place of. */
export function keepFormer(powers: StoreOf<JobStore & SettingStore>, { id, frozen, reach }: Job): void {
  const stays = powers.store.jobs().map((job) => job.id)
  const kept = Object.entries(read<Formers>(powers, FORMER) ?? {}).filter(([one]) => stays.includes(one))
  powers.store.saveSetting(FORMER, JSON.stringify(Object.fromEntries([...kept, [id, { frozen, reach }]])))
}

/** The plan that was approved before the newer one was taken. Refusal: job_quiet_so where there was none. */
export function formerOf(powers: StoreOf<SettingStore>, job: Job): Result<Former> {
  const former = read<Formers>(powers, FORMER)?.[job.id]
  if (former === undefined || isSamePlan(former.frozen.plan, job.frozen.plan)) return err('job_quiet_so')
  return ok(former)
}

type Former = { readonly frozen: FrozenPlan; readonly reach: JobReach | null }
type Formers = Readonly<Record<string, Former>>

/** What this file has written. */
function read<T>({ store }: StoreOf<SettingStore>, name: string): T | null {
  const kept = store.setting(name)
  return kept === null ? null : (JSON.parse(kept) as T)
}
