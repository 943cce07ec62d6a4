/**
 * Keeps home's process small: faster and smaller module loading, and a full garbage collection when home becomes idle. Imports
 * only built-in modules. Must not collect while there is work. Called by sidecar/home.ts before any other import.
 */

import { registerHooks } from 'node:module'
import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const ES_MODULES =
  /\/node_modules\/(?:drizzle-orm|zod|@noble\/(?:hashes|ciphers|curves))\/(?!.*\/node_modules\/).*\.js$/

export function shortenModuleLoading(): void {
  registerHooks({
    resolve(specifier, context, next) {
      if (!/^\.\.?\//.test(specifier) || context.parentURL === undefined) return next(specifier, context)
      const { href } = new URL(specifier, context.parentURL)
      return ES_MODULES.test(href)
        ? { url: href, format: 'module', shortCircuit: true }
        : next(specifier, context)
    },
  })
}

/** Less optimised code and a small young generation while loading, since loaded code mostly runs once. */
const SPARING = [
  '--optimize-for-size',
  '--max-optimized-bytecode-size=0',
  '--semi-space-growth-factor=1',
] as const
/** The young generation stays small: a message allocates a megabyte or two, and V8 does not shrink a grown one. */
const USUAL = ['--no-optimize-for-size', '--max-optimized-bytecode-size=61440'] as const
/** Together with `USUAL`, V8's initial flags: cached compiled code is accepted only under the flags that it was stored with. */
const INITIAL = ['--semi-space-growth-factor=2', '--max-semi-space-size=0'] as const

/** Keeps the heap about 15 MB smaller while modules load. The returned function enables optimised code again. */
export function loadSparingly(): () => void {
  for (const flag of SPARING) setFlagsFromString(flag)
  process.prependOnceListener('exit', () => {
    for (const flag of [...USUAL, ...INITIAL]) setFlagsFromString(flag)
  })
  return () => {
    for (const flag of USUAL) setFlagsFromString(flag)
  }
}

/** Milliseconds without a minor collection after which home counts as idle. */
const IDLE_AFTER = 2_000
/** Bytes of growth since the last run. Below it a collection is not worth its tenth of a second. */
const WORTHWHILE = 3 * 1_048_576

/** Returns a function that ends it. */
export function watchIdleHeap(): () => void {
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
  return () => {
    observer.disconnect()
    clearTimeout(timer)
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

/** V8's `gc` with the flavor that also shrinks its spaces. The flag is unset again, so other code cannot reach it. */
function collector(): () => void {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as (how: { readonly type: string; readonly flavor: string }) => void
  setFlagsFromString('--no-expose-gc')
  return () => gc({ type: 'major', flavor: 'last-resort' })
}
