/**
 * Reads what the owner has at home besides mailbox and calendar: reminders, the task list, remembered facts, contacts and jobs,
 * through home's own operations. Must not change anything. Called by main.ts, home.ts and score-own.ts.
 */
import { listContacts } from '../../kernel/features/contacts/operations/list.ts'
import { listJobs } from '../../kernel/features/jobs/operations/list.ts'
import type { JOB } from '../../kernel/features/jobs/operations/shape.ts'
import { listMemory } from '../../kernel/features/memory/operations/list.ts'
import { listReminders } from '../../kernel/features/reminders/operations/list.ts'
import { listTasks } from '../../kernel/features/reminders/operations/tasks.ts'
import { clockOf } from '../../kernel/features/reminders/repeat.ts'
import type { Result } from '../../kernel/flow/verdict.ts'
import type { ValueOf } from '../../kernel/operations/shape.ts'
import { localMoment } from '../../kernel/wording/output.ts'
import type { Link } from '../../sidecar/cli/line/link.ts'

/** A type, not an interface, so that two of them can be compared as data. */
export type Row = {
  /** Never reused for another row of its kind. */
  readonly key: string
  readonly text: string
}

export type Reminder = Row & {
  /** Epoch milliseconds; null for a reminder that waits for a mail without a deadline. */
  readonly due: number | null
  readonly repeats: boolean
}

export type Contact = Row & { readonly address: string }

export type Job = Row & {
  /** Local times of day, `08:00`; empty for a job that runs at an interval of minutes. */
  readonly at: readonly string[]
  readonly isOn: boolean
  /** All fields of the schedule as one text, to compare it. */
  readonly when: string
  /** The reminder, if this is one with a condition, which home runs as a job. */
  readonly condition: Omit<Reminder, keyof Row> | null
}

export interface Own {
  /** Reminders without a condition; the others are under `jobs`. */
  readonly reminders: readonly Reminder[]
  readonly tasks: readonly Row[]
  readonly facts: readonly Row[]
  readonly contacts: readonly Contact[]
  readonly jobs: readonly Job[]
}

/** Throws if home refuses, because the request cannot be judged then. */
export async function readOwn(link: Pick<Link, 'call'>): Promise<Own> {
  const { reminders, conditions } = listed(await link.call(listReminders, {}))
  const tasks = listed(await link.call(listTasks, {}))
  const kept = listed(await link.call(listMemory, { page: null }))
  const contacts = listed(await link.call(listContacts, {}))
  const { jobs } = listed(await link.call(listJobs, {}))
  return {
    reminders: reminders.map(({ number, text, due, repeat }) => ({
      ...{ key: String(number), text, due, repeats: repeat !== null },
    })),
    tasks: tasks.map(({ number, text }) => ({ key: String(number), text })),
    facts: kept
      .filter(({ kind }) => kind === 'fact')
      .map(({ number, text }) => ({ key: String(number), text })),
    contacts: contacts.map(({ number, name, email }) => ({
      ...{ key: number === null ? `config ${email}` : String(number), text: name, address: email },
    })),
    jobs: jobs.map((job) => {
      const waits = conditions.find(({ number }) => number === job.number)
      return jobOf(job, waits === undefined ? null : conditionOf(waits))
    }),
  }
}

type JobRow = ValueOf<typeof JOB>

function jobOf({ number, title, state, zone, ...row }: JobRow, condition: Job['condition']): Job {
  const { due, repeat, every, times, first, cron } = row
  const ofCron = due === null ? [] : [localMoment(due, zone).slice(11)]
  const ofDay = times.length > 0 ? times.map(clockOf) : [first.slice(11)]
  return {
    ...{ key: String(number), text: title, isOn: state === 'on', condition },
    at: repeat === 'minutes' ? [] : cron === null ? ofDay : ofCron,
    when: [repeat, every, ...times, first, cron, zone].join(' '),
  }
}

function conditionOf({ due, looks }: Pick<JobRow, 'due'> & { readonly looks: string }): Job['condition'] {
  return { due: looks === 'once' ? due : null, repeats: false }
}

function listed<T>(asked: Result<T>): T {
  if (!asked.ok) throw new Error(`home did not list what it has: ${asked.reason.code}`)
  return asked.value
}
