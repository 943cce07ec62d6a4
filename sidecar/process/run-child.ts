/**
 * Runs a script of home's in a child process and reads its result, one line of JSON. If the child is killed, hangs or
 * runs out of memory, the result is a refusal. Must not read what the child works on. Called by the backup, the copy
 * job and, confined, the parsers.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { isReasonCode } from '../../kernel/reasons.ts'

export interface ChildRun {
  /** Absolute path. */
  readonly script: string
  /** Sent to the child's stdin as JSON, because other accounts can read arguments. */
  readonly task: unknown
  /** Milliseconds until the child is killed: a hanging disk would never return. */
  readonly longest: number
  /** Options for Node, such as those that restrict its permissions. */
  readonly flags?: readonly string[]
  /** Command that runs Node in turn, such as a sandbox. */
  readonly within?: readonly string[]
  /** Bytes for the child and its descendants, where the system reports it (Linux). Above it, all are killed. */
  readonly memory?: number
  /** Open file of this process, passed to the child as descriptor 3, so that the child needs no path and no permission to it. */
  readonly descriptor?: number
  /** Handler of lines before the result. Without it, the result is all output of the child. */
  readonly lines?: ChildLines
}

export interface ChildLines {
  /** Returns false to kill the child; its result is then a refusal. */
  readonly each: (line: string) => boolean
  /** Maximum UTF-16 units of all output: a child that prints without end is killed. */
  readonly most: number
}

/** Longest output, UTF-16 units. */
export const MAX_OUTPUT = 65_536

/** Refusals: those of the script; internal_fault if it died, task_stopped if home stops. */
export function runChild(run: ChildRun, signal: AbortSignal): Promise<Result<unknown>> {
  const node = [process.execPath, ...(run.flags ?? []), run.script] as const
  const [program, ...args] = [...(run.within ?? []), ...node]
  const child = spawn(program ?? process.execPath, args, {
    // The child gets none of home's environment variables.
    env: {},
    stdio: ['pipe', 'pipe', 'ignore', ...(run.descriptor === undefined ? [] : [run.descriptor])],
    // Its own session, detached from home's terminal, and a process group that can be killed as one.
    detached: true,
  })
  const end = (): void => killGroup(child)
  const timer = setTimeout(end, run.longest)
  signal.addEventListener('abort', end)
  if (signal.aborted) end()
  const watch = run.memory === undefined ? undefined : watchMemory(child, run.memory)
  const printed = run.lines === undefined ? wholeOutput() : outputLines(run.lines, end)
  child.stdout?.setEncoding('utf8').on('data', printed.push)
  // The child may have died before it read its task.
  child.stdin?.on('error', () => undefined).end(JSON.stringify(run.task))
  return new Promise((resolve) => {
    child.on('error', () => undefined)
    child.on('close', () => {
      clearInterval(watch)
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve(signal.aborted ? err('task_stopped') : readResult(printed.result()))
    })
  })
}

interface Output {
  readonly push: (text: string) => void
  /** Empty if there is no result. */
  readonly result: () => string
}

function wholeOutput(): Output {
  let output = ''
  return {
    push(text) {
      if (output.length < MAX_OUTPUT) output += text
    },
    result: () => output,
  }
}

/** UTF-16 units. */
const LONGEST_LINE = 4_194_304

function outputLines({ each, most }: ChildLines, kill: () => void): Output {
  let left = most
  let begun = ''
  /** The last complete line, which is the result unless another follows. */
  let last: string | null = null
  let refused = false
  return {
    push(text) {
      if (refused) return
      left -= text.length
      const parts = text.split('\n')
      for (const [at, part] of parts.entries()) {
        begun += part
        if (at === parts.length - 1) break
        if (last !== null && !each(last)) refused = true
        last = begun
        begun = ''
      }
      refused ||= left < 0 || begun.length > LONGEST_LINE
      if (refused) kill()
    },
    result: () => (refused ? '' : (last ?? '')),
  }
}

/** Kills the whole group: a sandbox that is killed during its start leaves a process waiting for it. */
function killGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  } catch {
    child.kill('SIGKILL')
  }
}

/** Milliseconds between two checks: a decompression bomb fills gigabytes a second. */
const LOOK_EVERY = 20

/** Node limits its own heap but not external buffers, which a small file may expand to. */
function watchMemory(child: ChildProcess, most: number): NodeJS.Timeout {
  return setInterval(() => {
    if (residentOfAll(child.pid) > most) killGroup(child)
  }, LOOK_EVERY)
}

/** Resident bytes of a process and its descendants: the memory is used inside the sandbox, not by its process. */
function residentOfAll(pid: number | undefined): number {
  if (pid === undefined) return 0
  return childrenOf(pid).reduce((sum, child) => sum + residentOfAll(child), residentOf(pid) ?? 0)
}

/** Children of all its threads; empty if the system does not report them. */
function childrenOf(pid: number): readonly number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    )
  } catch {
    return []
  }
}

/** Bytes; null if the system does not report it, or the process is gone. */
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
