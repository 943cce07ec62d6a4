/**
 * A line of the owner's in a chat of home's while it is listened to (H-03, H-05): what it works with, and what it is. Types alone.
 * Implemented by telegram/private-line.ts and slack/slack-line.ts; held by live-chat.ts.
 */
import type { Notice } from '../../kernel/pipeline/deliver.ts'
import type { Powers } from '../../kernel/powers/ports.ts'
import type { Shell } from '../../kernel/runtime/shell.ts'

export interface LineInput<Bot> {
  readonly bot: Bot
  readonly powers: Powers
  readonly shell: Shell
  /** Drives the owner's tasks, un-awaited. */
  readonly drive: () => void
  /** Tells the owner in another of his chats. */
  readonly tell: (notice: Pick<Notice, 'id' | 'code' | 'about'>) => void
  readonly fault: (part: string) => void
}

export interface ListeningLine {
  status(): Readonly<Record<string, unknown>>
  /** Listens no more; what was not taken in comes to the next. */
  stop(): Promise<void>
}
