/**
 * Ends a model call early: at its deadline, when the provider is silent, or by the caller's stop signal. Reports the first reason
 * only; errors that the aborted call throws afterwards are ignored. Must not know a provider. Called by streamed-model.ts.
 */
import type { Refusal } from '../../kernel/flow/verdict.ts'
import type { StopSignal } from '../../kernel/inference/provider.ts'

export interface CallWatch {
  /** Aborts the request and the reading of its answer. */
  readonly signal: AbortSignal
  /** Resolves when the call was ended early; never if it ends by itself. */
  readonly ended: Promise<Refusal>
  reason(): Refusal | null
  /** Sets how long the provider may be silent from now on, in milliseconds. */
  silence(milliseconds: number): void
  /** The first reason counts. */
  end(reason: Refusal): void
  close(): void
}

/** `timeout`: milliseconds for the whole call. */
export function watchCall(timeout: number, stop: StopSignal | undefined): CallWatch {
  const abort = new AbortController()
  let reason: Refusal | null = null
  let tell: (reason: Refusal) => void
  const ended = new Promise<Refusal>((resolve) => {
    tell = resolve
  })
  const end = (why: Refusal): void => {
    if (reason !== null) return
    reason = why
    tell(why)
    abort.abort()
  }
  const late = (rule: string): void => end({ code: 'model_timeout', facts: { rule } })
  const stopped = (): void => end({ code: 'task_stopped', facts: {} })
  const whole = setTimeout(() => late('whole'), timeout)
  let quiet: ReturnType<typeof setTimeout> | undefined
  // Each piece of an answer moves the moment; the timer that is set looks at it, so that few timers are made.
  let [silentAt, timerAt] = [0, 0]
  const wake = (): void => {
    const left = silentAt - performance.now()
    if (left <= 0) late('silence')
    else {
      timerAt = silentAt
      quiet = setTimeout(wake, left)
    }
  }
  stop?.addEventListener('abort', stopped)
  if (stop?.aborted === true) stopped()
  return {
    signal: abort.signal,
    ended,
    end,
    reason: () => reason,
    silence: (milliseconds) => {
      // The time of day may be set meanwhile.
      silentAt = performance.now() + milliseconds
      if (quiet !== undefined && timerAt <= silentAt) return
      clearTimeout(quiet)
      timerAt = silentAt
      quiet = setTimeout(wake, milliseconds)
    },
    close: () => {
      clearTimeout(whole)
      clearTimeout(quiet)
      stop?.removeEventListener('abort', stopped)
      // Closes a response that is not read to its end.
      abort.abort()
    },
  }
}
