/**
 * Rows of jobs and of their runs: times, states, plans without content, sealed references (DESIGN §9). Must not decide when one is due.
 * Called by createStore.
 */
import { and, asc, desc, eq, isNull, lt, lte, ne, or, sql } from 'drizzle-orm'
import type { FrozenPlan, Job, JobRun, JobStore } from '../../kernel/features/jobs/port.ts'
import type { Repeat } from '../../kernel/features/reminders/repeat.ts'
import { readDocument, readRef } from './columns.ts'
import type { StoreContext } from './database.ts'
import { jobRuns, jobs } from './job-schema.ts'

// A condition of a partial index is literal text: SQLite cannot match a bound parameter to it.
const DUE = sql.raw("state = 'on' and due is not null")

export function createJobStore({ db, malformed, atomically, onUndone }: StoreContext): JobStore {
  // Every message asks when the next one is due.
  let next: { readonly at: number | null } | undefined
  const changed = (): void => {
    next = undefined
  }
  onUndone(changed)
  const read = ({
    words: kept,
    frozen: plan,
    repeat: rule,
    ...row
  }: typeof jobs.$inferSelect): readonly Job[] => {
    const report = (): void => malformed({ table: 'jobs', id: row.id })
    const words = readRef(kept, report)
    const frozen = readDocument<FrozenPlan>(plan, ['plan', 'planner'], report)
    const repeat = readDocument<Repeat>(rule, ['kind', 'every', 'first'], report)
    if (words === undefined || frozen === undefined || repeat === undefined) return []
    return [{ ...row, words, frozen, repeat }]
  }
  const written = ({ words, frozen, repeat, ...row }: Job): typeof jobs.$inferInsert => ({
    ...{
      ...row,
      words: JSON.stringify(words),
      frozen: JSON.stringify(frozen),
      repeat: JSON.stringify(repeat),
    },
  })
  const ofTime = ({ job, scheduled }: JobRun) => and(eq(jobRuns.job, job), eq(jobRuns.scheduled, scheduled))
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
        db.delete(jobs).where(eq(jobs.id, id)).run()
        changed()
      }),
    jobs: () =>
      db.select().from(jobs).where(ne(jobs.state, 'removed')).orderBy(asc(jobs.number)).all().flatMap(read),
    findJob: (id) => db.select().from(jobs).where(eq(jobs.id, id)).all().flatMap(read)[0] ?? null,
    removedJob: (number) =>
      db
        .select()
        .from(jobs)
        .where(and(eq(jobs.number, number), eq(jobs.state, 'removed')))
        .all()
        .flatMap(read)[0] ?? null,
    dueJobs: (now, limit) =>
      db
        .select()
        .from(jobs)
        .where(and(DUE, lte(jobs.due, now)))
        .orderBy(asc(jobs.due))
        .limit(limit)
        .all()
        .flatMap(read),
    nextJob() {
      next ??= {
        at:
          db
            .select({ at: sql<number | null>`min(${jobs.due})` })
            .from(jobs)
            .where(DUE)
            .get()?.at ?? null,
      }
      return next.at
    },
    addRun: (run) =>
      db.insert(jobRuns).values(run).onConflictDoNothing().returning({ job: jobRuns.job }).all().length > 0,
    saveRun(run) {
      db.update(jobRuns).set(run).where(ofTime(run)).run()
    },
    runsOf: (job, limit) =>
      db
        .select()
        .from(jobRuns)
        .where(eq(jobRuns.job, job))
        .orderBy(desc(jobRuns.scheduled))
        .limit(limit)
        .all(),
    openRuns: () =>
      db
        .select()
        .from(jobRuns)
        .where(or(isNull(jobRuns.ended), eq(jobRuns.delivery, 'waiting')))
        .all(),
    runOfTask: (task) => db.select().from(jobRuns).where(eq(jobRuns.task, task)).get() ?? null,
    dropRunsBefore(at) {
      db.delete(jobRuns).where(lt(jobRuns.scheduled, at)).run()
    },
  }
}
