/**
 * Where home keeps what its owner said of pausing, as a note in its database, and who waits for the end of it. Must not decide whether
 * it holds. Called by wiring.ts and edge-connection.ts.
 */
import type { PausePort } from '../kernel/powers/pause-port.ts'
import { NEVER_PAUSED, type PauseState, pauseIn } from '../kernel/task/pause.ts'
import type { HomeNotes } from './home-notes.ts'

export interface HomePause extends PausePort {
  /** Resolves once work goes on, at once where it does; a restart forgets who waited. */
  readonly over: () => Promise<void>
}

/** `changed`: after the transaction that it was said in, as nobody must hear of what was undone. */
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
