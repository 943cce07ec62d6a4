/**
 * Runs due jobs (DESIGN §9, G-02 – G-06): one row and one task per time, stored together, so that no time
 * runs twice; and records the outcome of each run. Must not read a clock of its own or choose a chat: the row
 * of the job names it. Called by tick.ts at both places.
 */
import { joinProvenance } from '../../flow/labeled.ts'
import { placeFor } from '../../flow/place.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import { rowsFor, startTask } from '../../machine/machine.ts'
import { type Auditing, audit } from '../../powers/audit.ts'
import type {
  AtPlace,
  Clock,
  Ids,
  OwnerChats,
  OwnerFacts,
  PolicySource,
  SelfKnowledge,
  Templates,
  Tools,
} from '../../powers/ports.ts'
import { openTextOf, type SealedReading, sealForLater } from '../../powers/sealed.ts'
import type { EventStore, OutboxStore, StoreOf, TaskStore, Transactions } from '../../powers/stores.ts'
import type { ReasonCode } from '../../reasons.ts'
import { taskIdOf } from '../../task/capability.ts'
import { formatPrincipalId, OWNER_PRINCIPAL } from '../../task/principal.ts'
import { isFinal } from '../../task/task.ts'
import type { Template } from '../../template/template.ts'
import { tell, wordsFor } from '../../wording/words.ts'
import { type DeliverPorts, deliverNotice, tellOwner } from '../deliveries/deliver.ts'
import type { WaitingStore } from '../deliveries/waiting-port.ts'
import type { SettingStore } from '../quiet/port.ts'
import { isWithin, type QuietPowers, quietEnd, quietOf } from '../quiet/quiet.ts'
import { forgetAskedNow, isAskedNow } from './asked-now.ts'
import { isSpent } from './budget.ts'
import { approvedJob, toolsOf } from './frozen.ts'
import { offIn } from './needs.ts'
import { tellNewer } from './newer.ts'
import { noteNotRun } from './not-run.ts'
import { FAILURES_UNTIL_PAUSE, type Job, type JobRun, type JobStore, MOST_JOBS, RUNS_KEPT } from './port.ts'
import { reachOfJob, withCalled } from './reach.ts'
import { retryAt } from './retry.ts'
import { eventOfRun, resultOf } from './run-result.ts'
import { dayOf, isEnded, isLeftOut, isOverAfter, nextKept, type Passed, passed } from './schedule.ts'
import { shippedWords } from './shipped-words.ts'
import { isWatch, requestOf, uncheckedWords } from './watch.ts'
import { pauseWidened, type WidenedPorts, wideningsSince } from './widened.ts'

/**
 * Maximum jobs started in one pass. After a long absence several passes follow, between which messages are
 * answered.
 */
const AT_ONCE = 10

export type RunnerPorts = Auditing &
  DeliverPorts &
  SealedReading &
  Ids &
  Clock &
  AtPlace &
  Templates &
  OwnerFacts &
  OwnerChats &
  SelfKnowledge &
  WidenedPorts &
  Tools &
  StoreOf<Transactions & JobStore & TaskStore & EventStore & OutboxStore & WaitingStore & SettingStore>

export async function runDueJobs(powers: RunnerPorts): Promise<void> {
  const { store } = powers
  const now = powers.now()
  if (quietEnd(powers) === null) for (const run of store.runsAgain(now)) await tryAgain(powers, run)
  const isQuiet = quietEnd(powers) !== null
  // A one-time job was requested for exactly its time.
  const jobs = store
    .dueJobs(now, isQuiet ? MOST_JOBS : AT_ONCE)
    .filter((job) => !isQuiet || isUnheld(powers, job))
  for (const job of jobs.slice(0, AT_ONCE)) {
    const held = wasHeld(powers, job)
    // A run that quiet hours held is sent, however long they were.
    const due = passed(held ? { ...job, missed: 'once' } : job, now)
    if (due !== null) await take(powers, job, due)
  }
  store.dropRunsBefore(now - RUNS_KEPT)
}

/** Quiet hours do not hold what comes at its one time, and what was asked for now. */
function isUnheld({ store }: StoreOf<SettingStore>, job: Job): boolean {
  return isTimed(job) || isAskedNow(store, job)
}

/** One that comes at a time that the owner named, once. */
function isTimed({ repeat }: Job): boolean {
  return repeat.kind === 'once'
}

/** Its time was in quiet hours, which have ended. */
function wasHeld(powers: RunnerPorts, { due }: Job): boolean {
  const { hours } = quietOf(powers)
  return due !== null && hours !== null && isWithin(hours, due, powers.profile().timezone)
}

/** When the next one runs, or is tried again; null when none does. */
export function jobMoment(powers: QuietPowers & StoreOf<JobStore>): number | null {
  const next = powers.store.nextJob()
  const end = quietEnd(powers)
  if (next === null || end === null || next >= end) return next
  const timed = powers.store
    .jobs()
    .flatMap((job) => (isUnheld(powers, job) && job.due !== null ? [job.due] : []))
  return Math.min(end, ...timed)
}

async function take(powers: RunnerPorts, job: Job, due: Passed): Promise<void> {
  const { store } = powers
  const { scheduled, missed, next, late } = due
  const now = powers.now()
  const refused = refusalOf(powers, job, due, now)
  const begun = refused === null ? await taskFor(powers, job, { scheduled, attempt: 1 }) : null
  const row: JobRun = {
    ...{ job: job.id, scheduled, started: now, ended: null, outcome: 'running', delivery: 'none' },
    ...{ code: null, task: null, attempt: 1, again: null },
    ...{ page: 'none', pageTask: null, pageCode: null },
  }
  const over = { ...row, ended: now, outcome: 'missed', code: 'job_missed' } as const
  const { hours } = quietOf(powers)
  const quietly = (at: number): Partial<JobRun> =>
    hours !== null && isWithin(hours, at, powers.profile().timezone)
      ? { outcome: 'skipped', code: 'job_quiet' }
      : {}
  const reachNow = reachOfJob(powers.registry, job)
  const isTaken = store.transaction(() => {
    const current = store.findJob(job.id)
    // The owner removed, stopped or moved it while its task was made.
    if (current?.state !== 'on' || current.due !== job.due) return false
    // A time with a row already ran before a crash or a change of the clock.
    const added = missed.filter((at) => store.addRun({ ...over, scheduled: at, ...quietly(at) }))
    const unheld = added.filter((at) => quietly(at).code === undefined)
    const outcome = refused === 'job_missed' ? 'missed' : 'skipped'
    const isRefused = refused !== null && store.addRun({ ...over, code: refused, outcome })
    forgetAskedNow(store, job.id)
    noteNotRun(store, job, isRefused && refused === 'job_missed' ? [...unheld, scheduled] : unheld)
    store.saveJob({
      ...current,
      reach: withCalled(current.reach ?? reachNow, reachNow),
      due: next,
      ...(refused === 'job_skipped' && afterSkip(current, next)),
    })
    if (begun?.ok === true) {
      if (store.addRun({ ...row, task: begun.value.id })) begun.value.put()
    } else if (begun?.ok === false) {
      store.addRun({ ...row, ended: now, outcome: 'failed', code: begun.reason.code })
    }
    return true
  })
  if (!isTaken) return
  const code = refused ?? (begun?.ok === false ? begun.reason.code : null)
  audit(powers, 'memory_changed', null, {
    ...{ what: 'job', did: code === null ? 'run' : 'not_run', number: job.number, scheduled, late, code },
    missed: missed.length,
  })
  if (refused === 'job_budget') await pauseSpent(powers, job)
  if (refused === 'job_widened') await pauseWidened(powers, job.id, titleOf(powers, job))
  if (code === null) await tellNewer(powers, job)
  if (begun?.ok !== false) {
    const after = store.findJob(job.id)
    if (code !== null && after !== null && isEnded(after)) await finish(powers, after, { ...over, code })
    return
  }
  if (job.repeat.kind === 'once' || next === null)
    await finish(powers, store.findJob(job.id) ?? job, { ...row, outcome: 'failed' })
  else await countFailure(powers, job.id, begun.reason.code)
}

/** A reminder whose condition could not be checked, or that its chat did not accept, is sent all the same. */
async function finish(powers: RunnerPorts, job: Job, run: JobRun): Promise<void> {
  const { store } = powers
  const { outcome, delivery, scheduled, started } = run
  const isLost = delivery === 'lost' || (outcome === 'failed' && delivery === 'none')
  if (isLost && isWatch(job) && job.repeat.kind === 'once') {
    const words = await openTextOf(powers, job.words)
    const to = { id: `job:${job.id}:anyway:${scheduled}`, code: 'job_cannot_check' } as const
    const looked = { job, run: { scheduled, started }, zone: job.zone, now: powers.now() }
    const sent = words.ok
      ? await deliverNotice(powers, {
          ...{ ...to, sink: job.sink, principal: OWNER_PRINCIPAL },
          text: uncheckedWords({ ...looked, words: words.value }),
        })
      : words
    if (!sent.ok) await tellOwner(powers, { ...to, id: `${to.id}:lost`, words: tell('jobs.watch_lost') })
  }
  const current = store.findJob(job.id)
  // The owner removed it or gave it another time while that was sent.
  if (current === null || current.state === 'removed' || current.due !== job.due) return
  store.saveJob({ ...current, state: 'removed', why: 'done', due: null, skips: null })
  powers.self.touch('job')
  audit(powers, 'memory_changed', null, { what: 'job', did: 'done', number: job.number, outcome })
}

/** A day that is left out has all its times left out, with one row for the first. */
function afterSkip({ repeat, zone, skips }: Job, next: number | null): Pick<Job, 'due' | 'skips'> {
  return { due: nextKept({ repeat, zone, due: next, skips }), skips: null }
}

/** A run that failed for want of a service, once more within its time: another task, the same row. */
async function tryAgain(powers: RunnerPorts, run: JobRun): Promise<void> {
  const { store } = powers
  const job = store.findJob(run.job)
  const now = powers.now()
  if (job === null || job.state !== 'on' || job.due === null || job.due <= now) {
    store.saveRun({ ...run, again: null })
    if (job?.state === 'on') await countFailure(powers, run.job, run.code ?? 'internal_fault')
    return
  }
  const attempt = run.attempt + 1
  const begun = await taskFor(powers, job, { scheduled: run.scheduled, attempt })
  const isOn = store.transaction(() => {
    // The owner removed or stopped it while the task was made.
    const stays = store.findJob(job.id)?.state === 'on'
    if (stays && begun.ok) begun.value.put()
    store.saveRun({
      ...{ ...run, again: null, ...(stays && { attempt }) },
      ...(stays && begun.ok && { ended: null, outcome: 'running', code: null, task: begun.value.id }),
    })
    return stays
  })
  if (!isOn) return
  audit(powers, 'memory_changed', null, {
    ...{ what: 'job', did: 'again', number: job.number, scheduled: run.scheduled, attempt },
    code: begun.ok ? null : begun.reason.code,
  })
  if (!begun.ok) await countFailure(powers, run.job, begun.reason.code)
}

function refusalOf(powers: RunnerPorts, job: Job, due: Passed, now: number): ReasonCode | null {
  const { store } = powers
  if (isLeftOut(dayOf(due.scheduled, job.zone), job.skips)) return 'job_skipped'
  if (!due.runs) return 'job_missed'
  const isUnderWay = store.openRuns().some((run) => run.job === job.id && run.outcome === 'running')
  if (isUnderWay) return 'job_overlaps'
  if (wideningsSince(powers, job).length > 0) return 'job_widened'
  // What comes once comes all the same, and says what it could not look at.
  if (!isTimed(job) && offIn(powers, job.frozen.plan) !== null) return 'service_off'
  return isSpent(powers, job, now) || powers.worded?.isSpent(powers, job, now) === true ? 'job_budget' : null
}

/** The owner is told once, with the command to resume. Unsent rows stay new. */
async function pauseSpent(powers: RunnerPorts, { id, number, template, budget }: Job): Promise<void> {
  const job = powers.store.findJob(id)
  if (job === null || job.state !== 'on') return
  powers.store.saveJob({ ...job, state: 'paused', why: 'budget', due: null })
  powers.self.touch('job')
  audit(powers, 'memory_changed', null, { what: 'job', did: 'paused', number, code: 'job_budget' })
  const title = titleOf(powers, { template })
  const words =
    powers.worded?.spentWords(powers, job, title) ??
    tell('jobs.paused_spent', { number, title, count: budget?.messages ?? 0 })
  await tellOwner(powers, { id: `job:${id}:spent:${powers.now()}`, code: 'job_budget', words })
}

interface Begun {
  readonly id: string
  /** Stores the task, in the caller's transaction. */
  readonly put: () => void
}

/**
 * The task of an event `cron_trigger`: template, chat and words are those of the row that the owner approved.
 * Refusals: job_changed, template_none_matches, place_not_cleared, job_widened, and those of the sealed
 * words.
 */
async function taskFor(
  powers: RunnerPorts,
  { id: name }: Job,
  { scheduled, attempt }: Pick<JobRun, 'scheduled' | 'attempt'>,
): Promise<Result<Begun>> {
  const principal = formatPrincipalId({ kind: 'cron', job: name })
  const job = approvedJob(powers.store, principal)
  if (!job.ok) return job
  if (wideningsSince(powers, job.value).length > 0) return err('job_widened', { job: job.value.number })
  const { sink } = job.value
  const template = templateOf(powers, job.value)
  if (!template.ok) return template
  const opened = await openTextOf(powers, job.value.words)
  if (!opened.ok) return opened
  const { ceiling, maxToolCalls } = template.value
  const tools = toolsOf(job.value.frozen.plan).filter((tool) => template.value.tools.includes(tool))
  const { label } = joinProvenance(opened.value)
  const place = placeFor({ ceiling: ceiling.level, channel: powers.place, label })
  if (place !== powers.place)
    return err('place_not_cleared', { place: powers.place, template: template.value.id })
  // Its own copy: what a finished task read is deleted with its turn.
  const request = requestOf(job.value, opened.value)
  const words = await sealForLater(powers, { principal, store: 'sessions', until: null }, request)
  const event = eventOfRun({ job: name, scheduled, attempt })
  const id = taskIdOf(principal, event)
  const put = (): void => {
    words.put()
    const started = startTask({
      ...{ id, trace: powers.newId(), template: template.value.id, principal, event, place, sink },
      ...{ ceiling, tools, maxToolCalls, memory: {}, words: words.ref, createdAt: powers.now() },
      turn: powers.store.nextTurn(principal),
    })
    const { task, rows } = rowsFor(started.task, started.effects)
    if (powers.store.addTask(task, rows))
      audit(powers, 'task_created', task, {
        template: task.template,
        sink,
        kind: 'cron_trigger',
        class: 'cron',
      })
  }
  return ok({ id, put })
}

/**
 * Refusals: template_none_matches, also for a chat that it may not tell; compartment_missing for one that may not show
 * all of it.
 */
export function templateOf(
  powers: Templates & PolicySource,
  { template: id, sink }: Pick<Job, 'template' | 'sink'>,
): Result<Template> {
  const template = powers.templates.find((one) => one.id === id && one.principalClass === 'cron')
  if (template === undefined) return err('template_none_matches', { template: id })
  if (mayTell(powers, template, sink)) return ok(template)
  const isAnswered = powers.policy().sinks.some((one) => one.id === sink && one.jobs !== undefined)
  return err(isAnswered ? 'compartment_missing' : 'template_none_matches', { sink, template: id })
}

/** A chat that the template names, or one that home answers in by the owner's acknowledgement. */
export function mayTell({ policy }: PolicySource, { id, sinks }: Template, sink: string): boolean {
  return sinks.includes(sink) || policy().sinks.some((one) => one.id === sink && one.jobs?.includes(id))
}

/**
 * Ends runs whose task has ended and whose text was sent or given up. An undelivered text is no success
 * (G-06).
 */
export async function settleRuns(powers: RunnerPorts): Promise<void> {
  const { store } = powers
  for (const run of store.openRuns()) {
    const task = run.task === null ? null : store.loadTask(run.task)
    if (task !== null && !isFinal(task.state)) continue
    const now = powers.now()
    const settled = { ...run, ended: run.ended ?? now, ...resultOf(powers, task) }
    if (settled.delivery === run.delivery && settled.outcome === run.outcome) continue
    const failed = settled.outcome === 'failed' || settled.delivery === 'lost'
    // Its rows stay new.
    if (failed) store.dropNews(run.job, run.scheduled)
    const again = settled.outcome === 'failed' ? retryAt(store.findJob(run.job), settled, now) : null
    store.saveRun({ ...settled, again })
    if (again !== null) continue
    const job = store.findJob(run.job)
    if (job !== null && isOverAfter(job, settled)) await finish(powers, job, settled)
    else if (failed) await countFailure(powers, run.job, settled.code ?? 'internal_fault')
    else if (settled.delivery !== 'waiting') forgive(powers, run.job)
  }
}

function forgive({ store }: StoreOf<JobStore>, id: string): void {
  const job = store.findJob(id)
  if (job !== null && job.failures > 0) store.saveJob({ ...job, failures: 0 })
}

/** After five in a row it is paused, and the owner is told once, with the reason and how to resume. */
async function countFailure(powers: RunnerPorts, id: string, code: ReasonCode): Promise<void> {
  const { store } = powers
  const job = store.findJob(id)
  if (job === null || job.state !== 'on') return
  const failures = job.failures + 1
  if (failures < FAILURES_UNTIL_PAUSE) {
    store.saveJob({ ...job, failures })
    return
  }
  store.saveJob({ ...job, failures, state: 'paused', why: 'failures', due: null })
  powers.self.touch('job')
  audit(powers, 'memory_changed', null, { what: 'job', did: 'paused', number: job.number, code })
  const words = tell('jobs.paused_failing', {
    ...{ number: job.number, title: titleOf(powers, job), count: failures },
    why: wordsFor(code),
  })
  await tellOwner(powers, { id: `job:${id}:paused:${powers.now()}`, code, words })
}

/** Of a shipped job; one in the owner's words has none that may be shown everywhere. */
export function titleOf({ templates }: Templates, job: Pick<Job, 'template'>): string {
  const shipped = templates.find(({ id }) => id === job.template)?.job
  return shipped === undefined ? tell('jobs.own') : shippedWords(shipped).title
}
