/**
 * Runs a program of home's on hostile bytes, in a process confined by bubblewrap (no network, sockets, processes, environment
 * or files of home's) and by Node's permissions. Without bubblewrap it refuses, unless the owner accepted Node's permissions
 * alone. Every parser process for hostile bytes runs through this. Must not know what is parsed.
 */

import { spawn } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { err, type Result } from '../../kernel/flow/verdict.ts'
import { type ChildRun, runChild } from '../process/run-child.ts'

/** `forbidden`: installed, but the system does not let it create namespaces. */
export const SANDBOX_STATES = ['ready', 'missing', 'forbidden'] as const
export type SandboxState = (typeof SANDBOX_STATES)[number]

/** Fixed system paths: a path from the environment could point to any program. */
const PLACES = ['/usr/bin/bwrap', '/bin/bwrap', '/usr/local/bin/bwrap']
/** Milliseconds for Node to print its version inside the sandbox. */
const LONGEST_PROBE = 20_000

/** An account without a name that owns nothing; the password file is not in the sandbox either. */
const NOBODY = '65534'

/** Command prefix before Node's; null without bubblewrap. `reads`: absolute paths of files and folders. */
export function sandboxCommand(reads: readonly string[]): readonly string[] | null {
  const program = PLACES.find((path) => existsSync(path))
  if (program === undefined) return null
  const bound = new Set([...libraries(), process.execPath, realpathSync(process.execPath), ...reads])
  return [
    program,
    '--unshare-all',
    ...['--uid', NOBODY, '--gid', NOBODY, '--cap-drop', 'ALL'],
    ...['--die-with-parent', '--clearenv'],
    ...[...bound].flatMap((path) => ['--ro-bind', path, path]),
    // Read-only, because files written there would use the machine's memory.
    ...['--remount-ro', '/', '--chdir', '/', '--'],
  ]
}

/** Tests it with Node itself: the program may be installed and its system calls forbidden. */
export async function probeSandbox(): Promise<SandboxState> {
  const command = sandboxCommand([])
  if (command === null) return 'missing'
  const [program = '', ...args] = command
  return new Promise((resolve) => {
    const child = spawn(program, [...args, process.execPath, '--version'], {
      ...{ env: {}, stdio: 'ignore', timeout: LONGEST_PROBE, killSignal: 'SIGKILL' },
    })
    child.on('error', () => resolve('forbidden'))
    child.on('close', (code) => resolve(code === 0 ? 'ready' : 'forbidden'))
  })
}

/** Repeats the probe until it succeeds, so that home need not restart after an installation. Shared by callers. */
export function createSandboxLook(probe: typeof probeSandbox = probeSandbox): typeof probeSandbox {
  let ready = false
  let asking: Promise<SandboxState> | null = null
  const ask = async (): Promise<SandboxState> => {
    try {
      const state = await probe()
      ready = state === 'ready'
      return state
    } finally {
      asking = null
    }
  }
  return async () => {
    if (ready) return 'ready'
    asking ??= ask()
    return asking
  }
}

/** System libraries that this Node has loaded, by their paths. */
function libraries(): readonly string[] {
  Object.assign(process.report, { excludeNetwork: true })
  const { sharedObjects } = process.report.getReport() as { readonly sharedObjects?: readonly string[] }
  return (sharedObjects ?? []).filter((path) => isAbsolute(path) && !path.endsWith('.node'))
}

interface ConfinedProgram {
  /** Absolute path. */
  readonly script: string
  /** Absolute paths that it may read, which is its own code: files, and folders with a trailing slash. */
  readonly reads: readonly string[]
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

/** `descriptor`: the one file of the owner's that it may read. */
export type ConfinedRun = ConfinedLimits & Pick<ChildRun, 'descriptor' | 'lines'>

/** Refusals: those of the script; sandbox_missing; internal_fault if it died, task_stopped when home stops. */
export type Confined = (task: unknown, run: ConfinedRun, signal: AbortSignal) => Promise<Result<unknown>>

/** `probe`: checks whether the sandbox is available; `command`: prefix that runs a program in it. */
export function createConfined(
  program: ConfinedProgram,
  probe: typeof probeSandbox = createSandboxLook(),
  command: typeof sandboxCommand = sandboxCommand,
): Confined {
  const { script, reads, withoutSandbox } = program
  const flags = [...CONFINED, ...reads.map((path) => `--allow-fs-read=${path}`)]
  return async (task, { heap, ...run }, signal) => {
    // Null also if bubblewrap was available before and has been removed since.
    const wall = (await probe()) === 'ready' ? command(reads) : null
    if (wall === null && !withoutSandbox) return err('sandbox_missing')
    return runChild(
      {
        ...{ ...run, script, task },
        flags: [...flags, `--max-old-space-size=${heap}`],
        within: [...limited(run.longest, run.memory), ...(wall ?? [])],
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
