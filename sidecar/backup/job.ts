/**
 * Home's unattended daily backup (E-13, E-14, E-17): runs one when it is due, and notifies the owner when one failed or
 * was missed. Reads the time of the last backup from the backup folder, so no separate record can be wrong. Must not
 * hold a passphrase. Called by home-jobs.ts.
 */
import type { Result } from '../../kernel/flow/verdict.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import { type Scheduler, startScheduler } from '../scheduler.ts'
import type { StateFolder } from '../store/state-folder.ts'
import { dueAt, nextScheduled } from './due.ts'
import { loadBackupKey } from './make.ts'
import { dayOf } from './retention.ts'
import type { MadeByChild } from './run-child.ts'
import { newestOn, type Shelf } from './shelf.ts'

export interface BackupJobInput {
  readonly folder: StateFolder
  readonly shelf: Shelf
  readonly timezone: string
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
  /** Home uses a development key, so no other machine can open its backups (E-14). */
  readonly development: boolean
}

export interface BackupStatus {
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
  const { now, timezone, tell } = input
  let failure: Failure | null = null
  /** Like `failure`, for the edge's part of a backup that was made. */
  let partial: Failure | null = null
  let lookAt = 0
  let told = ''
  let warned = false
  let beaten: number | null = null

  /** Once per backup and start. The edge expects the next one from this time on. */
  const beat = (newest: number | null): boolean => {
    if (newest !== null && newest !== beaten && input.beat(newest)) beaten = newest
    return newest === beaten
  }
  const alert = async (code: ReasonCode): Promise<void> => {
    const day = dayOf(now(), timezone)
    if (told === day) return
    await tell({ id: `backup:${day}`, code })
    told = day
  }

  const look = async (): Promise<number> => {
    const last = await lastOf(input)
    if (last === null) return now() + LOOK_AGAIN
    const heard = beat(last.newest)
    if (input.development && !warned) {
      await tell(ONLY_HERE)
      warned = true
    }
    const tried = { failedAt: failure?.at ?? null, partialAt: partial?.at ?? null }
    const due = dueAt({ now: now(), last: last.at, ...tried, timezone })
    if (due.missed) await alert('backup_missed')
    if (!due.run) return heard ? due.next : Math.min(due.next, now() + LOOK_AGAIN)
    const made = await input.run(signal)
    if (signal.aborted) return now() + LOOK_AGAIN
    const missing = made.ok ? made.value.edgeTrouble : null
    failure = made.ok ? null : { at: now(), code: made.reason.code }
    partial = missing === null ? null : { at: now(), code: missing }
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
async function lastOf({ folder, shelf, now }: BackupJobInput) {
  const key = loadBackupKey(folder)
  if (!key.ok) return null
  const newest = await newestOn(shelf.path, now())
  return { newest, at: newest ?? Math.min(key.value.createdAt, now()) }
}

async function statusOf(input: BackupJobInput, trouble: ReasonCode | null): Promise<BackupStatus> {
  const { development, timezone } = input
  const opens = development ? { backupOpens: 'only with dev.key: pfar key init' } : {}
  const last = await lastOf(input)
  if (last === null) {
    const first = development ? 'pfar key init, then ' : ''
    return { backup: `not set up: ${first}pfar backup init`, nextBackup: null, backupTrouble: null }
  }
  const { newest, at } = last
  return {
    backup: newest === null ? 'none yet' : new Date(newest).toISOString(),
    nextBackup: new Date(nextScheduled(at, timezone)).toISOString(),
    backupTrouble: trouble,
    ...opens,
  }
}
