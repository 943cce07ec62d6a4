/**
 * The newest draft of an answer for each chat of this object that is looked at, in memory alone (D-10): a reader that waits for
 * deliveries sees it, and whoever comes later sees the answer. Called by PrincipalObject and, as a port, by the egress step.
 */
import type { Draft, DraftPort } from '../kernel/powers/draft-port.ts'

/** Milliseconds after a reader's question within which it is taken to be still there: it is about to ask again. */
const STILL_THERE = 2_000
/** Chats whose draft is kept: an owner's open line is one. */
const MOST_CHATS = 16

export interface NumberedDraft extends Pick<Draft, 'task' | 'text'> {
  /** Grows with each. */
  readonly number: number
}

export interface Drafts extends DraftPort {
  /** A reader waits, until this moment (epoch milliseconds) at the latest. */
  watch(sink: string, until: number): void
  latest(sink: string): NumberedDraft | null
  /** Something was delivered there: nothing is being written any more. */
  end(sink: string): void
}

/** `wake`: tells readers that there is something to see. */
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
