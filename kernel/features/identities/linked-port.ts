/**
 * What is asked and answered where lines are read through a link (F-15), and each principal's rows are an object's own. Types alone.
 * Both sides check what they are told (pipeline/linked-lines.ts).
 */
import type { Provenance } from '../../flow/labeled.ts'
import type { Task } from '../../task/task.ts'

/** Who asks: for which chat of his, by which template. Its ceiling is looked up, not believed. */
export interface Asker extends Pick<Task, 'principal' | 'sink' | 'template'> {
  /** Earlier turns that are asked for. */
  readonly turns: number
}

/** One side of an earlier turn. */
export interface LinkedLine extends Provenance {
  readonly who: 'person' | 'assistant'
  readonly text: string
}

/** Asks for lines of a linked principal whose rows are not here; none where they cannot be had now. */
export type AskLinked = (principal: string, asker: Asker) => Promise<readonly LinkedLine[]>
