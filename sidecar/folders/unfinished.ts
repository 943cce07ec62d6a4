/**
 * Notes of moves that have begun, in the folder of what was put away: a move is a second name and the removal of the first, and a file of two names is
 * neither listed nor opened. If home dies between, the next home removes the name that is too many. Must not remove a last name. Called by folders.ts.
 */
import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { lstat, open, readdir, unlink } from 'node:fs/promises'
import * as z from 'zod/mini'
import { ok, type Result } from '../../kernel/flow/verdict.ts'
import type { OpenFolder } from './open-inside.ts'

/** No name of what was put away. */
const NOTE = /^move-[0-9a-f]{16}$/
/** Notes that are read at a start, and bytes of one: somebody else may have filled the folder. */
const MOST_NOTES = 100
const MOST_BYTES = 65_536

const named = z.strictObject({
  folder: z.int().check(z.gte(0)),
  /** Below the named folder, or one name of what was put away. */
  names: z.readonly(z.array(z.string()).check(z.minLength(1), z.maxLength(20))),
  away: z.boolean(),
})
const noted = z.strictObject({ keep: named, drop: named })

export type Named = z.infer<typeof named>
/** Two names of one file while it moves, and which of them stays if that is not finished. */
export type Twins = z.infer<typeof noted>

/** Name of the note. Throws as `open` does. */
export async function noteMove(trash: OpenFolder, twins: Twins): Promise<Result<string>> {
  const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants
  const name = `move-${randomBytes(8).toString('hex')}`
  const handle = await open(trash.at(name), O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY, 0o600)
  try {
    await handle.writeFile(JSON.stringify(twins))
    await handle.sync()
  } finally {
    await handle.close()
  }
  await trash.handle.sync().catch(() => undefined)
  return ok(name)
}

export async function forgetMove(trash: OpenFolder, name: string): Promise<Result<true>> {
  await unlink(trash.at(name)).catch(() => undefined)
  return ok(true)
}

/** The notes that are there, by their names; null for what is none of ours. */
export async function movesNoted(trash: OpenFolder): Promise<ReadonlyMap<string, Twins | null>> {
  const names = (await readdir(trash.at('.'))).filter((name) => NOTE.test(name)).slice(0, MOST_NOTES)
  const found = new Map<string, Twins | null>()
  for (const name of names) found.set(name, await readNote(trash.at(name)).catch(() => null))
  return found
}

async function readNote(path: string): Promise<Twins | null> {
  const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants
  const handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  try {
    const stats = await handle.stat()
    if (!stats.isFile() || stats.size > MOST_BYTES) return null
    const { success, data } = z.safeParse(noted, JSON.parse(await handle.readFile('utf8')))
    return success ? data : null
  } finally {
    await handle.close()
  }
}

/** Whether both are the only two names of one file. */
export async function areTwins(one: string, other: string): Promise<boolean> {
  const stats = (path: string) => lstat(path, { bigint: true }).catch(() => null)
  const [a, b] = [await stats(one), await stats(other)]
  return a !== null && b !== null && a.isFile() && a.nlink === 2n && a.ino === b.ino && a.dev === b.dev
}
