/**
 * Starts a script of home's in a process of its own and takes its word, one line of JSON. Whatever happens to it is a
 * refusal: killed, hung, or out of memory. Must not read what it works on. Called by the backup, the copy job and the reader of
 * PDFs.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { err, ok, type Result } from '../kernel/flow/verdict.ts'
import { isReasonCode } from '../kernel/reasons.ts'

export interface ChildRun {
  /** Absolute path. */
  readonly script: string
  /** What it is told on stdin, as JSON: arguments could be read by everybody. */
  readonly task: unknown
  /** Milliseconds after which it is given up: a disk that hangs answers nobody. */
  readonly longest: number
  /** Node's own options, such as those that take from it what it need not have. */
  readonly flags?: readonly string[]
  /** A command that runs Node in its turn, such as a sandbox. */
  readonly within?: readonly string[]
  /** Bytes of memory that it and all that it starts may have, where this system tells (Linux): more, and it is killed. */
  readonly memory?: number
}

/** UTF-16 units of the child's line. */
const MAX_OUTPUT = 65_536

/** Refusals: those of the script; internal_fault when it died, task_stopped when home stops. */
export function runChild(run: ChildRun, signal: AbortSignal): Promise<Result<unknown>> {
  const node = [process.execPath, ...(run.flags ?? []), run.script] as const
  const [program, ...args] = [...(run.within ?? []), ...node]
  const child = spawn(program ?? process.execPath, args, {
    // No variable of home's: the child needs none.
    env: {},
    stdio: ['pipe', 'pipe', 'ignore'],
    // A session of its own, away from home's terminal, and a group that ends as one.
    detached: true,
  })
  const end = (): void => killGroup(child)
  const timer = setTimeout(end, run.longest)
  signal.addEventListener('abort', end)
  if (signal.aborted) end()
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
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve(signal.aborted ? err('task_stopped') : readResult(output))
    })
  })
}

/** With all that it started: a sandbox that is killed before it stands leaves a process that waits for it. */
function killGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  } catch {
    child.kill('SIGKILL')
  }
}

/** Milliseconds between two looks: what unfolds fills memory by gigabytes a second. */
const LOOK_EVERY = 20

/** Node bounds its own heap, and not the buffers beside it, which a small file may unfold to. */
function watchMemory(child: ChildProcess, most: number): NodeJS.Timeout {
  return setInterval(() => {
    if (residentOfAll(child.pid) > most) killGroup(child)
  }, LOOK_EVERY)
}

/** Bytes of a process and of all that it started: a sandbox is not what fills memory, but what runs in it. */
function residentOfAll(pid: number | undefined): number {
  if (pid === undefined) return 0
  return childrenOf(pid).reduce((sum, child) => sum + residentOfAll(child), residentOf(pid) ?? 0)
}

/** Of each thread; none where the system does not say so. */
function childrenOf(pid: number): readonly number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    )
  } catch {
    return []
  }
}

/** Bytes; null where the system does not say so, or it is gone. */
function residentOf(pid: number): number | null {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return kilobytes === undefined ? null : Number(kilobytes) * 1_024
  } catch {
    return null
  }
}

function readResult(output: string): Result<unknown> {
  try {
    const {
      ok: went,
      reason,
      value,
    } = JSON.parse(output) as {
      ok?: unknown
      reason?: { code?: unknown }
      value?: unknown
    }
    if (went === true) return ok(value)
    const code = reason?.code
    return err(isReasonCode(code) ? code : 'internal_fault')
  } catch {
    return err('internal_fault')
  }
}
