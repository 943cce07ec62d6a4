/**
 * What a channel may show of an answer that is still being written (D-10). A draft lies in memory alone, is replaced by each
 * later one of its task and by the answer, and may be lost: nothing depends on it. Implemented by each place's sender;
 * called by pipeline/deliver.ts alone.
 */
export interface Draft {
  readonly sink: string
  readonly task: string
  /** All of the answer so far that may be shown, guarded and released like the answer itself. */
  readonly text: string
}

export interface DraftPort {
  /** Whether anybody looks at this chat now: what nobody sees is not worth its guarding. */
  watched(sink: string): boolean
  show(draft: Draft): void
}
