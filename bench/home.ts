/**
 * What the tunnel and home add: the same open line, once with a page that the edge reads itself and once with a
 * calendar that home must be asked for; both services answer at once. Real `npm start` processes. Called by main.ts.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { attach } from '../sidecar/cli/attach.ts'
import type { Link } from '../sidecar/cli/link.ts'
import { atMost, type Figure, percentile } from './figures.ts'
import { startWorld } from './scripted-world.ts'

const START = fileURLToPath(new URL('../scripts/start.ts', import.meta.url))
const WARM_UP = 15
const SAMPLES = 120
/** Milliseconds without a message, after which home counts as idle. */
const IDLE = 5_000
const START_TIMEOUT = 90_000

export async function measureHome(): Promise<readonly Figure[]> {
  const world = await startWorld()
  const root = mkdtempSync(join(tmpdir(), 'pfar-bench-home-'))
  const environment = { ...process.env, PFAR_HOME: root }
  writeConfig(root, world.origin)
  const running = spawn(process.execPath, [START, '--no-chat', '--no-demo', '--quiet', '--port', '0'], {
    env: environment,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  try {
    const link = await lineTo(environment)
    await pause(IDLE)
    const rested = residentMegabytes(running)
    const page = `read ${world.origin}/page`
    await sampleOf(link, page, WARM_UP)
    await sampleOf(link, 'when am I free on Friday?', WARM_UP)
    const edge = await sampleOf(link, page, SAMPLES)
    const home = await sampleOf(link, 'when am I free on Friday?', SAMPLES)
    await pause(IDLE)
    return figures({ edge, home, rested, worked: residentMegabytes(running) })
  } finally {
    await stop(running)
    await world.close()
    rmSync(root, { recursive: true, force: true })
  }
}

interface Measured {
  readonly edge: readonly number[]
  readonly home: readonly number[]
  /** Resident megabytes of home before its first message, and after the last. */
  readonly rested: number
  readonly worked: number
}

function figures({ edge, home, rested, worked }: Measured): readonly Figure[] {
  const added = percentile(home, 0.5) - percentile(edge, 0.5)
  return [
    { name: 'page read at the edge, p50', value: percentile(edge, 0.5), unit: 'ms' },
    { name: 'page read at the edge, p99', value: percentile(edge, 0.99), unit: 'ms' },
    { name: 'free/busy through home, p50', value: percentile(home, 0.5), unit: 'ms' },
    { name: 'free/busy through home, p99', value: percentile(home, 0.99), unit: 'ms' },
    { name: 'tunnel and home add, p50', value: added, unit: 'ms', bound: atMost(added, 10, '≤ 10') },
    { name: 'home, idle after its start', value: rested, unit: 'MB', bound: atMost(rested, 120, '< 120') },
    {
      name: 'home, idle after these messages',
      value: worked,
      unit: 'MB',
      bound: atMost(worked, 120, '< 120'),
    },
  ]
}

async function lineTo(environment: NodeJS.ProcessEnv): Promise<Link> {
  const until = Date.now() + START_TIMEOUT
  while (Date.now() < until) {
    const attached = await attach({ line: 'open', environment, start: false })
    const home = await attach({ line: 'private', environment, start: false })
    if (attached.ok && home.ok) {
      const status = await home.value.link.status()
      if (status.ok && status.value['tunnel'] === 'up') return attached.value.link
    }
    await pause(250)
  }
  throw new Error('PFAR did not come up')
}

async function sampleOf(link: Link, text: string, count: number): Promise<readonly number[]> {
  const samples: number[] = []
  let after = await lastSeen(link)
  for (let done = 0; done < count; done += 1) {
    const begun = performance.now()
    const sent = await link.send({ id: randomBytes(8).toString('hex'), text })
    if (!sent.ok) throw new Error(`not taken: ${sent.reason.code}`)
    const rows = await link.deliveries(after, 20_000)
    const row = rows.ok ? rows.value.at(-1) : undefined
    if (row === undefined || row.task !== sent.value.task) throw new Error('no answer came')
    if (row.kind !== 'answer') throw new Error(`a ${row.kind} came: ${row.text}`)
    samples.push(performance.now() - begun)
    after = row.seq
  }
  return samples
}

async function lastSeen(link: Link): Promise<number> {
  let after = 0
  for (;;) {
    const rows = await link.deliveries(after, 0)
    const last = rows.ok ? rows.value.at(-1) : undefined
    if (last === undefined) return after
    after = last.seq
  }
}

function writeConfig(root: string, origin: string): void {
  mkdirSync(root, { recursive: true, mode: 0o700 })
  const lines = [
    '[owner]',
    'timezone = "Europe/Berlin"',
    '[tools.google]',
    `base_url = "${origin}"`,
    '[network]',
    `exempt_origins = ["${origin}"]`,
  ]
  writeFileSync(join(root, 'config.toml'), `${lines.join('\n')}\n`, { mode: 0o600 })
}

/** Resident memory of the home process among this start's children. */
function residentMegabytes(parent: ChildProcess): number {
  for (const pid of readdirSync('/proc')
    .map(Number)
    .filter((id) => id > 0)) {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      const status = readFileSync(`/proc/${pid}/status`, 'utf8')
      const isOurs = new RegExp(`^PPid:\\s+${parent.pid}$`, 'm').test(status)
      if (!isOurs || !command.includes('sidecar/main.ts')) continue
      return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1_024
    } catch {
      // It ended while we looked.
    }
  }
  return Number.NaN
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await Promise.race([ended, pause(10_000)])
  child.kill('SIGKILL')
}
