/**
 * What a method of the private line threw, where it was the disk: full, read-only, damaged. A person can do something
 * about that, and "something went wrong" would keep it from him. Must not take a bug for it. Called by line/app.ts and the command line.
 */
import type { Refusal } from '../kernel/flow/verdict.ts'
import { storageTrouble } from './backup/storage-trouble.ts'

/** Errors wrapped in errors that are looked through: the database's own layer adds one. */
const MAX_CAUSES = 4

/** Null where no disk said it. Facts name no path. */
export function diskRefusal(thrown: unknown): Refusal | null {
  let error = thrown
  for (let depth = 0; depth < MAX_CAUSES && error instanceof Error; depth += 1) {
    if (isOfDisk(error)) return refusalOf(error)
    error = error.cause
  }
  return null
}

/** A socket's errors have a system call too, and are not the disk's. */
function isOfDisk(error: Error): boolean {
  const { code, syscall } = error as NodeJS.ErrnoException
  if (code === 'ERR_SQLITE_ERROR') return true
  return typeof code === 'string' && ['open', 'write', 'fsync', 'rename', 'mkdir'].includes(syscall ?? '')
}

/** A damaged database could not take what was said either: nothing was "left out". */
function refusalOf(error: Error): Refusal {
  const { code } = storageTrouble('home.sqlite', error).reason
  return { code: code === 'storage_full' ? code : 'storage_failed', facts: {} }
}
