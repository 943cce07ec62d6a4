/**
 * Starts both places like `npm start`, for measuring: real processes with their own state folder and both of the owner's lines.
 * Must not measure. Called by bench/home.ts, bench/rows.ts and bench/stream.ts.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { attach } from '../sidecar/cli/line/attach.ts'
import type { Link } from '../sidecar/cli/line/link.ts'

const START = fileURLToPath(new URL('../scripts/start.js', import.meta.url))
const START_TIMEOUT = 90_000

export interface Places {
  readonly open: Link
  readonly private: Link
  readonly process: ChildProcess
  /** The state folder. */
  readonly root: string
  stop(): Promise<void>
}

/** `config`: lines of `config.toml` in addition to the owner's time zone. */
export async function startPlaces(config: readonly string[]): Promise<Places> {
  const root = mkdtempSync(join(tmpdir(), 'pfar-bench-home-'))
  const environment = { ...process.env, PFAR_HOME: root }
  mkdirSync(root, { recursive: true, mode: 0o700 })
  const lines = ['[owner]', 'timezone = "Europe/Berlin"', ...config]
  writeFileSync(join(root, 'config.toml'), `${lines.join('\n')}\n`, { mode: 0o600 })
  const running = spawn(process.execPath, [START, '--no-chat', '--no-demo', '--quiet', '--port', '0'], {
    env: environment,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const stop = async (): Promise<void> => {
    await end(running)
    rmSync(root, { recursive: true, force: true })
  }
  try {
    return { ...(await linesTo(environment)), process: running, root, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function linesTo(environment: NodeJS.ProcessEnv): Promise<Pick<Places, 'open' | 'private'>> {
  const until = Date.now() + START_TIMEOUT
  while (Date.now() < until) {
    const open = await attach({ line: 'open', environment, start: false })
    const home = await attach({ line: 'private', environment, start: false })
    if (open.ok && home.ok) {
      const status = await home.value.link.status()
      if (status.ok && status.value['tunnel'] === 'up')
        return { open: open.value.link, private: home.value.link }
    }
    await pause(250)
  }
  throw new Error('PFAR did not come up')
}

/** Sequence number of a line's newest row. */
export async function lastSeen(link: Link): Promise<number> {
  let after = 0
  for (;;) {
    const rows = await link.deliveries(after, 0)
    const last = rows.ok ? rows.value.at(-1) : undefined
    if (last === undefined) return after
    after = last.seq
  }
}

/** Process id of home, one of this start's children; null once it has ended. */
export function homeProcess(parent: ChildProcess): number | null {
  for (const pid of readdirSync('/proc')
    .map(Number)
    .filter((id) => id > 0)) {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      const status = readFileSync(`/proc/${pid}/status`, 'utf8')
      const isOurs = new RegExp(`^PPid:\\s+${parent.pid}$`, 'm').test(status)
      if (isOurs && command.includes('sidecar/main.js')) return pid
    } catch {
      // The process ended during the lookup.
    }
  }
  return null
}

/** Resident megabytes of a process; `most`: the highest so far. */
export function residentMegabytes(pid: number | null, most = false): number {
  if (pid === null) return Number.NaN
  const field = most ? 'VmHWM' : 'VmRSS'
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0) / 1_024
}

async function end(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await Promise.race([ended, pause(10_000)])
  child.kill('SIGKILL')
}
