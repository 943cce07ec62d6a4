/**
 * Copies of what a write replaced, in the folder of what was put away: the newest few, so that a write can be taken back. Must not remove anything else that
 * lies there, or follow a link. Called by folders.ts.
 */
import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { lstat, open, readdir, unlink } from 'node:fs/promises'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { isOrdinary, type OpenFolder, refused } from './open-inside.ts'

/** No name of what was put away, nor of a note. */
const COPY = /^was-[0-9a-f]{16}$/
/** Of each named folder: copies, and bytes of all. A folder that is written to daily must not fill the disk. */
export const KEPT_COPIES = Object.freeze({ most: 50, bytes: 16_777_216 })
const COPY_MODE = 0o600

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants

/** Makes room by removing the oldest copies. Returns the name of the new one. Refusals: storage_full, file_denied. */
export async function keepCopy(trash: OpenFolder, bytes: Uint8Array): Promise<Result<string>> {
  const name = `was-${randomBytes(8).toString('hex')}`
  try {
    await makeRoom(trash, bytes.length)
    const handle = await open(trash.at(name), O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY, COPY_MODE)
    try {
      await handle.writeFile(bytes)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await trash.handle.sync().catch(() => undefined)
    return ok(name)
  } catch (error) {
    await unlink(trash.at(name)).catch(() => undefined)
    return refused(error)
  }
}

async function makeRoom(trash: OpenFolder, needed: number): Promise<void> {
  const names = (await readdir(trash.at('.'))).filter((name) => COPY.test(name))
  const found = await Promise.all(
    names.map(async (name) => ({ name, stats: await lstat(trash.at(name)).catch(() => null) })),
  )
  const copies = found
    .flatMap(({ name, stats }) =>
      stats !== null && isOrdinary(stats, trash.device)
        ? [{ name, at: stats.mtimeMs, size: stats.size }]
        : [],
    )
    .toSorted((one, other) => one.at - other.at)
  let [count, size] = [copies.length, copies.reduce((sum, copy) => sum + copy.size, 0)]
  for (const copy of copies) {
    if (count < KEPT_COPIES.most && size + needed <= KEPT_COPIES.bytes) return
    await unlink(trash.at(copy.name))
    count -= 1
    size -= copy.size
  }
}

/** Refusals: remote_not_found for what is no copy or is gone, file_too_large, file_denied. */
export async function readCopy(trash: OpenFolder, name: string, most: number): Promise<Result<Uint8Array>> {
  if (!COPY.test(name)) return err('remote_not_found')
  try {
    const handle = await open(trash.at(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    try {
      const stats = await handle.stat()
      if (!isOrdinary(stats, trash.device)) return err('file_denied')
      return stats.size > most ? err('file_too_large') : ok(await handle.readFile())
    } finally {
      await handle.close()
    }
  } catch (error) {
    return refused(error)
  }
}

export async function dropCopy(trash: OpenFolder, name: string): Promise<Result<true>> {
  if (COPY.test(name)) await unlink(trash.at(name)).catch(() => undefined)
  return ok(true)
}
