/**
 * Anthropic's Messages API as a model provider: two system blocks, the first marked for caching (P-21); always streamed. Parses
 * with the official library, over a fetch of one call and without the key (docs/decisions/025). Must not change a prompt. Called
 * by durable-objects/models.ts and sidecar/models/home-models.ts.
 */
import type {
  MessageCreateParamsStreaming,
  RawMessageStreamEvent,
} from '@anthropic-ai/sdk/resources/messages/messages'
import type { TextModel, TokenUsage } from '../../../kernel/inference/provider.ts'
import type { ModelConnection, ModelSettings } from '../connection.ts'
import { loaded, NamedError } from '../failure.ts'
import {
  type Asked,
  counted,
  createStreamedModel,
  type Dialect,
  type Piece,
  textOf,
} from '../streamed-model.ts'
import { markedBody } from '../wire.ts'

/** Maximum wait for the first byte, in ms: this service answers within seconds. */
const FIRST_BYTE = 30_000

/** API version of the events parsed here; a test compares it with the client library's. */
export const ANTHROPIC_HEADERS = { 'anthropic-version': '2026-10-21' }

/** `baseUrl` is the service's origin. */
export function createAnthropicModel(settings: ModelSettings, connection: ModelConnection): TextModel {
  const dialect: Dialect = {
    frames: 'event',
    headers: ANTHROPIC_HEADERS,
    firstByte: FIRST_BYTE,
    stream: (asked) => streamed(settings.model, connection.baseUrl, asked),
  }
  const model = createStreamedModel(dialect, settings, connection)
  return { ...model, cacheMinimum: cacheMinimum(settings.model) }
}

async function* streamed(model: string, baseURL: string, asked: Asked): AsyncGenerator<Piece> {
  const { MessagesClient } = await loaded(import('./client.ts'))
  try {
    const client = new MessagesClient({ baseURL, fetch: asked.fetch })
    const events = await client.create(bodyOf(model, asked))
    let usage: Usage = {}
    let stop: unknown
    for await (const event of events) {
      usage = { ...usage, ...known(usageIn(event)) }
      if (event.type === 'message_delta') stop = event.delta.stop_reason ?? stop
      yield pieceOf(event, usage, WHOLE.has(stop) ? 'whole' : 'cut')
    }
  } catch (error) {
    throw error instanceof MessagesClient.APIError ? new NamedError({ type: error.type }) : error
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

/** Stop reasons of a complete answer. Any other means a cut one: at the token limit, at the window, or by a refusal. */
const WHOLE: ReadonlySet<unknown> = new Set(['end_turn', 'stop_sequence'])

type Usage = Readonly<Record<string, unknown>>

function usageIn(event: RawMessageStreamEvent): Usage {
  if (event.type === 'message_start') return { ...event.message.usage }
  return event.type === 'message_delta' ? { ...event.usage } : {}
}

/** Keeps only numbers, so that a later count without a field does not overwrite an earlier one. */
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

interface CacheMinimum {
  /** Prefix of the model's id. */
  readonly model: string
  readonly tokens: number
}

/**
 * Minimum length of a prompt prefix that a model caches (P-23). A shorter one is silently not cached, so the owner must be
 * warned. The longest matching `model` applies. Source: the provider's documentation of prompt caching, 2026.
 */
const MINIMUMS: readonly CacheMinimum[] = Object.freeze([
  { model: 'claude-opus-4', tokens: 1_024 },
  { model: 'claude-opus-4-5', tokens: 4_096 },
  { model: 'claude-opus-4-6', tokens: 4_096 },
  { model: 'claude-opus-4-7', tokens: 4_096 },
  { model: 'claude-opus-4-8', tokens: 1_024 },
  { model: 'claude-sonnet-4', tokens: 1_024 },
  { model: 'claude-haiku-4', tokens: 4_096 },
  { model: 'claude-3-5-haiku', tokens: 2_048 },
])

/** For an unlisted model: the largest minimum, so that the owner gets a warning rather than an unexpected bill. */
const UNKNOWN_MINIMUM = 4_096

/** Minimum cacheable prefix of this model, in tokens. */
export function cacheMinimum(model: string): number {
  const fitting = MINIMUMS.filter((row) => model.startsWith(row.model))
  const longest = fitting.toSorted((a, b) => b.model.length - a.model.length)[0]
  return longest?.tokens ?? UNKNOWN_MINIMUM
}
