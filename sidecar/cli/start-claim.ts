/**
 * The claim of one `npm start` on a state folder, as its lock file says it: which process, and which place alone where it brings up one for
 * good. Must not say whether that process is a starter. Called by attach.ts, uninstall-command.ts and scripts/start/state.ts.
 */
import { existsSync, readFileSync } from 'node:fs'
import type { Line } from './link.ts'

export interface Claim {
  readonly pid: number
  /** Null: both, or one that ends with the command that it was started for. */
  readonly only: 'edge' | 'home' | null
}

export function claimText({ pid, only }: Claim): string {
  return only === null ? String(pid) : `${pid} ${only}`
}

export function claimIn(lock: string): Claim {
  const [pid, only] = readFileSync(lock, 'utf8').trim().split(' ')
  return { pid: Number(pid), only: only === 'edge' || only === 'home' ? only : null }
}

/** The start that runs; null where none does. */
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

/** Whether it has, or will have, what a line needs. */
export function brings({ only }: Claim, line: Line): boolean {
  return only === null || only === (line === 'private' ? 'home' : 'edge')
}
