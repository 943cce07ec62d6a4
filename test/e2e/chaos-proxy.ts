/**
 * A network between home and the edge that does what networks do and worse: a WebSocket proxy that loses, repeats,
 * holds back, overtakes and delays text frames, stalls with open sockets and cuts, as a seed decides. Knows of a frame
 * only its text, and tells what passed, so that it can also be listened to. Must not make up or change a frame.
 * Called by the tests of chaos and of canaries.
 */
import { request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import WebSocket, { WebSocketServer } from 'ws'
import type { Random } from './chaos-random.ts'

/** Of every frame, in [0, 1]; what is left passes as it is. */
export interface FrameFaults {
  readonly drop: number
  readonly duplicate: number
  readonly reorder: number
  readonly delay: number
}

export const NO_FAULTS: FrameFaults = Object.freeze({ drop: 0, duplicate: 0, reorder: 0, delay: 0 })

/** Milliseconds: a frame that nothing overtakes goes on anyway. */
const LONGEST_HOLD = 400
/** Milliseconds that a delayed frame, and everything behind it, waits at most. */
const LONGEST_DELAY = 250

export type Way = 'to edge' | 'to home'

export interface ProxyCounts {
  passed: number
  dropped: number
  duplicated: number
  reordered: number
  delayed: number
  connections: number
  cuts: number
  stalls: number
}

export interface FaultProxy {
  readonly origin: string
  readonly counts: Readonly<ProxyCounts>
  live(): number
  faults(faults: FrameFaults): void
  /** Loses the next frame that goes this way, whatever the faults are. */
  lose(way: Way): void
  /** Loses every connection at once, without a goodbye. */
  cut(): void
  /** Nothing passes for this long, and nobody is told; then it all does, or the connection is lost. */
  stall(milliseconds: number, after: 'pass' | 'cut'): void
  close(): Promise<void>
}

export interface ProxyInput {
  /** Origin of the edge. */
  readonly target: string
  readonly random: Random
  /** Told every frame that a peer sent, before anything happens to it. */
  readonly onFrame?: (way: Way, text: string) => void
  /** Told what was asked over plain HTTP, which passes without faults; without this nothing of the kind passes. */
  readonly onRequest?: (bytes: Buffer) => void
}

interface Pair {
  readonly ends: readonly WebSocket[]
  open: boolean
}

export async function startFaultProxy(input: ProxyInput): Promise<FaultProxy> {
  const { target, random, onFrame, onRequest } = input
  const pairs = new Set<Pair>()
  const counts = { passed: 0, dropped: 0, duplicated: 0, reordered: 0, delayed: 0 }
  const totals: ProxyCounts = { ...counts, connections: 0, cuts: 0, stalls: 0 }
  let faults = NO_FAULTS
  let stalledUntil = 0
  const doomed = new Set<Way>()
  const accepting = new WebSocketServer({ noServer: true, perMessageDeflate: false })
  const server = createServer((request, response) => {
    if (onRequest === undefined) response.writeHead(404).end()
    else void passOn(request, response, { target, onRequest }).catch(() => response.destroy())
  })

  const drop = (pair: Pair): void => {
    pair.open = false
    pairs.delete(pair)
    for (const end of pair.ends) end.terminate()
  }
  const join = (home: WebSocket, edge: WebSocket, early: string[]): void => {
    const pair: Pair = { ends: [home, edge], open: true }
    pairs.add(pair)
    totals.connections += 1
    const toHome = lane(pair, home, 'to home')
    const toEdge = lane(pair, edge, 'to edge')
    edge.removeAllListeners('message')
    for (const text of early) toHome(text)
    edge.on('message', (data) => toHome(String(data)))
    home.on('message', (data) => toEdge(String(data)))
    for (const end of pair.ends) end.on('close', () => drop(pair)).on('error', () => drop(pair))
  }

  /** One direction of one connection: in order, unless a fault says otherwise. */
  const lane = (pair: Pair, to: WebSocket, way: Way): ((text: string) => void) => {
    let line: Promise<void> = Promise.resolve()
    let held: { readonly go: () => void } | null = null
    const put = (text: string): void => {
      if (!pair.open || to.readyState !== WebSocket.OPEN) return
      totals.passed += 1
      to.send(text)
    }
    const hold = (text: string): void => {
      const go = (): void => {
        clearTimeout(timer)
        if (held !== mine) return
        held = null
        put(text)
      }
      const timer = setTimeout(go, LONGEST_HOLD)
      const mine = { go }
      held = mine
    }
    const deliver = (text: string): void => {
      switch (doomed.delete(way) ? 'drop' : chosen(faults, random)) {
        case 'drop':
          totals.dropped += 1
          return
        case 'reorder':
          if (held === null) {
            totals.reordered += 1
            hold(text)
            return
          }
          break
        case 'duplicate':
          totals.duplicated += 1
          put(text)
          break
      }
      put(text)
      held?.go()
    }
    return (text) => {
      onFrame?.(way, text)
      const wait = random.next() < faults.delay ? random.between(5, LONGEST_DELAY) : 0
      if (wait > 0) totals.delayed += 1
      line = line.then(async () => {
        await pause(Math.max(wait, 0))
        while (pair.open && stalledUntil > Date.now()) await pause(stalledUntil - Date.now())
        deliver(text)
      })
    }
  }

  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => undefined)
    const edge = new WebSocket(`${target.replace(/^http/, 'ws')}${request.url ?? '/'}`, {
      headers: forwarded(request),
      perMessageDeflate: false,
    })
    // The edge speaks first, as soon as it has accepted.
    const early: string[] = []
    edge.on('message', (data) => void early.push(String(data)))
    edge.on('error', () => socket.destroy())
    edge.on('unexpected-response', (_request, { statusCode }) => {
      socket.end(`HTTP/1.1 ${statusCode ?? 502} No\r\ncontent-length: 0\r\n\r\n`)
      edge.terminate()
    })
    edge.on('open', () => accepting.handleUpgrade(request, socket, head, (home) => join(home, edge, early)))
    socket.on('close', () => edge.terminate())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  const cut = (): void => {
    for (const pair of [...pairs]) {
      totals.cuts += 1
      drop(pair)
    }
  }
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts: totals,
    live: () => pairs.size,
    faults: (next) => {
      faults = next
    },
    lose: (way) => void doomed.add(way),
    cut,
    stall(milliseconds, after) {
      totals.stalls += 1
      stalledUntil = Date.now() + milliseconds
      if (after === 'cut') setTimeout(cut, milliseconds)
    },
    close: () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const pair of [...pairs]) drop(pair)
      server.closeAllConnections()
      return closed
    },
  }
}

async function passOn(
  request: IncomingMessage,
  response: ServerResponse,
  { target, onRequest }: { readonly target: string; readonly onRequest: (bytes: Buffer) => void },
): Promise<void> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const { method, url = '/', headers } = request
  const body = Buffer.concat(parts)
  onRequest(Buffer.concat([Buffer.from(`${method} ${url}\n${JSON.stringify(headers)}\n`), body]))
  await new Promise<void>((resolve, reject) => {
    const asked = ask(`${target}${url}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response).on('close', resolve)
    })
    asked.on('error', reject).end(body)
  })
}

/** Everything that the other side signs or reads; what makes a WebSocket of it is made anew. */
function forwarded({ headers }: IncomingMessage): Record<string, string> {
  const own = /^(?:connection|upgrade|sec-websocket-.*)$/
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      own.test(name) || value === undefined ? [] : [[name, String(value)]],
    ),
  )
}

function chosen(faults: FrameFaults, random: Random): 'drop' | 'duplicate' | 'reorder' | 'none' {
  const { drop, duplicate, reorder } = faults
  return random.weighed({ drop, duplicate, reorder, none: 1 - drop - duplicate - reorder })
}

function pause(milliseconds: number): Promise<void> {
  return milliseconds <= 0 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, milliseconds))
}
