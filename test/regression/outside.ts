/**
 * Everything outside, on loopback: web pages, a model that answers by script, a chat platform that records. Holds no
 * expectation; what was seen stands in its lists. For the regression tests.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Prompt {
  readonly purpose: 'plan' | 'compose' | 'classify' | 'synthesize'
  readonly system: string
  readonly user: string
  readonly parts: unknown
}

export interface Sent {
  readonly id: string
  readonly sink: string
  readonly text: string
}

export interface Seen {
  /** `GET /page?q=1`. */
  readonly line: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

export type Answer = { readonly type?: string; readonly body: string } | { readonly redirect: string }

export interface Outside {
  readonly origin: string
  /** Every request but those to model and chat, in order of arrival. */
  readonly seen: readonly Seen[]
  /** TCP connections that were ever opened to it. */
  readonly connections: () => number
  readonly prompts: readonly Prompt[]
  readonly sent: readonly Sent[]
  /** What the model says next; the rest of the test's script. */
  model: (prompt: Prompt) => string
  /** What a request gets; null is 404. `body` is what was sent with it. */
  page: (path: string, body: string) => Answer | null
  close(): Promise<void>
}

export const HTML = (title: string, text: string): Answer => ({
  type: 'text/html',
  body: `<!doctype html><html lang="en"><head><title>${title}</title></head><body><article><h1>${title}</h1><p>${text}</p></article></body></html>`,
})

export async function startOutside(): Promise<Outside> {
  const seen: Seen[] = []
  const prompts: Prompt[] = []
  const sent: Sent[] = []
  let connections = 0
  const server = createServer((request, response) => void answer(request, response))
  server.on('connection', () => {
    connections += 1
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/'
    const body = await read(request)
    if (path === '/model') {
      const prompt = JSON.parse(body) as Prompt
      prompts.push(prompt)
      return end(response, {
        type: 'application/json',
        body: JSON.stringify({ text: outside.model(prompt) }),
      })
    }
    if (path === '/deliver') {
      sent.push(JSON.parse(body) as Sent)
      return end(response, { type: 'application/json', body: '{}' })
    }
    seen.push({ line: `${request.method} ${path}`, headers: request.headers })
    end(response, outside.page(path, body))
  }

  // A tunnel that is refused: home comes back and asks again.
  server.on('upgrade', ({ method, url, headers }, socket) => {
    seen.push({ line: `${method} ${url}`, headers })
    // Home may be killed before the answer has arrived; nothing else listens to an upgraded socket.
    socket.on('error', () => undefined)
    socket.end('HTTP/1.1 503 No\r\ncontent-length: 0\r\n\r\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const outside: Outside = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    prompts,
    sent,
    connections: () => connections,
    model: () => '',
    page: () => null,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return outside
}

function end(response: ServerResponse, answer: Answer | null): void {
  if (answer === null) response.writeHead(404).end('nothing here')
  else if ('redirect' in answer) response.writeHead(302, { location: answer.redirect }).end()
  else response.writeHead(200, { 'content-type': answer.type ?? 'application/json' }).end(answer.body)
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
