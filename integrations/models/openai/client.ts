/**
 * The parts of OpenAI's library in use: its stream parser and its error type (docs/decisions/025). Must not be imported
 * statically: model.ts loads it with the first call. Called by model.ts.
 */
import { APIError } from 'openai/core/error'
import { Stream } from 'openai/core/streaming'
import type {
  ChatCompletionChunk,
  ChatCompletionCreateParamsStreaming,
} from 'openai/resources/chat/completions/completions'
import { isPlainRecord } from '../../../kernel/flow/json.ts'
import { OneRequest, SILENT } from '../one-request.ts'

type Client = Parameters<typeof Stream.fromSSEResponse>[2]

export class ChatClient extends OneRequest {
  static readonly APIError = APIError

  /** Throws `APIError` for a response that is no success, and whatever the fetch throws. */
  async create(body: ChatCompletionCreateParamsStreaming): Promise<Stream<ChatCompletionChunk>> {
    const { response, controller } = await this.post('/chat/completions', body)
    return Stream.fromSSEResponse(response, controller, SILENT as Client)
  }

  protected refused({ status, headers }: Response, said: unknown): Error {
    const error = isPlainRecord(said) && isPlainRecord(said['error']) ? said['error'] : undefined
    return new APIError(status, error, undefined, headers)
  }
}
