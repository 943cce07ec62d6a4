/**
 * What fetches a file that came with a message (B-27): at the place that holds the channel's token, and nowhere else. Must not
 * decide whether a file is wanted. Filled by a place's powers, called by pipeline/attachments.ts.
 */
import type { ModelReader } from '../../flow/policy.ts'
import type { Result } from '../../flow/verdict.ts'
import type { FileKind } from '../../task/event.ts'
import type { Picture } from '../../task/picture.ts'

/** What a file says, in words. */
export interface FileText {
  readonly text: string
  /** Of a document that has some: how many it says it has. */
  readonly pages?: number
}

export interface FilePort {
  /** Who would hear what a sound says; absent where nobody does. */
  readonly hears?: ModelReader | undefined
  /** What this place can read besides plain text; anything else is not asked for. */
  readonly reads?: readonly FileKind[] | undefined
  /**
   * A file's text, by the channel's own name for it and the sink of the chat that it came by; of at most `most` bytes, whatever
   * anybody says of its size. `kind` is what it says of itself; what it is, its bytes say. Refusals: field_malformed for what is
   * none of what is read here, nothing_found where there is no text in it, key_unavailable where it wants a password, tool_failed
   * where who takes it apart gave up, those of a model for a sound, response_too_large, remote_not_found, remote_rate_limited, remote_rejected,
   * remote_unavailable, credential_rejected, sink_unknown, and those of the network.
   */
  text(
    file: { readonly ref: string; readonly sink: string; readonly kind: FileKind },
    most: number,
  ): Promise<Result<FileText>>
  /** A picture's bytes, of at most `most`, for who looks at it; absent where none is fetched. Refusals as above. */
  readonly picture?: (
    file: { readonly ref: string; readonly sink: string },
    most: number,
  ) => Promise<Result<Picture>>
}
