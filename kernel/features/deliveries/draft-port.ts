/**
 * What a channel may show of an answer that is still being written (D-10). A draft is held in memory, replaced by
 * each later draft of its task and by the answer, and may be lost: nothing depends on it. Implemented by each place's
 * sender; called by deliver.ts only.
 */
export interface Draft {
  readonly sink: string
  readonly task: string
  /** All of the answer so far that may be shown, guarded and released like the answer itself. */
  readonly text: string
}

export interface DraftPort {
  /** Whether anybody is viewing this chat now; guarding an unseen draft is wasted work. */
  watched(sink: string): boolean
  show(draft: Draft): void
}
