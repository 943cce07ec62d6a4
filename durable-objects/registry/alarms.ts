/**
 * Shares an object's single alarm between several parts. Each part registers a time; the earliest is set. A part that needs another
 * wake-up registers again. Must not run any work itself. Called by KernelObject.
 */

export interface Alarms {
  /** `at` in epoch milliseconds. A second call for the same part replaces its time, also with a later one. */
  wakeAt(part: string, at: number): void
  /** The alarm fired: all registered times are cleared. */
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
