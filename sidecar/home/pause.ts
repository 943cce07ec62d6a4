/**
 * Stores the owner's pause state as a note in home's database, and wakes those who wait for its end. Must not decide
 * whether the pause applies. Called by wiring.ts and edge-connection.ts.
 */
import type { PausePort } from '../../kernel/features/pause/pause-port.ts'
import { NEVER_PAUSED, type PauseState, pauseIn } from '../../kernel/task/pause.ts'
import type { HomeNotes } from '../store/home-notes.ts'

export interface HomePause extends PausePort {
  /** Resolves when work continues, immediately if not paused. A restart drops the waiters. */
  readonly over: () => Promise<void>
}

/** `changed`: called after the transaction that wrote the state, so that a rollback is never announced. */
export function createHomePause(notes: Pick<HomeNotes, 'read' | 'write'>, changed: () => void): HomePause {
  const waiting = new Set<() => void>()
  const read = (): PauseState => notes.read('pause') ?? NEVER_PAUSED
  const tell = (): void => {
    changed()
    if (pauseIn(read()) !== null) return
    for (const go of waiting) go()
    waiting.clear()
  }
  return {
    read,
    write(state) {
      notes.write('pause', state)
      queueMicrotask(tell)
    },
    over: () =>
      pauseIn(read()) === null
        ? Promise.resolve()
        : new Promise((resolve) => {
            waiting.add(resolve)
          }),
  }
}
