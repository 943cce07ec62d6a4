/**
 * Runs a full garbage collection when home becomes idle. V8 collects only when it needs room, which may take days at
 * home's low load, and the machine is shared with other programs. Must not run while there is work. Called by main.ts.
 */
import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Milliseconds without a minor collection after which home counts as idle. */
const IDLE_AFTER = 2_000
/** Bytes of growth since the last run. Below it a collection is not worth its tenth of a second. */
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
  // A minor collection indicates work and restarts the timer.
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
  // The kind of collection; Node sets it on every entry of this type.
  const { detail } = entry as { readonly detail?: { readonly kind?: number } }
  return detail?.kind === constants.NODE_PERFORMANCE_GC_MINOR
}

/**
 * V8's own `gc` function with the flavor that also shrinks its spaces. The flag is unset again, so other code cannot
 * reach it.
 */
function collector(): () => void {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as (how: { readonly type: string; readonly flavor: string }) => void
  setFlagsFromString('--no-expose-gc')
  return () => gc({ type: 'major', flavor: 'last-resort' })
}
