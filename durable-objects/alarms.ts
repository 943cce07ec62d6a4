/**
 * One alarm for several parts of an object: each says when it wants to be woken, and the earliest counts. Whoever is woken
 * says so again if it must. Must not run anything itself. Called by KernelObject.
 */

export interface Alarms {
  /** `at` in epoch milliseconds; a later moment of the same part takes the place of an earlier one. */
  wakeAt(part: string, at: number): void
  /** The alarm rang: nobody is waiting any more. */
  rang(): void
}

const PART = 'alarm:'

export function createAlarms(storage: Pick<DurableObjectStorage, 'kv' | 'setAlarm'>): Alarms {
  const { kv } = storage
  return {
    wakeAt(part, at) {
      kv.put(PART + part, at)
      const wanted = [...kv.list<number>({ prefix: PART })].map(([, moment]) => moment)
      void storage.setAlarm(Math.min(...wanted))
    },
    rang() {
      for (const [key] of [...kv.list({ prefix: PART })]) kv.delete(key)
    },
  }
}
