/**
 * Prepares the state folder: private, with a commented configuration at first, and claimed by one `npm start`. Must not
 * read keys. Called by run.ts.
 */
import { mkdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { wordsFor } from '../../kernel/wording/words.ts'
import { type Claim, claimIn, claimText, type StatePaths } from '../../sidecar/cli/state-paths.ts'
import { defaultConfig } from '../../sidecar/config/config-edit.ts'
import { openStateFolder, type StateFolder } from '../../sidecar/store/state-folder.ts'
import { diskRefusal } from '../../sidecar/store/storage-trouble.ts'
import { done, type Outcome, type Trouble, trouble } from './outcome.ts'

/** Creates what is missing; changes nothing that exists. */
export function prepareState(paths: StatePaths): Outcome<StateFolder> {
  const folder = openStateFolder(paths.root)
  if (!folder.ok)
    return trouble(`The state folder ${paths.root} cannot be used: ${folder.reason.facts['problem']}.`)
  try {
    mkdirSync(paths.edge, { recursive: true, mode: 0o700 })
    mkdirSync(paths.logs, { recursive: true, mode: 0o700 })
    writeIfMissing(paths.config, defaultConfig)
    return done(folder.value)
  } catch (error) {
    return notWritten(paths.root, error)
  }
}

/** Distinguishes a full disk from a folder without write permission: another folder on a full disk would not help. */
export function notWritten(root: string, error: unknown): Trouble {
  return diskRefusal(error)?.code === 'storage_full'
    ? trouble(`${root}: ${wordsFor('storage_full')}`)
    : trouble(`PFAR may not write in ${root}. Give it another folder with PFAR_HOME.`)
}

/** Minimum free space in bytes; with less, a child cannot even log why it did not start. */
const LEAST_FREE = 65_536

/** Replaces the message of a failed start on a full disk, because that is the cause whichever part noticed first. */
export function orFull(root: string, failed: Trouble): Trouble {
  try {
    const { bavail, bsize } = statfsSync(root)
    return bavail * bsize < LEAST_FREE ? trouble(`${root}: ${wordsFor('storage_full')}`) : failed
  } catch {
    return failed
  }
}

function writeIfMissing(path: string, text: () => string): void {
  try {
    writeFileSync(path, text(), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/**
 * Claims the folder for this process; returns a function that releases it. The claim of a dead process is void. `only`:
 * the one place that it runs permanently, so that nobody waits for the other.
 */
export function claimState({ lock, root }: StatePaths, only: Claim['only'] = null): Outcome<() => void> {
  for (const attempt of [1, 2]) {
    try {
      writeFileSync(lock, claimText({ pid: process.pid, only }), { flag: 'wx', mode: 0o600 })
      return done(() => rmSync(lock, { force: true }))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return notWritten(root, error)
      const owner = claimIn(lock).pid
      if (attempt === 2 || isStarter(owner)) {
        return trouble(
          `PFAR already runs for ${root} (process ${owner}). Stop that one first, or set PFAR_HOME.`,
        )
      }
      rmSync(lock, { force: true })
    }
  }
  return trouble(`PFAR may not write in ${root}. Give it another folder with PFAR_HOME.`)
}

/** Whether the process is alive and, if the system can tell, a starter: process ids are reused after a reboot. */
function isStarter(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  return commandLine(pid)?.includes('start.js') ?? true
}

/** Command line of a process; null if it is gone or the system has no /proc. */
export function commandLine(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return null
  }
}
