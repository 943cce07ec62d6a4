/**
 * Scheduled jobs of home: secret rotation, daily backup, copies to the edge, weekly memory consolidation, the index of memory,
 * models kept loaded, the owner's templates. Each is a part of phase B (M-24); one that cannot start does not stop the others. Must not do the work
 * itself. Called by runtime.ts.
 */

import { Cron } from 'croner'
import { hasten, isAwaited } from '../kernel/features/jobs/sooner.ts'
import { consolidate } from '../kernel/features/memory/consolidate.ts'
import { indexFacts } from '../kernel/features/memory/fact-index.ts'
import { switchedOff } from '../kernel/features/tools/switched.ts'
import { err } from '../kernel/flow/verdict.ts'
import { audit } from '../kernel/powers/audit.ts'
import { OWNER_PRINCIPAL } from '../kernel/task/principal.ts'
import { archiveOf } from './backup/archive.ts'
import { type BackupJob, runBackupChild, startBackupJob } from './backup/job.ts'
import { type BootPart, jobPart } from './boot.ts'
import { type CopyJob, startCopies } from './copies/job.ts'
import { type MailWatch, startMailWatch } from './mail/imap-watch.ts'
import { startWarming } from './models/keep-warm.ts'
import { type Scheduler, startScheduler } from './scheduler.ts'
import { startRotation } from './secrets/secret-vault.ts'
import type { HomeNotes } from './store/home-notes.ts'
import type { Wired } from './wiring.ts'

export interface HomeJobs {
  readonly parts: readonly BootPart[]
  status(): Promise<Readonly<Record<string, unknown>>>
  copyNow: CopyJob['copyNow']
  stop(): Promise<void>
}

export function homeJobs(home: Wired): HomeJobs {
  const { folder, config, keys, powers, onFault } = home
  const rotation = jobPart('rotation of secrets', () =>
    startRotation(home.vault, {
      ...{ config, tools: home.tools, tell: home.notify, expire: home.offers.expire },
      fault: () => onFault('rotation'),
    }),
  )
  const backups = jobPart('backups', () => startBackups(home))
  const copies = jobPart('copies', () =>
    startCopies({
      ...{ folder, edge: config.edge, keys, now: powers.now, fault: () => onFault('copies') },
      note: (facts) => audit(powers, 'denial', null, facts),
    }),
  )
  const memory = jobPart('consolidation of memory', () =>
    startMemoryJob({
      ...{ notes: home.database.notes, timezone: config.owner.timezone, now: powers.now },
      run: () => consolidate(powers, OWNER_PRINCIPAL),
      fault: () => onFault('memory'),
    }),
  )
  const index = jobPart('index of memory', () => startIndexing(home))
  const templates = jobPart('templates of the owner’s', () => startReading(home))
  const warming = jobPart('models kept loaded', () => startWarming(home.warm))
  const watching = jobPart('listening for mail', () => startWatch(home))
  const usual = [rotation, backups, copies, memory, index, templates]
  const parts = [
    ...usual,
    ...(home.warm.length === 0 ? [] : [warming]),
    ...(config.mail === null ? [] : [watching]),
  ]
  return {
    parts,
    status: async () => ({
      ...(await backups.job()?.status()),
      ...copies.job()?.status(),
      ...indexStatus(powers.store.unindexed()),
      ...watchStatus(watching.job()),
    }),
    copyNow: async (): ReturnType<CopyJob['copyNow']> =>
      copies.job()?.copyNow() ?? err('copy_incomplete', { problem: 'the job did not start' }),
    stop: async () => void (await Promise.all(parts.map((part) => part.stop()))),
  }
}

/** Notices go to the owner on the private line; the time of a backup also goes to the edge once connected. */
function startBackups({ folder, config, keys, powers, notify, link, onFault }: Wired): BackupJob {
  const { timezone } = config.owner
  const shelf = archiveOf(folder.path, config)
  const { now } = powers
  return startBackupJob({
    ...{ folder, shelf, timezone, now, tell: notify, fault: () => onFault('backup') },
    development: keys.custody === 'development',
    run: (signal) =>
      runBackupChild({ state: folder.path, shelf, timezone, now: now(), edge: config.edge }, signal),
    beat: (at) => link.edge?.beat(at) ?? config.edge === null,
  })
}

/** Facts indexed at once: a fraction of a second of work, between which messages are answered. */
const INDEXED_AT_ONCE = 100

/** Facts from before there was an index of their words. Goes on after a restart where it was; afterwards there is nothing to do. */
function startIndexing({ powers, onFault }: Wired): Pick<Scheduler, 'stop'> {
  const tick = async () => ((await indexFacts(powers, INDEXED_AT_ONCE)) > 0 ? powers.now() : null)
  return startScheduler({ tick, now: powers.now, fault: () => onFault('index of memory') })
}

/** Milliseconds between two looks at the owner's template files. */
const LOOK_AT_TEMPLATES = 10_000

/** A saved file counts without a command. */
function startReading({ templates, powers, onFault }: Wired): Pick<Scheduler, 'stop'> {
  const tick = async () => {
    templates.reload()
    return powers.now() + LOOK_AT_TEMPLATES
  }
  return startScheduler({ tick, now: powers.now, fault: () => onFault('templates') })
}

/** Only a home with mail has its clients in its memory, and only while a job waits for mail. */
function startWatch({ config, powers, vault, engine, onFault }: Wired): MailWatch {
  const { mail } = config
  if (mail === null) throw new Error('the account is configured')
  return startMailWatch({
    ...{
      settings: mail,
      custodian: vault.mailLogin,
      now: powers.now,
      fault: () => onFault('listening for mail'),
    },
    version() {
      const found = vault.secrets.find('mail')
      return found === null || found.state === 'rejected' ? null : found.version
    },
    isWanted: () => isAwaited(powers, 'mail') && !switchedOff(powers).includes('mail'),
    noticed: () => {
      if (hasten(powers, 'mail')) engine.wake()
    },
  })
}

const WATCHED: Readonly<Record<ReturnType<MailWatch['state']>, string | null>> = {
  off: null,
  connecting: 'connecting',
  listening: 'new mail is noticed at once',
  lost: 'the connection is lost, so new mail is looked for at the times of the job',
}

function watchStatus(watch: MailWatch | null): Readonly<Record<string, unknown>> {
  const said = watch === null ? null : WATCHED[watch.state()]
  return said === null ? {} : { mail: said }
}

/** Empty once every fact is found by its words. */
function indexStatus(left: number): Readonly<Record<string, unknown>> {
  return left === 0 ? {} : { memoryToIndex: left }
}

/** Sundays at 04:00, an hour after the backup, which thus still contains what is merged. */
const WEEKLY = '0 4 * * 0'
/** Milliseconds until a retry after a failure. */
const RETRY_AFTER = 3_600_000

interface MemoryJobInput {
  readonly notes: Pick<HomeNotes, 'read' | 'write'>
  readonly timezone: string
  readonly now: () => number
  readonly run: () => Promise<unknown>
  readonly fault: () => void
}

function startMemoryJob(input: MemoryJobInput): Pick<Scheduler, 'stop'> {
  return startScheduler({ tick: () => lookAtMemory(input), now: input.now, fault: input.fault })
}

/** One check, without the timer. Returns the time of the next check (epoch milliseconds). */
export async function lookAtMemory(input: MemoryJobInput): Promise<number> {
  const { notes, timezone, now, run, fault } = input
  const last = notes.read('consolidated')
  if (last === null) notes.write('consolidated', now())
  else if (now() >= nextSunday(last, timezone)) {
    try {
      await run()
      notes.write('consolidated', now())
    } catch {
      fault()
      return now() + RETRY_AFTER
    }
  }
  return nextSunday(notes.read('consolidated') ?? now(), timezone)
}

/** The first Sunday 04:00 in `timezone` after `moment`. The library handles daylight saving time. */
export function nextSunday(moment: number, timezone: string): number {
  const next = new Cron(WEEKLY, { timezone, paused: true }).nextRun(new Date(moment))
  if (next === null) throw new RangeError('a Sunday always comes again')
  return next.getTime()
}
