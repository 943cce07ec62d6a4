/**
 * A real HTTP server beside the worker suite: a web page, a chat platform that records messages, a scripted model, streaming model
 * services, and a scripted Telegram. Started once by vitest (`globalSetup`); tests find its origin with `inject('loopback')`.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { TestProject } from 'vitest/node'
import { startTelegram } from '../fakes/telegram-server.ts'
import { VOICES, type Voice } from '../models/voices.ts'

interface Sent {
  readonly id: string
  readonly sink: string
  readonly text: string
}

const PAGE = `<!doctype html><html lang="en"><head><title>Gooseberry almanac</title></head>
<body><nav>menu</nav><main><h1>Gooseberry almanac</h1><p>Gooseberries ripen in July.</p></main></body></html>`

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const sent: Sent[] = []
  let delay = 0
  let refusals = 0
  /** Model calls that wait until `hang` is turned off. */
  const hanging = new Set<() => void>()
  let isHanging = false
  /** Answers that wait until their beginning was received. */
  const hearing = new Set<() => void>()
  const server = createServer((request, response) => {
    // An evicted caller has closed its connection, so its error does not matter.
    void answer(request, response).catch((fault: unknown) => {
      if (!request.destroyed) throw fault
    })
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://loopback')
    const body = await read(request)
    if (pathname === '/page') return end(response, 'text/html', PAGE)
    if (pathname === '/deliver') {
      if (refusals > 0) {
        refusals -= 1
        response.statusCode = 503
        return end(response, 'text/plain', 'busy')
      }
      sent.push(JSON.parse(body) as Sent)
      return end(response, 'application/json', '{}')
    }
    if (pathname === '/delivered') {
      const sink = searchParams.get('sink')
      return end(response, 'application/json', JSON.stringify(sent.filter((each) => each.sink === sink)))
    }
    if (pathname === '/delay') {
      delay = Number(searchParams.get('ms'))
      return end(response, 'application/json', '{}')
    }
    if (pathname === '/refuse') {
      refusals = Number(searchParams.get('times'))
      return end(response, 'application/json', '{}')
    }
    if (pathname === '/hang') {
      isHanging = searchParams.get('on') === '1'
      if (!isHanging) for (const go of hanging) go()
      if (!isHanging) hanging.clear()
      return end(response, 'application/json', '{}')
    }
    if (pathname === '/hanging') return end(response, 'application/json', String(hanging.size))
    if (pathname === '/model') {
      if (isHanging) await held(response)
      await new Promise((resolve) => setTimeout(resolve, delay))
      const { user } = JSON.parse(body) as { user: string }
      return end(response, 'application/json', JSON.stringify({ text: echo(user) }))
    }
    const voice = Object.values(VOICES).find(({ path }) => path === pathname)
    if (voice !== undefined) return say(voice, request, response)
    if (pathname === '/heard') {
      for (const go of hearing) go()
      hearing.clear()
      return end(response, 'application/json', '{}')
    }
    response.statusCode = 404
    end(response, 'text/plain', 'nothing here')
  }

  /** Resolves when it is released, or its caller has disconnected. */
  function held(response: ServerResponse): Promise<void> {
    return new Promise((resolve) => {
      hanging.add(resolve)
      response.on('close', () => hanging.delete(resolve))
    })
  }

  /** Two pieces, the second once the first was received. */
  async function say(voice: Voice, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!voice.isAuthorized(request.headers)) {
      response.statusCode = 401
      return end(response, 'application/json', voice.errorBody(401))
    }
    response.writeHead(200, { 'content-type': voice.contentType })
    response.write(voice.opening() + voice.text('first'))
    await new Promise<void>((resolve) => hearing.add(resolve))
    response.end(voice.text(' sec\u00f6nd') + voice.closing('whole'))
  }

  // Node closes idle connections after 5 s, just when the runtime's pool may use one again.
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const telegram = await startTelegram()
  telegram.order({ webhook: {} })
  project.provide('telegram', telegram.origin)
  project.provide('loopback', `http://127.0.0.1:${address.port}`)
  return async () => {
    server.closeAllConnections()
    await telegram.close()
    await new Promise((resolve) => server.close(resolve))
  }
}

const ECHO = 'I was told:'

/** Of the prompt, UTF-16 units from its end: a longer answer comes in several messages. */
const ECHOED = 3_000

/** The model's prompt on one line, without its own earlier answers, which would double with every turn. */
function echo(prompt: string): string {
  const lines = prompt.split('\n').filter((line) => !line.includes(ECHO))
  return `${ECHO} ${lines.join(' ').slice(-ECHOED)}`
}

function end(response: ServerResponse, type: string, body: string): void {
  response.setHeader('content-type', type)
  response.end(body)
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
