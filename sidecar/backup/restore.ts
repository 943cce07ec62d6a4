/**
 * Restores a state folder from one backup and its passphrase (E-16). Decrypts and checks everything beside the state
 * folder, then renames folders, so that no half-restored state exists. The former folder is moved aside, never deleted.
 * Must not run while home does. Called by `pfar restore`; `pfar recover` uses the last steps.
 */

import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { type MasterNote, masterNumberIn } from '../keys/key-status.ts'
import { KEY_STORE_FILE } from '../keys/key-store.ts'
import { checkTrusted } from '../process/trusted-path.ts'
import { acquireRestoreLock, BACKUP_LOCK, checkFreeLock } from '../store/instance-lock.ts'
import { ASIDE, openStateFolder } from '../store/state-folder.ts'
import { withStorage } from '../store/storage-trouble.ts'
import { DEFAULT_ARCHIVE, flushFolder } from './archive.ts'
import { type Backup, HOME_PART, openBackup } from './backup.ts'

const HOME_RUNS = { file: 'home.lock', problem: 'home is running in this folder; stop it first' } as const

export interface RestoreInput {
  /** Path of the state folder; it need not exist. */
  readonly state: string
  readonly backup: Backup
  readonly passphrase: string
  /** Replace a state folder that is not empty: it is moved aside. */
  readonly replace: boolean
  /** Do everything except the last step. */
  readonly dryRun: boolean
  readonly now: number
}

interface Restored {
  readonly files: readonly string[]
  /** Where the former state folder is now, or null. */
  readonly aside: string | null
  readonly masterKey: MasterNote
}

/** Refusals: those of `openBackup`; storage_failed if home runs or the folder is not empty. */
export async function restoreBackup(input: RestoreInput): Promise<Result<Restored>> {
  return alone(input.state, async () => {
    const free = await checkFree(input)
    return free.ok ? restoreAlone(input) : free
  })
}

/** Runs `work` while no other restore, home or backup can start in this folder. Refusal: storage_failed. */
export async function alone<T>(state: string, work: () => Promise<Result<T>>): Promise<Result<T>> {
  const held = acquireRestoreLock(state)
  if (!held.ok) return held
  try {
    return await work()
  } finally {
    held.value.release()
  }
}

function restoreAlone(input: RestoreInput): Promise<Result<Restored>> {
  return withStaged(input.state, async (staged) => {
    const opened = await openBackup(input.backup, input.passphrase, { into: staged, part: HOME_PART })
    if (!opened.ok) return opened
    const files = input.backup.manifest.files.filter(HOME_PART).map(({ name }) => name)
    const masterKey = masterKeyOf(input.backup, staged)
    if (input.dryRun) return ok({ files, aside: null, masterKey })
    await flushFolder(staged)
    return ok({ files, aside: await putInPlace(input, staged), masterKey })
  })
}

/** A backup older than format 3 records only the number: the first master key is nearly always a development key. */
export function masterKeyOf({ manifest }: Backup, opened: string): MasterNote {
  const number = masterNumberIn(join(opened, KEY_STORE_FILE))
  return manifest.masterKey ?? { number, development: number === 1 }
}

/**
 * Refusal: storage_failed. Only tests the locks: held ones would move with the folder. A process that starts later
 * meets the restore's own lock. Changes nothing in a dry run.
 */
export async function checkFree({
  state,
  replace,
  dryRun,
}: Pick<RestoreInput, 'state' | 'replace' | 'dryRun'>): Promise<Result<true>> {
  if (dryRun || !existsSync(state)) return ok(true)
  const folder = openStateFolder(state)
  if (!folder.ok) return folder
  const inside = await readdir(state)
  for (const lock of [HOME_RUNS, BACKUP_LOCK].filter(({ file }) => inside.includes(file))) {
    const unheld = checkFreeLock(folder.value, lock)
    if (!unheld.ok) return unheld
  }
  if (replace || inside.every((name) => name === DEFAULT_ARCHIVE)) return ok(true)
  const problem = 'the state folder is not empty; --replace moves it aside and deletes nothing'
  return err('storage_failed', { file: basename(state), problem })
}

/**
 * Two renames; returns where the former state is, or null. If interrupted between them, the old state with its backups
 * is complete in the folder aside.
 */
export async function putInPlace(
  { state, now }: Pick<RestoreInput, 'state' | 'now'>,
  staged: string,
): Promise<string | null> {
  const aside = state + ASIDE + now
  const wasThere = existsSync(state)
  if (wasThere) await rename(state, aside)
  try {
    await rename(staged, state)
  } catch (error) {
    if (wasThere) await rename(aside, state)
    throw error
  }
  if (wasThere && existsSync(join(aside, DEFAULT_ARCHIVE))) {
    await rename(join(aside, DEFAULT_ARCHIVE), join(state, DEFAULT_ARCHIVE))
  }
  await flushFolder(state)
  if (!wasThere) return null
  // `rmdir` fails on a folder that is not empty: the folder aside goes only if it held nothing but the backups.
  return rmdir(aside).then(
    () => null,
    () => aside,
  )
}

const STAGED = '.restoring'

/** Deletes the folder afterwards, unless `work` moved it. Refusals: those of `work`; storage_failed. */
export function withStaged<T>(
  state: string,
  work: (staged: string) => Promise<Result<T>>,
): Promise<Result<T>> {
  const staged = `${state}${STAGED}-${randomBytes(6).toString('hex')}`
  return withStorage(basename(state), async () => {
    try {
      await removeOld(state)
      await mkdir(dirname(state), { recursive: true, mode: 0o700 })
      await mkdir(staged, { mode: 0o700 })
      const trusted = checkTrusted(staged, 'folder') ?? err('storage_failed')
      return trusted.ok ? await work(staged) : trusted
    } finally {
      await rm(staged, { recursive: true, force: true })
    }
  })
}

/** Deletes folders that an interrupted run left, if they are this account's. */
async function removeOld(state: string): Promise<void> {
  const beside = await readdir(dirname(state)).catch(() => [])
  for (const name of beside.filter((name) => name.startsWith(basename(state) + STAGED))) {
    const path = join(dirname(state), name)
    if (checkTrusted(path, 'folder')?.ok === true) await rm(path, { recursive: true, force: true })
  }
}
