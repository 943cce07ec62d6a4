/**
 * Jobs: tasks on a schedule, their runs, and the store (DESIGN §9). A job's words are sealed; its plan is data without content.
 * Types and bounds only.
 */
import type { Result } from '../../flow/verdict.ts'
import type { ReasonCode } from '../../reasons.ts'
import type { Plan } from '../../task/plan.ts'
import type { SealedRef } from '../../task/task.ts'
import type { Proposed, Proposer } from '../approvals/port.ts'
import type { JobRepeat, JobRepeatKind } from '../reminders/repeat.ts'
import type { NamedWriter } from './named-writer.ts'
import type { JobPage } from './page.ts'
import type { JobReach } from './reach.ts'

/** Jobs that are not removed: a loop of messages must not fill the disk or the day. */
export const MOST_JOBS = 50
/** Milliseconds after its time from which a run says that it is late: more than a timer or an alarm is ever off. */
export const JOB_LATE_AFTER = 120_000
/** Milliseconds until which a job that skips what it missed still runs: a restart is no absence. */
export const JOB_SKIPS_AFTER = 3_600_000
/** Failures in a row after which a job is paused: a broken one must not complain for ever. */
export const FAILURES_UNTIL_PAUSE = 5
/** Milliseconds for which runs are kept. */
export const RUNS_KEPT = 90 * 86_400_000
/** Times that were missed, of which each gets a row: those of a longer absence are counted with the last one. */
export const MISSED_NOTED = 20
/** Milliseconds after which a run that failed for want of a service is tried again; never past the job's next time, and no oftener than these. */
export const RETRY_AFTER = Object.freeze([60_000, 300_000, 900_000])
/** Messages that a job may send in a day where its file names no number: a flood at a service must not become one in a chat. */
export const MESSAGES_A_DAY = 24
/** Digests of what a job has told: several times what its results list at once, so that a result cannot push out what it still lists. */
export const MOST_NEWS = 1_000
/** Template of the task that adds what a job told to its page. */
export const PAGE_TEMPLATE = 'job_page'
/** Days for which a grant for a page stands: one that nobody looked at for a year is assumed forgotten. */
export const PAGE_GRANT_DAYS = 365
export const JOB_STATES = Object.freeze(['asked', 'on', 'paused', 'removed'] as const)
export type JobState = (typeof JOB_STATES)[number]

/**
 * `planner`: `canned` for a template's own plan; `rules` for one that is read from the words anew at each run, and compared; `model` for one that a model made
 * once, which runs as it was shown.
 */
export interface FrozenPlan {
  readonly plan: Plan
  readonly planner: 'canned' | 'rules' | 'model'
  /** By step, a digest of the words that it tells a service each time, as its card showed them; absent of one that tells none. */
  readonly tells?: Readonly<Record<string, string>>
  /** Numbers and text that a model wrote into its plan, sealed; absent where it wrote none. */
  readonly literals?: { readonly ref: SealedRef; readonly count: number }
  /** The model that words what it reads; absent where code does. */
  readonly writer?: NamedWriter
}

/**
 * A condition on mail from one address, which the job's words name: told once some has come since then, or at its time unless some has. With
 * `looks` it is on one of the owner's own things instead, and `unless`.
 */
export interface Watch {
  readonly kind: 'when' | 'unless'
  /** When it was asked for, epoch milliseconds. */
  readonly since: number
  readonly looks?: Watched
}

/** `there`: whether the reminder comes where it is there, or where it is not. */
export interface Watched {
  readonly of: 'task' | 'event' | 'free'
  readonly there: boolean
  /** Of a task. */
  readonly number?: number
}

/** Messages that it may send in a day of its zone. */
export interface MessageBudget {
  readonly messages: number
  /** That its model may read and write in a day of its zone; absent where no model is asked. */
  readonly tokens?: number
  /** From when on they are counted, epoch milliseconds: when it went on after they were spent. */
  readonly since: number
}

export interface Job {
  readonly id: string
  /** From 1, never reused. */
  readonly number: number
  readonly template: string
  /** The only chat that it delivers to. */
  readonly sink: string
  /** Sealed words that the plan is read with. */
  readonly words: SealedRef
  readonly frozen: FrozenPlan
  /** Of template, plan, words, sink and budget, as the owner approved them (`jobDigest`). */
  readonly digest: string
  readonly repeat: JobRepeat
  /** IANA name. */
  readonly zone: string
  readonly missed: 'once' | 'skip'
  readonly quiet: boolean
  /** `asked`: its card waits. */
  readonly state: JobState
  /** Why it is paused, or removed: `done` once it has told what it was for. */
  readonly why: 'owner' | 'failures' | 'budget' | 'widened' | 'done' | null
  /** Epoch milliseconds; null unless it is on. */
  readonly due: number | null
  /** Local date of the time that is left out, `2026-11-27`, or the first and the last of several with a `/` between; null for none. */
  readonly skips: string | null
  /** In a row. */
  readonly failures: number
  readonly at: number
  readonly watch: Watch | null
  /** Null for one that was approved before there were any. */
  readonly budget: MessageBudget | null
  /** When it came before its times were last changed; null if they never were. */
  readonly before: JobTimes | null
  /** What its tools could reach when it was approved; null for one that was approved before that was kept, until it runs. */
  readonly reach: JobReach | null
  /** Null for one that tells its chat alone. */
  readonly page: JobPage | null
}

export interface JobTimes {
  readonly repeat: JobRepeat
  /** IANA name. */
  readonly zone: string
}

export const RUN_OUTCOMES = Object.freeze([
  'running',
  'told',
  'quiet',
  'failed',
  'undelivered',
  'stopped',
  'missed',
  'skipped',
] as const)
export type RunOutcome = (typeof RUN_OUTCOMES)[number]

/** `waiting`: its chat is unreachable, and the text is queued for it. */
export const RUN_DELIVERIES = Object.freeze(['none', 'sent', 'waiting', 'lost'] as const)
export type RunDelivery = (typeof RUN_DELIVERIES)[number]

/** Of a run's page: `none` also where there is no page; `asked`: its card waits; `refused`: the owner said no; `unclear`: it may have been written. */
export const PAGE_STATES = Object.freeze([
  'none',
  'running',
  'asked',
  'written',
  'refused',
  'unclear',
  'failed',
] as const)
export type PageState = (typeof PAGE_STATES)[number]

/** What became of the write to a job's page, beside the delivery to its chat. */
export interface RunPage {
  readonly page: PageState
  /** The task that writes. */
  readonly pageTask: string | null
  readonly pageCode: ReasonCode | null
}

/** One scheduled time of a job; there is one row for it at most. */
export interface JobRun extends RunPage {
  readonly job: string
  /** Epoch milliseconds. */
  readonly scheduled: number
  readonly started: number
  readonly ended: number | null
  readonly outcome: RunOutcome
  readonly delivery: RunDelivery
  readonly code: ReasonCode | null
  readonly task: string | null
  /** From 1. */
  readonly attempt: number
  /** When it is tried again, epoch milliseconds; null for a run that is not. */
  readonly again: number | null
}

/** Synchronous, like every store. */
export interface JobStore extends JobRunStore, JobNewsStore {
  /** Returns the number that it got. */
  addJob(job: Omit<Job, 'number'>): number
  saveJob(job: Job): void
  /** The row and its runs. */
  dropJob(id: string): void
  /** All but the removed ones, by number. */
  jobs(): readonly Job[]
  findJob(id: string): Job | null
  removedJob(number: number): Job | null
  dueJobs(now: number, limit: number): readonly Job[]
  /** When the next one is due, or is tried again; null when none is. */
  nextJob(): number | null
}

/** What became of each time. */
interface JobRunStore {
  /** False if this time of the job has a row already. */
  addRun(run: JobRun): boolean
  /** All but its page. */
  saveRun(run: JobRun): void
  savePage(run: Pick<JobRun, 'job' | 'scheduled'>, page: RunPage): void
  /** Newest first. */
  runsOf(job: string, limit: number): readonly JobRun[]
  /** Those that failed and are to be tried again by now. */
  runsAgain(now: number): readonly JobRun[]
  /** Those that have not ended, or whose delivery waits. */
  openRuns(): readonly JobRun[]
  runOfTask(task: string): JobRun | null
  /** The run whose page this task writes to, until that has ended. */
  runOfPage(task: string): JobRun | null
  /** Those whose page is being written to, or asked about. */
  openPages(): readonly JobRun[]
  dropRunsBefore(at: number): void
}

/** What each job has told, by digests of what its service calls it. */
interface JobNewsStore {
  news(job: string): readonly { readonly digest: string; readonly told: number }[]
  /** `told`: the run that tells what is not noted yet; `seen`: when these were in a result. Keeps those that were seen last, `MOST_NEWS`. */
  noteNews(
    job: string,
    noted: {
      readonly told: number
      readonly seen: number
      readonly digests: readonly string[]
      readonly forgotten: readonly string[]
    },
  ): void
  /** What a run meant to tell, and did not. */
  dropNews(job: string, told: number): void
}

/** One job as shown to its owner. */
export interface JobView {
  readonly number: number
  readonly title: string
  readonly state: JobState
  readonly why: Job['why']
  readonly repeat: JobRepeatKind
  readonly every: number
  /** Minutes after midnight, of one that comes several times a day; else empty. */
  readonly times: readonly number[]
  /** Local time of the first occurrence, `2026-11-27 13:00`. */
  readonly first: string
  readonly cron: string | null
  /** Its last day, `2026-12-24`; null without an end. */
  readonly ends: string | null
  readonly zone: string
  /** The next time that is not left out. */
  readonly due: number | null
  readonly skips: string | null
  readonly chat: string
  /** Name of the service that it also writes to; null for none. */
  readonly page: string | null
  /** Titles of services that it reads and that are switched off; null for none. */
  readonly off: string | null
  readonly last: RunView | null
}

export interface RunView {
  readonly scheduled: number
  readonly started: number
  /** Null while it runs. */
  readonly ended: number | null
  /** Of the models that it called, all its tries together; 0 where code writes the text. */
  readonly tokens: number
  readonly outcome: RunOutcome
  readonly delivery: RunDelivery
  readonly code: string | null
  readonly page: PageState
  readonly pageCode: string | null
}

/** A time of a job that failed, was missed, or whose text was not delivered. */
export interface UntoldRun {
  readonly title: string
  readonly zone: string
  readonly run: RunView
}

/** Whose, and the sink through which it is viewed. */
export interface Asking {
  readonly principal: string
  readonly sink: string
}

/** Every name is a number, words of a title, or a whole sentence about the job. */
export interface JobsPort {
  list(asking: Asking): Promise<readonly JobView[]>
  /** Reminders with a condition that wait for their time or their mail. */
  conditions(asking: Asking): Promise<readonly JobView[]>
  /** Titles of the shipped ones that are not set in this chat; `ready`: what they read is connected. */
  offered(
    sink: string,
  ): readonly { readonly title: string; readonly tells: string; readonly ready: boolean }[]
  /**
   * Puts a card. Refusals: job_unclear, job_time_unclear, job_too_often, job_cannot, job_exists, jobs_full, job_needs, job_needs_home, job_needs_saved; of a condition those of `proposeWatch`; those of
   * `propose`.
   */
  propose(proposer: Proposer & { readonly sink: string }, words: string): Promise<Result<Proposed>>
  /** Puts a card for another chat. Refusals: job_unclear, job_unknown, job_ambiguous, job_chat_unknown, job_exists; those of `propose`. */
  proposeChat(proposer: Proposer & { readonly sink: string }, words: string): Promise<Result<Proposed>>
  /** Puts a card for whether it says nothing when there is nothing. Refusals: job_unclear, job_unknown, job_ambiguous, job_quiet_so; those of `propose`. */
  proposeQuiet(asking: Proposer & Asking, name: string, quiet: boolean): Promise<Result<Proposed>>
  /** Puts a card for the newer plan of its file. Refusals: job_unknown, job_ambiguous, job_quiet_so where there is none; those of `propose`. */
  proposeNewer(asking: Proposer & Asking, name: string): Promise<Result<Proposed>>
  /** Takes back that: the plan that it had before. Refusals: job_unknown, job_quiet_so. */
  takeFormer(asking: Asking, number: number): Promise<Result<JobView>>
  /**
   * Puts a card for a page that what it tells is written to as well. Refusals: job_unclear, job_unknown, job_ambiguous, job_page_unknown where no such service is known, job_page_open for a
   * page that others may read, job_needs; those of the lookup and of `propose`.
   */
  proposePage(proposer: Proposer & { readonly sink: string }, words: string): Promise<Result<Proposed>>
  /** Its grants are revoked with it. Refusal: job_page_none. */
  dropPage(asking: Asking, words: string): Promise<Result<JobView>>
  /** Refusals of these and the following: job_unknown, job_ambiguous. */
  pause(asking: Asking, name: string): Promise<Result<JobView>>
  /** Refusals: job_widened for one that an update stopped, whose card is put anew; job_over for one past its end, with a card of its times without one. */
  resume(asking: Proposer & Asking, name: string): Promise<Result<JobView>>
  /** Runs one that is on once more, at once; one that is stopped stays so. */
  runNow(asking: Asking, name: string): Promise<Result<JobView>>
  /** Those that were on. */
  pauseAll(asking: Asking): Promise<Result<readonly JobView[]>>
  /** Takes back `pauseAll`. Refusals: job_unknown where none of them is stopped, job_over where all that are have passed their end. */
  resumeAll(asking: Asking, numbers: readonly number[]): Promise<Result<readonly JobView[]>>
  remove(asking: Asking, name: string): Promise<Result<JobView>>
  /** Takes back `remove`. Refusal: job_over for one past its end. */
  restore(asking: Asking, number: number): Promise<Result<JobView>>
  /** Leaves out one of its times: that of the named day, or the next one. Refusal: job_time_unclear for a day without one. */
  skip(asking: Asking, words: string): Promise<Result<JobView>>
  /** Takes back `skip`. */
  unskip(asking: Asking, name: string): Promise<Result<JobView>>
  /**
   * Gives it other times: at once, unless it would come more often than before, for which it puts a card (`approval`). Refusals: job_time_unclear,
   * job_too_often; those of `propose`.
   */
  setTime(
    asking: Proposer & Asking,
    words: string,
  ): Promise<Result<JobView & { readonly approval: string | null }>>
  /** Takes back `setTime`: the times that it had before. Refusals: job_time_unclear where there were none, job_over where their end has passed. */
  putBack(asking: Asking, number: number): Promise<Result<JobView>>
  /** Times within so many milliseconds of which nothing reached the owner though something should have, oldest first. */
  untold(asking: Asking, within: number): Promise<readonly UntoldRun[]>
  runs(asking: Asking, name: string): Promise<Result<JobView & { readonly runs: readonly RunView[] }>>
}
