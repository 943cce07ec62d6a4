/**
 * Counterparts for a measurement, on loopback: a model, a chat platform, a page and a calendar that answer at once. Reports when
 * a delivery arrived. Called by bench/edge.ts, bench/home.ts and bench/rows.ts.
 */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ScriptedWorld {
  readonly origin: string
  /** Resolves with the time (ms) at which the delivery for this message arrived. */
  delivered(user: string): Promise<number>
  /** Sets the model's delay, milliseconds. Requests that wait for it are answered when it changes. */
  slowModel(ms: number): void
  close(): Promise<void>
}

const PAGE =
  '<html lang="en"><head><title>A page</title></head><body><article><p>Short and plain.</p></article></body></html>'

export async function startWorld(): Promise<ScriptedWorld> {
  const waiting = new Map<string, (at: number) => void>()
  const model = createModel()
  const server = createServer(async (request, response) => {
    const body = await textOf(request)
    const path = request.url ?? '/'
    if (path.startsWith('/deliver')) {
      const { sink = '', id = '' } = JSON.parse(body) as { sink?: string; id?: string }
      const user = sink === '' ? (id.split('/')[0] ?? '') : sink.slice('sink:fake:'.length)
      waiting.get(user)?.(performance.now())
      waiting.delete(user)
      response.end('{}')
    } else if (path.startsWith('/model')) {
      await model.turn()
      response.setHeader('content-type', 'application/json').end('{"text":"Hello to you."}')
    } else if (path.startsWith('/bot')) {
      response.setHeader('content-type', 'application/json').end('{"ok":true,"result":{"message_id":1}}')
    } else if (path.includes('/calendarList')) {
      response.setHeader('content-type', 'application/json').end(CALENDARS)
    } else if (path.includes('/freeBusy')) {
      response.setHeader('content-type', 'application/json').end(JSON.stringify(freeBusy(body)))
    } else response.setHeader('content-type', 'text/html').end(PAGE)
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    delivered: (user) => new Promise((resolve) => waiting.set(user, resolve)),
    slowModel: model.slow,
    close: () =>
      new Promise((resolve) => {
        model.slow(0)
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

interface SlowModel {
  /** Resolves when the model would have answered. */
  turn(): Promise<void>
  slow(ms: number): void
}

function createModel(): SlowModel {
  const pending = new Set<() => void>()
  let delay = 0
  return {
    turn: () =>
      new Promise((resolve) => {
        if (delay === 0) return resolve()
        const timer = setTimeout(() => done(), delay)
        const done = (): void => {
          clearTimeout(timer)
          pending.delete(done)
          resolve()
        }
        pending.add(done)
      }),
    slow(ms) {
      delay = ms
      for (const done of [...pending]) done()
    },
  }
}

const CALENDARS = JSON.stringify({ items: [{ id: 'me@example.com', primary: true, selected: true }] })

function freeBusy(body: string): unknown {
  const { timeMin, timeMax } = JSON.parse(body) as { timeMin: string; timeMax: string }
  return { kind: 'calendar#freeBusy', timeMin, timeMax, calendars: { primary: { busy: [] } } }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
