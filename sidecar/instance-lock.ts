/**
 * One home per state folder (T-05): two would run each other's effects twice. The lock is SQLite's, so the system
 * releases it with the process, however it dies, and no pid file can lie. A restore holds one beside the folder, since it
 * moves the folder itself: under a name that cannot be guessed where another account took the usual one. Must not hold data.
 * Called by main.ts, by a backup and by a restore.
 */
import { randomBytes } from 'node:crypto'
import { closeSync, constants, lstatSync, openSync, readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { err, ok, type Result } from '../kernel/flow/verdict.ts'
import { loadSqlite } from './sqlite.ts'
import type { StateFolder } from './state-folder.ts'
import { checkTrusted, closeToOthers } from './trusted-path.ts'

export interface InstanceLock {
  release(): void
}

const HOME = { file: 'home.lock', problem: 'another home is running in this folder' } as const
/** One backup at a time, whoever asked for it. */
export const BACKUP_LOCK = { file: 'backup.lock', problem: 'a backup is running; wait for it' } as const

/** What stands behind the state folder's name in that of a restore's lock. */
const RESTORE = '.restore'
/** Random bytes of a name, so that no other account can take all of them. */
const NAME_BYTES = 12
const OWN_NAME = /\.restore\.[0-9a-f]{24}\.lock$/

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
  return ok(true)
}

/** For as long as a state folder is fetched, checked and put in place. `state`: path of the folder, which need not exist. */
export function acquireRestoreLock(state: string): Result<InstanceLock> {
  const path = freeRestoreLock(state)
  const held = take(path, restoring(state))
  if (!held.ok) return held
  const release = (): void => {
    rmSync(path, { force: true })
    held.value.release()
  }
  // Asked once this one is held, as every restore does: of two under different names one at least sees the other.
  const free = checkNoRestore(state, path)
  if (free.ok) return ok({ release })
  release()
  return free
}

/** `own`: the lock that the caller holds itself. */
function checkNoRestore(state: string, own?: string): Result<true> {
  for (const path of restoreLocks(state).filter((each) => each !== own)) {
    const held = take(path, restoring(state))
    if (!held.ok) return held
    held.value.release()
  }
  return ok(true)
}

/** The name that older versions know, too, unless another account put something there. */
function freeRestoreLock(state: string): string {
  const usual = `${state}${RESTORE}.lock`
  const isOthers =
    (lstatSync(usual, { throwIfNoEntry: false })?.uid ?? process.geteuid?.()) !== process.geteuid?.()
  // Where others cannot be listed, a name of its own would not be seen.
  if (!isOthers || namesBeside(state) === null) return usual
  return `${state}${RESTORE}.${randomBytes(NAME_BYTES).toString('hex')}.lock`
}

/** Every lock of a restore that may be held. A file of another account is no restore's: beside the folder others may put what they like. */
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

/** Null where they cannot be listed. */
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

/** Made, or found as this account's own; through no link, since what another put there would be opened, and held. */
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
