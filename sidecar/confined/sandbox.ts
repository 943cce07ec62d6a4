/**
 * bubblewrap sandbox for a child that parses hostile bytes: no network, sockets, processes, environment or files of
 * home's, nor /proc and /dev; only Node, its libraries and the paths that the program names, read-only. Must not start
 * the program itself. Called by confined-child.ts and by `pfar doctor`.
 */
import { spawn } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { isAbsolute } from 'node:path'

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

/**
 * Repeats the probe until it succeeds, so that home need not restart after an installation. Concurrent calls share one
 * probe.
 */
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
