/**
 * Waits for what a killed PFAR left behind: its children stop by themselves, within seconds, and until then they hold
 * the port, the edge's rows and home's lock. Must not end what has a living parent. Called by bring-up.ts; edge.ts
 * and home.ts ask it where to note their processes.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { StatePaths } from '../../sidecar/cli/state-paths.ts'
import type { StartArguments } from './arguments.ts'
import { killStale, RUNTIME } from './stale.ts'
import { commandLine } from './state.ts'

/** What the place's process runs, relative to the repository. */
export const CHILD_SCRIPTS = { edge: 'scripts/start/edge-main.ts', home: 'sidecar/main.ts' } as const

/** Milliseconds: longer than the leash gives a child. */
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

/** Where the process id of a place is noted. */
export function childNote({ edge }: Pick<StatePaths, 'edge'>, place: 'edge' | 'home'): string {
  return join(edge, `${place}.pid`)
}

/** Gives up after a while without a word: whatever is in the way then is told by the place that it is in the way of. */
export async function awaitLeftovers({ paths, only, say, signal }: Leftovers): Promise<void> {
  const places = (['edge', 'home'] as const).filter((place) => only === null || only === place)
  const left = () =>
    places.some((place) => isRunning(paths, place)) || killStale(runtimeNote(paths), RUNTIME) > 0
  if (!left()) return
  say('start  what a killed PFAR left behind is still stopping; waiting for it')
  for (const end = Date.now() + WAIT_MS; left() && Date.now() < end && !signal.aborted; )
    await pause(LOOK_EVERY_MS)
}

function isRunning(paths: StatePaths, place: 'edge' | 'home'): boolean {
  try {
    const pid = Number(readFileSync(childNote(paths, place), 'utf8'))
    if (!Number.isInteger(pid) || pid <= 1) return false
    process.kill(pid, 0)
    // Process ids are used again.
    return commandLine(pid)?.includes(CHILD_SCRIPTS[place]) ?? true
  } catch {
    return false
  }
}
