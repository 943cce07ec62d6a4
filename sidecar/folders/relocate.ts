/**
 * Renames, moves and puts away files of the owner's folders, within them: a file that is there is never replaced, and one that changed since it was shown
 * stays. What is deleted goes to a folder of the named one that no tool sees. Must not follow a link or remove bytes. Called by folders.ts.
 */
import { createHash, randomBytes } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { link, lstat, mkdir, unlink } from 'node:fs/promises'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { codeOf, isPlainName, type OpenFolder, openFile, openOwnFolder, refused } from './open-inside.ts'

/** Of each named folder. A dot name: it is neither listed nor reached by any other way. */
export const TRASH = '.pfar-trash'
const TRASH_MODE = 0o700
/** What a file is called there: nobody's words become a name that is opened later. */
const KEPT = /^[0-9a-f]{16}$/

/** Bytes of a file that is hashed to know it again. */
export const MOST_MOVED = 268_435_456
const PIECE = 1_048_576

export interface Spot {
  readonly folder: OpenFolder
  readonly name: string
}

/** SHA-256 in hex, without holding the file. Refusals: file_too_large, those of `openFile`. */
export async function versionAt({ folder, name }: Spot, opened = openFile): Promise<Result<string>> {
  const file = await opened(folder, name)
  if (!file.ok) return file
  const { handle, stats } = file.value
  try {
    return stats.size > MOST_MOVED ? err('file_too_large') : await hashOf(handle)
  } catch (error) {
    return refused(error)
  } finally {
    await handle.close()
  }
}

async function hashOf(handle: FileHandle): Promise<Result<string>> {
  const hash = createHash('sha256')
  const piece = Buffer.allocUnsafe(PIECE)
  for (let at = 0; at <= MOST_MOVED; ) {
    const { bytesRead } = await handle.read(piece, 0, PIECE, at)
    if (bytesRead === 0) return ok(hash.digest('hex'))
    hash.update(piece.subarray(0, bytesRead))
    at += bytesRead
  }
  return err('file_too_large')
}

/** Refusals: event_changed if another version is there, or something is at the new place; file_denied, also between file systems. */
export async function relocate(from: Spot, to: Spot, version: string): Promise<Result<true>> {
  const [old, next] = [from.folder.at(from.name), to.folder.at(to.name)]
  const hashed = await inodeOf(old)
  const present = await versionAt(from, from.folder.isOwn === true ? openKept : openFile)
  if (!present.ok) return present
  if (present.value !== version) return err('event_changed')
  try {
    // Fails where the name is taken, which a renaming would replace.
    await link(old, next)
  } catch (error) {
    return codeOf(error) === 'EEXIST' ? err('event_changed') : refused(error)
  }
  // A program that saves by renaming has put another file there meanwhile: that one is not what was approved, and would be lost.
  const [now, linked] = [await inodeOf(old), await inodeOf(next)]
  if (linked !== hashed || (now !== null && now !== linked)) {
    if (now !== null) await unlink(next).catch(() => undefined)
    return err('event_changed')
  }
  try {
    await unlink(old)
  } catch (error) {
    // Gone already: the new name is the only one.
    if (codeOf(error) !== 'ENOENT') {
      await unlink(next).catch(() => undefined)
      return refused(error)
    }
  }
  for (const { folder } of [from, to]) await folder.handle.sync().catch(() => undefined)
  return ok(true)
}

/** Null if there is none. */
async function inodeOf(path: string): Promise<bigint | null> {
  const stats = await lstat(path, { bigint: true }).catch(() => null)
  return stats?.ino ?? null
}

/** The folder of what was put away, in this named one; made where it is not there and `make` says so. */
export async function openTrash(root: OpenFolder, make: boolean): Promise<Result<OpenFolder>> {
  try {
    if (make)
      await mkdir(root.at(TRASH), { mode: TRASH_MODE }).catch((error: unknown) => {
        if (codeOf(error) !== 'EEXIST') throw error
      })
    return ok(await openOwnFolder(root, TRASH))
  } catch (error) {
    return refused(error)
  }
}

export function keptName(): string {
  return randomBytes(8).toString('hex')
}

export function isKeptName(name: string): boolean {
  return KEPT.test(name)
}

/** Names of the trash are made here, and are plain. */
const openKept: typeof openFile = async (folder, name) =>
  isKeptName(name) && isPlainName(name) ? openFile(folder, name) : err('remote_not_found')
