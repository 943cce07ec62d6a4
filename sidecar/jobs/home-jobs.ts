/**
 * Scheduled jobs of home: secret rotation, daily backup, copies to the edge, weekly memory consolidation, the index of memory,
 * models kept loaded, the owner's templates, the folder of health exports. Each is a part of phase B (M-24); one that cannot start does
 * not stop the others. Must not do the work itself. Called by runtime.ts.
 */

import { type ChoreName, lookAtChore, noteChore } from '../../kernel/features/housekeeping/chores.ts'
import { hasten, isAwaited } from '../../kernel/features/jobs/sooner.ts'
import { indexFacts } from '../../kernel/features/memory/fact-index.ts'
import { switchedOff } from '../../kernel/features/tools/switched.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { audit } from '../../kernel/powers/audit.ts'
import { archiveOf } from '../backup/archive.ts'
import { type BackupJob, runBackupChild, startBackupJob } from '../backup/job.ts'
import { type CopyJob, startCopies } from '../copies/job.ts'
import { watchFolder } from '../folders/watch-folder.ts'
import { createExportReader } from '../health/export-reader.ts'
import { createHealthFolder } from '../health/health-folder.ts'
import { importHealthFile } from '../health/import-file.ts'
import { type BootPart, jobPart } from '../home/boot.ts'
import type { Wired } from '../home/wiring.ts'
import { type MailWatch, startMailWatch } from '../mail/imap-watch.ts'
import { ownMailboxes } from '../mail/mail-accounts.ts'
import { startWarming } from '../models/keep-warm.ts'
import { startExpiry } from '../secrets/rotation-job.ts'
import { endingOf, rotationOf } from '../secrets/secret-vault.ts'
import { consolidateMemory } from './memory-chore.ts'
import { type Scheduler, startScheduler } from './scheduler.ts'

export interface HomeJobs {
  readonly parts: readonly BootPart[]
  status(): Promise<Readonly<Record<string, unknown>>>
  copyNow: CopyJob['copyNow']
  stop(): Promise<void>
}

export function homeJobs(home: Wired): HomeJobs {
  const { folder, config, keys, powers, onFault } = home
  const rotation = jobPart('rotation of secrets', () =>
    startChore(
      home,
      'rotation',
      rotationOf(home.vault, {
        config,
        tools: home.tools,
        tell: home.notify,
        off: () => switchedOff(powers),
      }),
    ),
  )
  const expiry = jobPart('what has expired', () =>
    startExpiry({
      ...{ secrets: home.vault.secrets, expire: home.offers.expire, now: powers.now },
      ending: endingOf(home.vault, { config, tell: home.notify, off: () => switchedOff(powers) }),
      fault: () => onFault('expiry'),
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
    startChore(home, 'memory', () => consolidateMemory(home)),
  )
  const self = jobPart('what the assistant knows of itself', () =>
    startChore(home, 'self', async () => {
      home.renewed('memory')
      return ok(true)
    }),
  )
  const index = jobPart('index of memory', () => startIndexing(home))
  const templates = jobPart('templates of the owner’s', () => startReading(home))
  const warming = jobPart('models kept loaded', () => startWarming(home.warm))
  const watching = jobPart('listening for mail', () => startWatches(home))
  const exports = jobPart('health exports', () => startExports(home))
  const usual = [rotation, expiry, backups, copies, memory, self, index, templates]
  const parts = [
    ...usual,
    ...(home.warm.length === 0 ? [] : [warming]),
    ...(config.mail === null ? [] : [watching]),
    ...(config.healthFolder === null ? [] : [exports]),
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
  const archive = archiveOf(folder.path, config)
  const { now } = powers
  return startBackupJob({
    ...{ folder, archive, timezone, now, tell: notify, fault: () => onFault('backup') },
    times: config.backupTimes,
    development: keys.custody === 'development',
    run: (signal) =>
      runBackupChild({ state: folder.path, archive, timezone, now: now(), edge: config.edge }, signal),
    note: (run) => noteChore(powers, 'backup', run),
    beat: (at) => link.edge?.beat(at) ?? config.edge === null,
  })
}

/** Maximum number of facts per batch: a fraction of a second of work. Messages are answered between two batches. */
const INDEXED_AT_ONCE = 100

/** Indexes facts that were stored before the word index existed. Continues after a restart; does nothing once all are indexed. */
function startIndexing({ powers, onFault }: Wired): Pick<Scheduler, 'stop'> {
  const tick = async () => ((await indexFacts(powers, INDEXED_AT_ONCE)) > 0 ? powers.now() : null)
  return startScheduler({ tick, now: powers.now, fault: () => onFault('index of memory') })
}

function startReading({ templates, powers, onFault }: Wired): Pick<Scheduler, 'stop'> {
  const look = () => void templates.reload()
  return watchFolder({ look, now: powers.now, fault: () => onFault('templates') })
}

/** Imports files of the health folder in the same way as `pfar health import`. */
function startExports(home: Wired): Pick<Scheduler, 'stop'> {
  const { config, database, health, notify, powers, onFault, sandbox } = home
  const { healthFolder } = config
  if (healthFolder === null) throw new Error('the folder is configured')
  const { notes } = database
  const readExport = createExportReader({ withoutSandbox: config.documentsWithoutSandbox, sandbox })
  const look = createHealthFolder({
    folder: healthFolder,
    known: {
      read: () => notes.read('healthFiles') ?? [],
      write: (digests) => notes.write('healthFiles', [...digests]),
    },
    read: (file, signal) =>
      importHealthFile({
        read: (progress) => readExport(file, { now: powers.now(), progress, signal }),
        keep: (months) => health.keep('apple', months),
        progress: () => undefined,
      }),
    ...{ tell: notify, now: powers.now },
  })
  return watchFolder({ look, now: powers.now, fault: () => onFault('health exports') })
}

/**
 * Loads the mail clients only if a mailbox is configured, and connects only while a job waits for mail. One watch per mailbox, so
 * that a lost one does not affect the others.
 */
function startWatches({ config, powers, vault, engine, onFault }: Wired): MailWatches {
  const watches = ownMailboxes(config).map(({ secret, settings }) =>
    startMailWatch({
      ...{ settings, custodian: vault.mailLogin(secret), now: powers.now },
      fault: () => onFault('listening for mail'),
      version() {
        const found = vault.secrets.find(secret)
        return found === null || found.state === 'rejected' ? null : found.version
      },
      isWanted: () => isAwaited(powers, 'mail') && !switchedOff(powers).includes('mail'),
      noticed: () => {
        if (hasten(powers, 'mail')) engine.wake()
      },
    }),
  )
  return {
    states: () => watches.map((watch) => watch.state()),
    stop: async () => void (await Promise.all(watches.map((watch) => watch.stop()))),
  }
}

interface MailWatches {
  readonly states: () => readonly ReturnType<MailWatch['state']>[]
  stop(): Promise<void>
}

const WATCHED: Readonly<Record<ReturnType<MailWatch['state']>, string | null>> = {
  off: null,
  connecting: 'connecting',
  listening: 'new mail is noticed at once',
  lost: 'the connection is lost, so new mail is looked for at the times of the job',
}

/** The status shows the worst of these states. */
const WORST = ['lost', 'connecting', 'listening'] as const

function watchStatus(watches: MailWatches | null): Readonly<Record<string, unknown>> {
  const states = watches === null ? [] : watches.states()
  const worst = WORST.find((state) => states.includes(state))
  const said = worst === undefined ? null : WATCHED[worst]
  return said === null ? {} : { mail: said }
}

/** Empty once all facts are indexed. */
function indexStatus(left: number): Readonly<Record<string, unknown>> {
  return left === 0 ? {} : { memoryToIndex: left }
}

/** A chore that home runs on its own schedule. */
function startChore(
  { powers, onFault }: Wired,
  name: ChoreName,
  run: () => Promise<Result<unknown>>,
): Pick<Scheduler, 'stop'> {
  const tick = (): Promise<number> => lookAtChore(powers, name, run)
  return startScheduler({ tick, now: powers.now, fault: () => onFault(name) })
}
