/**
 * Checks whether a folder, socket or file can be trusted: right kind, no link, owned by this account, no access for
 * others, and a socket path short enough for the system. Called by both ends of the private line, the state folder, the
 * locks and a restore. Must not accept what another account owns.
 */
import { chmodSync, lstatSync, type Stats } from 'node:fs'
import { basename } from 'node:path'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'

export type PathKind = 'folder' | 'socket' | 'file'

/**
 * Most bytes of a Unix socket's path. The system silently truncates a longer one, and the socket would be elsewhere, in
 * reach of others.
 */
const MAX_SOCKET_PATH = process.platform === 'linux' ? 107 : 103

/** Mode bits of group and others. */
const OTHERS = 0o077

/** Null if nothing has that name. Refusal: storage_failed with the problem; `name` is what the owner is shown. */
export function checkTrusted(path: string, kind: PathKind, name = basename(path)): Result<true> | null {
  if (kind === 'socket') {
    const short = checkSocketPath(path, name)
    if (!short.ok) return short
  }
  try {
    const found = lstatSync(path, { throwIfNoEntry: false })
    return found === undefined ? null : checkStats(found, { path, kind, name })
  } catch {
    return err('storage_failed', { file: name, problem: 'it cannot be looked at' })
  }
}

/** Removes others' access to a folder or file of this account; leaves everything else. Throws as `lstat` does. */
export function closeToOthers(path: string, kind: 'folder' | 'file'): void {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined || !IS_KIND[kind](found) || found.uid !== process.geteuid?.()) return
  if ((found.mode & OTHERS) !== 0) chmodSync(path, kind === 'folder' ? 0o700 : 0o600)
}

/** Refusal: storage_failed. */
export function checkSocketPath(path: string, name = basename(path)): Result<true> {
  const bytes = Buffer.byteLength(path)
  if (bytes <= MAX_SOCKET_PATH) return ok(true)
  const problem = `its path is ${bytes} bytes long, and that of a socket may be ${MAX_SOCKET_PATH}: give PFAR_HOME a shorter path`
  return err('storage_failed', { file: name, problem })
}

/** Checks stats that were already read, by descriptor or by name. Refusal: storage_failed. */
export function checkStats(
  found: Stats,
  { path, kind, name }: { readonly path: string; readonly kind: PathKind; readonly name: string },
): Result<true> {
  const problem = problemOf(found, kind, path)
  return problem === null ? ok(true) : err('storage_failed', { file: name, problem })
}

const IS_KIND: Readonly<Record<PathKind, (found: Stats) => boolean>> = {
  folder: (found) => found.isDirectory(),
  socket: (found) => found.isSocket(),
  file: (found) => found.isFile(),
}

function problemOf(found: Stats, kind: PathKind, path: string): string | null {
  if (found.isSymbolicLink()) return `it is a link, and not a ${kind}`
  if (!IS_KIND[kind](found)) return `it is not a ${kind}`
  if (found.uid !== process.geteuid?.()) return 'it belongs to another user'
  if ((found.mode & OTHERS) === 0) return null
  return `others may ${kind === 'file' ? 'read' : 'use'} it; if nobody did: chmod ${kind === 'folder' ? 700 : 600} ${path}`
}
