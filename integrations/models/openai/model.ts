/**
 * The Chat Completions API as a model provider, for every service with it: OpenAI, llama.cpp, vLLM, LM Studio. Parses with the
 * official library, over a fetch of one call and without the key (docs/decisions/025). Must not change a prompt. Called by
 * durable-objects/models.ts and sidecar/models/home-models.ts.
 */
import type {
  ChatCompletionChunk,
  ChatCompletionCreateParamsStreaming,
} from 'openai/resources/chat/completions/completions'
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
import { plainMessages } from '../wire.ts'
import { strictSchema } from './strict.ts'

/** Maximum wait for the first byte, in ms: a local model server may have to load the model first. */
const FIRST_BYTE = 60_000

/** `baseUrl` ends before `/chat/completions`. */
export function createOpenAiModel(settings: ModelSettings, connection: ModelConnection): TextModel {
  const dialect: Dialect = {
    frames: 'event',
    firstByte: FIRST_BYTE,
    stream: (asked) => streamed(settings, connection.baseUrl, asked),
  }
  return createStreamedModel(dialect, settings, connection)
}

async function* streamed(settings: ModelSettings, baseURL: string, asked: Asked): AsyncGenerator<Piece> {
  const { ChatClient } = await loaded(import('./client.ts'))
  try {
    const client = new ChatClient({ baseURL, fetch: asked.fetch })
    const chunks = await client.create(bodyOf(settings, asked))
    for await (const chunk of chunks) yield pieceOf(chunk)
  } catch (error) {
    throw error instanceof ChatClient.APIError ? new NamedError(error) : error
  }
}

function bodyOf({ model, systemRole }: ModelSettings, asked: Asked): ChatCompletionCreateParamsStreaming {
  const { prompt, limits, form } = asked
  return {
    model,
    messages: messagesOf(prompt, systemRole),
    stream: true,
    stream_options: { include_usage: true },
    [form.cap]: limits.maxTokens,
    ...(form.schema === null ? {} : { response_format: schemaFormat(form.schema) }),
  }
}

/** Adds the picture to the user message, after its text. */
function messagesOf(prompt: Asked['prompt'], systemRole?: boolean) {
  const [system, { content: text }] = plainMessages(prompt, systemRole)
  const { picture } = prompt
  if (picture === null) return [system, { role: 'user' as const, content: text }]
  const url = `data:${picture.mediaType};base64,${picture.data}`
  const parts = [
    { type: 'text' as const, text },
    { type: 'image_url' as const, image_url: { url } },
  ]
  return [system, { role: 'user' as const, content: parts }]
}

function schemaFormat({ name, schema }: NonNullable<Asked['form']['schema']>) {
  return {
    type: 'json_schema' as const,
    json_schema: { name, schema: strictSchema(schema) as Record<string, unknown>, strict: true },
  }
}

/** Ignores reasoning, which comes in separate fields. */
function pieceOf({ choices, usage }: ChatCompletionChunk): Piece {
  const [choice] = choices
  const end = choice?.finish_reason
  return {
    text: textOf(choice?.delta?.content),
    ...(usage === undefined || usage === null ? {} : { tokens: tokensOf(usage) }),
    ...(end === undefined || end === null ? {} : { end: end === 'stop' ? 'whole' : 'cut' }),
  }
}

function tokensOf(usage: NonNullable<ChatCompletionChunk['usage']>): TokenUsage {
  const read = usage.prompt_tokens_details?.cached_tokens
  return {
    input: counted(usage.prompt_tokens),
    output: counted(usage.completion_tokens),
    ...(read === undefined || read === null ? {} : { cached: { read: counted(read), written: 0 } }),
  }
}
