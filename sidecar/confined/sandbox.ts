/**
 * The system's wall around a child that takes hostile bytes apart: bubblewrap, with no network, no socket, no process, no variable and
 * no file of home's, /proc and /dev included; only Node, the libraries that it loads and what the program names, read-only. Must
 * not start the program itself. Called by confined-child.ts and by `pfar doctor`.
 */
import { spawn } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { isAbsolute } from 'node:path'

/** `forbidden`: it is there, and this system lets it make no namespaces. */
export const SANDBOX_STATES = ['ready', 'missing', 'forbidden'] as const
export type SandboxState = (typeof SANDBOX_STATES)[number]

/** Places of the system: what a variable could name would be anybody's. */
const PLACES = ['/usr/bin/bwrap', '/bin/bwrap', '/usr/local/bin/bwrap']
/** Milliseconds for Node to say its version in there. */
const LONGEST_PROBE = 20_000

/** An account that owns nothing, and has no name: the password file is not there either. */
const NOBODY = '65534'

/** The command before Node's own; null where there is no bubblewrap. `reads`: absolute paths of files and folders. */
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
    // What it could write there would be memory of the machine's.
    ...['--remount-ro', '/', '--chdir', '/', '--'],
  ]
}

/** Tried with Node itself: a system may have the program, and forbid what it does. */
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

/** Asked again until it is ready: who installs it need not restart home. Several at once share one look. */
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

/** What this very Node has loaded of the system, as the loader names it. */
function libraries(): readonly string[] {
  Object.assign(process.report, { excludeNetwork: true })
  const { sharedObjects } = process.report.getReport() as { readonly sharedObjects?: readonly string[] }
  return (sharedObjects ?? []).filter((path) => isAbsolute(path) && !path.endsWith('.node'))
}
