/**
 * Runs a program of home's over bytes of a stranger's, in a process of its own behind two walls: bubblewrap's and Node's permissions.
 * Where this system has no bubblewrap, it does not run unless the owner said that Node's alone are enough. Every reader of hostile
 * bytes that is a process runs by this; must not know what it reads.
 */
import { err, type Result } from '../../kernel/flow/verdict.ts'
import { runChild } from '../run-child.ts'
import { createSandboxLook, type probeSandbox, sandboxCommand } from './sandbox.ts'

export interface ConfinedProgram {
  /** Absolute path. */
  readonly script: string
  /** Absolute paths of what it may read, its own code: files, and folders with a slash at their end. */
  readonly reads: readonly string[]
  /** The owner's word: without bubblewrap, too. */
  readonly withoutSandbox: boolean
}

export interface ConfinedLimits {
  /** Milliseconds, and as many of a processor's. */
  readonly longest: number
  /** Bytes of memory. */
  readonly memory: number
  /** Megabytes of Node's heap. */
  readonly heap: number
}

/** Refusals: those of the script; sandbox_missing; internal_fault when it died, task_stopped when home stops. */
export type Confined = (
  task: unknown,
  limits: ConfinedLimits,
  signal: AbortSignal,
) => Promise<Result<unknown>>

/** `probe`: how this system is asked what it can; `command`: what it puts before a program. */
export function createConfined(
  program: ConfinedProgram,
  probe: typeof probeSandbox = createSandboxLook(),
  command: typeof sandboxCommand = sandboxCommand,
): Confined {
  const { script, reads, withoutSandbox } = program
  const flags = [...CONFINED, ...reads.map((path) => `--allow-fs-read=${path}`)]
  return async (task, { longest, memory, heap }, signal) => {
    // Null, too, where it was there once and was taken away since.
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

/** The second wall: no file but its code, no process, thread, add-on or inspector; and no database, which asks nobody's permission. */
export const CONFINED: readonly string[] = [
  '--permission',
  '--no-experimental-sqlite',
  '--no-addons',
  '--disable-warning=ExperimentalWarning',
]

/** What the shell sets stays with all that comes after it, Node in its sandbox included: no core, no file, so much processor and memory. */
const LIMITED = 'ulimit -c 0; ulimit -f 0; ulimit -t "$1"; ulimit -d "$2"; shift 2; exec "$@"'

function limited(longest: number, memory: number): readonly string[] {
  const seconds = Math.ceil(longest / 1_000)
  return ['/bin/sh', '-c', LIMITED, 'sh', String(seconds), String(Math.ceil(memory / 1_024))]
}
