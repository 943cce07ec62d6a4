/**
 * The parts of Anthropic's library in use: its stream parser and its error type (docs/decisions/025). Must not be imported
 * statically: model.ts loads it with the first call. Called by model.ts.
 */
import { APIError } from '@anthropic-ai/sdk/core/error'
import { Stream } from '@anthropic-ai/sdk/core/streaming'
import type {
  MessageCreateParamsStreaming,
  RawMessageStreamEvent,
} from '@anthropic-ai/sdk/resources/messages/messages'
import { isPlainRecord } from '../../../kernel/flow/json.ts'
import { OneRequest, SILENT } from '../one-request.ts'

type Client = Parameters<typeof Stream.fromSSEResponse>[2]

export class MessagesClient extends OneRequest {
  static readonly APIError = APIError

  /** Throws `APIError` for a response that is no success, and whatever the fetch throws. */
  async create(body: MessageCreateParamsStreaming): Promise<Stream<RawMessageStreamEvent>> {
    const { response, controller } = await this.post('/v1/messages', body)
    return Stream.fromSSEResponse(response, controller, SILENT as Client)
  }

  protected refused({ status, headers }: Response, said: unknown): Error {
    return new APIError(status, isPlainRecord(said) ? said : undefined, undefined, headers)
  }
}
