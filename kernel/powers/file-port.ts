/**
 * What fetches a file that came with a message (B-27): at the place that holds the channel's token, and nowhere else. Must not
 * decide whether a file is wanted. Filled by a place's powers, called by pipeline/attachments.ts.
 */
import type { Result } from '../flow/verdict.ts'

export interface FilePort {
  /**
   * A file's text, by the channel's own name for it and the sink of the chat that it came by; of at most `most` bytes, whatever
   * anybody says of its size. Refusals: field_malformed for what is no text by its bytes, response_too_large, remote_not_found,
   * remote_rate_limited, remote_rejected, remote_unavailable, credential_rejected, sink_unknown, and those of the network.
   */
  text(file: { readonly ref: string; readonly sink: string }, most: number): Promise<Result<string>>
}
