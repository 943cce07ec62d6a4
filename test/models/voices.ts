/**
 * The three services as documented: what a request must contain, and the bytes of an answer. Strict on purpose: what a real service
 * refuses is refused here. Data for scripted-server.ts; knows nothing of PFAR.
 */
import type { IncomingHttpHeaders } from 'node:http'

export interface Voice {
  readonly path: string
  readonly contentType: string
  isAuthorized(headers: IncomingHttpHeaders): boolean
  /** What is wrong with a request; null for a valid one. */
  wrong(body: Record<string, unknown>, headers: IncomingHttpHeaders): string | null
  opening(): string
  text(text: string): string
  reasoning(text: string): string
  /** A keep-alive without any part of the answer. */
  life(): string
  closing(end: 'whole' | 'cut'): string
  /** Error inside a stream that began well. */
  error(kind: 'overloaded' | 'broken'): string
  /** Body of an answer with this error status. */
  errorBody(status: number): string
}

export const KEY = 'key-of-the-test-0123456789'
/** Text in every error answer: no refusal may contain it. */
export const SAID_IN_ERRORS = 'Zanzibar said this'

/** Token counts of every service's answer, under its own names. */
export const COUNTED = { input: 1_200, read: 1_000, written: 150, output: 7 } as const

const sse = (event: string, data: object): string => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
const isText = (value: unknown): boolean => typeof value === 'string' && value !== ''
const isCount = (value: unknown): boolean => Number.isInteger(value) && Number(value) > 0
const onlyHas = (body: object, names: string): boolean =>
  Object.keys(body).every((name) => names.split(' ').includes(name))
interface Said {
  readonly role: string
  readonly content: unknown
  readonly images?: readonly unknown[]
}
const rolesOf = (body: Record<string, unknown>, isRight: (said: Said) => boolean): string =>
  (body['messages'] as Said[]).map((said) => (isRight(said) ? said.role : '?')).join()

const BASE64 = /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const DATA = /^data:image\/(?:jpeg|png|webp|gif);base64,/
type Part = { readonly type: string; readonly text?: unknown; readonly image_url?: { readonly url: string } }
/** A text, or parts, each a text or a picture as a data URL; a system text has no picture. */
const isOpenAiContent = ({ role, content, ...others }: Said): boolean =>
  Object.keys(others).length === 0 &&
  (isText(content) ||
    (role === 'user' &&
      (content as Part[]).every(({ type, text, image_url: image }) =>
        type === 'text'
          ? isText(text)
          : type === 'image_url' &&
            DATA.test(image?.url ?? '') &&
            BASE64.test((image?.url ?? '').replace(DATA, '')),
      )))
/** Pictures beside the text, without address or type. */
const isOllamaContent = ({ role: _role, content, images = [], ...others }: Said): boolean =>
  Object.keys(others).length === 0 &&
  isText(content) &&
  images.every((image) => typeof image === 'string' && BASE64.test(image))

export const anthropic: Voice = {
  path: '/v1/messages',
  contentType: 'text/event-stream; charset=utf-8',
  isAuthorized: (headers) => headers.authorization === `Bearer ${KEY}` && headers['x-api-key'] === undefined,
  wrong: (body, headers) => {
    if (!/^\d{4}-\d\d-\d\d$/.test(String(headers['anthropic-version']))) return 'version'
    if (!onlyHas(body, 'model max_tokens stream system messages output_config')) return 'field'
    if (!isText(body['model']) || !isCount(body['max_tokens']) || body['stream'] !== true) return 'required'
    const system = body['system'] as { type: string; text: string; cache_control?: object }[]
    const messages = body['messages'] as { role: string; content: typeof system }[]
    const blocks = [...system, ...messages.flatMap(({ content }) => content)]
    if (!blocks.every(({ type, text }) => type === 'text' && isText(text))) return 'block'
    if (blocks.filter((block) => block.cache_control !== undefined).length > 4) return 'marks'
    return messages.length === 1 && messages[0]?.role === 'user' ? null : 'roles'
  },
  opening: () =>
    sse('message_start', {
      type: 'message_start',
      message: {
        ...{ id: 'msg_1', type: 'message', role: 'assistant', content: [], model: 'm', stop_reason: null },
        usage: {
          input_tokens: COUNTED.input - COUNTED.read - COUNTED.written,
          cache_read_input_tokens: COUNTED.read,
          cache_creation_input_tokens: COUNTED.written,
          output_tokens: 1,
        },
      },
    }) +
    sse('content_block_start', {
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'text', text: '' },
    }),
  text: (text) => anthropicDelta({ type: 'text_delta', text }),
  reasoning: (thinking) => anthropicDelta({ type: 'thinking_delta', thinking }),
  life: () => sse('ping', { type: 'ping' }),
  closing: (end) =>
    sse('content_block_stop', { type: 'content_block_stop', index: 0 }) +
    sse('message_delta', {
      type: 'message_delta',
      delta: { stop_reason: end === 'whole' ? 'end_turn' : 'max_tokens', stop_sequence: null },
      usage: { output_tokens: COUNTED.output, input_tokens: null },
    }) +
    sse('message_stop', { type: 'message_stop' }),
  error: (kind) =>
    sse('error', {
      type: 'error',
      error: { type: kind === 'overloaded' ? 'overloaded_error' : 'api_error', message: SAID_IN_ERRORS },
    }),
  errorBody: (status) =>
    JSON.stringify({ type: 'error', error: { type: `error_${status}`, message: SAID_IN_ERRORS } }),
}

function anthropicDelta(delta: object): string {
  return sse('content_block_delta', { type: 'content_block_delta', index: 0, delta })
}

export const openai: Voice = {
  path: '/v1/chat/completions',
  contentType: 'text/event-stream',
  isAuthorized: (headers) => headers.authorization === `Bearer ${KEY}` && headers['x-api-key'] === undefined,
  wrong: (body) => {
    const names = 'model messages stream stream_options max_tokens max_completion_tokens response_format'
    if (!onlyHas(body, names)) return 'field'
    if (!isText(body['model']) || body['stream'] !== true) return 'required'
    if (!isCount(body['max_tokens'] ?? body['max_completion_tokens'])) return 'cap'
    return ['system,user', 'user,user'].includes(rolesOf(body, isOpenAiContent)) ? null : 'roles'
  },
  opening: () => completion({ role: 'assistant', content: '' }),
  text: (content) => completion({ content }),
  reasoning: (text) => completion({ reasoning_content: text, content: null }),
  life: () => ': keep-alive\n\n',
  closing: (end) =>
    completion({}, end === 'whole' ? 'stop' : 'length') +
    `data: ${JSON.stringify({
      ...{ id: 'c', object: 'chat.completion.chunk', choices: [] },
      usage: {
        prompt_tokens: COUNTED.input,
        completion_tokens: COUNTED.output,
        prompt_tokens_details: { cached_tokens: COUNTED.read },
      },
    })}\n\ndata: [DONE]\n\n`,
  error: (kind) =>
    `data: ${JSON.stringify({
      error: {
        message: SAID_IN_ERRORS,
        code: kind === 'overloaded' ? 'rate_limit_exceeded' : 'server_error',
      },
    })}\n\n`,
  errorBody: (status) =>
    JSON.stringify({ error: { message: SAID_IN_ERRORS, type: `error_${status}`, param: null, code: null } }),
}

function completion(delta: object, finish: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason: finish }]
  return `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices })}\n\n`
}

export const ollama: Voice = {
  path: '/api/chat',
  contentType: 'application/x-ndjson',
  isAuthorized: (headers) => headers.authorization === `Bearer ${KEY}`,
  wrong: (body) => {
    if (!onlyHas(body, 'model messages stream keep_alive options format')) return 'field'
    const options = body['options'] as Record<string, unknown>
    if (!isText(body['model']) || body['stream'] !== true) return 'required'
    if (!isCount(options['num_ctx']) || !isCount(options['num_predict'])) return 'options'
    return ['system,user', 'user,user'].includes(rolesOf(body, isOllamaContent)) ? null : 'roles'
  },
  opening: () => ollamaLine({ role: 'assistant', content: '' }),
  text: (content) => ollamaLine({ role: 'assistant', content }),
  reasoning: (thinking) => ollamaLine({ role: 'assistant', content: '', thinking }),
  life: () => '\n',
  closing: (end) =>
    ollamaLine(
      { role: 'assistant', content: '' },
      {
        ...{ done: true, done_reason: end === 'whole' ? 'stop' : 'length' },
        ...{ prompt_eval_count: COUNTED.input, eval_count: COUNTED.output },
      },
    ),
  error: () => `${JSON.stringify({ error: SAID_IN_ERRORS })}\n`,
  errorBody: () => JSON.stringify({ error: SAID_IN_ERRORS }),
}

function ollamaLine(message: object, rest: object = { done: false }): string {
  return `${JSON.stringify({ model: 'm', created_at: '2026-11-22T10:00:00Z', message, ...rest })}\n`
}

export const VOICES = { anthropic, openai, ollama } as const
export type Service = keyof typeof VOICES
