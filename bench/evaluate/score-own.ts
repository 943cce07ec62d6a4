/**
 * Judges what a request did to reminders, the task list, remembered facts, contacts and jobs: listed things must be there or
 * gone, and all others unchanged. Of facts only the listed ones are judged. Pure. Called by main.ts.
 */
import { type Day, type Expect, momentAt, patternOf } from './case.ts'
import type { Own, Row } from './own.ts'
import { takeOne } from './score.ts'

/** Maximum delay of a reminder in ms: "in 20 minutes" counts from when the message was read. */
const LATE = 300_000

export interface OwnJudged {
  readonly before: Own
  /** State after each message except the last. */
  readonly between: readonly Own[]
  readonly after: Own
}

/** Faults in words; empty for a request that succeeded. */
export function ownProblems(expect: Expect, own: OwnJudged, day: Day): readonly string[] {
  const rowsOf = <T extends Row>(of: (one: Own) => readonly T[]): Rows<T> => ({
    ...{ before: of(own.before), between: own.between.map(of), after: of(own.after) },
  })
  const reminders = expect.reminders.map(({ text, at, repeats }) => ({
    said: JSON.stringify({ text, at, repeats }),
    fits: (row: Own['reminders'][number]) =>
      patternOf(text).test(row.text) &&
      (at === undefined || isAbout(row.due, momentAt(at, day))) &&
      (repeats === undefined || row.repeats === repeats),
  }))
  const tasks = expect.tasks.map(({ text, list }) => ({
    said: JSON.stringify({ text, list }),
    fits: (row: Row) => patternOf(text).test(row.text),
  }))
  const contacts = expect.contacts.map(({ name, address }) => ({
    said: `${name}, ${address}`,
    fits: (row: Own['contacts'][number]) =>
      patternOf(name).test(row.text) && row.address.toLowerCase() === address.toLowerCase(),
  }))
  const jobs = expect.jobs.map(({ text, at }) => ({
    said: JSON.stringify({ text, at }),
    fits: (row: Own['jobs'][number]) =>
      patternOf(text).test(row.text) && (at === undefined || row.at.includes(at)),
  }))
  // Home runs a reminder with a condition as a job; here it counts as what the request calls it.
  const isNamedJob = ({ text }: Row): boolean =>
    [...expect.jobs.map((one) => one.text), ...expect.jobsGone].some((one) => patternOf(one).test(text))
  // A stopped job runs no more, so it counts as removed.
  const jobsIn = ({ jobs: all }: Own) =>
    all.filter((job) => job.isOn && (job.condition === null || isNamedJob(job)))
  const remindersIn = (one: Own) => [
    ...one.reminders,
    ...one.jobs.flatMap(({ key, text, isOn, condition }) =>
      isOn && condition !== null && !isNamedJob({ key, text })
        ? [{ key: `job ${key}`, text, ...condition }]
        : [],
    ),
  ]
  const tasksIn = (one: Own) => one.tasks
  const contactsIn = (one: Own) => one.contacts
  const { remindersGone, tasksDone, jobsGone } = expect
  return [
    ...rowProblems('reminder', rowsOf(remindersIn), { wanted: reminders, gone: remindersGone }),
    ...rowProblems('task', rowsOf(tasksIn), { wanted: tasks, gone: tasksDone }),
    ...rowProblems('contact', rowsOf(contactsIn), { wanted: contacts, gone: [] }),
    ...rowProblems('job', rowsOf(jobsIn), { wanted: jobs, gone: jobsGone }),
    ...factProblems(expect, own.after.facts),
  ]
}

function isAbout(due: number | null, wanted: number): boolean {
  return due !== null && due >= wanted && due - wanted <= LATE
}

interface Rows<T extends Row> {
  readonly before: readonly T[]
  readonly between: readonly (readonly T[])[]
  readonly after: readonly T[]
}

interface Wanted<T extends Row> {
  readonly said: string
  fits(row: T): boolean
}

interface Listed<T extends Row> {
  readonly wanted: readonly Wanted<T>[]
  /** Patterns of the texts that must be gone. */
  readonly gone: readonly string[]
}

function rowProblems<T extends Row>(
  kind: string,
  { before, between, after }: Rows<T>,
  { wanted, gone }: Listed<T>,
): readonly string[] {
  const isIn = (rows: readonly T[], { key }: T): boolean => rows.some((row) => row.key === key)
  const added = after.filter((row) => !isIn(before, row))
  const changed = before.filter((row) => {
    const now = after.find(({ key }) => key === row.key)
    return now !== undefined && JSON.stringify(now) !== JSON.stringify(row)
  })
  // Newest state first: a row may have been reworded since it was created.
  const newestFirst = [...between.toReversed(), before].flat()
  const over = newestFirst.filter(
    (row, at) => !isIn(after, row) && newestFirst.findIndex(({ key }) => key === row.key) === at,
  )
  const notAdded = wanted.filter(({ fits }) => !takeOne(added, fits))
  const notGone = gone.filter((text) => !takeOne(over, (row) => patternOf(text).test(row.text)))
  return [
    ...notAdded.map(({ said }) => `no new ${kind}: ${said}`),
    ...notGone.map((text) => `no ${kind} that is over: ${text}`),
    ...added.map((row) => `new ${kind}: ${shown(row)}`),
    ...changed.map((row) => `${kind} changed: ${shown(row)}`),
    ...over.filter((row) => isIn(before, row)).map((row) => `${kind} gone: ${shown(row)}`),
  ]
}

/** A row with all of its fields, so that a wrong time shows. */
function shown({ key: _, ...row }: Row): string {
  return Object.values(row)
    .map((value) => String(value))
    .join(' | ')
}

function factProblems({ remembered, forgotten }: Expect, facts: readonly Row[]): readonly string[] {
  const isFact = (text: string): boolean => facts.some((fact) => patternOf(text).test(fact.text))
  return [
    ...remembered.filter((text) => !isFact(text)).map((text) => `not remembered: ${text}`),
    ...forgotten.filter(isFact).map((text) => `not forgotten: ${text}`),
  ]
}
