/**
 * Maps a storage error that a method of the private line threw (disk full, read-only, damaged database) to a refusal
 * because the owner can act on that. Must not classify a bug as one. Called by line/app.ts and the command
 * line.
 */
import type { Refusal } from '../../kernel/flow/verdict.ts'
import { storageTrouble } from '../backup/storage-trouble.ts'

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
