/**
 * Anthropic's Messages API as a model provider: a system of two blocks, the first marked for caching (P-21), always streamed. Uses
 * the library's decoder and types, not its client, which would hold the key and is a tenth of the edge's bundle limit
 * (docs/decisions/011). Must not change a prompt. Called by each place's wiring.
 */
import { APIError } from '@anthropic-ai/sdk/core/error'
import { Stream } from '@anthropic-ai/sdk/core/streaming'
import type {
  MessageCreateParamsStreaming,
  RawMessageStreamEvent,
} from '@anthropic-ai/sdk/resources/messages/messages'
import type { Refusal } from '../../../kernel/flow/verdict.ts'
import type { TextModel, TokenUsage } from '../../../kernel/inference/provider.ts'
import { cacheMinimum } from '../cache-minimum.ts'
import type { ModelConnection, ModelSettings } from '../connection.ts'
import { refusalOfStream } from '../failure.ts'
import {
  type Asked,
  counted,
  createStreamedModel,
  type Dialect,
  type Piece,
  textOf,
} from '../streamed-model.ts'
import { markedBody } from '../wire.ts'

/** Milliseconds until the first byte: the service answers within seconds. */
const FIRST_BYTE = 30_000

/** API version of the events read here; a test compares it with the one that the library's client sends. */
const VERSION = '2026-10-21'

/** `baseUrl` is the service's origin. */
export function createAnthropicModel(settings: ModelSettings, connection: ModelConnection): TextModel {
  const dialect: Dialect = {
    auth: (key) => ({ authorization: `Bearer ${key}` }),
    contentType: 'text/event-stream',
    frames: 'event',
    firstByte: FIRST_BYTE,
    stream: (asked) => streamed(settings.model, connection.baseUrl, asked),
    refusal,
  }
  const model = createStreamedModel(dialect, settings, connection)
  return { ...model, cacheMinimum: cacheMinimum(settings.model) }
}

async function* streamed(model: string, baseUrl: string, asked: Asked): AsyncGenerator<Piece> {
  const response = await asked.fetch(`${baseUrl.replace(/\/+$/, '')}/v1/messages`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      'anthropic-version': VERSION,
    },
    body: JSON.stringify(bodyOf(model, asked)),
  })
  // Without a client's log level the library would print what it cannot parse.
  const quiet = { logLevel: 'off' } as NonNullable<Parameters<typeof Stream.fromSSEResponse>[2]>
  const events = Stream.fromSSEResponse<RawMessageStreamEvent>(response, new AbortController(), quiet)
  let usage: Usage = {}
  let stop: unknown
  for await (const event of events) {
    usage = { ...usage, ...known(usageIn(event)) }
    if (event.type === 'message_delta') stop = event.delta.stop_reason ?? stop
    yield pieceOf(event, usage, WHOLE.has(stop) ? 'whole' : 'cut')
  }
}

function bodyOf(model: string, { limits, form, prompt }: Asked): MessageCreateParamsStreaming {
  return {
    model,
    max_tokens: limits.maxTokens,
    stream: true,
    ...(markedBody(prompt) as unknown as Pick<MessageCreateParamsStreaming, 'system' | 'messages'>),
    ...(form.schema === null
      ? {}
      : { output_config: { format: { type: 'json_schema', schema: { ...form.schema.schema } } } }),
  }
}

/** Stop reasons of a complete answer; any other means that it was cut: by the cap, the window, or a refusal. */
const WHOLE: ReadonlySet<unknown> = new Set(['end_turn', 'stop_sequence'])

type Usage = Readonly<Record<string, unknown>>

function usageIn(event: RawMessageStreamEvent): Usage {
  if (event.type === 'message_start') return { ...event.message.usage }
  return event.type === 'message_delta' ? { ...event.usage } : {}
}

/** Keeps only numbers, so that a later count without a field does not erase an earlier one. */
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

/** The service counts tokens read from and written to its cache separately from the rest of the input. */
function tokensOf(usage: Usage): TokenUsage {
  const read = counted(usage['cache_read_input_tokens'])
  const written = counted(usage['cache_creation_input_tokens'])
  const input = counted(usage['input_tokens']) + read + written
  return { input, output: counted(usage['output_tokens']), cached: { read, written } }
}

function refusal(error: unknown): Refusal | null {
  return error instanceof APIError ? refusalOfStream(error.type) : null
}
