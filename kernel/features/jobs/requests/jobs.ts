/**
 * What the owner asks of jobs: lists, stops, moves and skips them, and says what became of each time. Stopping, later and rarer are done at
 * once; a new job only puts a card (proposal.ts). Must not run one. Called by the operations on jobs.
 */
import { err, ok, type Result } from '../../../flow/verdict.ts'
import { type Auditing, audit } from '../../../powers/audit.ts'
import type { ChangeNews, SelfKnowledge } from '../../../powers/ports.ts'
import type { GrantStore, StoreOf, Transactions } from '../../../powers/stores.ts'
import type { Template } from '../../../template/template.ts'
import { instantOf } from '../../../wording/output.ts'
import type { SettingStore } from '../../quiet/port.ts'
import { noteAskedNow } from '../asked-now.ts'
import { jobDigest } from '../frozen.ts'
import { endPage } from '../job-change.ts'
import { fieldsIn, findJob, templatesHere, titleFor } from '../named.ts'
import { needed, offIn, unnamedIn } from '../needs.ts'
import { formerOf } from '../newer.ts'
import type { Asking, Job, JobRun, JobStore, JobsPort, JobTimes, JobView, UntoldRun } from '../port.ts'
import { mayTell } from '../runner.ts'
import { comesMore, dayOf, isLeftOut, isPastEnd, nextDue, nextTimes } from '../schedule.ts'
import { shippedWords } from '../shipped-words.ts'
import { isWatch } from '../watch.ts'
import { proposeWidened } from '../widened.ts'
import { proposeJob } from './proposal.ts'
import { proposeChat } from './proposal-chat.ts'
import { proposeNewer } from './proposal-newer.ts'
import { proposeOwnWatch } from './proposal-own-watch.ts'
import { type PagePorts, proposePage } from './proposal-page.ts'
import { proposeQuiet } from './proposal-quiet.ts'
import { proposeTimes, timesFor } from './proposal-times.ts'
import { proposeWatch, watchFields } from './proposal-watch.ts'
import { viewOf, viewsOf } from './views.ts'

type Ports = PagePorts &
  Auditing &
  ChangeNews &
  SelfKnowledge &
  StoreOf<Transactions & JobStore & GrantStore & SettingStore>

/** Times that the history of a job shows. */
const SHOWN_RUNS = 7
/** Days ahead in which a day to leave out is looked for. */
const SKIPS_WITHIN = 62
const DAY = 86_400_000

export function createJobs(powers: Ports): JobsPort {
  const named = (
    asking: Asking,
    words: string,
    [verb, intent, state]: readonly [verb: string, intent: string, state: Job['state'] | null],
  ) => findJob(powers, asking, topicOf(fieldsIn(powers, words, { verb, intents: [intent] })) ?? words, state)
  const change = async (
    asking: Asking,
    job: Job,
    did: string,
    to: Partial<Job>,
  ): Promise<Result<JobView>> => {
    const changed = { ...job, ...to }
    powers.store.saveJob(changed)
    powers.self.touch('job')
    audit(powers, 'memory_changed', null, { what: 'job', did, number: job.number, by: asking.principal })
    return ok(await viewOf(powers, asking, changed))
  }
  const on = (job: Job): Partial<Job> => ({
    ...{ state: 'on', why: null, failures: 0, due: nextDue(powers, job) },
    // What was left out before it was stopped stays left out.
    skips: isSkipOver(job, powers.now()) ? null : job.skips,
    ...(job.why === 'budget' && job.budget !== null && { budget: { ...job.budget, since: powers.now() } }),
  })
  const isOver = (job: JobTimes): boolean => isPastEnd(job, powers.now())
  const viewed = async (asking: Asking, jobs: readonly Job[]): Promise<readonly JobView[]> => {
    const shown: JobView[] = []
    for (const job of jobs) shown.push(await viewOf(powers, asking, job))
    return shown
  }
  return {
    list: (asking) =>
      viewed(
        asking,
        powers.store.jobs().filter(({ state }) => state !== 'asked'),
      ),
    conditions: (asking) =>
      viewed(
        asking,
        powers.store.jobs().filter((job) => isWatch(job) && job.state === 'on'),
      ),
    offered: (sink) => {
      const set = powers.store.jobs().filter((job) => job.state !== 'asked' && job.sink === sink)
      return templatesHere(powers).flatMap((template) => {
        const { id, job, plans } = template
        const isOffered = mayTell(powers, template, sink) && !set.some((one) => one.template === id)
        return job === undefined || !isOffered
          ? []
          : [{ ...shippedWords(job), ready: isReady(powers, plans) }]
      })
    },
    propose(proposer, words) {
      const watch = watchFields(powers, words)
      if (watch === null) return proposeJob(powers, proposer, words)
      // Of mail nothing says where it is.
      const isOwn = typeof watch['into'] === 'string'
      return isOwn ? proposeOwnWatch(powers, proposer, watch) : proposeWatch(powers, proposer, watch)
    },
    async proposeChat(proposer, words) {
      const fields = fieldsIn(powers, words, { verb: 'send', intents: ['job_chat'] })
      const into = fields?.['into']
      if (typeof into !== 'string') return err('job_unclear')
      const job = await findJob(powers, proposer, topicOf(fields) ?? '')
      return job.ok ? proposeChat(powers, proposer, { job: job.value, into }) : job
    },
    async proposeQuiet(asking, name, quiet) {
      const job = await findJob(powers, asking, name)
      return job.ok ? proposeQuiet(powers, asking, { job: job.value, quiet }) : job
    },
    async proposeNewer(asking, name) {
      const job = await findJob(powers, asking, name)
      return job.ok ? proposeNewer(powers, asking, job.value) : job
    },
    async takeFormer(asking, number) {
      const job = powers.store.jobs().find((one) => one.number === number && one.state !== 'asked')
      if (job === undefined) return err('job_unknown')
      const former = formerOf(powers, job)
      if (!former.ok) return former
      endPage(powers, job)
      const back = { ...former.value, page: null }
      return change(asking, job, 'former', { ...back, digest: jobDigest({ ...job, ...back }) })
    },
    async proposePage(proposer, words) {
      const fields = fieldsIn(powers, words, { verb: 'write', intents: ['job_page'] })
      const into = pageIn(fields?.['into'])
      if (into === null) return err('job_unclear')
      const job = await findJob(powers, proposer, topicOf(fields) ?? '')
      return job.ok ? proposePage(powers, proposer, { job: job.value, ...into }) : job
    },
    async dropPage(asking, words) {
      const fields = fieldsIn(powers, words, { verb: 'stop writing', intents: ['job_page_stop'] })
      const job = await findJob(powers, asking, topicOf(fields) ?? (fields === null ? words : ''))
      if (!job.ok) return job
      if (job.value.page === null) return err('job_page_none')
      const without = { ...job.value, page: null }
      powers.store.transaction(() => endPage(powers, job.value))
      return change(asking, job.value, 'no_page', { page: null, digest: jobDigest(without) })
    },
    async pause(asking, words) {
      const job = await named(asking, words, ['stop', 'job_stop', 'on'])
      if (!job.ok) return job
      return change(asking, job.value, 'paused', { state: 'paused', why: 'owner', due: null })
    },
    async resume(asking, words) {
      const job = await named(asking, words, ['resume', 'job_resume', 'paused'])
      if (job.ok && isOver(job.value)) {
        const {
          repeat: { last: _, ...repeat },
          zone,
        } = job.value
        const asked = await proposeTimes(powers, asking, { job: job.value, times: { repeat, zone } })
        return asked.ok ? err('job_over') : asked
      }
      if (job.ok && job.value.why === 'widened') {
        const asked = await proposeWidened(powers, asking, job.value)
        return asked.ok ? err('job_widened') : asked
      }
      return job.ok ? change(asking, job.value, 'resumed', on(job.value)) : job
    },
    async runNow(asking, words) {
      const job = await named(asking, words, ['run', 'job_now', 'on'])
      if (!job.ok || job.value.state !== 'on' || isWatch(job.value))
        return job.ok ? ok(await viewOf(powers, asking, job.value)) : job
      const now = powers.now()
      noteAskedNow(powers.store, job.value.id)
      const isOut = isLeftOut(dayOf(now, job.value.zone), job.value.skips)
      return change(asking, job.value, 'now', { due: now, ...(isOut && { skips: null }) })
    },
    async pauseAll(asking) {
      const all = powers.store.jobs().filter(({ state }) => state === 'on')
      const stopped: JobView[] = []
      for (const job of all) {
        const one = await change(asking, job, 'paused', {
          state: 'paused',
          why: 'owner',
          due: null,
        })
        if (!one.ok) return one
        stopped.push(one.value)
      }
      return ok(stopped)
    },
    async resumeAll(asking, numbers) {
      const all = powers.store
        .jobs()
        .filter((job) => job.state === 'paused' && job.why === 'owner' && numbers.includes(job.number))
      const resumed: JobView[] = []
      // One that is over meanwhile stays so.
      for (const job of all.filter((one) => !isOver(one))) {
        const one = await change(asking, job, 'resumed', on(job))
        if (!one.ok) return one
        resumed.push(one.value)
      }
      return resumed.length === 0 ? err(all.length === 0 ? 'job_unknown' : 'job_over') : ok(resumed)
    },
    async remove(asking, words) {
      const job = await named(asking, words, ['remove', 'job_remove', null])
      if (!job.ok) return job
      return change(asking, job.value, 'removed', { state: 'removed', due: null, skips: null })
    },
    async restore(asking, number) {
      const job = powers.store.removedJob(number)
      if (job === null) return err('job_unknown')
      if (isOver(job)) return err('job_over')
      // One that was stopped before comes back as that.
      return change(asking, job, 'restored', job.why === null ? on(job) : { state: 'paused' })
    },
    async skip(asking, words) {
      const fields = fieldsIn(powers, words, { verb: 'skip', intents: ['job_skip'] })
      const job = await findJob(powers, asking, topicOf(fields) ?? (fields === null ? words : ''))
      if (!job.ok) return job
      const from = instantOf(fields?.['from'])
      const days = { from, to: fields?.['wholeDay'] === true ? instantOf(fields['to']) : null }
      const day = dayToSkip(job.value, days, powers.now())
      return day === null ? err('job_time_unclear') : change(asking, job.value, 'skips', { skips: day })
    },
    async unskip(asking, words) {
      const job = await findJob(powers, asking, words)
      return job.ok ? change(asking, job.value, 'unskipped', { skips: null }) : job
    },
    async setTime(asking, words) {
      const fields = fieldsIn(powers, words, { verb: 'make', intents: ['job_time'] })
      if (fields === null) return err('job_time_unclear')
      const job = await findJob(powers, asking, topicOf(fields) ?? '')
      if (!job.ok) return job
      const times = timesFor(powers, { fields, words }, job.value)
      if (!times.ok) return times
      const before = { repeat: job.value.repeat, zone: job.value.zone }
      if (comesMore(times.value.repeat, before.repeat)) {
        const asked = await proposeTimes(powers, asking, { job: job.value, times: times.value })
        return asked.ok ? ok({ ...(await viewOf(powers, asking, job.value)), ...asked.value }) : asked
      }
      const due = job.value.state === 'on' ? nextDue(powers, times.value) : null
      const changed = await change(asking, job.value, 'moved', { ...times.value, due, before })
      return changed.ok ? ok({ ...changed.value, approval: null }) : changed
    },
    async putBack(asking, number) {
      const job = powers.store.jobs().find((one) => one.number === number && one.state !== 'asked')
      if (job === undefined) return err('job_unknown')
      const { repeat, zone, before, state } = job
      if (before === null) return err('job_time_unclear')
      if (isOver(before)) return err('job_over')
      const due = state === 'on' ? nextDue(powers, before) : null
      return change(asking, job, 'moved', { ...before, due, before: { repeat, zone } })
    },
    async untold(asking, within) {
      const since = powers.now() - within
      const found: UntoldRun[] = []
      for (const job of powers.store.jobs()) {
        const runs = powers.store
          .runsOf(job.id, MOST_LOOKED_AT)
          .filter((run) => run.scheduled >= since && isUntold(run))
        const title = await titleFor(powers, asking, job)
        for (const run of viewsOf(powers, runs)) found.push({ title, zone: job.zone, run })
      }
      return found.toSorted((one, other) => one.run.scheduled - other.run.scheduled)
    },
    async runs(asking, words) {
      const fields = fieldsIn(powers, words, { verb: 'why did', intents: ['job_runs'] })
      const job = await findJob(powers, asking, topicOf(fields) ?? (fields === null ? words : ''))
      if (!job.ok) return job
      const runs = viewsOf(powers, powers.store.runsOf(job.value.id, SHOWN_RUNS))
      return ok({ ...(await viewOf(powers, asking, job.value)), runs })
    },
  }
}

/** Whether the last day that is left out has passed. */
function isSkipOver({ skips, zone }: Pick<Job, 'skips' | 'zone'>, now: number): boolean {
  return skips !== null && (skips.split('/').at(-1) ?? '') < dayOf(now, zone)
}

/** Whether its services are there: what would only be refused is not offered. */
function isReady(powers: Ports, plans: Template['plans']): boolean {
  return Object.values(plans).every(
    (plan) =>
      needed(powers, plan) === null && offIn(powers, plan) === null && unnamedIn(powers, plan) === null,
  )
}

/** `notion page Reading`: the service, and what the owner calls the page. */
function pageIn(into: unknown): { readonly service: string; readonly page: string } | null {
  const { service, page } =
    /^(?<service>.{1,40}?)[ -](?:page|seite) (?<page>\S.*)$/iu.exec(String(into))?.groups ?? {}
  return service === undefined || page === undefined ? null : { service, page }
}

/** A time that quiet hours or the owner left out is none: that was wanted. */
function isUntold({ outcome, delivery, again, page }: JobRun): boolean {
  if (page === 'failed' || page === 'unclear') return true
  return ['failed', 'undelivered', 'missed'].includes(outcome) && delivery !== 'sent' && again === null
}

/** Times of one job that are looked at. */
const MOST_LOOKED_AT = 50

function topicOf(fields: Readonly<Record<string, unknown>> | null): string | null {
  const topic = fields?.['topic']
  return typeof topic === 'string' ? topic : null
}

/** Null where the job is not on, or has no time on that day, or on any of those days. */
function dayToSkip(
  { due, zone, repeat }: Job,
  { from, to }: { readonly from: number | null; readonly to: number | null },
  now: number,
): string | null {
  if (due === null) return null
  if (from === null) return dayOf(due, zone)
  const first = dayOf(from, zone)
  // The end of a span is the beginning of the day after it.
  const last = to === null || to <= from ? first : dayOf(to - 1, zone)
  for (let at = due; at <= now + SKIPS_WITHIN * DAY; [at = Infinity] = nextTimes({ repeat, zone }, at, 1))
    if (isLeftOut(dayOf(at, zone), `${first}/${last}`)) return first === last ? first : `${first}/${last}`
  return null
}
