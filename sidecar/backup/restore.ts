/**
 * Brings a state folder back from one backup and its passphrase (E-16). Everything is decrypted and checked beside the
 * state folder first; then folders are renamed, so there is never half a state. What was there is moved aside, never
 * deleted. Must not run while home does. Called by `pfar restore`; `pfar recover`
 * takes the same last steps.
 */
import { existsSync } from 'node:fs'
import { readdir, rename, rmdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { acquireRestoreLock, BACKUP_LOCK, checkFreeLock } from '../instance-lock.ts'
import { KEY_STORE_FILE } from '../keys/key-store.ts'
import { type MasterNote, masterNumberIn } from '../keys/master-note.ts'
import { ASIDE, openStateFolder } from '../state-folder.ts'
import { type Backup, HOME_PART, openBackup } from './open-backup.ts'
import { DEFAULT_SHELF, flushFolder } from './shelf.ts'
import { withStaged } from './staged.ts'

const HOME_RUNS = { file: 'home.lock', problem: 'home is running in this folder; stop it first' } as const

export interface RestoreInput {
  /** Path of the state folder; it need not exist. */
  readonly state: string
  readonly backup: Backup
  readonly passphrase: string
  /** Restore over a state folder that holds something: it is moved aside. */
  readonly replace: boolean
  /** Do everything but the last step. */
  readonly dryRun: boolean
  readonly now: number
}

export interface Restored {
  readonly files: readonly string[]
  /** Where the state folder that was there is now, or null. */
  readonly aside: string | null
  /** Which master key its rows need. */
  readonly masterKey: MasterNote
}

/** Refusals: those of `openBackup`; storage_failed when home runs or the folder is not empty. */
export async function restoreBackup(input: RestoreInput): Promise<Result<Restored>> {
  return alone(input.state, async () => {
    const free = await checkFree(input)
    return free.ok ? restoreAlone(input) : free
  })
}

/** Nobody else restores this folder, and no home or backup begins in it, until `work` has ended. Refusal: storage_failed. */
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

/** A backup of before format 3 says it by its number alone: the first master key is hardly ever another than a development key. */
export function masterKeyOf({ manifest }: Backup, opened: string): MasterNote {
  const number = masterNumberIn(join(opened, KEY_STORE_FILE))
  return manifest.masterKey ?? { number, development: number === 1 }
}

/** Refusal: storage_failed. The locks are only tried: held while the folder moves, they would move along; who begins later meets the restore's own. A trial run changes nothing. */
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
  if (replace || inside.every((name) => name === DEFAULT_SHELF)) return ok(true)
  const problem = 'the state folder is not empty; --replace moves it aside and deletes nothing'
  return err('storage_failed', { file: basename(state), problem })
}

/** Two renames; returns where the former state is, or null. Cut off between them, the old state is whole in the folder aside, and the backups with it. */
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
  if (wasThere && existsSync(join(aside, DEFAULT_SHELF))) {
    await rename(join(aside, DEFAULT_SHELF), join(state, DEFAULT_SHELF))
  }
  await flushFolder(state)
  if (!wasThere) return null
  return (await isRemoved(aside)) ? null : aside
}

/** `rmdir` fails on what is not empty: only an aside that held nothing but the backups goes. */
async function isRemoved(aside: string): Promise<boolean> {
  return rmdir(aside).then(
    () => true,
    () => false,
  )
}
