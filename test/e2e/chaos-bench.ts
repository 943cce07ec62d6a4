/**
 * What the crash tests share: one installation of `npm start` whose Google is a script that can hold answers back,
 * the processes to kill by what they are, both lines, and a TCP proxy that loses what it is told to lose.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { childProcesses } from '../../scripts/start/stale.ts'
import type { LineDelivery, Link } from '../../sidecar/cli/line/link.ts'
import { createOpenLink } from '../../sidecar/cli/line/open-link.ts'
import { readEdgeRecord } from '../../sidecar/cli/line/own-edge.ts'
import { createPrivateLink } from '../../sidecar/cli/line/private-link.ts'
import { statePaths } from '../../sidecar/cli/state-paths.ts'
import { openStateFolder } from '../../sidecar/store/state-folder.ts'
import { loadDeviceKey } from '../../sidecar/tunnel/device-key.ts'
import { until } from '../home/fixtures/wait.ts'
import { processesWith } from './terminal-bench.ts'

/** Milliseconds for whatever must happen after a crash: less than a task waits for home. */
export const SOON = 40_000

export interface ScriptedGoogle {
  readonly origin: string
  /** How often this was asked: `POST /calendar/v3/freeBusy`. */
  asked(request: string): number
  /** From now on requests are taken and not answered. */
  hold(): void
  /** Answers what is held, in vain where nobody waits any more. */
  release(): void
  close(): Promise<void>
}

export async function startGoogle(): Promise<ScriptedGoogle> {
  const asked: string[] = []
  let held: (() => void)[] | null = null
  const server = createHttpServer((request, response) => {
    asked.push(`${request.method} ${request.url?.split('?')[0]}`)
    const answer = () => void answerAs(request, response)
    // Which calendars there are is told at once: what hangs is the question.
    if (held === null || isList(request)) answer()
    else held.push(answer)
  })
  const { port } = await listening(server)
  return {
    origin: `http://127.0.0.1:${port}`,
    asked: (request) => asked.filter((each) => each === request).length,
    hold() {
      held = []
    },
    release() {
      for (const answer of held ?? []) answer()
      held = null
    },
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

async function answerAs(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const free = { calendars: { primary: { busy: [] } } }
  const list = { items: [{ id: 'me@example.com', primary: true, selected: true }] }
  const chunks: Buffer[] = []
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer)
  } catch {
    // Who asked was killed.
    return
  }
  const isQuestion = request.url?.includes('/freeBusy') === true
  const event = () => ({ status: 'confirmed', ...JSON.parse(Buffer.concat(chunks).toString() || '{}') })
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(isList(request) ? list : isQuestion ? free : event()))
}

function isList({ url }: IncomingMessage): boolean {
  return url?.includes('/calendarList') === true
}

/** Ids of the processes that `npm start` runs for a state folder, by what they are; null while there is none. */
export interface Places {
  home(): number | null
  edge(): number | null
  workerd(): number | null
  all(): readonly number[]
}

export function placesOf(folder: string): Places {
  const named = (script: string) =>
    processesWith(script).filter((pid) => isOf(pid, 'cmdline', folder) || isOf(pid, 'environ', folder))
  const edge = () => named('edge-main.js')[0] ?? null
  return {
    edge,
    home: () => named('sidecar/main.js')[0] ?? null,
    workerd: () => childProcesses(edge() ?? 0, 'workerd')[0] ?? null,
    all: () => [...new Set([...named(''), ...notedRuntime(folder)])],
  }
}

/** A runtime knows nothing of the folder; its process id is noted there. */
function notedRuntime(folder: string): readonly number[] {
  try {
    const noted = readFileSync(join(folder, 'edge/workerd.pid'), 'utf8').split('\n').map(Number)
    return noted.filter((pid) => pid > 1 && isOf(pid, 'cmdline', 'workerd'))
  } catch {
    return []
  }
}

function isOf(pid: number, file: 'cmdline' | 'environ', text: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8').includes(text)
  } catch {
    return false
  }
}

/** As the system kills: no chance to clean up. */
export function killAll(pids: readonly (number | null)[]): void {
  for (const pid of pids) {
    if (pid === null) throw new Error('it does not run')
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It went by itself.
    }
  }
}

/** The owner's line, dialled anew for every call: what is at its other end dies now and then. */
export interface Line {
  say(text: string): Promise<string>
  link<T>(use: (link: Link) => Promise<T>): Promise<T>
  /** Whether the task's answer has been delivered. */
  isAnswered(task: string): Promise<boolean>
  /**
   * Everything delivered since the last call of this. First says one thing more and waits for its answer: deliveries
   * come in order, so nothing that was owed is still under way.
   */
  delivered(): Promise<readonly LineDelivery[]>
}

export function lineOf(folder: string, line: Link['line']): Line {
  const paths = statePaths({ PFAR_HOME: folder })
  let seen = 0
  const dial = (): Link => {
    if (line === 'private') return createPrivateLink(paths.socket)
    const state = openStateFolder(folder)
    const device = state.ok ? loadDeviceKey(state.value) : state
    const record = readEdgeRecord(paths.edgeFile)
    if (!device.ok || !record.ok || record.value === null) throw new Error('there is no edge yet')
    return createOpenLink({ edge: record.value.url, device: device.value })
  }
  const link: Line['link'] = async (use) => {
    const dialled = dial()
    return use(dialled).finally(() => dialled.close())
  }
  const say = async (text: string): Promise<string> => {
    // A message whose receipt was lost is sent again under its id, as the terminal does.
    const message = { id: crypto.randomUUID(), text }
    return until(async () => {
      const sent = await link((each) => each.send(message))
      return sent.ok ? sent.value.task : null
    }, SOON)
  }
  const rows = async (): Promise<readonly LineDelivery[]> => {
    const found = await link((each) => each.deliveries(seen, 0))
    return found.ok ? found.value : []
  }
  const isAnswered = async (task: string) =>
    (await rows()).some((row) => row.task === task && row.kind === 'answer')
  return {
    say,
    link,
    isAnswered,
    async delivered() {
      const last = await say('hello')
      await until(() => isAnswered(last), SOON)
      const found = await rows()
      seen = found.at(-1)?.seq ?? seen
      // A home that was killed tells of its start.
      return found.filter((row) => row.task !== last && row.id?.startsWith('restart:') !== true)
    },
  }
}

export interface LossyProxy {
  readonly origin: string
  /** Connections that carry something in both directions now. */
  live(): number
  /** Connections lost on purpose so far. */
  cuts(): number
  /** Loses every connection at once. */
  cut(): void
  /** Loses the connection, and this with it, when the next piece passes that way and holds `text`. */
  cutOn(way: 'to edge' | 'to home', text: string): void
  close(): Promise<void>
}

/** `target`: port on this machine. */
export async function startProxy(target: number): Promise<LossyProxy> {
  const pairs = new Set<{ readonly sockets: readonly Socket[]; heard: boolean }>()
  let armed: { readonly way: string; readonly text: string } | null = null
  let cuts = 0
  const server = createServer((home) => {
    const edge = connect(target, '127.0.0.1')
    const pair = { sockets: [home, edge], heard: false }
    pairs.add(pair)
    const drop = () => {
      pairs.delete(pair)
      for (const socket of pair.sockets) socket.destroy()
    }
    const pass = (way: string, to: Socket) => (piece: Buffer) => {
      if (armed?.way === way && piece.includes(armed.text)) {
        armed = null
        cuts += 1
        return drop()
      }
      // What a peer says after the hand-shake is the sign that the tunnel is up.
      if (way === 'to home' && piece.includes('"kind":"hello"')) pair.heard = true
      return to.write(piece)
    }
    home.on('data', pass('to edge', edge)).on('close', drop).on('error', drop)
    edge.on('data', pass('to home', home)).on('close', drop).on('error', drop)
  })
  const { port } = await listening(server)
  const cut = () => {
    for (const { sockets } of [...pairs]) {
      cuts += 1
      for (const socket of sockets) socket.destroy()
    }
    pairs.clear()
  }
  return {
    origin: `http://127.0.0.1:${port}`,
    live: () => [...pairs].filter(({ heard }) => heard).length,
    cuts: () => cuts,
    cut,
    cutOn(way, text) {
      armed = { way, text }
    },
    close: () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      cut()
      return closed
    },
  }
}

async function listening(server: Server): Promise<AddressInfo> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server.address() as AddressInfo
}

/** Before the first start: the owner's Google is the script. */
export function configure(folder: string, google: string): void {
  writeFileSync(
    join(folder, 'config.toml'),
    `[owner]
timezone = "Europe/Berlin"
[tools.google]
base_url = "${google}"
[network]
exempt_origins = ["${google}"]
`,
  )
}
