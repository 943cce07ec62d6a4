/**
 * Ending a model call from outside: a signal as providers hear it, for code that has no platform's `AbortController`. Must not
 * know who ends what. Called by spend.ts, which ends an answer that is too long, and by the lane, whose task was stopped.
 */
import type { StopSignal } from './provider.ts'

export interface Stop {
  readonly signal: StopSignal
  /** Once; later calls change nothing. */
  now(): void
}

/** Aborted by `now`, or with the one before it. */
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

/** Comes with the abort; a signal that is aborted already has come. Never rejects. */
export function stopped(signal: StopSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve())
  })
}
