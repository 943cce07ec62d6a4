/**
 * Starts child.ts and takes its word. Whatever happens to the child is a refusal: killed, hung, or out of memory. Must
 * not read what is backed up. Called by job.ts.
 */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { allowed, isReasonCode, type Result, refused } from '../../kernel/flow/verdict.ts'
import type { Shelf } from './shelf.ts'

export interface ChildTask {
  readonly state: string
  readonly shelf: Shelf
  readonly timezone: string
  readonly now: number
}

const CHILD = fileURLToPath(new URL('child.ts', import.meta.url))
/** Milliseconds after which a backup is given up: a disk that hangs answers nobody. */
const LONGEST_RUN = 3_600_000
/** UTF-16 units of the child's line. */
const MAX_OUTPUT = 65_536

/** Refusals: those of `makeBackup`; internal_fault when the child died, task_stopped when home stops. */
export function runBackupChild(task: ChildTask, signal: AbortSignal): Promise<Result<true>> {
  const child = spawn(process.execPath, [CHILD, JSON.stringify(task)], {
    // No variable of home's: the child needs none.
    env: {},
    stdio: ['ignore', 'pipe', 'ignore'],
    signal,
    timeout: LONGEST_RUN,
    killSignal: 'SIGKILL',
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (output.length < MAX_OUTPUT) output += text
  })
  return new Promise((resolve) => {
    child.on('error', () => undefined)
    child.on('close', () => resolve(signal.aborted ? refused('task_stopped') : readResult(output)))
  })
}

function readResult(output: string): Result<true> {
  try {
    const { ok, reason } = JSON.parse(output) as { ok?: unknown; reason?: { code?: unknown } }
    if (ok === true) return allowed(true)
    const code = reason?.code
    return refused(isReasonCode(code) ? code : 'internal_fault')
  } catch {
    return refused('internal_fault')
  }
}
