/**
 * Fetches a file attached to a message (B-27), at the place that holds the channel's token. Must not decide whether a
 * file is wanted. Implemented by each place; called by attachments.ts.
 */
import type { ModelReader } from '../../flow/policy.ts'
import type { Result } from '../../flow/verdict.ts'
import type { FileKind } from '../../task/event.ts'
import type { Picture } from '../../task/picture.ts'

/** The text of a file. */
export interface FileText {
  readonly text: string
  /** For a document with pages: the number it declares. */
  readonly pages?: number
  /** As the document states it. */
  readonly title?: string
}

export interface FilePort {
  /** Reader that transcribes sounds; absent when there is none. */
  readonly hears?: ModelReader | undefined
  /** Kinds that this place can read besides plain text; no others are requested. */
  readonly reads?: readonly FileKind[] | undefined
  /**
   * Text of a file, by the channel's id for it and the sink of its chat; at most `most` bytes, whatever size is
   * declared. `kind` is the declared type; the real one is detected from the bytes. Refusals: field_malformed for an
   * unsupported type, nothing_found for a file without text, key_unavailable for a password-protected file,
   * tool_failed when the parser gave up, those of a model for a sound, response_too_large, remote_not_found,
   * remote_rate_limited, remote_rejected, remote_unavailable, credential_rejected, sink_unknown, and those of the
   * network.
   */
  text(
    file: { readonly ref: string; readonly sink: string; readonly kind: FileKind },
    most: number,
  ): Promise<Result<FileText>>
  /** Bytes of a picture, at most `most`, for the vision model; absent when pictures are not fetched. Refusals as above. */
  readonly picture?: (
    file: { readonly ref: string; readonly sink: string },
    most: number,
  ) => Promise<Result<Picture>>
}
