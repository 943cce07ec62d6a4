/**
 * The folder of backups: lists them, finds incomplete ones, applies retention. A folder counts as a backup once it has
 * its date as its name, which it gets last. Must not decrypt. Called by make.ts, job.ts and `pfar backup`.
 */
import { mkdir, open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ok, type Result } from '../../kernel/flow/verdict.ts'
import { type Backup, readBackup, verifyFiles } from './open-backup.ts'
import { byAge, toKeep } from './retention.ts'
import { withStorage } from './storage-trouble.ts'

/** Prefix of a folder that is being written. It excludes the folder from every list. */
export const PARTIAL = '.partial-'

/** The folder of backups. Only the default one is created: if a configured one is missing, its disk is not mounted. */
export interface Shelf {
  readonly path: string
  readonly create: boolean
}

/** Name of the default backup folder in the state folder. */
export const DEFAULT_SHELF = 'backups'

/** The configured folder, or the default one. */
export function shelfOf(state: string, config: { readonly backupFolder: string | null }): Shelf {
  const { backupFolder: named } = config
  return named === null ? { path: join(state, DEFAULT_SHELF), create: true } : { path: named, create: false }
}

/** Refusal: storage_failed. */
export function openShelf({ path, create }: Shelf): Promise<Result<true>> {
  return withStorage(path, async () => {
    if (create) await mkdir(path, { recursive: true, mode: 0o700 })
    for (const name of await readdir(path)) {
      if (name.startsWith(PARTIAL)) await rm(join(path, name), { recursive: true, force: true })
    }
    return ok(true)
  })
}

/** Names of the backups, newest first; empty if the folder does not exist. */
export async function namesOn(shelf: string): Promise<readonly string[]> {
  try {
    return byAge(await readdir(shelf))
  } catch {
    return []
  }
}

/**
 * When the newest readable backup was made (epoch milliseconds), or null. Ignores times in the future, which a wrong
 * clock has written: they would postpone the next backup until then.
 */
export async function newestOn(shelf: string, now: number): Promise<number | null> {
  return (await newestBackup(shelf, now))?.manifest.createdAt ?? null
}

/** The same, as a backup. */
export async function newestBackup(shelf: string, now: number): Promise<Backup | null> {
  for (const name of await namesOn(shelf)) {
    const backup = await readBackup(join(shelf, name))
    const at = backup.ok ? backup.value.manifest.createdAt : Number.POSITIVE_INFINITY
    if (backup.ok && at <= now) return backup.value
  }
  return null
}

/**
 * Deletes what retention does not keep, but only after `made` was read back from disk and verified. Returns the deleted
 * names. Refusals: those of `readBackup` and `verifyFiles`.
 */
export async function tidyShelf(shelf: string, made: string): Promise<Result<readonly string[]>> {
  const backup: Result<Backup> = await readBackup(join(shelf, made))
  if (!backup.ok) return backup
  const whole = await verifyFiles(backup.value)
  if (!whole.ok) return whole
  return withStorage(shelf, async () => {
    const names = await namesOn(shelf)
    const kept = toKeep(names)
    const gone = names.filter((name) => name !== made && !kept.has(name))
    for (const name of gone) await rm(join(shelf, name), { recursive: true })
    return ok(gone)
  })
}

/** Makes renames and new names in a folder durable across a power cut. */
export async function flushFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
