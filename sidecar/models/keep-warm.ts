/**
 * Keeps local models loaded that are marked `warm`, because loading takes longer than an answer: loads them at home's
 * start, and again before Ollama would unload them. Must not send a prompt; waits for nothing. Called by home-jobs.ts.
 */
import type { Result } from '../../kernel/flow/verdict.ts'

export interface WarmModel {
  /** Minutes that the model stays loaded after a call; negative: forever. */
  readonly keepAlive: number
  readonly load: () => Promise<Result<true>>
}

const MINUTE = 60_000
/** Minutes until a model that stays loaded forever is loaded again: its server may have restarted. */
const LOOK_AGAIN = 30
/** Minutes before the model would be unloaded. */
const AHEAD = 1

export function everyOf({ keepAlive }: Pick<WarmModel, 'keepAlive'>): number {
  const minutes = keepAlive < 0 ? LOOK_AGAIN : Math.min(LOOK_AGAIN, keepAlive - AHEAD)
  return Math.max(AHEAD, minutes) * MINUTE
}

/** A failed load is retried at the next interval. A call of the model meanwhile reports the error. */
export function startWarming(models: readonly WarmModel[]) {
  const timers = models.map((model) => {
    let loading = false
    const load = async (): Promise<void> => {
      // A large model on a slow disk may take longer than the interval.
      if (loading) return
      loading = true
      await model.load().catch(() => undefined)
      loading = false
    }
    void load()
    return setInterval(() => void load(), everyOf(model)).unref()
  })
  return {
    async stop(): Promise<void> {
      for (const timer of timers) clearInterval(timer)
    },
  }
}
