/**
 * Home's daily backup, unattended (E-13, E-14, E-17): looks at the clock and at the shelf, runs one when it is due, and
 * tells the owner when it failed or was missed. What was done is read off the shelf, so no record of it can be wrong.
 * Must not hold a passphrase. Called by runtime.ts.
 */
import type { Result } from '../../kernel/flow/verdict.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import { type Scheduler, startScheduler } from '../scheduler.ts'
import type { StateFolder } from '../state-folder.ts'
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
  /** Makes one backup; tells why the edge's part is missing, if it is, and whether an audit in it is broken. */
  readonly run: (signal: AbortSignal) => Promise<Result<MadeByChild>>
  /** Tells the owner; `id` is the same for all that one day has to tell. */
  readonly tell: (notice: {
    readonly id: string
    readonly code: ReasonCode
    readonly words?: string
  }) => Promise<unknown>
  /** Tells the edge when the newest backup was made; false when there is nobody to tell yet. */
  readonly beat: (at: number) => boolean
  readonly fault: () => void
  /** Home runs under a development key: what is made opens on no new machine (E-14). */
  readonly development: boolean
}

export interface BackupStatus {
  /** When the last backup was made (ISO), or what is the matter. */
  readonly backup: string
  readonly nextBackup: string | null
  readonly backupTrouble: ReasonCode | null
  /** Where no new machine could open what is made. */
  readonly backupOpens?: string
}

export interface BackupJob {
  status(): Promise<BackupStatus>
  /** Kills a backup that runs: half of one never counts. */
  stop(): Promise<void>
}

/** Milliseconds between looks at whether there is a key yet, or whether a run did what it said. */
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

/** Told once: a notice of the same id is not delivered again. */
const ONLY_HERE = {
  id: 'backup:development',
  code: 'key_unavailable',
  words:
    'Your backups open only with the dev.key of this machine, which is in none of them. `pfar key init`, then `pfar backup now`, makes one that opens on a new machine with its passphrase and 24 words.',
} as const

/** One look at the clock, apart from the timer. */
export function createBackupTick(input: BackupJobInput, signal: AbortSignal) {
  const { now, timezone, tell } = input
  let failure: Failure | null = null
  /** As `failure`, for the edge's part of a backup that was made. */
  let partial: Failure | null = null
  let lookAt = 0
  let told = ''
  let warned = false
  let beaten: number | null = null

  /** Once for each backup and start: the edge misses the next one by it. */
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
    // Before what else there is to tell: a notice a day is all that he gets.
    if (made.ok && made.value.auditBroken) await alert('audit_broken')
    if (missing !== null) await alert('edge_backup_failed')
    // The shelf is the judge: a run that says it is done and left nothing there is due again.
    return now() + LOOK_AGAIN
  }

  return {
    trouble: () => failure?.code ?? partial?.code ?? null,
    /** Due to the next moment; the shelf is read only then. */
    async tick(): Promise<number> {
      if (now() >= lookAt) lookAt = await look()
      return lookAt
    },
  }
}

/** Null without a key: nobody has asked for backups yet. */
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
