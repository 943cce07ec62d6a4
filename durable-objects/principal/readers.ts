/**
 * Readers that wait for the next delivery of this object: promises in memory, each with its own deadline. A reader
 * that is lost with the instance asks again. Called by PrincipalObject.
 */
export interface Readers {
  /** Increases with every `wake`. Read it before looking for deliveries, so that none is missed between looking and waiting. */
  seen(): number
  /** Resolves at once if `wake` was called since `seen`, else at the next call or after `ms` milliseconds. */
  wait(seen: number, ms: number): Promise<void>
  wake(): void
}

export interface DeliveryRequest {
  readonly sink: string
  readonly after: number
  readonly waitMs: number
  /** Number of the draft that the reader saw last, 0 for none; a newer one ends the wait. Absent: the reader shows no drafts. */
  readonly draft?: number | undefined
}

/** Most concurrent readers: a device sends one request at a time; more is an attack on memory, and the oldest is released. */
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
