/**
 * Creates or changes a job as its card showed it, in the transaction of the approval, or drops it. Called by
 * the changes that the owner approves.
 */
import { canonicalJson } from '../../flow/json.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import { type Auditing, audit } from '../../powers/audit.ts'
import type { ChangeNews, Clock, SelfKnowledge } from '../../powers/ports.ts'
import type { SealedStore } from '../../powers/sealed-port.ts'
import type { GrantStore, StoreOf } from '../../powers/stores.ts'
import type { ProposedChange } from '../../task/proposed-change.ts'
import type { SettingStore } from '../quiet/port.ts'
import { jobDigest, sealedOf } from './frozen.ts'
import { keepFormer } from './newer.ts'
import type { Job, JobStore } from './port.ts'
import type { JobReach } from './reach.ts'
import { isPastEnd, nextTimes } from './schedule.ts'

export type JobChange = Extract<ProposedChange, { readonly do: 'job' }>

export function drop(
  { store }: StoreOf<JobStore & SealedStore>,
  job: Pick<Job, 'id' | 'words' | 'frozen'>,
): void {
  store.dropJob(job.id)
  store.deleteSealed(sealedOf(job))
}

/**
 * Turns the job on as it was shown, or drops it; or has one that runs go to another chat, or to a page as
 * well. Refusals: job_unknown; job_changed; job_over for one whose last day passed while its card waited.
 */
export function applyJob(
  powers: Auditing &
    ChangeNews &
    Clock &
    SelfKnowledge &
    StoreOf<JobStore & SealedStore & GrantStore & SettingStore>,
  change: JobChange,
  agreed: boolean,
): Result<true> {
  const job = powers.store.findJob(change.job)
  if (change.reach !== undefined) return widen(powers, { job, change, reach: change.reach }, agreed)
  if (change.messages !== undefined) return retime(powers, { job, change, messages: change.messages }, agreed)
  if (change.page !== undefined) return addPage(powers, { job, change, page: change.page }, agreed)
  if (change.form !== undefined) return takeForm(powers, { job, change, form: change.form }, agreed)
  if (change.quiet !== undefined) return setQuiet(powers, { job, change, quiet: change.quiet }, agreed)
  if (change.sink !== undefined) return moveTo(powers, { job, change, sink: change.sink }, agreed)
  if (job === null || job.state !== 'asked') return err('job_unknown')
  if (!agreed) {
    drop(powers, job)
    return ok(true)
  }
  const isShown =
    jobDigest(job) === change.digest &&
    job.digest === change.digest &&
    job.zone === change.zone &&
    canonicalJson({ ...job.repeat }) === canonicalJson({ ...change.repeat })
  if (!isShown) return err('job_changed', { job: job.number })
  // The card waited past its last day: nothing of what it showed is left to run.
  if (isPastEnd(job, powers.now())) return err('job_over')
  powers.store.saveJob({ ...job, state: 'on', due: firstDue(powers, job) })
  powers.self.touch('job')
  audit(powers, 'memory_changed', null, {
    what: 'job',
    did: 'on',
    number: job.number,
    template: job.template,
  })
  return ok(true)
}

/** A one-time job runs at once if its time has passed meanwhile. */
function firstDue({ now }: Clock, job: Pick<Job, 'repeat' | 'zone'>): number {
  return nextTimes(job, now(), 1)[0] ?? now()
}

/** Everything except the chat must equal the approved job and the card. */
function moveTo(
  powers: Auditing & StoreOf<JobStore>,
  { job, change, sink }: { readonly job: Job | null; readonly change: JobChange; readonly sink: string },
  agreed: boolean,
): Result<true> {
  if (!agreed) return ok(true)
  if (job === null || job.state === 'asked' || job.state === 'removed') return err('job_unknown')
  const moved = { ...job, sink, digest: change.digest }
  if (jobDigest(job) !== job.digest || jobDigest(moved) !== change.digest)
    return err('job_changed', { job: job.number })
  powers.store.saveJob(moved)
  audit(powers, 'memory_changed', null, { what: 'job', did: 'sink', number: job.number, sink })
  return ok(true)
}

/** Everything except the times and the message limit must equal the approved job and the card. */
function retime(
  powers: Auditing & Clock & SelfKnowledge & StoreOf<JobStore>,
  {
    job,
    change,
    messages,
  }: { readonly job: Job | null; readonly change: JobChange; readonly messages: number },
  agreed: boolean,
): Result<true> {
  if (!agreed) return ok(true)
  if (job === null || job.state === 'asked' || job.state === 'removed') return err('job_unknown')
  const { repeat, zone, digest } = change
  const budget = { ...job.budget, messages, since: job.budget?.since ?? 0 }
  const before = { repeat: job.repeat, zone: job.zone }
  // One whose end has passed goes on with that yes; what an update widened has a card of its own.
  const isBack = job.state === 'paused' && job.why !== 'widened' && isPastEnd(job, powers.now())
  const due = job.state === 'on' || isBack ? firstDue(powers, { repeat, zone }) : null
  const back = isBack ? ({ state: 'on', why: null, failures: 0 } as const) : {}
  const moved = { ...job, ...back, repeat, zone, budget, digest, before, due }
  if (jobDigest(job) !== job.digest || jobDigest(moved) !== digest)
    return err('job_changed', { job: job.number })
  powers.store.saveJob(moved)
  powers.self.touch('job')
  audit(powers, 'memory_changed', null, { what: 'job', did: 'moved', number: job.number })
  return ok(true)
}

/** All but that, and the messages that go with it, must be as it was approved before, and as the card showed it. */
function setQuiet(
  powers: Auditing & StoreOf<JobStore>,
  {
    job,
    change,
    quiet: { is, messages },
  }: {
    readonly job: Job | null
    readonly change: JobChange
    readonly quiet: NonNullable<JobChange['quiet']>
  },
  agreed: boolean,
): Result<true> {
  if (!agreed) return ok(true)
  if (job === null || job.state === 'asked' || job.state === 'removed') return err('job_unknown')
  const changed = {
    ...job,
    quiet: is,
    budget: { ...job.budget, messages, since: job.budget?.since ?? 0 },
    digest: change.digest,
  }
  if (jobDigest(job) !== job.digest || jobDigest(changed) !== change.digest)
    return err('job_changed', { job: job.number })
  powers.store.saveJob(changed)
  audit(powers, 'memory_changed', null, { what: 'job', did: is ? 'quiet' : 'loud', number: job.number })
  return ok(true)
}

/** All but the plan, and the page that was allowed for the former one, must be as it was approved before, and as the card showed it. */
function takeForm(
  powers: Auditing &
    ChangeNews &
    Clock &
    SelfKnowledge &
    StoreOf<JobStore & SealedStore & GrantStore & SettingStore>,
  {
    job,
    change,
    form: { plan, reach },
  }: { readonly job: Job | null; readonly change: JobChange; readonly form: NonNullable<JobChange['form']> },
  agreed: boolean,
): Result<true> {
  if (!agreed) return ok(true)
  if (job === null || job.state === 'asked' || job.state === 'removed') return err('job_unknown')
  const changed: Job = {
    ...job,
    frozen: { plan, planner: 'canned' },
    reach,
    page: null,
    digest: change.digest,
  }
  if (jobDigest(job) !== job.digest || jobDigest(changed) !== change.digest)
    return err('job_changed', { job: job.number })
  keepFormer(powers, job)
  endPage(powers, job)
  powers.store.saveJob(changed)
  powers.self.touch('job')
  audit(powers, 'memory_changed', null, { what: 'job', did: 'newer', number: job.number })
  return ok(true)
}

/** It goes on as it was approved, with what the card said that its tools may reach now, and the model that it named. */
function widen(
  powers: Auditing & Clock & SelfKnowledge & StoreOf<JobStore>,
  { job, change, reach }: { readonly job: Job | null; readonly change: JobChange; readonly reach: JobReach },
  agreed: boolean,
): Result<true> {
  if (!agreed) return ok(true)
  if (job === null || job.why !== 'widened' || job.state !== 'paused') return err('job_unknown')
  const { writer } = change
  const changed: Job = {
    ...job,
    reach,
    digest: change.digest,
    ...(writer !== undefined && { frozen: { ...job.frozen, writer } }),
  }
  if (jobDigest(job) !== job.digest || jobDigest(changed) !== change.digest)
    return err('job_changed', { job: job.number })
  const isOver = isPastEnd(job, powers.now())
  const on = { state: 'on', why: null, failures: 0, due: firstDue(powers, job) } as const
  powers.store.saveJob({ ...changed, ...(isOver ? { why: 'owner' } : on) })
  powers.self.touch('job')
  audit(powers, 'memory_changed', null, { what: 'job', did: 'widened', number: job.number })
  return ok(true)
}

/**
 * Everything except the page must equal the approved job and the card. The grant is saved with it; grants for
 * a former page end.
 */
function addPage(
  powers: Auditing & ChangeNews & Clock & SelfKnowledge & StoreOf<JobStore & SealedStore & GrantStore>,
  {
    job,
    change,
    page: { on, reach },
  }: {
    readonly job: Job | null
    readonly change: JobChange
    readonly page: NonNullable<JobChange['page']>
  },
  agreed: boolean,
): Result<true> {
  const { store } = powers
  const refused = (of: Result<never>): Result<never> => {
    store.deleteSealed([on.at.id])
    return of
  }
  if (!agreed) {
    store.deleteSealed([on.at.id])
    return ok(true)
  }
  if (job === null || job.state === 'asked' || job.state === 'removed') return refused(err('job_unknown'))
  const changed = { ...job, page: on, reach, digest: change.digest }
  if (jobDigest(job) !== job.digest || jobDigest(changed) !== change.digest)
    return refused(err('job_changed', { job: job.number }))
  endPage(powers, job)
  store.unboundSealed(on.at.id)
  store.saveJob(changed)
  powers.self.touch('job')
  audit(powers, 'memory_changed', null, { what: 'job', did: 'page', number: job.number, tool: on.tool })
  return ok(true)
}

/** Revokes what was granted for a job's page, and lets go of it. Narrows. */
export function endPage(
  powers: Auditing & ChangeNews & Clock & StoreOf<SealedStore & GrantStore>,
  { id, page }: Pick<Job, 'id' | 'page'>,
): void {
  const { store } = powers
  for (const { grant } of store.grants()) {
    if (grant.kind !== 'append' || grant.job !== id || grant.revoked) continue
    store.revokeGrant(grant.id, powers.now())
    audit(powers, 'grant_changed', null, { grant: grant.id, revoked: true, job: id })
    powers.grantsChanged?.()
  }
  if (page !== null) store.deleteSealed([page.at.id])
}
