/**
 * Runs a program of home's on hostile bytes, in a process confined by bubblewrap and by Node's permissions. Without
 * bubblewrap it refuses, unless the owner accepted Node's permissions alone. Every parser process for hostile bytes
 * runs through this. Must not know what is parsed.
 */
import { err, type Result } from '../../kernel/flow/verdict.ts'
import { runChild } from '../process/run-child.ts'
import { createSandboxLook, type probeSandbox, sandboxCommand } from './sandbox.ts'

export interface ConfinedProgram {
  /** Absolute path. */
  readonly script: string
  /** Absolute paths that it may read, which is its own code: files, and folders with a trailing slash. */
  readonly reads: readonly string[]
  /** The owner allows running without bubblewrap. */
  readonly withoutSandbox: boolean
}

export interface ConfinedLimits {
  /** Milliseconds, of elapsed and of processor time. */
  readonly longest: number
  /** Bytes of memory. */
  readonly memory: number
  /** Megabytes of heap for Node. */
  readonly heap: number
}

/** Refusals: those of the script; sandbox_missing; internal_fault if it died, task_stopped when home stops. */
export type Confined = (
  task: unknown,
  limits: ConfinedLimits,
  signal: AbortSignal,
) => Promise<Result<unknown>>

/** `probe`: checks whether the sandbox is available; `command`: prefix that runs a program in it. */
export function createConfined(
  program: ConfinedProgram,
  probe: typeof probeSandbox = createSandboxLook(),
  command: typeof sandboxCommand = sandboxCommand,
): Confined {
  const { script, reads, withoutSandbox } = program
  const flags = [...CONFINED, ...reads.map((path) => `--allow-fs-read=${path}`)]
  return async (task, { longest, memory, heap }, signal) => {
    // Null also if bubblewrap was available before and has been removed since.
    const wall = (await probe()) === 'ready' ? command(reads) : null
    if (wall === null && !withoutSandbox) return err('sandbox_missing')
    return runChild(
      {
        ...{ script, task, longest, memory },
        flags: [...flags, `--max-old-space-size=${heap}`],
        within: [...limited(longest, memory), ...(wall ?? [])],
      },
      signal,
    )
  }
}

/**
 * The second layer: no files but its code, no processes, threads, add-ons or inspector; and no SQLite, which does not
 * check permissions.
 */
export const CONFINED: readonly string[] = [
  '--permission',
  '--no-experimental-sqlite',
  '--no-addons',
  '--disable-warning=ExperimentalWarning',
]

/**
 * Limits set by the shell are inherited by all it starts, Node in its sandbox included: no core dump, no file writes,
 * bounded processor time and memory.
 */
const LIMITED = 'ulimit -c 0; ulimit -f 0; ulimit -t "$1"; ulimit -d "$2"; shift 2; exec "$@"'

function limited(longest: number, memory: number): readonly string[] {
  const seconds = Math.ceil(longest / 1_000)
  return ['/bin/sh', '-c', LIMITED, 'sh', String(seconds), String(Math.ceil(memory / 1_024))]
}
