/**
 * Keeps models of one's own loaded that the owner wants ready (`warm`): loaded as home starts, and again before Ollama would
 * let one go, as loading takes longer than an answer. Must not send a prompt, and waits for nothing. Called by
 * home-jobs.ts.
 */
import type { Result } from '../../kernel/flow/verdict.ts'

export interface WarmModel {
  /** Minutes that it stays loaded after a call; for ever below zero. */
  readonly keepAlive: number
  /** Loads it. */
  readonly load: () => Promise<Result<true>>
}

export interface WarmJob {
  stop(): Promise<void>
}

const MINUTE = 60_000
/** Minutes after which a model is loaded again that stays for ever: its server may have been restarted. */
const LOOK_AGAIN = 30
/** Minutes before it would go. */
const AHEAD = 1

export function everyOf({ keepAlive }: Pick<WarmModel, 'keepAlive'>): number {
  const minutes = keepAlive < 0 ? LOOK_AGAIN : Math.min(LOOK_AGAIN, keepAlive - AHEAD)
  return Math.max(AHEAD, minutes) * MINUTE
}

/** A load that fails is tried again at its next time: whoever asks the model meanwhile is told what is wrong. */
export function startWarming(models: readonly WarmModel[]): WarmJob {
  const timers = models.map((model) => {
    let loading = false
    const load = async (): Promise<void> => {
      // A large model from a slow disk may take longer than its turn.
      if (loading) return
      loading = true
      await model.load().catch(() => undefined)
      loading = false
    }
    void load()
    return setInterval(() => void load(), everyOf(model)).unref()
  })
  return {
    async stop() {
      for (const timer of timers) clearInterval(timer)
    },
  }
}
