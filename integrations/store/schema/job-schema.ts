/**
 * Tables of jobs (tasks on a schedule) and their runs (DESIGN §9). Holds times, states, ids and plans without content. Must be
 * read through jobs.ts only; a change here needs `npm run migrations`.
 */
import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { PageState, RunDelivery, RunOutcome } from '../../../kernel/features/jobs/port.ts'
import type { ReasonCode } from '../../../kernel/reasons.ts'

/** A removed job keeps its row, so that its number is not reused. */
export const jobs = sqliteTable(
  'jobs',
  {
    id: text().primaryKey(),
    number: integer().notNull(),
    template: text().notNull(),
    sink: text().notNull(),
    /** Sealed reference of the words, `FrozenPlan` and `Repeat`, as JSON. */
    words: text().notNull(),
    frozen: text().notNull(),
    digest: text().notNull(),
    repeat: text().notNull(),
    zone: text().notNull(),
    missed: text().$type<'once' | 'skip'>().notNull(),
    quiet: integer({ mode: 'boolean' }).notNull(),
    state: text().$type<'asked' | 'on' | 'paused' | 'removed'>().notNull(),
    why: text().$type<'owner' | 'failures' | 'budget' | 'widened' | 'done'>(),
    due: integer(),
    /** Local date of the occurrence that is skipped, `2026-11-27`. */
    skips: text(),
    failures: integer().notNull(),
    at: integer().notNull(),
    /** `Watch`, as JSON. */
    watch: text(),
    /** `MessageBudget`, as JSON. */
    budget: text(),
    /** `JobTimes`, as JSON. */
    before: text(),
    /** `JobReach`, as JSON. */
    reach: text(),
    /** `JobPage`, as JSON. */
    page: text(),
  },
  (row) => [
    uniqueIndex('jobs_number').on(row.number),
    index('jobs_due').on(row.due).where(sql`state = 'on' and due is not null`),
  ],
)

/** One row for each scheduled time of a job, whatever its result: no time runs twice. */
export const jobRuns = sqliteTable(
  'job_runs',
  {
    job: text().notNull(),
    scheduled: integer().notNull(),
    started: integer().notNull(),
    ended: integer(),
    outcome: text().$type<RunOutcome>().notNull(),
    delivery: text().$type<RunDelivery>().notNull(),
    code: text().$type<ReasonCode>(),
    task: text(),
    /** From 1. A run that failed because a service was unavailable is retried. */
    attempt: integer().notNull().default(1),
    /** Time of the next retry. */
    again: integer(),
    /** Result of the write to the job's page. */
    page: text().$type<PageState>().notNull().default('none'),
    pageTask: text('page_task'),
    pageCode: text('page_code').$type<ReasonCode>(),
  },
  (row) => [
    primaryKey({ columns: [row.job, row.scheduled] }),
    index('job_runs_task').on(row.task),
    // Partial index: a job every 15 minutes has thousands of rows, and each message queries the open ones.
    index('job_runs_open').on(row.job).where(sql`ended is null or delivery = 'waiting'`),
    index('job_runs_page').on(row.pageTask).where(sql`page in ('running', 'asked')`),
    index('job_runs_again').on(row.again).where(sql`again is not null`),
  ],
)

/** Rows that a job has reported, by digest, so that none is reported twice. */
export const jobNews = sqliteTable(
  'job_news',
  {
    job: text().notNull(),
    digest: text().notNull(),
    /** Time of the run that reported it. */
    told: integer().notNull(),
    /** Time of the last result that contained it. */
    seen: integer().notNull(),
  },
  (row) => [primaryKey({ columns: [row.job, row.digest] }), index('job_news_seen').on(row.job, row.seen)],
)
