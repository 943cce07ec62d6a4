/**
 * Ollama's chat API as a model provider, through its own library. Always sends the window size, or Ollama would silently cut the
 * start of the prompt (N-17); keeps the model loaded for the next call. Must not change a prompt. Called by home's wiring; the
 * edge asks home for a local model.
 */
import type { ChatResponse } from 'ollama/browser'
import type { TextModel } from '../../../kernel/inference/provider.ts'
import type { ModelConnection, ModelSettings } from '../connection.ts'
import { loaded } from '../failure.ts'
import {
  type Asked,
  counted,
  createStreamedModel,
  type Dialect,
  type Piece,
  textOf,
} from '../streamed-model.ts'
import { plainMessages } from '../wire.ts'

export interface OllamaSettings extends ModelSettings {
  readonly window: number
  /** Minutes that the model stays loaded after a call; negative: without limit. */
  readonly keepAlive?: number
}

/** Maximum wait for the first byte, in ms: Ollama loads the model and reads the whole prompt first. */
const FIRST_BYTE = 180_000
/** Default `keepAlive`, in minutes: longer than most pauses in a conversation, as loading takes longer than an answer. */
const KEEP_ALIVE = 30

/** `baseUrl` is the server's origin: the library adds the path. */
export function createOllamaModel(settings: OllamaSettings, connection: ModelConnection): TextModel {
  const dialect: Dialect = {
    frames: 'line',
    firstByte: FIRST_BYTE,
    stream: (asked) => streamed(settings, connection.baseUrl, asked),
  }
  return createStreamedModel(dialect, settings, connection)
}

/** `keepAlive` in the format of Ollama's API. */
export function keepAlive({ keepAlive: minutes = KEEP_ALIVE }: OllamaSettings): number | string {
  return minutes < 0 ? -1 : `${minutes}m`
}

async function* streamed(
  settings: OllamaSettings,
  host: string,
  { prompt, limits, form, fetch }: Asked,
): AsyncGenerator<Piece> {
  const { Ollama } = await loaded(import('ollama/browser'))
  const { model, systemRole, window } = settings
  const question = {
    model,
    messages: messagesOf(prompt, systemRole),
    stream: true as const,
    keep_alive: keepAlive(settings),
    options: { num_ctx: window, num_predict: limits.maxTokens },
    ...(form.schema === null ? {} : { format: { ...form.schema.schema } }),
  }
  try {
    for await (const answer of await new Ollama({ host, fetch }).chat(question)) yield pieceOf(answer)
  } catch (error) {
    // The fetch has already reported its own errors. Any other means a stream without its last line, so the answer counts as cut.
    if (error instanceof TypeError) throw error
  }
}

/** Ollama takes a picture with the message, without its media type. */
function messagesOf(prompt: Asked['prompt'], systemRole?: boolean) {
  const [system, user] = plainMessages(prompt, systemRole)
  const { picture } = prompt
  return picture === null ? [system, user] : [system, { ...user, images: [picture.data] }]
}

/** Ignores reasoning, which comes in a separate field. */
function pieceOf({ message, done, done_reason: reason, ...counts }: ChatResponse): Piece {
  const text = textOf(message?.content)
  if (done !== true) return { text }
  // Older servers send no reason.
  const end = reason === undefined || reason === 'stop' ? 'whole' : 'cut'
  return {
    text,
    end,
    tokens: { input: counted(counts.prompt_eval_count), output: counted(counts.eval_count) },
  }
}
