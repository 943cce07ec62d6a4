/**
 * The folders that the owner named in config.toml, as the files tool may use them. Reads whole files within a bound, and writes a file whole or not at all.
 * Must not follow a link, nor write over what has changed. Called by home-tools.ts.
 */
import { createHash } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { access, type FileHandle, link, open, rename, stat, unlink } from 'node:fs/promises'
import { basename } from 'node:path'
import {
  type FileChange,
  type FileContent,
  type FilePlace,
  type FolderPort,
  NEW,
  type Written,
} from '../../integrations/tools/files/folder-port.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { dropCopy, keepCopy, readCopy } from './earlier.ts'
import {
  codeOf,
  draftName,
  isPlainName,
  type OpenFolder,
  openFile,
  openFolder,
  openRoot,
  refused,
} from './open-inside.ts'
import { isKeptName, keptName, openTrash, relocate, versionAt } from './relocate.ts'
import { areTwins, forgetMove, movesNoted, type Named, noteMove, type Twins } from './unfinished.ts'
import { type NamedFolder, shownName, WALK, walkFolders } from './walk.ts'

/** Bytes of a file that is replaced: more than a person wrote by hand. */
const MOST_REPLACED = 1_048_576
/** A new file is the owner's alone. */
const NEW_MODE = 0o600

export interface FoldersInput {
  /** Absolute paths, as the owner wrote them. */
  readonly folders: readonly string[]
  /** Real paths that are never opened: home's own. */
  readonly excluded: readonly string[]
  /** Milliseconds of a walk; shortened by tests. */
  readonly time?: number
}

type Work<T> = (parent: OpenFolder, name: string) => Promise<Result<T>>

export function createFolders({ folders, excluded, time = WALK.time }: FoldersInput): FolderPort {
  const named = namesOf(folders)
  const inside = async <T>(place: FilePlace, work: Work<T>): Promise<Result<T>> => {
    await settle()
    return inParent(place, work)
  }
  const inParent = async <T>(place: FilePlace, work: Work<T>): Promise<Result<T>> => {
    const root = named[place.folder]
    const name = place.names.at(-1)
    if (root === undefined || name === undefined || place.names.length > WALK.depth + 1)
      return err('remote_not_found')
    const parent = await parentOf(root, place.names.slice(0, -1), excluded)
    if (!parent.ok) return parent
    try {
      return await work(parent.value, name)
    } catch (error) {
      return refused(error)
    } finally {
      await parent.value.handle.close()
    }
  }
  const inTrash = async <T>(
    at: number,
    make: boolean,
    work: (trash: OpenFolder) => Promise<Result<T>>,
  ): Promise<Result<T>> => {
    const path = named[at]?.path
    const root = path === undefined ? err('remote_not_found') : await openRoot(path, excluded)
    if (!root.ok) return root
    try {
      const trash = await openTrash(root.value, make)
      if (!trash.ok) return trash
      try {
        return await work(trash.value)
      } finally {
        await trash.value.handle.close()
      }
    } finally {
      await root.value.handle.close()
    }
  }
  /** Without a note where none can be written: a crash within the move is all that it is for. */
  const noting = async <T>(twins: Twins, work: () => Promise<Result<T>>): Promise<Result<T>> => {
    const at = twins.keep.folder
    const note = await inTrash(at, true, (trash) => noteMove(trash, twins)).catch(refused)
    try {
      return await work()
    } finally {
      if (note.ok) await inTrash(at, false, (trash) => forgetMove(trash, note.value)).catch(refused)
    }
  }
  const removeTwin = async ({ keep, drop }: Twins): Promise<void> => {
    const inPlace = ({ folder, names, away }: Named, work: Work<true>): Promise<Result<true>> =>
      away
        ? inTrash(folder, false, (trash) =>
            isKeptName(names[0] ?? '') ? work(trash, names[0] ?? '') : Promise.resolve(ok(true)),
          )
        : inParent({ folder, names }, (parent, name) =>
            isPlainName(name) ? work(parent, name) : Promise.resolve(ok(true)),
          )
    await inPlace(keep, (folder, name) =>
      inPlace(drop, async (other, twin) => {
        if (await areTwins(folder.at(name), other.at(twin))) await unlink(other.at(twin))
        return ok(true)
      }),
    )
  }
  let settled: Promise<void> | null = null
  /** Once, before anything else: what the home before did not finish. */
  const settle = (): Promise<void> => {
    settled ??= (async () => {
      for (const at of named.keys())
        await inTrash(at, false, async (trash) => {
          for (const [note, twins] of await movesNoted(trash)) {
            if (twins !== null) await removeTwin(twins).catch(refused)
            await forgetMove(trash, note)
          }
          return ok(true)
        }).catch(refused)
    })()
    return settled
  }
  return {
    named: named.length > 0,
    async list() {
      await settle()
      return walkFolders({ named, excluded, time })
    },
    read: (place, most) => inside(place, (parent, name) => contentOf(parent, name, most)),
    write: (change) => {
      const at = change.place.folder
      const keeping: Keeping = {
        async keep(bytes) {
          const copy = await inTrash(at, true, (trash) => keepCopy(trash, bytes)).catch(refused)
          return copy.ok ? copy.value : null
        },
        async drop(copy) {
          await inTrash(at, false, (trash) => dropCopy(trash, copy)).catch(refused)
        },
      }
      return inside(change.place, (parent, name) => writeIn(parent, name, { ...change, keeping }))
    },
    kept: (place, { copy, version }, most) =>
      inside(place, async () => {
        const bytes = await inTrash(place.folder, false, (trash) => readCopy(trash, copy, most))
        // Somebody else may write there.
        return bytes.ok && versionOf(bytes.value) !== version ? err('remote_not_found') : bytes
      }),
    version: (place) => inside(place, (folder, name) => versionAt({ folder, name })),
    move: (from, to, version) =>
      inside(from, (folder, name) =>
        inside(to, (other, next) =>
          isPlainName(next)
            ? noting({ keep: { ...to, away: false }, drop: { ...from, away: false } }, () =>
                relocate({ folder, name }, { folder: other, name: next }, version),
              )
            : Promise.resolve(err('remote_not_found')),
        ),
      ),
    putAway: (place, version) =>
      inside(place, (folder, name) =>
        inTrash(place.folder, true, async (trash) => {
          const kept = keptName()
          const away = { folder: place.folder, names: [kept], away: true }
          // What was not put away whole stays where it was.
          const moved = await noting({ keep: { ...place, away: false }, drop: away }, () =>
            relocate({ folder, name }, { folder: trash, name: kept }, version),
          )
          return moved.ok ? ok(kept) : moved
        }),
      ),
    bringBack: async (kept, to, version) => {
      if (!isKeptName(kept)) return err('remote_not_found')
      return inside(to, (folder, name) =>
        inTrash(to.folder, false, (trash) =>
          isPlainName(name)
            ? noting(
                {
                  keep: { ...to, away: false },
                  drop: { folder: to.folder, names: [kept], away: true },
                },
                () => relocate({ folder: trash, name: kept }, { folder, name }, version),
              )
            : Promise.resolve(err('remote_not_found')),
        ),
      )
    },
  }
}

/** By the last part of the path; a second one of that name gets a number. */
function namesOf(folders: readonly string[]): readonly NamedFolder[] {
  const shown = folders.map((path) => shownName(basename(path)) || 'files')
  return folders.map((path, at) => {
    const name = shown[at] ?? ''
    const before = shown.slice(0, at).filter((one) => one === name).length
    return { path, name: before === 0 ? name : `${name}-${before + 1}` }
  })
}

async function parentOf(
  root: NamedFolder,
  names: readonly string[],
  excluded: readonly string[],
): Promise<Result<OpenFolder>> {
  const opened = await openRoot(root.path, excluded)
  if (!opened.ok) return opened
  let folder = opened.value
  try {
    for (const name of names) {
      const next = await openFolder(folder, name)
      await folder.handle.close()
      folder = next
      if (await isHomes(folder, excluded)) throw Object.assign(new Error('excluded'), { code: 'EACCES' })
    }
    return ok(folder)
  } catch (error) {
    await folder.handle.close()
    return refused(error)
  }
}

async function isHomes(folder: OpenFolder, excluded: readonly string[]): Promise<boolean> {
  const { dev, ino } = await folder.handle.stat()
  for (const path of excluded) {
    const own = await stat(path).catch(() => null)
    if (own?.dev === dev && own.ino === ino) return true
  }
  return false
}

async function contentOf(parent: OpenFolder, name: string, most: number): Promise<Result<FileContent>> {
  const opened = await openFile(parent, name)
  if (!opened.ok) return opened
  const { handle, stats } = opened.value
  try {
    if (stats.size > most) return err('file_too_large')
    // The size may have been another one by now, so it is read up to the bound and not by it.
    const bytes = await readUpTo(handle, most + 1)
    return bytes.length > most ? err('file_too_large') : ok({ bytes, version: versionOf(bytes) })
  } finally {
    await handle.close()
  }
}

const CHUNK = 65_536

async function readUpTo(handle: FileHandle, most: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let length = 0
  while (length < most) {
    const part = new Uint8Array(Math.min(CHUNK, most - length))
    const { bytesRead } = await handle.read(part, 0, part.length, length)
    if (bytesRead === 0) break
    parts.push(part.subarray(0, bytesRead))
    length += bytesRead
  }
  return Buffer.concat(parts)
}

function versionOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Copies of what is replaced. A write is made without one where none can be made: null. */
interface Keeping {
  keep(bytes: Uint8Array): Promise<string | null>
  drop(copy: string): Promise<void>
}

async function writeIn(
  parent: OpenFolder,
  name: string,
  { bytes, version, keeping }: FileChange & { readonly keeping: Keeping },
): Promise<Result<Written>> {
  if (!isPlainName(name)) return err('remote_not_found')
  const present = await presentFile(parent, name)
  if (!present.ok) return present
  if ((present.value?.version ?? NEW) !== version) return err('event_changed')
  if (present.value !== null) {
    // A file that may not be written is not replaced either, although its folder would allow it.
    if (present.value.stats.uid !== process.geteuid?.()) return err('file_denied')
    await access(parent.at(name), constants.W_OK)
  }
  const copy = present.value === null ? null : await keeping.keep(present.value.bytes)
  const draft = parent.at(draftName())
  let isPlaced = false
  try {
    await writeDraft(draft, bytes, present.value?.stats.mode ?? NEW_MODE)
    const placed = await putInPlace(parent, name, { draft, version })
    if (!placed.ok) return placed
    isPlaced = true
    await parent.handle.sync().catch(() => undefined)
    return ok({ version: versionOf(bytes), ...(copy !== null && { copy }) })
  } finally {
    await unlink(draft).catch(() => undefined)
    // Nothing was replaced.
    if (!isPlaced && copy !== null) await keeping.drop(copy)
  }
}

/** Null if there is none. */
async function presentFile(
  parent: OpenFolder,
  name: string,
): Promise<Result<{ readonly version: string; readonly stats: Stats; readonly bytes: Uint8Array } | null>> {
  const opened = await openFile(parent, name)
  if (!opened.ok) return opened.reason.code === 'remote_not_found' ? ok(null) : opened
  const { handle, stats } = opened.value
  try {
    const bytes = await readUpTo(handle, MOST_REPLACED + 1)
    return bytes.length > MOST_REPLACED
      ? err('file_too_large')
      : ok({ version: versionOf(bytes), stats, bytes })
  } finally {
    await handle.close()
  }
}

async function writeDraft(path: string, bytes: Uint8Array, mode: number): Promise<void> {
  const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants
  const handle = await open(path, O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY, NEW_MODE)
  try {
    await handle.writeFile(bytes)
    await handle.chmod(mode & 0o777)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Looked up once more, right before: what was changed while the draft was written stays. */
async function putInPlace(
  parent: OpenFolder,
  name: string,
  { draft, version }: { readonly draft: string; readonly version: string },
): Promise<Result<true>> {
  if (version === NEW) {
    try {
      // Never replaces: it fails if the name has been taken.
      await link(draft, parent.at(name))
      return ok(true)
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return err('event_changed')
      return refused(error)
    }
  }
  const present = await presentFile(parent, name)
  if (!present.ok) return present
  if (present.value?.version !== version) return err('event_changed')
  await rename(draft, parent.at(name))
  return ok(true)
}
