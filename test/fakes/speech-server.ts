/**
 * A server that writes down what is said, over real HTTP, as OpenAI describes `POST /v1/audio/transcriptions` and others serve it
 * (whisper.cpp, speaches, LocalAI). Strict about its form: one file with an ending that it knows, a model that it has, no field that it does
 * not know, no file without its end. What it hears is scripted. Must not know anything of PFAR.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Heard {
  readonly file: { readonly name: string; readonly bytes: Buffer }
  readonly fields: Readonly<Record<string, string>>
  readonly authorization: string | null
}

export interface SpeechServer {
  /** With its path. */
  readonly url: string
  readonly heard: Heard[]
  /** Why requests were refused, by its own words. */
  readonly refused: string[]
  /** What it answers with from now on; a string is what it heard. */
  answer: string | { readonly status: number; readonly body: string } | 'never'
  close(): Promise<void>
}

const MODEL = 'whisper-1'
const ENDINGS = /^[\w-]+\.(?:flac|mp3|mp4|mpeg|mpga|m4a|ogg|wav|webm)$/
const FIELDS: readonly string[] = ['model', 'language', 'prompt', 'response_format', 'temperature']

export async function startSpeechServer(): Promise<SpeechServer> {
  const heard: Heard[] = []
  const refused: string[] = []
  const speech: SpeechServer = {
    ...{ heard, refused, answer: 'Hello.', url: '' },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  const server = createServer((request, response) => void serve(speech, request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return Object.assign(speech, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` })
}

async function serve(
  speech: SpeechServer,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const json = (status: number, value: unknown): void =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
  const no = (status: number, why: string): void => {
    speech.refused.push(why)
    json(status, { error: { message: why, type: 'invalid_request_error' } })
  }
  if (request.url === '/v1/models') return json(200, { object: 'list', data: [{ id: MODEL }] })
  if (request.method !== 'POST' || request.url !== '/v1/audio/transcriptions') return no(404, 'no such path')
  const type = request.headers['content-type'] ?? ''
  if (!/^multipart\/form-data; boundary=[\w-]{1,70}$/.test(type)) return no(415, 'no form')
  const form = await new Response(new Uint8Array(Buffer.concat(chunks)), {
    headers: { 'content-type': type },
  })
    .formData()
    .catch(() => null)
  if (form === null) return no(400, 'a form without its end')
  const file = form.get('file')
  if (!(file instanceof File) || form.getAll('file').length !== 1) return no(400, 'not one file')
  if (!ENDINGS.test(file.name)) return no(400, 'an ending that is not known')
  const others = [...form].filter(([name]) => name !== 'file')
  if (others.some(([name, value]) => !FIELDS.includes(name) || typeof value !== 'string'))
    return no(400, 'a field that is not known')
  const fields = Object.fromEntries(others) as Record<string, string>
  if (fields['model'] !== MODEL) return no(404, 'no such model')
  if (fields['response_format'] !== 'json') return no(400, 'another format is asked for')
  const bytes = Buffer.from(await file.arrayBuffer())
  speech.heard.push({
    file: { name: file.name, bytes },
    fields,
    authorization: request.headers.authorization ?? null,
  })
  const { answer } = speech
  if (answer === 'never') return
  if (typeof answer === 'string') return json(200, { text: ` ${answer}\n` })
  response
    .writeHead(answer.status, { 'content-type': 'application/json', location: '/elsewhere' })
    .end(answer.body)
}
