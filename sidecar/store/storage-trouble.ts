/**
 * Maps storage errors to refusals that tell the owner what to do. Drops the system's texts, which contain paths. Must
 * not retry, or take a bug for a storage error. Called by backups and restores, the private line and the command line.
 */

import { err, type Refusal, type Result } from '../../kernel/flow/verdict.ts'

/** No space, quota, or file size limit: for the owner all mean to free space. */
const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])
/** SQLite's code for a full disk (SQLITE_FULL). */
const SQLITE_FULL = 13
/** SQLite could not enlarge its shared memory file, which only a full disk causes (SQLITE_IOERR_SHMSIZE). */
const SQLITE_SHM_FULL = 4874
/** A write of SQLite failed, and it does not report the system's reason (SQLITE_IOERR_WRITE). */
const SQLITE_NOT_WRITTEN = 778
/** SQLite's codes for a damaged file and for one that is not a database (SQLITE_CORRUPT, SQLITE_NOTADB). */
const SQLITE_DAMAGED = new Set([11, 26])
const DAMAGED = 'it is damaged or not a database; stop PFAR, then pfar restore --replace brings back a backup'

const HINTS: Readonly<Record<string, string>> = {
  EACCES: 'PFAR may not write there; look at the owner and mode of the folder',
  EPERM: 'PFAR may not write there; look at the owner and mode of the folder',
  EROFS: 'the disk is read-only; a failing disk often becomes that, so look at it first',
  EIO: 'the disk reports errors; copy what matters to another disk and replace it',
  ENOENT: 'it is not there; is the disk mounted?',
  EBUSY: 'it is a mount point and cannot be moved; name another folder with PFAR_HOME',
  EXDEV: 'it lies on another disk than its parent folder; name another folder with PFAR_HOME',
}

/** Carries a refusal as an exception through streams and `finally` blocks to `withStorage`. */
export class BackupTrouble extends Error {
  readonly reason: Refusal
  constructor(code: Refusal['code'], file: string, problem: string) {
    super(code)
    this.reason = { code, facts: { file, problem } }
  }
}

/** Runs `work`. Storage errors and `BackupTrouble` become refusals about `file`; bugs are rethrown. */
export async function withStorage<T>(file: string, work: () => Promise<Result<T>>): Promise<Result<T>> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof BackupTrouble) return { ok: false, reason: error.reason }
    return storageTrouble(file, error)
  }
}

/** Attaches the file name to a storage error of `work`. */
export async function about<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof BackupTrouble) throw error
    const { code, facts } = storageTrouble(file, error).reason
    throw new BackupTrouble(code, file, String(facts['problem']))
  }
}

/** Refusals: storage_full, storage_failed, record_malformed. Throws any other error. */
export function storageTrouble(file: string, error: unknown): ReturnType<typeof err> {
  const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown }
  if (code === 'ERR_SQLITE_ERROR' && SQLITE_DAMAGED.has(Number(errcode) & 0xff)) {
    return err('record_malformed', { file, problem: DAMAGED })
  }
  if (FULL.has(String(code)) || (code === 'ERR_SQLITE_ERROR' && isFullIn(Number(errcode)))) {
    const problem = 'there is no room left; make room, or name a folder on another disk'
    return err('storage_full', { file, problem })
  }
  if (code === 'ERR_SQLITE_ERROR' && errcode === SQLITE_NOT_WRITTEN) {
    const problem =
      'its copy cannot be written: the disk is full or reports errors; make room or look at the disk'
    return err('storage_failed', { file, problem })
  }
  if (code === 'ERR_SQLITE_ERROR') {
    const problem = 'it cannot be read; if this stays so, look at the disk and restore a backup'
    return err('storage_failed', { file, problem })
  }
  if (typeof code !== 'string' || (error as NodeJS.ErrnoException).syscall === undefined) throw error
  return err('storage_failed', { file, problem: HINTS[code] ?? `the disk refused (${code})` })
}

function isFullIn(errcode: number): boolean {
  return (errcode & 0xff) === SQLITE_FULL || errcode === SQLITE_SHM_FULL
}

/** How many nested causes are searched. The database layer wraps errors once. */
const MAX_CAUSES = 4

/** Null if the error is not a storage error. The facts contain no path. */
export function diskRefusal(thrown: unknown): Refusal | null {
  let error = thrown
  for (let depth = 0; depth < MAX_CAUSES && error instanceof Error; depth += 1) {
    if (isOfDisk(error)) return refusalOf(error)
    error = error.cause
  }
  return null
}

/** A socket error also has a system call, but is not a storage error. */
function isOfDisk(error: Error): boolean {
  const { code, syscall } = error as NodeJS.ErrnoException
  if (code === 'ERR_SQLITE_ERROR') return true
  return typeof code === 'string' && ['open', 'write', 'fsync', 'rename', 'mkdir'].includes(syscall ?? '')
}

/**
 * A damaged database becomes `storage_failed`: the words of `record_malformed` say that a record was left out, but here
 * the request itself failed.
 */
function refusalOf(error: Error): Refusal {
  const { code } = storageTrouble('home.sqlite', error).reason
  return { code: code === 'storage_full' ? code : 'storage_failed', facts: {} }
}
