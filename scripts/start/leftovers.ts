/**
 * Waits for what a killed PFAR left behind: its children stop by themselves, within seconds, and until then they hold
 * the port, the edge's rows and home's lock. Must not end what has a living parent. Called by bring-up.ts.
 */
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { StatePaths } from '../../sidecar/cli/state-paths.ts'
import { acquireInstanceLock } from '../../sidecar/instance-lock.ts'
import { openStateFolder } from '../../sidecar/state-folder.ts'
import type { StartArguments } from './arguments.ts'
import { isNotedRunning, killStale } from './stale.ts'

/** Program that runs the edge. */
export const RUNTIME = 'workerd'

/** Milliseconds: longer than the leash gives a child. Whoever is there then is another's, and each place says so. */
const WAIT_MS = 8_000
const LOOK_EVERY_MS = 50

export interface Leftovers {
  readonly paths: StatePaths
  readonly only: StartArguments['only']
  readonly say: (text: string) => void
  readonly signal: AbortSignal
}

/** Where the process id of the running workerd is noted. */
export function runtimeNote({ edge }: Pick<StatePaths, 'edge'>): string {
  return join(edge, 'workerd.pid')
}

export async function awaitLeftovers({ paths, only, say, signal }: Leftovers): Promise<void> {
  const held = () => (only !== 'home' && edgeIsHeld(paths)) || (only !== 'edge' && homeIsHeld(paths))
  if (!held()) return
  say('start  the PFAR that ran here before is still stopping; waiting for it')
  for (const end = Date.now() + WAIT_MS; Date.now() < end && held() && !signal.aborted; )
    await pause(LOOK_EVERY_MS)
}

/** A runtime whose parent is gone would never stop. */
function edgeIsHeld(paths: StatePaths): boolean {
  const note = runtimeNote(paths)
  killStale(note, RUNTIME)
  return isNotedRunning(note, RUNTIME)
}

function homeIsHeld({ root }: StatePaths): boolean {
  const folder = openStateFolder(root)
  const lock = folder.ok ? acquireInstanceLock(folder.value) : folder
  if (lock.ok) lock.value.release()
  return !lock.ok
}
