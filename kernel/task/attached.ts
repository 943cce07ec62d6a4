/**
 * Files that came with a message, as their task knows them: what the channel said of each, where it lies there, and whether it was
 * read. Holds nothing that a sender wrote: names and text are sealed. Part of the task record.
 */
import type { ReasonCode } from '../flow/verdict.ts'
import type { AttachmentKind } from './event.ts'
import type { SealedRef } from './task.ts'

/** `text`, `pdf`: a document that says of itself that it is one. */
export type FileKind = AttachmentKind | 'text' | 'pdf'

export interface TaskFile {
  readonly kind: FileKind
  /** Bytes, as the channel says; 0 where it does not. */
  readonly size: number
  /** The channel's own name for it, of use to whoever holds the channel's token. */
  readonly ref: string
  /** Absent until it was looked at; then true, or why it was not read. */
  readonly read?: true | ReasonCode
}

export interface Attached {
  readonly files: readonly TaskFile[]
  /** A line each, sealed. */
  readonly names: SealedRef
  /** What was read of them, sealed; absent where nothing was. */
  readonly text?: SealedRef
  /** Whose recording the only file is, by the channel's own id; absent unless it is his own, and all that he sent. */
  readonly speaker?: string
  /** What was heard of it, sealed: nobody's words before the owner says that they are his. */
  readonly heard?: SealedRef
}
