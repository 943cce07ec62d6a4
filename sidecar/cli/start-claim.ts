/**
 * Lock file by which one `npm start` claims a state folder: its process id, and the place if it runs only one. Must not
 * decide whether that process is a starter. Called by attach.ts, uninstall-command.ts and scripts/start/state.ts.
 */
import { existsSync, readFileSync } from 'node:fs'
import type { Line } from './line/link.ts'

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
