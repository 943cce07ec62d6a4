/**
 * The scheduled backup in its own process (child.ts). Must not read what is backed up. Called by job.ts through home's
 * wiring.
 */
import { fileURLToPath } from 'node:url'
import { allowed, type Result } from '../../kernel/flow/verdict.ts'
import { runChild } from '../run-child.ts'
import type { Shelf } from './shelf.ts'

export interface ChildTask {
  readonly state: string
  readonly shelf: Shelf
  readonly timezone: string
  readonly now: number
}

const SCRIPT = fileURLToPath(new URL('child.ts', import.meta.url))
/** Milliseconds after which a backup is given up. */
const LONGEST_RUN = 3_600_000

/** Refusals: those of `makeBackup` and `runChild`. */
export async function runBackupChild(task: ChildTask, signal: AbortSignal): Promise<Result<true>> {
  const made = await runChild({ script: SCRIPT, task, longest: LONGEST_RUN }, signal)
  return made.ok ? allowed(true) : made
}
