/**
 * The state folder, ready for use: private, with a commented configuration at first, and owned by one `npm start`.
 * Must not read keys. Called by scripts/start.ts.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { StatePaths } from '../../sidecar/cli/state-paths.ts'
import { defaultConfig } from '../../sidecar/init/config-template.ts'
import { openStateFolder, type StateFolder } from '../../sidecar/state-folder.ts'
import { done, type Outcome, trouble } from './outcome.ts'

/** Creates what is missing; changes nothing that is there. */
export function prepareState(paths: StatePaths): Outcome<StateFolder> {
  const folder = openStateFolder(paths.root)
  if (!folder.ok)
    return trouble(`The state folder ${paths.root} cannot be used: ${folder.reason.facts['problem']}.`)
  try {
    mkdirSync(paths.edge, { recursive: true, mode: 0o700 })
    mkdirSync(paths.logs, { recursive: true, mode: 0o700 })
    writeIfMissing(paths.config, defaultConfig)
    return done(folder.value)
  } catch {
    return trouble(`PFAR may not write in ${paths.root}. Give it another folder with PFAR_HOME.`)
  }
}

function writeIfMissing(path: string, text: () => string): void {
  try {
    writeFileSync(path, text(), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** Takes the folder for this process; gives back the way to release it. A dead owner's claim is void. */
export function claimState({ lock, root }: StatePaths): Outcome<() => void> {
  for (const attempt of [1, 2]) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx', mode: 0o600 })
      return done(() => rmSync(lock, { force: true }))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') break
      const owner = Number(readFileSync(lock, 'utf8'))
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

/** Alive, and where the system can tell, a starter: process ids are used again after a reboot. */
function isStarter(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  return commandLine(pid)?.includes('start.ts') ?? true
}

/** Null where the system has no /proc. */
export function commandLine(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return null
  }
}
