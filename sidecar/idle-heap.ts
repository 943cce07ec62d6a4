/**
 * Gives back what work has left in memory once home is idle. V8 lets garbage lie until it wants room for more, which at
 * home, with a message now and then, may take days; the machine is the owner's, and other things run on it. Must not run
 * while there is work. Called by main.ts.
 */
import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Milliseconds since memory was last asked for in bulk, after which home counts as idle. */
const IDLE_AFTER = 2_000
/** Bytes grown since the last time, below which collecting is not worth its tenth of a second. */
const WORTHWHILE = 3 * 1_048_576

export interface IdleHeap {
  stop(): void
}

export function watchIdleHeap(): IdleHeap {
  const collect = collector()
  let kept = 0
  const tidy = (): void => {
    if (used() - kept < WORTHWHILE) return
    collect()
    kept = used()
  }
  const timer = setTimeout(tidy, IDLE_AFTER).unref()
  // A small collection is a sign of work: each puts the big one off.
  const observer = new PerformanceObserver((list) => {
    if (list.getEntries().some(isMinor)) timer.refresh()
  })
  observer.observe({ entryTypes: ['gc'] })
  return {
    stop() {
      observer.disconnect()
      clearTimeout(timer)
    },
  }
}

function used(): number {
  return getHeapStatistics().used_heap_size
}

function isMinor(entry: PerformanceEntry): boolean {
  // What kind of collection it was: Node fills it in for every entry of this type.
  const { detail } = entry as { readonly detail?: { readonly kind?: number } }
  return detail?.kind === constants.NODE_PERFORMANCE_GC_MINOR
}

/** V8's own collector, the kind that also shrinks its spaces; nothing else gets to see it. */
function collector(): () => void {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as (how: { readonly type: string; readonly flavor: string }) => void
  setFlagsFromString('--no-expose-gc')
  return () => gc({ type: 'major', flavor: 'last-resort' })
}
