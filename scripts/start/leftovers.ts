/**
 * Waits for processes of a killed PFAR: they stop by themselves within seconds, and until then hold the port, the
 * edge's rows and home's lock. Must not end a process with a living parent. Called by bring-up.ts; edge.ts and home.ts
 * use its file names for process ids.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { StatePaths } from '../../sidecar/cli/state-paths.ts'
import type { StartArguments } from './arguments.ts'
import { killStale, RUNTIME } from './stale.ts'
import { commandLine } from './state.ts'

/** Script of each place's process, relative to the repository. */
export const CHILD_SCRIPTS = { edge: 'scripts/start/edge-main.js', home: 'sidecar/main.js' } as const

/** Maximum wait in ms, longer than the leash gives a child to stop. */
const WAIT_MS = 8_000
const LOOK_EVERY_MS = 50

export interface Leftovers {
  readonly paths: StatePaths
  readonly only: StartArguments['only']
  readonly say: (text: string) => void
  readonly signal: AbortSignal
}

/** File for the process id of the running workerd. */
export function runtimeNote({ edge }: Pick<StatePaths, 'edge'>): string {
  return join(edge, 'workerd.pid')
}

/** File for the process id of a place. */
export function childNote({ edge }: Pick<StatePaths, 'edge'>, place: 'edge' | 'home'): string {
  return join(edge, `${place}.pid`)
}

/** Gives up silently after a while: the place that cannot start then reports why. */
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
    // Process ids are reused.
    return commandLine(pid)?.includes(CHILD_SCRIPTS[place]) ?? true
  } catch {
    return false
  }
}
