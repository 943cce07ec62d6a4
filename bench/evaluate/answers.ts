/**
 * Model server of one evaluation, on loopback, with OpenAI's API. It either returns recorded answers, by the digest of the
 * prompt's bytes, and stores each prompt without one; or it relays calls to the provider of a configured model, with its key.
 * Called by main.ts.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { type Served, serve } from '../../test/kit/server.ts'

const ANSWERS = z.record(z.string().check(z.regex(/^[0-9a-f]{64}$/)), z.string())

const BODY = z.object({
  messages: z.array(z.object({ role: z.string(), content: z.string() })),
  response_format: z.optional(z.object({ json_schema: z.object({ schema: z.json() }) })),
})

export interface RecordedAnswers extends Served {
  /** Whether a prompt had no answer since the last call of `takeMissing`. */
  isOpen(): boolean
  /** Digests of prompts without an answer since the last call. */
  takeMissing(): readonly string[]
}

export interface RecordedInput {
  /** JSON file: answers by digest of the prompt. */
  readonly answers: string
  /** Folder for prompts without an answer, `<digest>.txt`; null: they are not written. */
  readonly prompts: string | null
}

export async function serveAnswers({ answers, prompts }: RecordedInput): Promise<RecordedAnswers> {
  const known = existsSync(answers) ? ANSWERS.parse(JSON.parse(readFileSync(answers, 'utf8'))) : {}
  let missing: string[] = []
  if (prompts !== null) mkdirSync(prompts, { recursive: true })
  const served = await serve((_request, response, body) => {
    const prompt = promptText(body)
    const digest = digestOf(prompt)
    const answer = known[digest]
    if (answer !== undefined) return streamed(response, answer)
    // Only the first missing prompt is stored: later ones depend on its answer.
    if (prompts !== null && missing.length === 0) writeFileSync(join(prompts, `${digest}.txt`), prompt)
    missing.push(digest)
    return response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":{"message":"open"}}')
  })
  return {
    ...served,
    isOpen: () => missing.length > 0,
    takeMissing() {
      const taken = [...new Set(missing)]
      missing = []
      return taken
    },
  }
}

/** The digested text of a request: its messages, and the required form of the answer. */
export function promptText(body: string): string {
  const { messages, response_format: form } = BODY.parse(JSON.parse(body))
  const parts = messages.map(({ role, content }) => `### ${role}\n${content}\n`)
  const schema =
    form === undefined
      ? []
      : [`### answer as JSON of this schema\n${JSON.stringify(form.json_schema.schema)}\n`]
  return [...parts, ...schema].join('\n')
}

export function digestOf(prompt: string): string {
  return createHash('sha256').update(prompt).digest('hex')
}

function streamed(response: ServerResponse, text: string): void {
  const chunk = (delta: object, end: string | null): string =>
    `data: ${JSON.stringify({
      ...{ id: 'recorded', object: 'chat.completion.chunk', created: 0, model: 'recorded' },
      choices: [{ index: 0, delta, finish_reason: end }],
    })}\n\n`
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.end(`${chunk({ role: 'assistant', content: text }, null)}${chunk({}, 'stop')}data: [DONE]\n\n`)
}

export interface RelayInput {
  /** Base URL of the provider. */
  readonly target: string
  readonly kind: 'anthropic' | 'openai' | 'ollama'
  /** Null for a provider without a key. */
  readonly key: string | null
}

/** Relays calls to the provider; their only content is the demo's invented data. */
export function serveRelay({ target, kind, key }: RelayInput): Promise<Served> {
  return serve(async (request, response, body) => {
    const answered = await fetch(`${target}${request.url ?? ''}`, {
      method: request.method ?? 'POST',
      headers: { ...keptHeaders(request), ...keyHeader(kind, key) },
      ...(body === '' ? {} : { body }),
    })
    response.writeHead(answered.status, { 'content-type': answered.headers.get('content-type') ?? '' })
    for await (const chunk of answered.body ?? []) response.write(chunk)
    response.end()
  })
}

const KEPT = ['content-type', 'accept', 'anthropic-version', 'anthropic-beta']

function keptHeaders({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    KEPT.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])),
  )
}

function keyHeader(kind: RelayInput['kind'], key: string | null): Record<string, string> {
  if (key === null) return {}
  return kind === 'anthropic' ? { 'x-api-key': key } : { authorization: `Bearer ${key}` }
}
