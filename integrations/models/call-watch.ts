/**
 * Ends a model call early: at its deadline, when the provider is silent too long, or by the caller's stop signal. Reports the
 * first reason only; errors that the aborted call throws afterwards are ignored. Must not know a provider. Called by
 * streamed-model.ts, model-names.ts, ollama/library.ts and the edge's remote-models.ts.
 */
import type { Refusal } from '../../kernel/flow/verdict.ts'
import type { StopSignal } from '../../kernel/inference/provider.ts'

export interface CallWatch {
  /** Aborts the request and the reading of its response. */
  readonly signal: AbortSignal
  /** Resolves with the reason when the call is ended early; stays pending if the call ends normally. */
  readonly ended: Promise<Refusal>
  /** Why the call was ended early; null if it was not. */
  reason(): Refusal | null
  /** Sets the maximum silence of the provider from now on, in milliseconds. */
  silence(milliseconds: number): void
  /** Ends the call with this reason; ignored if it has already been ended. */
  end(reason: Refusal): void
  close(): void
}

/** `timeout`: maximum duration of the whole call, in milliseconds. */
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
  // Each chunk of an answer moves the deadline. The running timer re-checks it on firing, so that not every chunk sets a timer.
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
      // A monotonic clock: the system time may be changed during the call.
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
      // Closes a response that was not read to its end.
      abort.abort()
    },
  }
}
