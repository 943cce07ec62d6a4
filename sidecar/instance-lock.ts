/**
 * One home per state folder (T-05): two would run each other's effects twice. The lock is SQLite's, so the system
 * releases it with the process, however it dies, and no pid file can lie. Must not hold data. Called by main.ts,
 * by a backup and by a restore.
 */
import { closeSync, openSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { allowed, type Result, refused } from '../kernel/flow/verdict.ts'
import { loadSqlite } from './sqlite.ts'
import type { StateFolder } from './state-folder.ts'

export interface InstanceLock {
  release(): void
}

const HOME = { file: 'home.lock', problem: 'another home is running in this folder' } as const
/** One backup at a time, whoever asked for it. */
export const BACKUP_LOCK = { file: 'backup.lock', problem: 'a backup is running; wait for it' } as const

/** Refusal: storage_failed with `lock`, when another process holds it. Never waits. */
export function acquireInstanceLock(
  folder: StateFolder,
  lock: { readonly file: string; readonly problem: string } = HOME,
): Result<InstanceLock> {
  const path = folder.file(lock.file)
  let database: DatabaseSync | undefined
  try {
    closeSync(openSync(path, 'a', 0o600))
    database = new (loadSqlite().DatabaseSync)(path)
    database.exec('pragma busy_timeout = 0; pragma journal_mode = memory; begin exclusive')
    const held = database
    return allowed({ release: () => held.close() })
  } catch {
    database?.close()
    return refused('storage_failed', { ...lock })
  }
}
