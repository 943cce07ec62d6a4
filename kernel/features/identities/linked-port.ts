/**
 * Request and response for lines read through a link (F-15), where each principal has its own object. Types only.
 * Both sides validate what they receive (linked-lines.ts).
 */
import type { Provenance } from '../../flow/labeled.ts'
import type { Task } from '../../task/task.ts'

/** Who asks: for which of their chats, by which template. The ceiling is looked up, never taken from the request. */
export interface Asker extends Pick<Task, 'principal' | 'sink' | 'template'> {
  /** Number of earlier turns requested. */
  readonly turns: number
}

/** One side of an earlier turn. */
export interface LinkedLine extends Provenance {
  readonly who: 'person' | 'assistant'
  readonly text: string
}

/** Requests lines of a linked principal whose rows are not here; empty when they are unavailable now. */
export type AskLinked = (principal: string, asker: Asker) => Promise<readonly LinkedLine[]>
