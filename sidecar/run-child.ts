/**
 * Starts a script of home's in a process of its own and takes its word, one line of JSON. Whatever happens to it is a
 * refusal: killed, hung, or out of memory. Must not read what it works on. Called by the backup, the copy job and the reader of
 * PDFs.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { allowed, isReasonCode, type Result, refused } from '../kernel/flow/verdict.ts'

export interface ChildRun {
  /** Absolute path. */
  readonly script: string
  /** What it is told on stdin, as JSON: arguments could be read by everybody. */
  readonly task: unknown
  /** Milliseconds after which it is given up: a disk that hangs answers nobody. */
  readonly longest: number
  /** Node's own options, such as those that take from it what it need not have. */
  readonly flags?: readonly string[]
  /** Bytes of memory that it may have, where this system tells (Linux): more, and it is killed. */
  readonly memory?: number
}

/** UTF-16 units of the child's line. */
const MAX_OUTPUT = 65_536

/** Refusals: those of the script; internal_fault when it died, task_stopped when home stops. */
export function runChild(run: ChildRun, signal: AbortSignal): Promise<Result<unknown>> {
  const child = spawn(process.execPath, [...(run.flags ?? []), run.script], {
    // No variable of home's: the child needs none.
    env: {},
    stdio: ['pipe', 'pipe', 'ignore'],
    signal,
    timeout: run.longest,
    killSignal: 'SIGKILL',
  })
  const watch = run.memory === undefined ? undefined : watchMemory(child, run.memory)
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (output.length < MAX_OUTPUT) output += text
  })
  // It may have died before it was told.
  child.stdin.on('error', () => undefined).end(JSON.stringify(run.task))
  return new Promise((resolve) => {
    child.on('error', () => undefined)
    child.on('close', () => {
      clearInterval(watch)
      resolve(signal.aborted ? refused('task_stopped') : readResult(output))
    })
  })
}

/** Milliseconds between two looks: what unfolds fills memory by gigabytes a second. */
const LOOK_EVERY = 20

/** Node bounds its own heap, and not the buffers beside it, which a small file may unfold to. */
function watchMemory(child: ChildProcess, most: number): NodeJS.Timeout {
  return setInterval(() => {
    if ((residentOf(child.pid) ?? 0) > most) child.kill('SIGKILL')
  }, LOOK_EVERY)
}

/** Bytes; null where the system does not say so, or it is gone. */
function residentOf(pid: number | undefined): number | null {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return kilobytes === undefined ? null : Number(kilobytes) * 1_024
  } catch {
    return null
  }
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
