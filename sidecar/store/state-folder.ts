/**
 * The folder that holds everything of home: configuration, keys, database and socket (DESIGN §8, A-49). Folder 0700, files 0600.
 * A key that others could read is refused and not repaired, because it may be compromised. Must not interpret what it reads.
 * Called by foundation.ts, the commands, and the start script.
 */

import { randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { checkStats, checkTrusted, closeToOthers } from '../process/trusted-path.ts'

export interface StateFolder {
  readonly path: string
  /** Absolute path of a file of this folder. */
  file(name: string): string
}

/** Most bytes of a key file: the largest is a PEM key of 119. A longer file is not a key. */
const MAX_KEY_FILE_BYTES = 4_096

/** `PFAR_HOME`, or `.pfar` in the home directory. */
export function stateFolderPath(env: Readonly<Record<string, string | undefined>>): string {
  return resolve(env['PFAR_HOME'] || join(homedir(), '.pfar'))
}

/** Infix of the name that `pfar restore` gives to the folder it moved aside. */
export const ASIDE = '.before-restore-'

/**
 * Creates the folder, or removes others' access to it if it is this account's. Refuses a link, a file and another
 * user's folder. Also refuses to create a new folder after an interrupted restore: the data would look lost, although
 * it is beside it.
 */
export function openStateFolder(path: string): Result<StateFolder> {
  const cut = existsSync(path) ? null : asideOf(path)
  if (cut !== null) return broken(cutOff(basename(path), cut))
  try {
    makeFolders(path)
    closeToOthers(path, 'folder')
    const trusted = checkTrusted(path, 'folder', 'PFAR_HOME')
    if (trusted?.ok === false) return trusted
  } catch {
    return broken('it cannot be created or opened')
  }
  return ok({ path, file: (name) => join(path, name) })
}

/** Node's own recursive `mkdir` never returns where a file system accepts no folders, such as /proc. */
function makeFolders(path: string): void {
  const missing: string[] = []
  for (let at = path; !existsSync(at); at = dirname(at)) missing.unshift(at)
  for (const at of missing) if (!existsSync(at)) makeFolder(at)
  if (!lstatSync(path).isDirectory() && !lstatSync(path).isSymbolicLink()) throw new Error('not a folder')
}

/** Another process may create the folder first. */
function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** The newest folder that a restore moved aside; null without one. Ignores folders of other accounts. */
function asideOf(path: string): string | null {
  const isOwn = (name: string): boolean => lstatSync(join(dirname(path), name)).uid === process.geteuid?.()
  try {
    const names = readdirSync(dirname(path)).filter((name) => name.startsWith(basename(path) + ASIDE))
    return names.filter(isOwn).sort().at(-1) ?? null
  } catch {
    return null
  }
}

function cutOff(name: string, aside: string): string {
  return `${name} is gone and ${aside} lies beside it, as after a restore that was cut off: restore again, rename it back, or move it elsewhere to begin anew`
}

/**
 * Text of a key file. `create` makes it at the first start; with null, a missing file yields empty text. Refuses a
 * link, a file of another account and one that others may read, and names the command that repairs it. Two processes
 * that start at once get the same key.
 */
export function readKeyFile(
  folder: StateFolder,
  name: string,
  create: (() => string) | null,
): Result<string> {
  const path = folder.file(name)
  try {
    const found = readPrivate(path, name)
    if (found !== null) return found
    if (create === null) return ok('')
    writeOnce(path, create())
    return readPrivate(path, name) ?? storage(name, 'it cannot be created')
  } catch {
    return storage(name, 'it cannot be read or created')
  }
}

/** Text of a private file, with the same refusals; null if it does not exist. */
export function readPrivateFile(folder: StateFolder, name: string): Result<string> | null {
  try {
    return readPrivate(folder.file(name), name)
  } catch {
    return storage(name, 'it cannot be read')
  }
}

/** Null if the file does not exist. `O_NOFOLLOW`: a planted link must not choose what is read as a key. */
function readPrivate(path: string, name: string): Result<string> | null {
  const file = openIfThere(path)
  if (file === null) return null
  try {
    const found = fstatSync(file)
    const trusted = checkStats(found, { path, kind: 'file', name })
    if (!trusted.ok) return trusted
    const { size } = found
    if (size > MAX_KEY_FILE_BYTES) return storage(name, 'it is too large for a key')
    const bytes = Buffer.alloc(size)
    return ok(bytes.toString('utf8', 0, readSync(file, bytes, 0, size, 0)))
  } finally {
    closeSync(file)
  }
}

function openIfThere(path: string): number | null {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** `link` fails if the name exists, so a reader never sees a partial key and the first writer wins. */
function writeOnce(path: string, text: string): void {
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  writeFileSync(draft, text, { mode: 0o600, flag: 'wx', flush: true })
  try {
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    unlinkSync(draft)
  }
}

function broken(problem: string): Result<never> {
  return err('storage_failed', { file: 'PFAR_HOME', problem })
}

function storage(file: string, problem: string): Result<never> {
  return err('storage_failed', { file, problem })
}

/** After a crash the file has its old or its new content. Refusal: storage_failed. */
export function replacePrivateFile(
  folder: StateFolder,
  name: string,
  content: string | Uint8Array,
): Result<null> {
  const path = folder.file(name)
  const draft = `${path}.new`
  try {
    rmSync(draft, { force: true })
    writeFileSync(draft, content, { mode: 0o600, flag: 'wx', flush: true })
    renameSync(draft, path)
    syncFolder(folder)
    return ok(null)
  } catch {
    return err('storage_failed', { file: name, problem: 'it cannot be written' })
  }
}

export function removePrivateFile(folder: StateFolder, name: string): Result<null> {
  try {
    rmSync(folder.file(name), { force: true })
    syncFolder(folder)
    return ok(null)
  } catch {
    return err('storage_failed', { file: name, problem: 'it cannot be deleted' })
  }
}

/** The directory entry, too, must survive a power cut. */
function syncFolder(folder: StateFolder): void {
  const file = openSync(folder.path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
