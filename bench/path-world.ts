/**
 * Counterparts for the whole path, on loopback and without delay: a model with streamed Chat Completions, and a Bot API. Reports
 * when an answer arrives in a chat. Called by bench/path.ts, bench/profile.ts, bench/rows.ts and scripts/way.ts.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface PathWorld {
  readonly origin: string
  /** Resolves with the time (ms) at which an answer arrived in this chat. */
  answered(chat: number): Promise<number>
  /** Number of model requests so far. */
  asked(): number
  close(): Promise<void>
}

/** The model's answer, in the chunks that it streams. */
const ANSWER = ['Hello', ' to', ' you', ', and', ' a good', ' day', '.'] as const

export async function startPathWorld(): Promise<PathWorld> {
  const waiting = new Map<number, (at: number) => void>()
  let [messages, asked] = [0, 0]
  const bot = (path: string, body: string, response: ServerResponse): void => {
    const { chat_id: chat = 0, text = '' } = JSON.parse(body === '' ? '{}' : body) as {
      chat_id?: number
      text?: string
    }
    if (path.endsWith('/sendMessage')) {
      waiting.get(Number(chat))?.(performance.now())
      waiting.delete(Number(chat))
    }
    messages += 1
    const result = /\/send[A-Z]\w*$|\/edit/.test(path)
      ? { message_id: messages, date: 1, chat: { id: Number(chat), type: 'private' }, text }
      : true
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ ok: true, result }))
  }
  const server = createServer(async (request, response) => {
    const body = await textOf(request)
    const path = request.url ?? '/'
    if (path.startsWith('/bot')) bot(path, body, response)
    else {
      asked += 1
      stream(response)
    }
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: () => asked,
    answered: (chat) => new Promise((resolve) => waiting.set(chat, resolve)),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

function stream(response: ServerResponse): void {
  response.setHeader('content-type', 'text/event-stream')
  const chunk = (choice: object, more: object = {}): string =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [choice], ...more })}\n\n`
  for (const content of ANSWER) response.write(chunk({ index: 0, delta: { content }, finish_reason: null }))
  response.write(
    chunk(
      { index: 0, delta: {}, finish_reason: 'stop' },
      { usage: { prompt_tokens: 9, completion_tokens: ANSWER.length, total_tokens: 16 } },
    ),
  )
  response.end('data: [DONE]\n\n')
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
