/**
 * Lists the files of the owner's folders within hard bounds of count, depth and time. Leaves out dot names, links, other file systems, what is excluded and
 * whatever is no ordinary file. Must not read a file. Called by folders.ts.
 */
import type { Stats } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import type { FilePlace, ListedFile, Listing } from '../../integrations/tools/files/folder-port.ts'
import { ok, type Result } from '../../kernel/flow/verdict.ts'
import {
  codeOf,
  isDraftName,
  isOrdinary,
  isPlainName,
  type OpenFolder,
  openFile,
  openFolder,
  openRoot,
} from './open-inside.ts'

/** Bounds of one walk: a folder that was unpacked or synced without end must not keep home busy. */
export const WALK = Object.freeze({
  /** Names looked at, files and folders. */
  entries: 20_000,
  /** Levels of folders below the named one. */
  depth: 12,
  /** Milliseconds. */
  time: 8_000,
  /** UTF-16 units of a path as shown. */
  path: 1_000,
})

export interface NamedFolder {
  readonly path: string
  /** Shown as the beginning of each path in it. */
  readonly name: string
}

interface Walk {
  readonly files: ListedFile[]
  readonly folders: { readonly path: string; readonly place: FilePlace }[]
  /** Device and inode of the folders that are never entered. */
  readonly excluded: ReadonlySet<string>
  entries: number
  partial: boolean
  /** Of the monotonic clock. */
  readonly until: number
}

export interface WalkInput {
  readonly named: readonly NamedFolder[]
  /** Real paths that are never entered. */
  readonly excluded: readonly string[]
  readonly time?: number
}

/** Refusals: those of `openRoot`, if no folder can be opened. */
export async function walkFolders({
  named,
  excluded,
  time = WALK.time,
}: WalkInput): Promise<Result<Listing>> {
  const walk: Walk = {
    ...{ files: [], folders: [], entries: 0, partial: false },
    excluded: await identitiesOf(excluded),
    until: performance.now() + time,
  }
  let refusal: Result<never> | null = null
  let opened = 0
  for (const [at, { path, name }] of named.entries()) {
    const root = await openRoot(path, excluded)
    if (!root.ok) {
      refusal = root
      walk.partial = true
      continue
    }
    opened += 1
    await enter(walk, root.value, { path: name, place: { folder: at, names: [] } })
  }
  if (opened === 0 && refusal !== null) return refusal
  return ok({ files: walk.files, folders: walk.folders, partial: walk.partial })
}

async function identitiesOf(paths: readonly string[]): Promise<ReadonlySet<string>> {
  const found = await Promise.all(paths.map((path) => lstat(path).catch(() => null)))
  return new Set(found.flatMap((stats) => (stats === null ? [] : [`${stats.dev}:${stats.ino}`])))
}

interface Here {
  readonly path: string
  readonly place: FilePlace
}

/** Closes the folder when it has been walked. */
async function enter(walk: Walk, folder: OpenFolder, here: Here): Promise<void> {
  try {
    const { dev, ino } = await folder.handle.stat()
    if (walk.excluded.has(`${dev}:${ino}`)) return
    walk.folders.push(here)
    const entries = await readdir(folder.at('.'))
    const hasDraft = entries.some(isDraftName)
    for (const entry of entries) {
      if (isSpent(walk)) return
      walk.entries += 1
      if (isPlainName(entry)) await look(walk, folder, { entry, here, hasDraft })
    }
  } catch {
    walk.partial = true
  } finally {
    await folder.handle.close()
  }
}

async function look(
  walk: Walk,
  folder: OpenFolder,
  { entry, here, hasDraft }: { readonly entry: string; readonly here: Here; readonly hasDraft: boolean },
): Promise<void> {
  const path = `${here.path}/${shownName(entry)}`
  const place = { folder: here.place.folder, names: [...here.place.names, entry] }
  const found = await lstat(folder.at(entry)).catch(() => null)
  // The second name may be the draft of it.
  const stats = hasDraft && found?.nlink === 2 ? await statsOf(folder, entry) : found
  if (stats === null || path.length > WALK.path) {
    walk.partial = true
    return
  }
  if (isOrdinary(stats, folder.device)) {
    walk.files.push({ path, size: stats.size, changed: stats.mtimeMs, place })
    return
  }
  if (!stats.isDirectory()) return
  if (place.names.length > WALK.depth) {
    walk.partial = true
    return
  }
  try {
    await enter(walk, await openFolder(folder, entry), { path, place })
  } catch (error) {
    if (codeOf(error) !== 'EXDEV') walk.partial = true
  }
}

async function statsOf(folder: OpenFolder, entry: string): Promise<Stats | null> {
  const opened = await openFile(folder, entry)
  if (opened.ok) await opened.value.handle.close()
  return opened.ok ? opened.value.stats : lstat(folder.at(entry)).catch(() => null)
}

function isSpent(walk: Walk): boolean {
  if (walk.entries < WALK.entries && performance.now() < walk.until) return false
  walk.partial = true
  return true
}

/** Control, bidi and invisible characters could imitate another name, or another line. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\u2028\u2029]/gu

export function shownName(name: string): string {
  return name.normalize('NFC').replace(INVISIBLE, '\ufffd')
}
