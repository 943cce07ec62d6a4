/**
 * Opens folders and files below a folder of the owner, name by name, and follows no link: what is opened lies there even if names are exchanged meanwhile.
 * Must not open dot names, devices, or files with a second name elsewhere. Called by walk.ts and folders.ts.
 */
import { randomBytes } from 'node:crypto'
import { constants, existsSync, type Stats } from 'node:fs'
import { type FileHandle, lstat, open, readdir, realpath, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'

/** An open folder. */
export interface OpenFolder {
  readonly handle: FileHandle
  /** Path that the operating system resolves from the open folder itself, not from its name. */
  at(name: string): string
  readonly device: number
  /** A folder of home's own among the owner's. */
  readonly isOwn?: true
}

/** Linux resolves names below an open folder by this path, as `openat` does. Elsewhere the opened file is compared with its path. */
const OPEN_FILES = '/proc/self/fd'
const BY_HANDLE = existsSync(OPEN_FILES)

const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants
const FOLDER = O_RDONLY | O_DIRECTORY | O_NOFOLLOW
/** Without waiting: a FIFO would block until somebody writes. */
const FILE = O_RDONLY | O_NOFOLLOW | O_NONBLOCK

/** A name of one entry that may be reached. Dot names hold settings and keys. */
export function isPlainName(name: string): boolean {
  return name !== '' && !name.startsWith('.') && !/[/\\\0\ufffd]/.test(name)
}

/** `excluded`: real paths that are never opened, with all below them. Refusals: folder_gone, file_denied. */
export async function openRoot(path: string, excluded: readonly string[]): Promise<Result<OpenFolder>> {
  try {
    // The owner may have named a link. From here on none is followed.
    const real = await realpath(path)
    if (isExcluded(real, excluded) || isHidden(real)) return err('file_denied')
    return ok(await folderAt(real, real))
  } catch (error) {
    return codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR' ? err('folder_gone') : refused(error)
  }
}

/** Throws as `open` does. */
export async function openFolder(parent: OpenFolder, name: string): Promise<OpenFolder> {
  if (!isPlainName(name)) throw Object.assign(new Error('no plain name'), { code: 'ENOENT' })
  const path = parent.at(name)
  const folder = await folderAt(path, path)
  // Another file system may be anything, such as a share that hangs.
  if (folder.device === parent.device) return folder
  await folder.handle.close()
  throw Object.assign(new Error('another file system'), { code: 'EXDEV' })
}

/** A folder that home made there itself, whose name begins with a dot. Throws as `open` does, and for a link or another file system. */
export async function openOwnFolder(parent: OpenFolder, name: `.${string}`): Promise<OpenFolder> {
  const folder = await folderAt(parent.at(name), parent.at(name))
  if (folder.device === parent.device) return { ...folder, isOwn: true }
  await folder.handle.close()
  throw Object.assign(new Error('another file system'), { code: 'EXDEV' })
}

async function folderAt(path: string, base: string): Promise<OpenFolder> {
  const handle = await open(path, FOLDER)
  try {
    const stats = await confirmed(handle, path)
    const at = (name: string): string => (BY_HANDLE ? `${OPEN_FILES}/${handle.fd}/${name}` : join(base, name))
    return { handle, at, device: stats.dev }
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** A regular file of one name. Refusals: remote_not_found, file_denied. */
export async function openFile(
  parent: OpenFolder,
  name: string,
): Promise<Result<{ readonly handle: FileHandle; readonly stats: Stats }>> {
  if (!isPlainName(name)) return err('remote_not_found')
  let handle: FileHandle | null = null
  try {
    handle = await open(parent.at(name), FILE)
    let stats = await confirmed(handle, parent.at(name))
    if (stats.nlink === 2 && (await dropDraft(parent, stats))) stats = await handle.stat()
    if (isOrdinary(stats, parent.device)) return ok({ handle, stats })
    await handle.close()
    return err('file_denied')
  } catch (error) {
    await handle?.close()
    return refused(error)
  }
}

const DRAFT = /^\.pfar-[0-9a-f]{16}\.tmp$/

/** What is written before it gets its name. */
export function draftName(): string {
  return `.pfar-${randomBytes(8).toString('hex')}.tmp`
}

export function isDraftName(name: string): boolean {
  return DRAFT.test(name)
}

/** The name of a draft that home left beside the file that became of it, as it died between the two. False if there is none. */
async function dropDraft(parent: OpenFolder, { ino, dev }: Stats): Promise<boolean> {
  for (const entry of (await readdir(parent.at('.'))).filter(isDraftName)) {
    const stats = await lstat(parent.at(entry)).catch(() => null)
    if (stats?.ino !== ino || stats.dev !== dev) continue
    await unlink(parent.at(entry))
    return true
  }
  return false
}

/** A hard link could be a second name of what lies elsewhere. */
export function isOrdinary(stats: Stats, device: number): boolean {
  return stats.isFile() && stats.nlink === 1 && stats.dev === device
}

/** Without `/proc`, an exchanged folder on the way would lead elsewhere: then the path no longer names what was opened. */
async function confirmed(handle: FileHandle, path: string): Promise<Stats> {
  const stats = await handle.stat()
  if (BY_HANDLE) return stats
  const [real, there] = [await realpath(path), await lstat(path)]
  if (real !== path || there.ino !== stats.ino || there.dev !== stats.dev)
    throw Object.assign(new Error('exchanged'), { code: 'ELOOP' })
  return stats
}

export function isExcluded(real: string, excluded: readonly string[]): boolean {
  return excluded.some((path) => real === path || real.startsWith(`${path}/`))
}

/** It lies where programs keep settings and keys. */
export function isHidden(real: string): boolean {
  return real.includes('/.')
}

export function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? ''
}

const GONE: readonly string[] = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO', 'ENAMETOOLONG']
const FULL: readonly string[] = ['ENOSPC', 'EDQUOT', 'EFBIG']

/** The text of a system error holds paths, so only a code of ours is passed on. */
export function refused(error: unknown): Result<never> {
  const code = codeOf(error)
  return err(GONE.includes(code) ? 'remote_not_found' : FULL.includes(code) ? 'storage_full' : 'file_denied')
}
