/**
 * Home's unattended daily backup (E-13, E-14, E-17): runs one in its own process when it is due, and notifies the owner when
 * one failed or was missed. Reads the time of the last backup from the backup folder, so no separate record can be wrong.
 * Must not hold a passphrase. Called by home-jobs.ts.
 */

import { fileURLToPath } from 'node:url'
import { Cron } from 'croner'
import * as z from 'zod/mini'
import { CHORES, type ChoreRun } from '../../kernel/features/housekeeping/chores.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { isReasonCode, type ReasonCode } from '../../kernel/reasons.ts'
import { type Scheduler, startScheduler } from '../jobs/scheduler.ts'
import { tell as say } from '../language/wording.ts'
import { runChild } from '../process/run-child.ts'
import type { StateFolder } from '../store/state-folder.ts'
import { type Archive, dayOf, newestOn } from './archive.ts'
import { loadBackupKey } from './make.ts'

/** Milliseconds without a backup until the owner is notified: a day, plus two hours to make it. */
export const MISSED_AFTER = 93_600_000
/** Milliseconds until a retry after a failure: a full disk does not clear within a minute. */
export const RETRY_AFTER = 3_600_000
/** Milliseconds until a backup without the edge's part is repeated as a whole: an outage lasts for a while. */
export const RETRY_EDGE_AFTER = 21_600_000

interface Situation {
  readonly now: number
  /** When the last backup was made; before the first one, when the key was created. */
  readonly last: number
  readonly failedAt: number | null
  /** When the last backup was made without the edge's part, or null. */
  readonly partialAt: number | null
  readonly timezone: string
  /** As `BackupJobInput.times`. */
  readonly times?: string
}

interface Due {
  readonly run: boolean
  readonly missed: boolean
  /** Time of the next check (epoch milliseconds). */
  readonly next: number
}

export function dueAt({ now, last, failedAt, partialAt, timezone, times }: Situation): Due {
  const again = partialAt === null ? Number.POSITIVE_INFINITY : partialAt + RETRY_EDGE_AFTER
  const scheduled = Math.min(nextScheduled(last, timezone, times), again)
  const allowedFrom = failedAt === null ? scheduled : Math.max(scheduled, failedAt + RETRY_AFTER)
  const missedFrom = last + MISSED_AFTER
  const missed = now >= missedFrom
  const run = now >= allowedFrom
  return { run, missed, next: missed ? allowedFrom : Math.min(allowedFrom, missedFrom) }
}

/** The first of its times in `timezone` after `moment`. The library handles daylight saving time. */
export function nextScheduled(moment: number, timezone: string, times: string = CHORES.backup): number {
  const next = new Cron(times, { timezone, paused: true }).nextRun(new Date(moment))
  if (next === null) throw new RangeError('a daily time always comes again')
  return next.getTime()
}

interface BackupJobInput {
  readonly folder: StateFolder
  readonly archive: Archive
  readonly timezone: string
  /** Time of the daily run, as five fields of cron; the shipped default if absent. */
  readonly times?: string
  readonly now: () => number
  /** Makes one backup. Reports why the edge's part is missing, and whether an audit is broken. */
  readonly run: (signal: AbortSignal) => Promise<Result<MadeByChild>>
  /** Notifies the owner. All notices of one day have the same `id`, so only the first is delivered. */
  readonly tell: (notice: {
    readonly id: string
    readonly code: ReasonCode
    readonly words?: string
  }) => Promise<unknown>
  /** Reports the time of the newest backup to the edge. False if there is no connection yet. */
  readonly beat: (at: number) => boolean
  readonly fault: () => void
  /** Records the result of the scheduled run. */
  readonly note: (run: ChoreRun) => void
  /** Home uses a development key, so no other machine can open its backups (E-14). */
  readonly development: boolean
}

interface BackupStatus {
  /** When the last backup was made (ISO), or why there is none. */
  readonly backup: string
  readonly nextBackup: string | null
  readonly backupTrouble: ReasonCode | null
  /** Set if no other machine could open the backups. */
  readonly backupOpens?: string
}

export interface BackupJob {
  status(): Promise<BackupStatus>
  /** Kills a running backup; an incomplete one does not count. */
  stop(): Promise<void>
}

/** Milliseconds between checks for a key, or for the result of a run. */
const LOOK_AGAIN = 60_000

export function startBackupJob(input: BackupJobInput): BackupJob {
  const stopping = new AbortController()
  const ticking = createBackupTick(input, stopping.signal)
  const scheduler: Scheduler = startScheduler({ tick: ticking.tick, now: input.now, fault: input.fault })
  return {
    status: () => statusOf(input, ticking.trouble()),
    async stop() {
      stopping.abort()
      await scheduler.stop()
    },
  }
}

interface Failure {
  readonly at: number
  readonly code: ReasonCode
}

/** Delivered once: a notice with the same id is not repeated. */
const ONLY_HERE = {
  id: 'backup:development',
  code: 'key_unavailable',
  words:
    'Your backups open only with the dev.key of this machine, which is in none of them. `pfar key init`, then `pfar backup now`, makes one that opens on a new machine with its passphrase and 24 words.',
} as const

/** One check, without the timer. */
export function createBackupTick(input: BackupJobInput, signal: AbortSignal) {
  const { now, timezone, times, tell } = input
  let failure: Failure | null = null
  /** Like `failure`, for the edge's part of a backup that was made. */
  let partial: Failure | null = null
  let lookAt = 0
  let scheduled: number | null = null
  let unset = now()
  let notifiedDay = ''
  let warned = false
  let beaten: number | null = null

  /** Once per backup and start. The edge expects the next one from this time on. */
  const beat = (newest: number | null): boolean => {
    if (newest !== null && newest !== beaten && input.beat(newest)) beaten = newest
    return newest === beaten
  }
  const alert = async (code: ReasonCode): Promise<void> => {
    const day = dayOf(now(), timezone)
    if (notifiedDay === day) return
    await tell({ id: `backup:${day}`, code })
    notifiedDay = day
  }

  /** A scheduled time that passed without a key is recorded with that reason as well. */
  const noteWithoutKey = (): void => {
    const key = loadBackupKey(input.folder)
    const time = nextScheduled(unset, timezone, times)
    if (key.ok || now() < time) return
    input.note({ scheduled: time, started: now(), ended: now(), code: key.reason.code, done: false })
    unset = now()
  }

  const look = async (): Promise<number> => {
    const last = await lastOf(input)
    if (last === null) {
      noteWithoutKey()
      return now() + LOOK_AGAIN
    }
    const isReported = beat(last.newest)
    if (input.development && !warned) {
      await tell(ONLY_HERE)
      warned = true
    }
    const tried = { failedAt: failure?.at ?? null, partialAt: partial?.at ?? null }
    const due = dueAt({
      now: now(),
      last: last.at,
      ...tried,
      timezone,
      ...(times !== undefined && { times }),
    })
    if (due.missed) await alert('backup_missed')
    if (!due.run) return isReported ? due.next : Math.min(due.next, now() + LOOK_AGAIN)
    const time = nextScheduled(last.at, timezone, times)
    // A repetition for the edge's part belongs to a scheduled time that is already recorded.
    if (time <= now()) scheduled = time
    const started = now()
    const made = await input.run(signal)
    if (signal.aborted) return now() + LOOK_AGAIN
    const missing = made.ok ? made.value.edgeTrouble : null
    failure = made.ok ? null : { at: now(), code: made.reason.code }
    partial = missing === null ? null : { at: now(), code: missing }
    const code = failure?.code ?? (missing === null ? null : 'edge_backup_failed')
    if (scheduled !== null) input.note({ scheduled, started, ended: now(), code, done: made.ok })
    if (!made.ok) await alert('backup_failed')
    // First, because the owner gets only one notice a day.
    if (made.ok && made.value.auditBroken) await alert('audit_broken')
    if (missing !== null) await alert('edge_backup_failed')
    // The backup folder is authoritative: if a run reports success but left nothing there, the backup is due again.
    return now() + LOOK_AGAIN
  }

  return {
    trouble: () => failure?.code ?? partial?.code ?? null,
    /** Reads the backup folder only when the next check is due. */
    async tick(): Promise<number> {
      if (now() >= lookAt) lookAt = await look()
      return lookAt
    },
  }
}

/** Null without a key: backups have not been set up. */
async function lastOf({ folder, archive, now }: BackupJobInput) {
  const key = loadBackupKey(folder)
  if (!key.ok) return null
  const newest = await newestOn(archive.path, now())
  return { newest, at: newest ?? Math.min(key.value.createdAt, now()) }
}

async function statusOf(input: BackupJobInput, trouble: ReasonCode | null): Promise<BackupStatus> {
  const { development, timezone, times } = input
  const opens = development ? { backupOpens: say('backup_setup.status_dev_key') } : {}
  const last = await lastOf(input)
  if (last === null) {
    const backup = say(development ? 'backup_setup.status_key_first' : 'backup_setup.status_not_set_up')
    return { backup, nextBackup: null, backupTrouble: null }
  }
  const { newest, at } = last
  return {
    backup: newest === null ? say('backup_setup.status_none_yet') : new Date(newest).toISOString(),
    nextBackup: new Date(nextScheduled(at, timezone, times)).toISOString(),
    backupTrouble: trouble,
    ...opens,
  }
}

export interface ChildTask {
  readonly state: string
  readonly archive: Archive
  readonly timezone: string
  readonly now: number
  readonly edge: string | null
}

const done = z.strictObject({ edgeTrouble: z.nullable(z.string()), auditBroken: z.boolean() })

export interface MadeByChild {
  /** Why the edge's part is missing, or null. */
  readonly edgeTrouble: ReasonCode | null
  /** Whether the chain of an audit in it is broken. */
  readonly auditBroken: boolean
}

const SCRIPT = fileURLToPath(new URL('child.ts', import.meta.url))
/** Milliseconds until a backup is aborted. */
const LONGEST_RUN = 3_600_000

/** Refusals: those of `makeBackup` and `runChild`. */
export async function runBackupChild(task: ChildTask, signal: AbortSignal): Promise<Result<MadeByChild>> {
  const made = await runChild({ script: SCRIPT, task, longest: LONGEST_RUN }, signal)
  if (!made.ok) return made
  const { success, data } = z.safeParse(done, made.value)
  if (!success) return err('internal_fault')
  const { edgeTrouble: code, auditBroken } = data
  return ok({ edgeTrouble: code === null || isReasonCode(code) ? code : 'internal_fault', auditBroken })
}
