/**
 * A stop signal for model calls, for code without the platform's `AbortController`. Must not know who stops what. Called by
 * spend.ts, for an answer that is too long, and by the lane, for a stopped task.
 */
import type { StopSignal } from './provider.ts'

export interface Stop {
  readonly signal: StopSignal
  /** Stops. Later calls have no effect. */
  now(): void
}

/** Aborted by `now`, or together with `before`. */
export function createStop(before?: StopSignal): Stop {
  const listeners = new Set<() => void>()
  let isAborted = before?.aborted ?? false
  const now = (): void => {
    if (isAborted) return
    isAborted = true
    for (const listener of listeners) listener()
    listeners.clear()
  }
  before?.addEventListener('abort', now)
  const signal: StopSignal = {
    get aborted() {
      return isAborted
    },
    addEventListener: (_, listener) => void listeners.add(listener),
    removeEventListener: (_, listener) => void listeners.delete(listener),
  }
  return { signal, now }
}

/** Resolves when the signal aborts, at once if it is aborted already. Never rejects. */
export function stopped(signal: StopSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve())
  })
}
