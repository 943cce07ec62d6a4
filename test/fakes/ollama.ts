/**
 * An Ollama over real HTTP, as its interface is documented: its models, their windows, and a chat that answers line by
 * line. Strict: any other path or method is refused. Its answers are scripted. Must not know anything of PFAR.
 */
import { sendJson, serve } from '../kit/server.ts'

export interface FakeModel {
  readonly name: string
  readonly bytes: number
  readonly window: number
  /** What it says that it can; nothing, as older servers do, where absent. */
  readonly can?: readonly string[]
}

export interface Chat {
  readonly model: string
  readonly messages: readonly { readonly content: string; readonly images?: readonly string[] }[]
  /** Schema of the answer, where one is asked for. */
  readonly format?: unknown
}

export interface FakeOllama {
  readonly url: string
  /** Paths in order, and the body of each chat. */
  readonly asked: string[]
  readonly chats: Chat[]
  close(): Promise<void>
}

export async function startOllama(
  models: readonly FakeModel[],
  answer: (chat: Chat) => string | null,
): Promise<FakeOllama> {
  const asked: string[] = []
  const chats: FakeOllama['chats'] = []
  const { origin, close } = await serve((request, response, text) => {
    const path = `${request.method} ${request.url}`
    asked.push(path)
    const body: unknown = text === '' ? null : JSON.parse(text)
    const json = (status: number, value: unknown): void => sendJson(response, value, status)
    const model = models.find(({ name }) => name === (body as { model?: string } | null)?.model)
    if (path === 'GET /api/tags')
      json(200, { models: models.map(({ name, bytes: size }) => ({ name, model: name, size })) })
    else if (path === 'POST /api/show' && model !== undefined)
      json(200, {
        model_info: { 'general.architecture': 'test', 'test.context_length': model.window },
        ...(model.can !== undefined && { capabilities: model.can }),
      })
    else if (path === 'POST /api/chat' && model !== undefined) {
      const chat = body as Chat
      if (!chat.messages.every(({ images = [] }) => images.every(isBase64)))
        return json(400, { error: 'illegal base64 data' })
      chats.push(chat)
      const content = answer(chat)
      if (content === null) return json(500, { error: 'A canary of the provider.' })
      const line = { model: model.name, created_at: '2026-11-20T11:00:00Z' }
      const end = { done: true, done_reason: 'stop', prompt_eval_count: 321, eval_count: 4 }
      response.writeHead(200, { 'content-type': 'application/x-ndjson' })
      response.write(`${JSON.stringify({ ...line, message: { role: 'assistant', content }, done: false })}\n`)
      response.end(`${JSON.stringify({ ...line, message: { role: 'assistant', content: '' }, ...end })}\n`)
    } else json(404, { error: 'A canary of the provider.' })
  })
  return { url: origin, asked, chats, close }
}

/** As Go decodes it: whole groups of the standard alphabet, and no line between them. */
function isBase64(text: unknown): boolean {
  return typeof text === 'string' && text !== '' && Buffer.from(text, 'base64').toString('base64') === text
}
