/**
 * Keeps a child process running: its stderr goes to a log file, and its first line on stdout means that it is ready.
 * After a crash it is restarted, with growing delays. It must not outlive this process. Called by the files that start
 * edge, home and demo.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'

const LEASH = new URL('leash.js', import.meta.url).href
export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** Bytes of a log file above which a start truncates it. */
const MAX_LOG_BYTES = 4 * 1024 * 1024

/** Milliseconds between a crash and the restart: doubled each time, and reset after a stable run. */
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000
const STABLE_MS = 60_000

/** Milliseconds to stop, after which the child's process group is killed. */
const STOP_TIMEOUT_MS = 7_000

/** Lines that Node prints around an error and that do not describe it. */
const TRACE_LINE = /^\s*(?:at .*|Node\.js v.*|[{}^]*|code: .*|url: .*)$/

export interface ChildSpec {
  readonly name: string
  /** Script relative to the repository, and its arguments. */
  readonly command: readonly [string, ...string[]]
  readonly environment: Readonly<Record<string, string>>
  readonly log: string
  /** File with the process id while it runs, for a start after this process was killed. */
  readonly note?: string
  /** Written to the child's descriptor 3 at each start: secrets that must be in no environment variable, argument or file. */
  readonly whisper?: string
  /** Called after a crash of a child that had been ready, with the delay before the restart. */
  readonly onCrash: (pauseMs: number) => void
  /** Called each time the child reports that it is ready, also after a crash. */
  readonly onReady?: (line: string) => void
}

export interface KeptChild {
  /** First line of stdout; null if the child exited before it was ready. */
  readonly ready: Promise<string | null>
  /** False between a crash and the restart. */
  running(): boolean
  stop(): Promise<void>
}

export function keepChild(spec: ChildSpec): KeptChild {
  let stopping = false
  let child: ChildProcess | null = null
  let pauseMs = FIRST_PAUSE_MS
  let timer: NodeJS.Timeout | null = null
  let wasReady = false
  let tellReady: (line: string | null) => void = () => undefined
  const ready = new Promise<string | null>((resolve) => {
    tellReady = resolve
  })

  const start = () => {
    const startedAt = Date.now()
    child = launch(spec, (line) => {
      wasReady = true
      tellReady(line)
      spec.onReady?.(line)
    })
    child.once('exit', () => {
      child = null
      tellReady(null)
      if (stopping) return
      if (Date.now() - startedAt > STABLE_MS) pauseMs = FIRST_PAUSE_MS
      if (wasReady) spec.onCrash(pauseMs)
      timer = setTimeout(start, pauseMs)
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
    })
  }
  start()

  return {
    ready,
    running: () => child !== null,
    async stop() {
      stopping = true
      if (timer !== null) clearTimeout(timer)
      if (child !== null) await stopChild(child)
      if (spec.note !== undefined) rmSync(spec.note, { force: true })
    },
  }
}

/** In its own process group: ctrl-C goes to the parent only, which stops its children in order. */
function launch(
  { command, environment, log, note, whisper }: ChildSpec,
  onLine: (line: string) => void,
): ChildProcess {
  const [script, ...args] = command
  const file = openLog(log)
  try {
    const child = spawn(process.execPath, ['--import', LEASH, script, ...args], {
      cwd: ROOT,
      env: { ...environment },
      stdio: ['pipe', 'pipe', file, ...(whisper === undefined ? [] : (['pipe'] as const))],
      detached: true,
    })
    child.on('error', () => undefined)
    if (whisper !== undefined) whisperTo(child, whisper)
    if (note !== undefined) writeFileSync(note, String(child.pid ?? ''), { mode: 0o600 })
    if (child.stdout) createInterface({ input: child.stdout }).on('line', onLine)
    return child
  } finally {
    closeSync(file)
  }
}

function whisperTo({ stdio }: ChildProcess, text: string): void {
  const pipe = stdio[3]
  if (!(pipe instanceof Writable)) return
  pipe.on('error', () => undefined)
  pipe.end(text)
}

function openLog(path: string): number {
  const file = openSync(path, 'a', 0o600)
  if (statSync(path).size > MAX_LOG_BYTES) truncateSync(path, 0)
  return file
}

async function stopChild(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  const killer = setTimeout(() => killGroup(child), STOP_TIMEOUT_MS)
  await gone
  clearTimeout(killer)
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It exited before the signal was sent.
  }
}

/** Last informative line of a log, to explain why a child did not start; empty if there is none. */
export function lastLogLine(path: string): string {
  try {
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
    return (
      lines
        .findLast((line) => !TRACE_LINE.test(line))
        ?.trim()
        .slice(0, 300) ?? ''
    )
  } catch {
    return ''
  }
}
