/**
 * Readers that wait for the next delivery of this object: promises in memory, each with its own deadline. A reader
 * that is lost with the instance asks again. Called by PrincipalObject.
 */
export interface Readers {
  /** Grows with every `wake`. Read it before looking, so that nothing falls between looking and waiting. */
  seen(): number
  /** Resolves at once when there was a `wake` since `seen`, else at the next one or after `ms` milliseconds. */
  wait(seen: number, ms: number): Promise<void>
  wake(): void
}

export interface DeliveryRequest {
  readonly sink: string
  readonly after: number
  readonly waitMs: number
  /** Number of the draft that the reader saw last, 0 for none; a newer one ends the wait. Absent: it shows none. */
  readonly draft?: number | undefined
}

/** Readers at once: one device asks once at a time; more is an attack on memory, and the oldest is let go. */
const MAX_READERS = 32

export function createReaders(): Readers {
  const waiting = new Set<() => void>()
  let wakes = 0
  return {
    seen: () => wakes,
    wait: (seen, ms) =>
      new Promise((resolve) => {
        if (seen !== wakes) return resolve()
        const go = (): void => {
          clearTimeout(timer)
          waiting.delete(go)
          resolve()
        }
        const timer = setTimeout(go, Math.max(0, ms))
        waiting.add(go)
        const [oldest] = waiting
        if (waiting.size > MAX_READERS && oldest !== undefined) oldest()
      }),
    wake() {
      wakes += 1
      for (const go of [...waiting]) go()
    },
  }
}
