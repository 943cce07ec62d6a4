/**
 * A real browser for one page, driven over its own debugging protocol: what a person types, presses and reads, and what the browser
 * complains of. Called by secret-page.test.ts.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import WebSocket from 'ws'
import { until } from '../home/fixtures/wait.ts'

const PROGRAM = 'chromium'
export const hasBrowser = (): boolean => spawnSync(PROGRAM, ['--version']).status === 0

/** Without a sandbox, as CI is root in a container; without what the browser would ask the network for by itself. */
const FLAGS = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
  ...['--disable-background-networking', '--disable-component-update', '--remote-debugging-port=0'],
]
/** Milliseconds that a cold browser may take. */
const START = 60_000

export interface Browser {
  open(url: string): Promise<Page>
  close(): Promise<void>
}

export interface Page {
  /** The value of an expression in the page. */
  read(expression: string): Promise<unknown>
  /** As keys do, into what has the focus. */
  type(text: string): Promise<void>
  /** What the browser refused or could not run, in its own words. */
  readonly complaints: readonly string[]
}

export async function startBrowser(): Promise<Browser> {
  const profile = mkdtempSync(join(tmpdir(), 'pfar-browser-'))
  const child = spawn(PROGRAM, [...FLAGS, `--user-data-dir=${profile}`, 'about:blank'], { stdio: 'ignore' })
  const file = join(profile, 'DevToolsActivePort')
  // It is there before the number is in it.
  const port = await until(() => portIn(file), START)
  return {
    async open(url) {
      const made = await fetch(`http://127.0.0.1:${port}/json/new?about:blank`, { method: 'PUT' })
      const { webSocketDebuggerUrl } = (await made.json()) as { readonly webSocketDebuggerUrl: string }
      return openPage(webSocketDebuggerUrl, url)
    },
    async close() {
      await ended(child)
      await until(() => removed(profile), START)
    },
  }
}

function portIn(file: string): string | null {
  return existsSync(file) ? (/^(\d+)\n/.exec(readFileSync(file, 'utf8'))?.[1] ?? null) : null
}

async function openPage(debuggerUrl: string, url: string): Promise<Page> {
  const socket = new WebSocket(debuggerUrl)
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  const waiting = new Map<number, (result: Record<string, unknown>) => void>()
  const complaints: string[] = []
  socket.on('message', (data) => {
    const said = JSON.parse(String(data))
    waiting.get(said.id)?.(said.result ?? {})
    if (said.method === 'Log.entryAdded' && said.params.entry.level === 'error')
      complaints.push(said.params.entry.text)
    if (said.method === 'Runtime.exceptionThrown') complaints.push(said.params.exceptionDetails.text)
  })
  let last = 0
  const ask = (method: string, params: object = {}): Promise<Record<string, unknown>> =>
    new Promise((resolve) => {
      last += 1
      waiting.set(last, resolve)
      socket.send(JSON.stringify({ id: last, method, params }))
    })
  const read = async (expression: string): Promise<unknown> => {
    const { result } = await ask('Runtime.evaluate', { expression })
    return (result as { readonly value?: unknown }).value
  }
  for (const domain of ['Log', 'Runtime', 'Page']) await ask(`${domain}.enable`)
  await ask('Page.navigate', { url })
  await until(async () => ((await read('document.readyState')) === 'complete' ? true : undefined), START)
  return { read, type: async (text) => void (await ask('Input.insertText', { text })), complaints }
}

async function ended(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await gone
}

/** Its children outlive it by a moment and write into the profile; `rmSync` by itself would not look again for what is new there. */
function removed(profile: string): boolean {
  try {
    rmSync(profile, { recursive: true, force: true })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTEMPTY') return false
    throw error
  }
}
