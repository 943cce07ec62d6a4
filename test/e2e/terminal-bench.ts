/**
 * Runs PFAR as a user does, in a state folder of its own: `npm start` and `pfar` as processes, and a look into the
 * demo calendar from outside.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TaskReport } from '../../kernel/runtime/report.ts'
import { createCommands, type Ran, runHere } from '../kit/commands.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** Milliseconds. The first start bundles the Worker. */
const START_TIMEOUT_MS = 90_000

export interface Asked extends Ran {
  readonly report: TaskReport
}

export interface Bench {
  readonly folder: string
  /** Starts and waits for its last line; resolves with what it printed. */
  start(...args: string[]): Promise<string>
  /** What it printed so far. */
  printed(): string
  stop(): Promise<number | null>
  /** As the system kills: no chance to clean up. */
  kill(): Promise<void>
  pfar(...args: string[]): Promise<Ran>
  ask(text: string, ...args: string[]): Promise<Asked>
  remove(): Promise<void>
}

interface BenchOptions {
  /** Such as a test clock's, for all that it runs. */
  readonly env?: NodeJS.ProcessEnv
}

export function createBench({ env = {} }: BenchOptions = {}): Bench {
  const folder = mkdtempSync(join(tmpdir(), 'pfar-e2e-'))
  const environment = { ...process.env, PFAR_HOME: folder, NO_COLOR: '1', ...env }
  let running: ChildProcess | null = null
  let text = ''

  const finish = async (signal: NodeJS.Signals): Promise<number | null> => {
    const child = running
    running = null
    // One that was killed has no code, and says nothing any more.
    if (child === null || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null
    const gone = once(child, 'exit')
    child.kill(signal)
    const [code] = await gone
    return code
  }
  const commands = createCommands(env)
  const pfar = (...args: string[]): Promise<Ran> => {
    if ('TEST_CLOCK' in env && !ALONE.has(args[0] ?? '')) return commands.run(args, environment)
    return ALONE.has(args[0] ?? '') || 'NODE_OPTIONS' in env
      ? run(['scripts/pfar.mjs', ...args], environment)
      : runHere(args, environment)
  }

  return {
    folder,
    async start(...args) {
      text = ''
      const child = spawn(process.execPath, ['scripts/start.js', '--no-chat', '--port', '0', ...args], {
        cwd: ROOT,
        env: environment,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      running = child
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk))
      await waitFor(() => /^state /m.test(text) || child.exitCode !== null, START_TIMEOUT_MS)
      if (child.exitCode !== null) throw new Error(`start ended: ${text}`)
      return text
    },
    printed: () => text,
    stop: () => finish('SIGTERM'),
    async kill() {
      await finish('SIGKILL')
    },
    pfar,
    async ask(words, ...args) {
      const ran = await pfar('ask', words, '--json', ...args)
      if (ran.out === '') throw new Error(`no answer to "${words}": ${ran.err}`)
      return { ...ran, report: JSON.parse(ran.out) }
    },
    async remove() {
      commands.end()
      await finish('SIGTERM')
      // What a killed start has started may write for a moment more.
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    },
  }
}

/** Commands that read what is typed, or that look at the process that runs them. */
const ALONE: ReadonlySet<string> = new Set([
  'connect',
  'secret',
  'init',
  'unlock',
  'lock',
  'doctor',
  'search',
])

/** Runs one program to its end. */
export async function run(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<Ran> {
  const child = spawn(process.execPath, [...args], {
    cwd: ROOT,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk: Buffer) => (out += chunk))
  child.stderr.on('data', (chunk: Buffer) => (err += chunk))
  const [code] = await once(child, 'close')
  return { code, out, err }
}

export async function waitFor(holds: () => boolean | Promise<boolean>, timeoutMs: number): Promise<void> {
  for (const end = Date.now() + timeoutMs; Date.now() < end; ) {
    if (await holds()) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('what was waited for did not happen')
}

/** Events that lie in the demo calendar, asked of the emulator itself. */
export async function calendarEvents(folder: string): Promise<readonly { summary: string; start: string }[]> {
  const { items } = await google<{ items: { summary: string; start: { dateTime: string } }[] }>(
    folder,
    '/calendar/v3/calendars/primary/events?maxResults=250',
  )
  return items.map(({ summary, start }) => ({ summary, start: start.dateTime }))
}

/** Mails that lie in the demo mailbox, sent ones included. */
export async function mailbox(folder: string): Promise<readonly { id: string; labelIds: string[] }[]> {
  const path = '/gmail/v1/users/me/messages'
  const { messages } = await google<{ messages: { id: string }[] }>(folder, `${path}?maxResults=100`)
  return Promise.all(
    messages.map(({ id }) => google<{ id: string; labelIds: string[] }>(folder, `${path}/${id}`)),
  )
}

async function google<T>(folder: string, path: string): Promise<T> {
  const base = /base_url = "([^"]+)"/.exec(readFileSync(join(folder, 'demo.toml'), 'utf8'))?.[1]
  const response = await fetch(`${base}${path}`, { headers: { authorization: 'Bearer look' } })
  return (await response.json()) as T
}

/** Ids of processes whose command line holds `text`. */
export function processesWith(text: string): readonly number[] {
  return readProcesses().flatMap(({ pid, command }) => (command.includes(text) ? [pid] : []))
}

function readProcesses(): readonly { pid: number; command: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        return [
          { pid: Number(name), command: readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ') },
        ]
      } catch {
        return []
      }
    })
}
