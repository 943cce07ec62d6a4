/**
 * One home per state folder (T-05): two would run each other's effects twice. Uses SQLite's file lock, which the system releases
 * when the process dies. A restore locks a file beside the folder, because it moves the folder; if another account owns the usual
 * name, it uses a random one. Must not hold data. Called by foundation.ts, backups, restores and commands.
 */
import { randomBytes } from 'node:crypto'
import { closeSync, constants, lstatSync, openSync, readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { checkTrusted, closeToOthers } from '../process/trusted-path.ts'
import { loadSqlite } from './sqlite.ts'
import type { StateFolder } from './state-folder.ts'

export interface InstanceLock {
  release(): void
}

const HOME = { file: 'home.lock', problem: 'another home is running in this folder' } as const
export const BACKUP_LOCK = { file: 'backup.lock', problem: 'a backup is running; wait for it' } as const

/** Suffix of a restore's lock, after the name of the state folder. */
const RESTORE = '.restore'
/** Random bytes of a lock's name, so that no other account can occupy all names. */
const NAME_BYTES = 12
const OWN_NAME = /\.restore\.[0-9a-f]{24}\.lock$/

export interface Lock {
  readonly file: string
  /** Shown to the owner when another process holds the lock. */
  readonly problem: string
}

/** Refusal: storage_failed with `lock`, when another process holds it or the folder is being restored. Never waits. */
export function acquireInstanceLock(folder: StateFolder, lock: Lock = HOME): Result<InstanceLock> {
  const held = take(folder.file(lock.file), lock)
  if (!held.ok) return held
  // Checked after this lock is taken. A restore takes its own lock first and checks this one afterwards, so at least
  // one of the two sees the other.
  const free = checkNoRestore(folder.path)
  if (free.ok) return held
  held.value.release()
  return free
}

/** Whether nobody holds the lock now. For a restore, which would move a lock inside the folder. */
export function checkFreeLock(folder: StateFolder, lock: Lock): Result<true> {
  const held = take(folder.file(lock.file), lock)
  if (!held.ok) return held
  held.value.release()
  return ok(true)
}

/** Held while a state folder is fetched, checked and put in place. `state`: its path; it need not exist. */
export function acquireRestoreLock(state: string): Result<InstanceLock> {
  const path = freeRestoreLock(state)
  const held = take(path, restoring(state))
  if (!held.ok) return held
  const release = (): void => {
    rmSync(path, { force: true })
    held.value.release()
  }
  // Checked after this lock is taken, as every restore does: of two under different names at least one sees the
  // other.
  const free = checkNoRestore(state, path)
  if (free.ok) return ok({ release })
  release()
  return free
}

/** `own`: the lock that the caller itself holds. */
function checkNoRestore(state: string, own?: string): Result<true> {
  for (const path of restoreLocks(state).filter((each) => each !== own)) {
    const held = take(path, restoring(state))
    if (!held.ok) return held
    held.value.release()
  }
  return ok(true)
}

/** The usual name, which older versions also check, unless another account owns that file. */
function freeRestoreLock(state: string): string {
  const usual = `${state}${RESTORE}.lock`
  const isOthers =
    (lstatSync(usual, { throwIfNoEntry: false })?.uid ?? process.geteuid?.()) !== process.geteuid?.()
  // If the folder cannot be listed, other processes would not find a random name.
  if (!isOthers || namesBeside(state) === null) return usual
  return `${state}${RESTORE}.${randomBytes(NAME_BYTES).toString('hex')}.lock`
}

/** Every restore lock that may be held. Ignores files of other accounts: they may put any file beside the folder. */
function restoreLocks(state: string): readonly string[] {
  const usual = `${basename(state)}${RESTORE}.lock`
  const isLock = (name: string): boolean =>
    name === usual || (name.startsWith(`${basename(state)}${RESTORE}.`) && OWN_NAME.test(name))
  const names = namesBeside(state) ?? [usual]
  return names
    .filter(isLock)
    .map((name) => join(dirname(state), name))
    .filter(isOwn)
}

/** Null if the folder cannot be listed. */
function namesBeside(state: string): readonly string[] | null {
  try {
    return readdirSync(dirname(state))
  } catch {
    return null
  }
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
    return ok({ release: () => held.close() })
  } catch {
    database?.close()
    return err('storage_failed', { ...lock })
  }
}

/**
 * Creates the file, or accepts an existing one of this account. `O_NOFOLLOW`: a link planted by another account must
 * not choose the file that is locked.
 */
function openOwn(path: string): Result<true> {
  closeToOthers(path, 'file')
  const found = checkTrusted(path, 'file')
  if (found?.ok === false) return found
  closeSync(openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW, 0o600))
  return checkTrusted(path, 'file') ?? ok(true)
}

function isOwn(path: string): boolean {
  closeToOthers(path, 'file')
  return checkTrusted(path, 'file')?.ok === true
}
