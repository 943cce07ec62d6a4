/**
 * Rows of jobs and of their runs: times, states, plans without content, sealed references (DESIGN §9). Must not decide when one is due.
 * Called by createStore.
 */
import { and, asc, desc, eq, inArray, lt, lte, ne, sql } from 'drizzle-orm'
import type { JobPage } from '../../kernel/features/jobs/page.ts'
import {
  type FrozenPlan,
  type Job,
  type JobRun,
  type JobStore,
  type JobTimes,
  type MessageBudget,
  MOST_NEWS,
  type Watch,
} from '../../kernel/features/jobs/port.ts'
import type { JobReach } from '../../kernel/features/jobs/reach.ts'
import type { JobRepeat } from '../../kernel/features/reminders/repeat.ts'
import { once } from '../../kernel/flow/once.ts'
import { readDocument, readRef } from './database/columns.ts'
import { atMost, type StoreContext } from './database/database.ts'
import { jobNews, jobRuns, jobs } from './schema/job-schema.ts'

// A condition of a partial index is literal text: SQLite cannot match a bound parameter to it.
const DUE = sql.raw("state = 'on' and due is not null")
const OPEN = sql.raw("ended is null or delivery = 'waiting'")
const OPEN_PAGE = sql.raw("page in ('running', 'asked')")
const AGAIN = sql.raw('again is not null')
/** Milliseconds between two deletions of old runs. */
const DROPPED_EVERY = 3_600_000
/** Maximum number of digests in one statement: SQLite limits the bound values. */
const AT_ONCE = 100

export function createJobStore({ db, malformed, atomically, onUndone }: StoreContext): JobStore {
  // Cached, because every message asks when the next job is due.
  let next: { readonly at: number | null } | undefined
  const changed = (): void => {
    next = undefined
  }
  onUndone(changed)
  const read = ({
    words: kept,
    frozen: plan,
    repeat: rule,
    watch: condition,
    budget: limit,
    before: was,
    reach: held,
    page: place,
    ...row
  }: typeof jobs.$inferSelect): readonly Job[] => {
    const report = (): void => malformed({ table: 'jobs', id: row.id })
    const words = readRef(kept, report)
    const frozen = readDocument<FrozenPlan>(plan, ['plan', 'planner'], report)
    const repeat = readDocument<JobRepeat>(rule, ['kind', 'every', 'first'], report)
    const watch = condition === null ? null : readDocument<Watch>(condition, ['kind', 'since'], report)
    const budget = limit === null ? null : readDocument<MessageBudget>(limit, ['messages', 'since'], report)
    const before = was === null ? null : readDocument<JobTimes>(was, ['repeat', 'zone'], report)
    if (words === undefined || frozen === undefined || repeat === undefined) return []
    const reach = held === null ? null : readDocument<JobReach>(held, [], report)
    if (watch === undefined || budget === undefined || before === undefined || reach === undefined) return []
    const page = place === null ? null : readDocument<JobPage>(place, ['tool', 'at'], report)
    if (page === undefined) return []
    return [{ ...row, words, frozen, repeat, watch, budget, before, reach, page }]
  }
  const written = ({
    words,
    frozen,
    repeat,
    watch,
    budget,
    before,
    reach,
    page,
    ...row
  }: Job): typeof jobs.$inferInsert => ({
    ...{
      ...row,
      words: JSON.stringify(words),
      frozen: JSON.stringify(frozen),
      repeat: JSON.stringify(repeat),
      watch: watch === null ? null : JSON.stringify(watch),
      budget: budget === null ? null : JSON.stringify(budget),
      before: before === null ? null : JSON.stringify(before),
      reach: reach === null ? null : JSON.stringify(reach),
      page: page === null ? null : JSON.stringify(page),
    },
  })
  const nextDue = (): number | null =>
    db
      .select({ at: sql<number | null>`min(${jobs.due})` })
      .from(jobs)
      .where(DUE)
      .get()?.at ?? null
  const nextAgain = (): number | null =>
    db
      .select({ at: sql<number | null>`min(${jobRuns.again})` })
      .from(jobRuns)
      .where(AGAIN)
      .get()?.at ?? null
  // Prepared, because it runs after every message.
  const dueNow = once(() =>
    db
      .select()
      .from(jobs)
      .where(and(DUE, lte(jobs.due, sql.placeholder('now'))))
      .orderBy(asc(jobs.due))
      .limit(atMost(sql.placeholder('limit')))
      .prepare(),
  )
  // Prepared, because each run reads it several times.
  const all = once(() =>
    db.select().from(jobs).where(ne(jobs.state, 'removed')).orderBy(asc(jobs.number)).prepare(),
  )
  const byId = once(() =>
    db
      .select()
      .from(jobs)
      .where(eq(jobs.id, sql.placeholder('id')))
      .prepare(),
  )
  const runs = once(() =>
    db
      .select()
      .from(jobRuns)
      .where(eq(jobRuns.job, sql.placeholder('job')))
      .orderBy(desc(jobRuns.scheduled))
      .limit(atMost(sql.placeholder('limit')))
      .prepare(),
  )
  const open = once(() => db.select().from(jobRuns).where(OPEN).prepare())
  const openPages = once(() => db.select().from(jobRuns).where(OPEN_PAGE).prepare())
  const again = once(() =>
    db
      .select()
      .from(jobRuns)
      .where(and(AGAIN, lte(jobRuns.again, sql.placeholder('now'))))
      .prepare(),
  )
  /** Time up to which old runs were deleted. Finding them scans the whole table, so it is not done after every message. */
  let droppedTo = Number.NEGATIVE_INFINITY
  const ofTime = ({ job, scheduled }: Pick<JobRun, 'job' | 'scheduled'>) =>
    and(eq(jobRuns.job, job), eq(jobRuns.scheduled, scheduled))
  return {
    addJob: (job) =>
      atomically(() => {
        const last =
          db
            .select({ at: sql<number | null>`max(${jobs.number})` })
            .from(jobs)
            .get()?.at ?? 0
        const number = last + 1
        db.insert(jobs)
          .values(written({ ...job, number }))
          .run()
        changed()
        return number
      }),
    saveJob(job) {
      db.update(jobs).set(written(job)).where(eq(jobs.id, job.id)).run()
      changed()
    },
    dropJob: (id) =>
      atomically(() => {
        db.delete(jobRuns).where(eq(jobRuns.job, id)).run()
        db.delete(jobNews).where(eq(jobNews.job, id)).run()
        db.delete(jobs).where(eq(jobs.id, id)).run()
        changed()
      }),
    jobs: () => all().all().flatMap(read),
    findJob: (id) => byId().all({ id }).flatMap(read)[0] ?? null,
    removedJob: (number) =>
      db
        .select()
        .from(jobs)
        .where(and(eq(jobs.number, number), eq(jobs.state, 'removed')))
        .all()
        .flatMap(read)[0] ?? null,
    dueJobs: (now, limit) => dueNow().all({ now, limit }).flatMap(read),
    nextJob() {
      next ??= { at: earlier(nextDue(), nextAgain()) }
      return next.at
    },
    addRun: (run) =>
      db.insert(jobRuns).values(run).onConflictDoNothing().returning({ job: jobRuns.job }).all().length > 0,
    saveRun({ page: _, pageTask: _task, pageCode: _code, ...run }) {
      db.update(jobRuns).set(run).where(ofTime(run)).run()
      changed()
    },
    savePage(run, { page, pageTask, pageCode }) {
      db.update(jobRuns).set({ page, pageTask, pageCode }).where(ofTime(run)).run()
    },
    runsOf: (job, limit) => runs().all({ job, limit }),
    openRuns: () => open().all(),
    runsAgain: (now) => again().all({ now }),
    runOfTask: (task) => db.select().from(jobRuns).where(eq(jobRuns.task, task)).get() ?? null,
    runOfPage: (task) =>
      openPages()
        .all()
        .find(({ pageTask }) => pageTask === task) ?? null,
    openPages: () => openPages().all(),
    dropRunsBefore(at) {
      if (Math.abs(at - droppedTo) < DROPPED_EVERY) return
      db.delete(jobRuns).where(lt(jobRuns.scheduled, at)).run()
      droppedTo = at
    },
    news: (job) =>
      db
        .select({ digest: jobNews.digest, told: jobNews.told })
        .from(jobNews)
        .where(eq(jobNews.job, job))
        .all(),
    noteNews: (job, { told, seen, digests, forgotten }) =>
      atomically(() => {
        for (let from = 0; from < forgotten.length; from += AT_ONCE)
          db.delete(jobNews)
            .where(and(eq(jobNews.job, job), inArray(jobNews.digest, forgotten.slice(from, from + AT_ONCE))))
            .run()
        for (const digest of digests)
          db.insert(jobNews)
            .values({ job, digest, told, seen })
            .onConflictDoUpdate({ target: [jobNews.job, jobNews.digest], set: { seen } })
            .run()
        const oldest = db
          .select({ digest: jobNews.digest })
          .from(jobNews)
          .where(eq(jobNews.job, job))
          .orderBy(desc(jobNews.seen))
          .limit(AT_ONCE)
          .offset(MOST_NEWS)
          .all()
          .map(({ digest }) => digest)
        if (oldest.length > 0)
          db.delete(jobNews)
            .where(and(eq(jobNews.job, job), inArray(jobNews.digest, oldest)))
            .run()
      }),
    dropNews(job, told) {
      db.delete(jobNews)
        .where(and(eq(jobNews.job, job), eq(jobNews.told, told)))
        .run()
    },
  }
}

function earlier(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other
  return Math.min(one, other)
}
