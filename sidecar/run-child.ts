/**
 * Starts a script of home's in a process of its own and takes its word, one line of JSON. Whatever happens to it is a
 * refusal: killed, hung, or out of memory. Must not read what it works on. Called by the backup and the copy job.
 */
import { spawn } from 'node:child_process'
import { allowed, isReasonCode, type Result, refused } from '../kernel/flow/verdict.ts'

export interface ChildRun {
  /** Absolute path. */
  readonly script: string
  /** What it is told on stdin, as JSON: arguments could be read by everybody. */
  readonly task: unknown
  /** Milliseconds after which it is given up: a disk that hangs answers nobody. */
  readonly longest: number
}

/** UTF-16 units of the child's line. */
const MAX_OUTPUT = 65_536

/** Refusals: those of the script; internal_fault when it died, task_stopped when home stops. */
export function runChild(run: ChildRun, signal: AbortSignal): Promise<Result<unknown>> {
  const child = spawn(process.execPath, [run.script], {
    // No variable of home's: the child needs none.
    env: {},
    stdio: ['pipe', 'pipe', 'ignore'],
    signal,
    timeout: run.longest,
    killSignal: 'SIGKILL',
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (output.length < MAX_OUTPUT) output += text
  })
  // It may have died before it was told.
  child.stdin.on('error', () => undefined).end(JSON.stringify(run.task))
  return new Promise((resolve) => {
    child.on('error', () => undefined)
    child.on('close', () => resolve(signal.aborted ? refused('task_stopped') : readResult(output)))
  })
}

function readResult(output: string): Result<unknown> {
  try {
    const { ok, reason, value } = JSON.parse(output) as {
      ok?: unknown
      reason?: { code?: unknown }
      value?: unknown
    }
    if (ok === true) return allowed(value)
    const code = reason?.code
    return refused(isReasonCode(code) ? code : 'internal_fault')
  } catch {
    return refused('internal_fault')
  }
}
