/**
 * Newest draft of an answer for each chat with a waiting reader, in memory only (D-10). A reader that waits for deliveries sees it;
 * one that comes later sees the finished answer. Called by PrincipalObject and, as a port, by the egress step.
 */
import type { Draft, DraftPort } from '../../kernel/features/deliveries/draft-port.ts'

/** Milliseconds after a reader's request in which it still counts as present: it is about to ask again. */
const STILL_THERE = 2_000
/** Most chats with a stored draft; an owner's open line is one chat. */
const MOST_CHATS = 16

export interface NumberedDraft extends Pick<Draft, 'task' | 'text'> {
  /** Increases with each draft. */
  readonly number: number
}

export interface Drafts extends DraftPort {
  /** Records a waiting reader, until this time (epoch milliseconds) at the latest. */
  watch(sink: string, until: number): void
  latest(sink: string): NumberedDraft | null
  /** A delivery was written to this chat: its draft is removed. */
  end(sink: string): void
}

/** `wake` notifies waiting readers of a new draft. */
export function createDrafts(wake: () => void): Drafts {
  const watchedUntil = new Map<string, number>()
  const drafts = new Map<string, NumberedDraft>()
  let number = 0
  return {
    watch(sink, until) {
      if (watchedUntil.size >= MOST_CHATS) watchedUntil.clear()
      watchedUntil.set(sink, Math.max(watchedUntil.get(sink) ?? 0, until + STILL_THERE))
    },
    watched: (sink) => (watchedUntil.get(sink) ?? 0) > Date.now(),
    show({ sink, task, text }) {
      number += 1
      if (drafts.size >= MOST_CHATS) drafts.clear()
      drafts.set(sink, { number, task, text })
      wake()
    },
    latest: (sink) => drafts.get(sink) ?? null,
    end: (sink) => void drafts.delete(sink),
  }
}
