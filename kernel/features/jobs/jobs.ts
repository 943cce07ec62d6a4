/**
 * What the owner asks of jobs: lists, stops, moves and skips them, and says what became of each time. Stopping, later and rarer are done at
 * once; a new job only puts a card (proposal.ts). Must not run one. Called by the operations on jobs.
 */
import { err, ok, type Result } from '../../flow/verdict.ts'
import { type Auditing, audit } from '../../powers/audit.ts'
import type { SelfKnowledge } from '../../powers/ports.ts'
import type { StoreOf, Transactions } from '../../powers/stores.ts'
import { instantOf, localMoment } from '../../wording/output.ts'
import { chatTitle } from '../deliveries/outage.ts'
import { fieldsIn, findJob, titleFor } from './named.ts'
import type { Asking, Job, JobRun, JobStore, JobsPort, JobView, RunView, UntoldRun } from './port.ts'
import { type ProposalPorts, proposeJob } from './proposal.ts'
import { proposeChat } from './proposal-chat.ts'
import { proposeWatch, watchFields } from './proposal-watch.ts'
import { nextDue } from './runner.ts'
import { atTime, dayOf, isOften, nextKept, nextTimes, timeOf } from './schedule.ts'

type Ports = ProposalPorts & Auditing & SelfKnowledge & StoreOf<Transactions & JobStore>

/** Times that the history of a job shows. */
const SHOWN_RUNS = 7
/** Days ahead in which a day to leave out is looked for. */
const SKIPS_WITHIN = 62
const DAY = 86_400_000

export function createJobs(powers: Ports): JobsPort {
  const named = (asking: Asking, words: string, verb: string, intents: readonly string[]) =>
    findJob(powers, asking, topicOf(fieldsIn(powers, words, { verb, intents })) ?? words)
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
    ...(job.why === 'budget' && job.budget !== null && { budget: { ...job.budget, since: powers.now() } }),
  })
  return {
    async list(asking) {
      const shown: JobView[] = []
      for (const job of powers.store.jobs())
        if (job.state !== 'asked') shown.push(await viewOf(powers, asking, job))
      return shown
    },
    offered: (sink) => {
      const set = powers.store.jobs().filter((job) => job.state !== 'asked' && job.sink === sink)
      return powers.templates.flatMap(({ id, job, sinks }) =>
        job === undefined || !sinks.includes(sink) || set.some(({ template }) => template === id)
          ? []
          : [{ title: job.title, tells: job.tells }],
      )
    },
    propose(proposer, words) {
      const watch = watchFields(powers, words)
      return watch === null ? proposeJob(powers, proposer, words) : proposeWatch(powers, proposer, watch)
    },
    async proposeChat(proposer, words) {
      const fields = fieldsIn(powers, words, { verb: 'send', intents: ['job_chat'] })
      const into = fields?.['into']
      if (typeof into !== 'string') return err('job_unclear')
      const job = await findJob(powers, proposer, topicOf(fields) ?? '')
      return job.ok ? proposeChat(powers, proposer, { job: job.value, into }) : job
    },
    async pause(asking, words) {
      const job = await named(asking, words, 'stop', ['job_stop'])
      if (!job.ok) return job
      return change(asking, job.value, 'paused', { state: 'paused', why: 'owner', due: null, skips: null })
    },
    async resume(asking, words) {
      const job = await named(asking, words, 'resume', ['job_resume'])
      return job.ok ? change(asking, job.value, 'resumed', on(job.value)) : job
    },
    async remove(asking, words) {
      const job = await named(asking, words, 'remove', ['job_remove'])
      if (!job.ok) return job
      return change(asking, job.value, 'removed', { state: 'removed', why: 'owner', due: null, skips: null })
    },
    async restore(asking, number) {
      const job = powers.store.removedJob(number)
      return job === null ? err('job_unknown') : change(asking, job, 'restored', on(job))
    },
    async skip(asking, words) {
      const fields = fieldsIn(powers, words, { verb: 'skip', intents: ['job_skip'] })
      const job = await findJob(powers, asking, topicOf(fields) ?? (fields === null ? words : ''))
      if (!job.ok) return job
      const day = dayToSkip(job.value, instantOf(fields?.['from']), powers.now())
      return day === null ? err('job_time_unclear') : change(asking, job.value, 'skips', { skips: day })
    },
    async unskip(asking, words) {
      const job = await findJob(powers, asking, words)
      return job.ok ? change(asking, job.value, 'unskipped', { skips: null }) : job
    },
    async setTime(asking, words) {
      const fields = fieldsIn(powers, words, { verb: 'make', intents: ['job_time'] })
      const at = instantOf(fields?.['from'])
      if (at === null) return err('job_time_unclear')
      const job = await findJob(powers, asking, topicOf(fields) ?? '')
      if (!job.ok) return job
      const { repeat, zone, state } = job.value
      if (isOften(repeat) || repeat.kind === 'once') return err('job_time_unclear')
      const moved = atTime(repeat, minutesOf(at, powers.profile().timezone))
      const due = state === 'on' ? nextDue(powers, { repeat: moved, zone }) : null
      const changed = await change(asking, job.value, 'moved', { repeat: moved, due })
      return changed.ok ? ok({ ...changed.value, before: timeOf(repeat) }) : changed
    },
    async untold(asking, within) {
      const since = powers.now() - within
      const found: UntoldRun[] = []
      for (const job of powers.store.jobs()) {
        const runs = powers.store.runsOf(job.id, MOST_LOOKED_AT)
        const title = await titleFor(powers, asking, job)
        for (const run of runs)
          if (run.scheduled >= since && isUntold(run))
            found.push({ title, zone: job.zone, run: runView(run) })
      }
      return found.toSorted((one, other) => one.run.scheduled - other.run.scheduled)
    },
    async runs(asking, words) {
      const fields = fieldsIn(powers, words, { verb: 'why did', intents: ['job_runs'] })
      const job = await findJob(powers, asking, topicOf(fields) ?? (fields === null ? words : ''))
      if (!job.ok) return job
      const runs = powers.store.runsOf(job.value.id, SHOWN_RUNS).map(runView)
      return ok({ ...(await viewOf(powers, asking, job.value)), runs })
    },
  }
}

/** A time that quiet hours or the owner left out is none: that was wanted. */
function isUntold({ outcome, delivery, again }: JobRun): boolean {
  return ['failed', 'undelivered', 'missed'].includes(outcome) && delivery !== 'sent' && again === null
}

/** Times of one job that are looked at. */
const MOST_LOOKED_AT = 50

function topicOf(fields: Readonly<Record<string, unknown>> | null): string | null {
  const topic = fields?.['topic']
  return typeof topic === 'string' ? topic : null
}

function minutesOf(at: number, zone: string): number {
  const [hours = '0', minutes = '0'] = localMoment(at, zone).slice(11).split(':')
  return Number(hours) * 60 + Number(minutes)
}

/** Null where the job is not on, or has no time on that day. */
function dayToSkip({ due, zone, repeat }: Job, day: number | null, now: number): string | null {
  if (due === null) return null
  if (day === null) return dayOf(due, zone)
  const wanted = dayOf(day, zone)
  for (let at = due; at <= now + SKIPS_WITHIN * DAY; [at = Infinity] = nextTimes({ repeat, zone }, at, 1))
    if (dayOf(at, zone) === wanted) return wanted
  return null
}

async function viewOf(powers: Ports, asking: Asking, job: Job): Promise<JobView> {
  const { number, state, why, repeat, zone, skips, sink } = job
  const [last] = powers.store.runsOf(job.id, 1)
  return {
    ...{ number, state, why, zone, skips, due: nextKept(job) },
    ...{
      title: await titleFor(powers, asking, job),
      repeat: repeat.kind,
      every: repeat.every,
      times: repeat.times ?? [],
      first: repeat.first,
    },
    ...{ chat: chatTitle(sink, powers.chats), last: last === undefined ? null : runView(last) },
  }
}

function runView({ scheduled, started, outcome, delivery, code }: JobRun): RunView {
  return { scheduled, started, outcome, delivery, code }
}
