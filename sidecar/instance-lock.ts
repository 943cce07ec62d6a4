/**
 * One home per state folder (T-05): two would run each other's effects twice. The lock is SQLite's, so the system
 * releases it with the process, however it dies, and no pid file can lie. A restore holds one beside the folder, since it
 * moves the folder itself. Must not hold data. Called by main.ts, by a backup and by a restore.
 */
import { closeSync, constants, openSync, rmSync } from 'node:fs'
import { basename } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { allowed, type Result, refused } from '../kernel/flow/verdict.ts'
import { loadSqlite } from './sqlite.ts'
import type { StateFolder } from './state-folder.ts'
import { checkTrusted, closeToOthers } from './trusted-path.ts'

export interface InstanceLock {
  release(): void
}

const HOME = { file: 'home.lock', problem: 'another home is running in this folder' } as const
/** One backup at a time, whoever asked for it. */
export const BACKUP_LOCK = { file: 'backup.lock', problem: 'a backup is running; wait for it' } as const

export interface Lock {
  readonly file: string
  /** What the owner is told when another process holds it. */
  readonly problem: string
}

/** Refusal: storage_failed with `lock`, when another process holds it, or while the folder is being restored. Never waits. */
export function acquireInstanceLock(folder: StateFolder, lock: Lock = HOME): Result<InstanceLock> {
  const held = take(folder.file(lock.file), lock)
  if (!held.ok) return held
  // Asked once this one is held: a restore takes its own first and asks for this one then, so that one of them sees the other.
  const free = checkNoRestore(folder.path)
  if (free.ok) return held
  held.value.release()
  return free
}

/** Whether nobody holds it now; for a restore, which would carry a lock inside the folder away with it. */
export function checkFreeLock(folder: StateFolder, lock: Lock): Result<true> {
  const held = take(folder.file(lock.file), lock)
  if (!held.ok) return held
  held.value.release()
  return allowed(true)
}

/** For as long as a state folder is fetched, checked and put in place. `state`: path of the folder, which need not exist. */
export function acquireRestoreLock(state: string): Result<InstanceLock> {
  const path = restoreLockOf(state)
  const held = take(path, restoring(state))
  if (!held.ok) return held
  return allowed({
    release: () => {
      rmSync(path, { force: true })
      held.value.release()
    },
  })
}

/** A file of another account, or no file, is no restore's: beside the folder others may put what they like. */
function checkNoRestore(state: string): Result<true> {
  if (!isOwn(restoreLockOf(state))) return allowed(true)
  const held = take(restoreLockOf(state), restoring(state))
  if (!held.ok) return held
  held.value.release()
  return allowed(true)
}

function restoreLockOf(state: string): string {
  return `${state}.restore.lock`
}

function restoring(state: string): Lock {
  return { file: basename(state), problem: 'it is being restored; wait until that has ended' }
}

function take(path: string, lock: Lock): Result<InstanceLock> {
  let database: DatabaseSync | undefined
  try {
    const own = openOwn(path)
    if (!own.ok) return own
    database = new (loadSqlite().DatabaseSync)(path)
    database.exec('pragma busy_timeout = 0; pragma journal_mode = memory; begin exclusive')
    const held = database
    return allowed({ release: () => held.close() })
  } catch {
    database?.close()
    return refused('storage_failed', { ...lock })
  }
}

/** Made, or found as this account's own; through no link, since what another put there would be opened, and held. */
function openOwn(path: string): Result<true> {
  closeToOthers(path, 'file')
  const found = checkTrusted(path, 'file')
  if (found?.ok === false) return found
  closeSync(openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW, 0o600))
  return checkTrusted(path, 'file') ?? allowed(true)
}

function isOwn(path: string): boolean {
  closeToOthers(path, 'file')
  return checkTrusted(path, 'file')?.ok === true
}
