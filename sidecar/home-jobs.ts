/**
 * Scheduled jobs of home: secret rotation, daily backup, copies to the edge, weekly memory consolidation, models kept
 * loaded. Each is a part of phase B (M-24); one that cannot start does not stop the others. Must not do the work
 * itself. Called by runtime.ts.
 */

import { consolidate } from '../kernel/features/memory/consolidate.ts'
import { err, type Result } from '../kernel/flow/verdict.ts'
import { audit } from '../kernel/powers/audit.ts'
import { OWNER_PRINCIPAL } from '../kernel/task/principal.ts'
import { type BackupJob, startBackupJob } from './backup/job.ts'
import { runBackupChild } from './backup/run-child.ts'
import { shelfOf } from './backup/shelf.ts'
import { type BootPart, jobPart } from './boot.ts'
import type { CopyJob } from './copies/job.ts'
import { startCopies } from './copies/start-copies.ts'
import { startMemoryJob } from './memory-job.ts'
import { startWarming } from './models/keep-warm.ts'
import { startRotation } from './secrets/secret-vault.ts'
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
  const warming = jobPart('models kept loaded', () => startWarming(home.warm))
  const parts = [rotation, backups, copies, memory, ...(home.warm.length === 0 ? [] : [warming])]
  return {
    parts,
    status: async () => ({ ...(await backups.job()?.status()), ...copies.job()?.status() }),
    copyNow: async (): ReturnType<CopyJob['copyNow']> => copies.job()?.copyNow() ?? notRunning(),
    stop: async () => void (await Promise.all(parts.map((part) => part.stop()))),
  }
}

function notRunning(): Result<never> {
  return err('copy_incomplete', { problem: 'the job did not start' })
}

/** Notices go to the owner on the private line; the time of a backup also goes to the edge once connected. */
function startBackups({ folder, config, keys, powers, notify, link, onFault }: Wired): BackupJob {
  const { timezone } = config.owner
  const shelf = shelfOf(folder.path, config)
  const { now } = powers
  return startBackupJob({
    ...{ folder, shelf, timezone, now, tell: notify, fault: () => onFault('backup') },
    development: keys.custody === 'development',
    run: (signal) =>
      runBackupChild({ state: folder.path, shelf, timezone, now: now(), edge: config.edge }, signal),
    beat: (at) => link.edge?.beat(at) ?? config.edge === null,
  })
}
