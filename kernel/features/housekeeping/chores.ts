/**
 * Home's own scheduled work (G-22 – G-24), in one list: backup, memory, credentials. Runs are stored like
 * runs of jobs, unique by name and time, with misses and failures. Chats cannot add, stop or move them. Must
 * not do the work. Called by home's jobs and by the operation.
 */
import { err, type Result } from '../../flow/verdict.ts'
import type { Clock, OwnerFacts } from '../../powers/ports.ts'
import type { StoreOf } from '../../powers/stores.ts'
import type { ReasonCode } from '../../reasons.ts'
import type { JobRun, JobStore } from '../jobs/port.ts'
import { nextTimes, passed } from '../jobs/schedule.ts'
import type { SettingStore } from '../quiet/port.ts'
import type { JobRepeat } from '../reminders/repeat.ts'

/** Name of each chore, and its times as five cron fields in the owner's zone. */
export const CHORES = Object.freeze({
  backup: '0 3 * * *',
  self: '0 5 * * *',
  memory: '0 11 * * 0',
  rotation: '0 10 1 * *',
} as const)
export type ChoreName = keyof typeof CHORES
export const CHORE_NAMES = Object.freeze(Object.keys(CHORES)) as readonly ChoreName[]

/** Milliseconds until a retry after the first, second and every later failure in a row. */
const RETRIES = [3_600_000, 7_200_000, 21_600_000] as const
/** Setting with the time from which chores are due at a home that has run none. */
const SINCE = 'housekeeping'

/** Times that the owner set in place of the default ones. */
export interface ChoreTimes {
  readonly choreTimes?: Readonly<Partial<Record<ChoreName, string>>>
}

export type ChorePorts = Clock & OwnerFacts & ChoreTimes & StoreOf<JobStore & SettingStore>

/** One run of a chore, for one of its times. */
export interface ChoreRun {
  readonly scheduled: number
  readonly started: number
  readonly ended: number
  /** Null if the run was complete. */
  readonly code: ReasonCode | null
  readonly done: boolean
}

/**
 * Runs it if it is due, and returns when to look again (epoch milliseconds). A thrown error is a failure of
 * that time.
 */
export async function lookAtChore(
  powers: ChorePorts,
  name: ChoreName,
  run: () => Promise<Result<unknown>>,
): Promise<number> {
  const now = powers.now()
  const last = lastOf(powers, name)
  const due = passed({ ...timesOf(powers, name), due: nextOf(powers, name), missed: 'once' }, now)
  if (due !== null) {
    for (const scheduled of due.missed) noteMissed(powers, name, scheduled)
    await runOnce(powers, { name, scheduled: due.scheduled, run })
  } else if (last?.outcome === 'failed' && now >= again(last))
    await runOnce(powers, { name, scheduled: last.scheduled, run })
  const after = lastOf(powers, name)
  return Math.min(nextOf(powers, name) ?? Infinity, after?.outcome === 'failed' ? again(after) : Infinity)
}

async function runOnce(
  powers: ChorePorts,
  {
    name,
    scheduled,
    run,
  }: {
    readonly name: ChoreName
    readonly scheduled: number
    readonly run: () => Promise<Result<unknown>>
  },
): Promise<void> {
  const started = powers.now()
  const made = await run().catch(() => err('internal_fault'))
  const code = made.ok ? null : made.reason.code
  noteChore(powers, name, { scheduled, started, ended: powers.now(), code, done: made.ok })
}

/**
 * Stored when the run has ended, so that a run cut off by a crash is due again; each chore may safely be repeated. A second run
 * of the same time replaces the row of the first.
 */
export function noteChore(
  { store }: StoreOf<JobStore>,
  name: ChoreName,
  { scheduled, started, ended, code, done }: ChoreRun,
): void {
  const before = store.runsOf(idOf(name), 1).find((one) => one.scheduled === scheduled)
  const row: JobRun = {
    ...{ job: idOf(name), scheduled, started, ended, outcome: done ? 'told' : 'failed', delivery: 'none' },
    ...{ code, task: null, attempt: (before?.attempt ?? 0) + 1, again: null },
    ...{ page: 'none', pageTask: null, pageCode: null },
  }
  if (before === undefined) store.addRun(row)
  else store.saveRun(row)
}

function noteMissed(powers: ChorePorts, name: ChoreName, scheduled: number): void {
  const now = powers.now()
  powers.store.addRun({
    ...{ job: idOf(name), scheduled, started: now, ended: now, outcome: 'missed', delivery: 'none' },
    ...{ code: 'job_missed', task: null, attempt: 1, again: null },
    ...{ page: 'none', pageTask: null, pageCode: null },
  })
}

export interface ChoreView {
  readonly name: ChoreName
  readonly cron: string
  /** Epoch milliseconds. */
  readonly next: number | null
  /** Newest first. */
  readonly runs: readonly JobRun[]
}

/** Maximum runs of one chore that are shown. */
const SHOWN = 5

export function choreViews(powers: ChorePorts): readonly ChoreView[] {
  return CHORE_NAMES.map((name) => ({
    ...{ name, cron: cronOf(powers, name), next: nextOf(powers, name) },
    runs: powers.store.runsOf(idOf(name), SHOWN),
  }))
}

/** Job id for the runs of a chore; no job has such an id. */
function idOf(name: ChoreName): string {
  return `home:${name}`
}

function lastOf({ store }: StoreOf<JobStore>, name: ChoreName): JobRun | null {
  return store.runsOf(idOf(name), 1)[0] ?? null
}

function cronOf({ choreTimes }: ChoreTimes, name: ChoreName): string {
  return choreTimes?.[name] ?? CHORES[name]
}

function timesOf(powers: OwnerFacts & ChoreTimes, name: ChoreName): { repeat: JobRepeat; zone: string } {
  const cron = cronOf(powers, name)
  const repeat = { kind: 'cron', every: 1, first: '1970-01-01 00:00', cron } as const
  return { repeat, zone: powers.profile().timezone }
}

function nextOf(powers: ChorePorts, name: ChoreName): number | null {
  const after = lastOf(powers, name)?.scheduled ?? sinceOf(powers)
  return nextTimes(timesOf(powers, name), after, 1)[0] ?? null
}

/** If the stored time lies in the future, because a clock was wrong once, starts anew from now. */
function sinceOf({ store, now }: ChorePorts): number {
  const kept = Number(store.setting(SINCE) ?? Number.NaN)
  if (Number.isFinite(kept) && kept <= now()) return kept
  store.saveSetting(SINCE, String(now()))
  return now()
}

function again({ ended, attempt }: JobRun): number {
  const wait = RETRIES[Math.min(attempt, RETRIES.length) - 1] ?? RETRIES[0]
  return (ended ?? 0) + wait
}
