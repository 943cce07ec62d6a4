/**
 * What a channel may show while a task is being worked on (C-32): that somebody writes, and how far it is. Nothing depends on it,
 * and it may be lost. Implemented by a place's sender; called by pipeline/deliver.ts alone.
 */
export interface Work {
  readonly sink: string
  readonly task: string
}

export interface WorkPort {
  /** It goes on. `words`: the kernel's own, for how far it is; null where none may be said in this chat. */
  working(work: Work & { readonly words: string | null }): void
  /** Nothing runs for it now. `back`: it goes on by itself, so what says how far it is may stay. Never rejects. */
  rests(work: Work & { readonly back: boolean }): Promise<void>
}
