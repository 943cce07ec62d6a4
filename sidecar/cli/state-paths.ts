/**
 * Paths of the files of one installation (PFAR_HOME, default ~/.pfar), and the lock file by which one `npm start` claims it.
 * Must not open the other files. Called by the commands and by `npm start`.
 */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { configPath } from '../config/config.ts'
import { stateFolderPath } from '../store/state-folder.ts'
import type { Line } from './line/link.ts'

export interface StatePaths {
  readonly root: string
  readonly config: string
  /** Unix socket of the private line. */
  readonly socket: string
  readonly edge: string
  /** Keys, address and port of the local edge (0600). */
  readonly edgeFile: string
  /** Process id of the `npm start` that owns the folder. */
  readonly lock: string
  /** Configuration of a demo run: the owner's with the demo accounts added. Rewritten at each start. */
  readonly demoConfig: string
  readonly logs: string
  /** Id of the card that the command line printed last (0600). */
  readonly shownCard: string
}

export type Environment = Readonly<Record<string, string | undefined>>

export function statePaths(environment: Environment): StatePaths {
  const root = stateFolderPath(environment)
  const edge = join(root, 'edge')
  return {
    root,
    config: configPath(environment, root),
    socket: join(root, 'home.sock'),
    edge,
    edgeFile: join(edge, 'edge.json'),
    lock: join(root, 'start.pid'),
    demoConfig: join(root, 'demo.toml'),
    logs: join(root, 'logs'),
    shownCard: join(root, 'shown-card'),
  }
}

export interface Claim {
  readonly pid: number
  /** Null: both places, or a start that ends with the command it was made for. */
  readonly only: 'edge' | 'home' | null
}

export function claimText({ pid, only }: Claim): string {
  return only === null ? String(pid) : `${pid} ${only}`
}

export function claimIn(lock: string): Claim {
  const [pid, only] = readFileSync(lock, 'utf8').trim().split(' ')
  return { pid: Number(pid), only: only === 'edge' || only === 'home' ? only : null }
}

/** The claim of a running start; null if there is none. */
export function runningClaim(lock: string): Claim | null {
  if (!existsSync(lock)) return null
  try {
    const claim = claimIn(lock)
    process.kill(claim.pid, 0)
    return claim
  } catch {
    return null
  }
}

/** Whether this start provides, or will provide, what a line needs. */
export function brings({ only }: Claim, line: Line): boolean {
  return only === null || only === (line === 'private' ? 'home' : 'edge')
}
