/**
 * What is added to one call's prompt: its dynamic blocks (P-15), how they are fitted, and the owner's commands about how he is
 * answered. A port, so that nothing that decides can reach how a message was read (P-31). Must not decide what anybody may
 * read: every block is labelled. `Powers` are those of the place, of which this is one. Filled by pipeline/prompt-tier.ts.
 */
import type { Label } from '../flow/label.ts'
import type { Labeled } from '../flow/labeled.ts'
import type { FitInto } from '../prompt/budget.ts'
import type { LabeledBlock, PromptRequest } from '../prompt/parts.ts'
import type { Audience } from '../self/section.ts'
import type { Manner } from '../task/manner.ts'
import type { Task } from '../task/task.ts'

/** Which prompt, and what may stand in it. */
export interface BlockReader {
  readonly purpose: PromptRequest['purpose']
  readonly audience: Audience
  readonly request: Labeled<string>
  readonly may: (label: Label) => boolean
}

export interface DynamicTier<Powers> {
  readonly blocks: (powers: Powers, task: Task, reader: BlockReader) => Promise<readonly LabeledBlock[]>
  readonly fit: FitInto
  /** The reader pass over a writer's contents, where the owner wants one (N-25). Never lowers a label or a taint. */
  readonly readFirst?: (
    powers: Powers,
    task: Task,
    contents: PromptRequest['contents'],
  ) => Promise<PromptRequest['contents']>
  readonly commands: OwnCommands<Powers>
}

/** What the owner may say of how he is answered, in place of a request; only ever asked of his own words. */
export interface OwnCommands<Powers> {
  /** It is a command and nothing else: no plan, and no model. */
  readonly isOne: (words: string, powers: Powers) => boolean
  /** How he wants to be answered from this message on; null for as each message reads. Synchronous: in the task's transaction. */
  readonly manner: (
    powers: Powers,
    said: { readonly principal: string; readonly words: Labeled<string> },
  ) => Manner | null
  /** Null for what is no command. */
  readonly answer: (powers: Powers, task: Task) => Promise<Labeled<string> | null>
}
