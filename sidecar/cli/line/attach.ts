/**
 * Connects a command to its line: uses the PFAR that runs for this state folder, or starts what the line needs for the duration
 * of the command. Must not leave a process behind. Called by command.ts.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { ReasonCode } from '../../../kernel/reasons.ts'
import { canStart, START_SCRIPT } from '../../process/installed-parts.ts'
import { openStateFolder } from '../../store/state-folder.ts'
import { loadDeviceKey } from '../../tunnel/device-key.ts'
import { brings, type Environment, runningClaim, type StatePaths, statePaths } from '../state-paths.ts'
import type { Line, Link, PlaceStatus } from './link.ts'
import { createOpenLink } from './open-link.ts'
import { configuredEdge, usualEdge } from './own-edge.ts'
import { createPrivateLink } from './private-link.ts'

/** Milliseconds for a place to start. The very first start bundles the Worker, which takes most of it. */
const START_TIMEOUT_MS = 60_000

/** Milliseconds until a started PFAR that does not stop is killed. */
const STOP_TIMEOUT_MS = 8_000

/** Milliseconds to wait for a place of a PFAR that already runs: it may be starting, or run without this place. */
const OWNER_TIMEOUT_MS = 20_000

const LOOK_EVERY_MS = 40

const NOT_HOME: ReadonlySet<ReasonCode> = new Set([
  'storage_failed',
  'signature_invalid',
  'version_incompatible',
])

export interface Attachment {
  readonly link: Link
  /** Status that the place reported when it was found. */
  readonly found?: PlaceStatus
  /** Whether it was started for this command and ends with it. */
  isBorrowed(): boolean
  /** Reconnects after a lost connection. */
  recover(): Promise<Result<true>>
  close(): Promise<void>
}

export interface AttachInput {
  readonly line: Line
  readonly environment: Environment
  /** Whether to start what is not running. */
  readonly start: boolean
}

interface Started {
  readonly child: ChildProcess
  /** Resolves when the process has ended and all its output was read. */
  readonly ended: Promise<unknown>
}

export async function attach({ line, environment, start }: AttachInput): Promise<Result<Attachment>> {
  const paths = statePaths(environment)
  let link = openLink(line, paths, environment)
  // A deployed edge cannot be started from this machine.
  const starts = start && canStart() && (line === 'private' || isOwnEdge(paths, environment))
  let started: Started | null = null

  const attempt = async (): Promise<Result<PlaceStatus>> => {
    // The edge's address may have been written after this command started.
    if (!link.ok) link = openLink(line, paths, environment)
    return link.ok ? link.value.status() : link
  }
  let found: PlaceStatus | undefined
  const recover = async (): Promise<Result<true>> => {
    const offline = err(line === 'private' ? 'home_offline' : 'remote_unavailable')
    const began = Date.now()
    for (; Date.now() - began < START_TIMEOUT_MS; await pause(LOOK_EVERY_MS)) {
      const looked = await attempt()
      if (looked.ok) {
        found = looked.value
        return ok(true)
      }
      // Another program answers there, not this folder's home. Waiting or starting a home would not change that.
      if (line === 'private' && NOT_HOME.has(looked.reason.code)) return looked
      if (!starts) return offline
      if (started !== null && started.child.exitCode === null) continue
      // It printed on stderr why it cannot run; a second attempt would fail the same way.
      if (started !== null && started.child.exitCode !== 0) return offline
      const claim = runningClaim(paths.lock)
      if (claim === null) started = startPlace(line, environment)
      // Another process is starting or running this place. Waits for it, unless it runs the other place only.
      else if (!brings(claim, line) || Date.now() - began > OWNER_TIMEOUT_MS) return offline
    }
    return offline
  }
  const close = async () => {
    if (link.ok) link.value.close()
    if (started !== null) await stopPlace(started)
  }

  const ready = await recover()
  if (!ready.ok || !link.ok) {
    await close()
    return ready.ok ? err('home_offline') : ready
  }
  return ok({
    ...{ link: link.value, isBorrowed: () => started !== null, recover, close },
    ...(found !== undefined && { found }),
  })
}

function openLink(line: Line, paths: StatePaths, environment: Environment): Result<Link> {
  if (line === 'private') return ok(createPrivateLink(paths.socket))
  const edge = usualEdge({ environment }, paths)
  if (!edge.ok) return edge
  const folder = openStateFolder(paths.root)
  const device = folder.ok ? loadDeviceKey(folder.value) : folder
  return device.ok ? ok(createOpenLink({ edge: edge.value, device: device.value })) : device
}

function isOwnEdge(paths: StatePaths, environment: Environment): boolean {
  const configured = configuredEdge(environment, paths)
  return configured.ok && configured.value === null
}

/** The private line needs only home; the open line may need home for a tool. The process stops when its stdin ends. */
function startPlace(line: Line, environment: Environment): Started {
  const only = line === 'private' ? ['--only', 'home'] : []
  const child = spawn(process.execPath, [START_SCRIPT, '--quiet', '--no-chat', '--leashed', ...only], {
    env: { ...environment },
    // A pipe instead of the terminal: on exit Node restores the terminal mode that it found, which would disturb
    // whoever reads the terminal then.
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  child.stderr.pipe(process.stderr, { end: false })
  return { child, ended: once(child, 'close') }
}

async function stopPlace({ child, ended }: Started): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
  const killer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
  await ended
  clearTimeout(killer)
}
