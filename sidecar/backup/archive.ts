/**
 * The folder of backups: lists them, finds incomplete ones, applies retention (E-15). A folder counts as a backup once it has
 * its date as its name, which it gets last. Must not decrypt. Called by make.ts, job.ts and `pfar backup`.
 */

import { mkdir, open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ok, type Result } from '../../kernel/flow/verdict.ts'
import { withStorage } from '../store/storage-trouble.ts'
import { type Backup, readBackup, verifyFiles } from './backup.ts'

/** For how many days, and for how many weeks before them, one backup is kept (S-04). */
export interface Kept {
  readonly days: number
  readonly weeks: number
}

const USUALLY: Kept = Object.freeze({ days: 7, weeks: 4 })
/** Backups kept of the newest day. Bounds what repeated `pfar backup now` can fill. */
const LAST_DAY = 4
const MILLISECONDS_PER_DAY = 86_400_000
/** 1970-01-01 was a Thursday: the offset makes weeks start on Monday. */
const MONDAY_OFFSET = 3

/** `2026-11-22`, or `2026-11-22-2` for the second of that day. */
const NAME = /^(\d{4}-\d{2}-\d{2})(?:-([2-9]|[1-9]\d{1,3}))?$/

export function isBackupName(name: string): boolean {
  const date = NAME.exec(name)?.[1]
  return date !== undefined && !Number.isNaN(Date.parse(date))
}

/** `YYYY-MM-DD` in the owner's time zone. */
export function dayOf(now: number, timezone: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: timezone, dateStyle: 'short' }).format(now)
}

/** The local day of a backup, `YYYY-MM-DD`. */
function dayOfName(name: string): string {
  return name.slice(0, 10)
}

/** Newest first. Days without a backup do not count, so a home that was off for a month loses none. */
export function byAge(names: readonly string[]): readonly string[] {
  return names.filter(isBackupName).toSorted((a, b) => key(b).localeCompare(key(a)))
}

/** Name for another backup of `day`, numbered above all existing ones: reusing a freed number would sort as older. */
export function nextName(names: readonly string[], day: string): string {
  const newest = byAge(names).find((name) => dayOfName(name) === day)
  return newest === undefined ? day : `${day}-${Number(newest.slice(day.length + 1) || '1') + 1}`
}

export function toKeep(names: readonly string[], { days, weeks }: Kept = USUALLY): ReadonlySet<string> {
  const all = byAge(names)
  const lastDay = all.filter((name) => dayOfName(name) === dayOfName(all[0] ?? '')).slice(0, LAST_DAY)
  const daily = newestOfEach(all, dayOfName)
  const weekly = newestOfEach(daily.slice(days), weekOf).slice(0, weeks)
  return new Set([...lastDay, ...daily.slice(0, days), ...weekly])
}

function newestOfEach(names: readonly string[], period: (name: string) => string): readonly string[] {
  const seen = new Set<string>()
  return names.filter((name) => {
    const key = period(name)
    return seen.has(key) ? false : seen.add(key)
  })
}

/** Number of the week, Monday to Sunday. A name is a calendar day, so daylight saving time does not matter. */
function weekOf(name: string): string {
  const day = Math.floor(Date.parse(dayOfName(name)) / MILLISECONDS_PER_DAY)
  return String(Math.floor((day + MONDAY_OFFSET) / 7))
}

function key(name: string): string {
  return `${dayOfName(name)}-${(NAME.exec(name)?.[2] ?? '1').padStart(4, '0')}`
}

/** Prefix of a folder that is being written. It excludes the folder from every list. */
export const PARTIAL = '.partial-'

/** The folder of backups. Only the default one is created: if a configured one is missing, its disk is not mounted. */
export interface Archive {
  readonly path: string
  readonly create: boolean
  /** Absent: the shipped defaults. */
  readonly kept?: Kept
}

export const DEFAULT_ARCHIVE = 'backups'

export function archiveOf(
  state: string,
  {
    backupFolder: named,
    backupKept: kept,
  }: { readonly backupFolder: string | null; readonly backupKept: Kept },
): Archive {
  return named === null
    ? { path: join(state, DEFAULT_ARCHIVE), create: true, kept }
    : { path: named, create: false, kept }
}

/** Refusal: storage_failed. */
export function openArchive({ path, create }: Archive): Promise<Result<true>> {
  return withStorage(path, async () => {
    if (create) await mkdir(path, { recursive: true, mode: 0o700 })
    for (const name of await readdir(path)) {
      if (name.startsWith(PARTIAL)) await rm(join(path, name), { recursive: true, force: true })
    }
    return ok(true)
  })
}

/** Names of the backups, newest first; empty if the folder does not exist. */
export async function namesOn(archive: string): Promise<readonly string[]> {
  try {
    return byAge(await readdir(archive))
  } catch {
    return []
  }
}

/**
 * When the newest readable backup was made (epoch milliseconds), or null. Ignores times in the future, which a wrong
 * clock has written: they would postpone the next backup until then.
 */
export async function newestOn(archive: string, now: number): Promise<number | null> {
  return (await newestBackup(archive, now))?.manifest.createdAt ?? null
}

export async function newestBackup(archive: string, now: number): Promise<Backup | null> {
  for (const name of await namesOn(archive)) {
    const backup = await readBackup(join(archive, name))
    const at = backup.ok ? backup.value.manifest.createdAt : Number.POSITIVE_INFINITY
    if (backup.ok && at <= now) return backup.value
  }
  return null
}

/**
 * Deletes what retention does not keep, but only after `made` was read back from disk and verified. Returns the deleted
 * names. Refusals: those of `readBackup` and `verifyFiles`.
 */
export async function tidyArchive(
  { path: archive, kept: bounds }: Pick<Archive, 'path' | 'kept'>,
  made: string,
): Promise<Result<readonly string[]>> {
  const backup: Result<Backup> = await readBackup(join(archive, made))
  if (!backup.ok) return backup
  const whole = await verifyFiles(backup.value)
  if (!whole.ok) return whole
  return withStorage(archive, async () => {
    const names = await namesOn(archive)
    const kept = toKeep(names, bounds)
    const gone = names.filter((name) => name !== made && !kept.has(name))
    for (const name of gone) await rm(join(archive, name), { recursive: true })
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
