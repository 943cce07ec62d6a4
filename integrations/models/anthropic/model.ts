/**
 * Anthropic's Messages behind the model port, through its own library: a system of two blocks, the first of which is marked
 * to be kept (P-21), always streamed. The library gets no key, no address of its own, no log and no trace, and lives for
 * one call. Must not change a prompt. Called by each place's wiring.
 */
import { BaseAnthropic } from '@anthropic-ai/sdk/client'
import { APIError } from '@anthropic-ai/sdk/core/error'
import {
  type MessageCreateParamsStreaming,
  Messages,
  type RawMessageStreamEvent,
} from '@anthropic-ai/sdk/resources/messages/messages'
import type { Refusal } from '../../../kernel/flow/verdict.ts'
import type { TextModel, TokenUsage } from '../../../kernel/inference/provider.ts'
import { cacheMinimum } from '../cache-minimum.ts'
import type { ModelConnection, ModelSettings } from '../connection.ts'
import { refusalOfStream } from '../failure.ts'
import type { ProviderFetch } from '../provider-fetch.ts'
import {
  type Asked,
  counted,
  createStreamedModel,
  type Dialect,
  type Piece,
  textOf,
} from '../streamed-model.ts'
import { markedBody } from '../wire.ts'

/** Milliseconds until the first byte: the library's own server says something within seconds. */
const FIRST_BYTE = 30_000

/** `baseUrl` is the service's origin: the library adds the path. */
export function createAnthropicModel(settings: ModelSettings, connection: ModelConnection): TextModel {
  const dialect: Dialect = {
    auth: (key) => ({ 'x-api-key': key }),
    contentType: 'text/event-stream',
    frames: 'event',
    firstByte: FIRST_BYTE,
    stream: (asked) => streamed(settings.model, connection.baseUrl, asked),
    refusal,
  }
  const model = createStreamedModel(dialect, settings, connection)
  return { ...model, cacheMinimum: cacheMinimum(settings.model) }
}

/** Never looks for a key in the environment or in files of this machine. */
class QuietClient extends BaseAnthropic {
  protected override _shouldResolveDefaultCredentials(): boolean {
    return false
  }
}

function messagesOver(baseURL: string, fetch: ProviderFetch): Messages {
  const client = new QuietClient({
    baseURL,
    fetch,
    apiKey: null,
    authToken: null,
    webhookKey: null,
    // The router tries again; the watch ends the call.
    maxRetries: 0,
    logLevel: 'off',
    openTelemetry: false,
    // The key is put in behind the library; `null` tells it to expect none.
    defaultHeaders: { authorization: null },
  })
  return new Messages(client)
}

async function* streamed(model: string, baseUrl: string, asked: Asked): AsyncGenerator<Piece> {
  const { limits, form, prompt, fetch } = asked
  const body = {
    model,
    max_tokens: limits.maxTokens,
    stream: true,
    ...(markedBody(prompt) as unknown as Pick<MessageCreateParamsStreaming, 'system' | 'messages'>),
    ...(form.schema === null
      ? {}
      : { output_config: { format: { type: 'json_schema', schema: form.schema.schema } } }),
  } satisfies MessageCreateParamsStreaming
  const events = await messagesOver(baseUrl, fetch).create(body, { timeout: limits.timeout })
  let usage: Usage = {}
  let stop: unknown
  for await (const event of events) {
    usage = { ...usage, ...known(usageIn(event)) }
    if (event.type === 'message_delta') stop = event.delta.stop_reason ?? stop
    yield pieceOf(event, usage, WHOLE.has(stop) ? 'whole' : 'cut')
  }
}

/** Anything else has stopped it: the cap, the window, a refusal half-way. */
const WHOLE: ReadonlySet<unknown> = new Set(['end_turn', 'stop_sequence'])

type Usage = Readonly<Record<string, unknown>>

function usageIn(event: RawMessageStreamEvent): Usage {
  if (event.type === 'message_start') return { ...event.message.usage }
  return event.type === 'message_delta' ? { ...event.usage } : {}
}

/** What later counts do not repeat stays. */
function known(usage: Usage): Usage {
  return Object.fromEntries(Object.entries(usage).filter(([, value]) => typeof value === 'number'))
}

function pieceOf(event: RawMessageStreamEvent, usage: Usage, end: 'whole' | 'cut'): Piece {
  switch (event.type) {
    case 'content_block_start':
      return event.content_block.type === 'text' ? { text: textOf(event.content_block.text) } : {}
    case 'content_block_delta':
      return event.delta.type === 'text_delta' ? { text: textOf(event.delta.text) } : {}
    case 'message_start':
    case 'message_delta':
      return { tokens: tokensOf(usage) }
    case 'message_stop':
      return { end }
    default:
      return {}
  }
}

/** The service counts what it read from its cache, and put there, beside the rest of the input. */
function tokensOf(usage: Usage): TokenUsage {
  const read = counted(usage['cache_read_input_tokens'])
  const written = counted(usage['cache_creation_input_tokens'])
  const input = counted(usage['input_tokens']) + read + written
  return { input, output: counted(usage['output_tokens']), cached: { read, written } }
}

function refusal(error: unknown): Refusal | null {
  return error instanceof APIError ? refusalOfStream(error.type) : null
}
