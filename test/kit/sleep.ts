/**
 * Simulates a sleep of the machine for this process's timers: those due during it fire at once, before anything received is
 * read, and the timers that they set start then. Must not be imported by production. Ends with the test that called it.
 */
import { onTestFinished, vi } from 'vitest'

/** Returns a function that simulates a sleep of this many milliseconds. */
export function sleepyTimers(): (milliseconds: number) => void {
  const real = { setTimeout, clearTimeout }
  const pending = new Map<NodeJS.Timeout, { readonly work: () => void; readonly at: number }>()
  vi.stubGlobal('setTimeout', (call: (...args: unknown[]) => void, milliseconds = 0, ...args: unknown[]) => {
    const work = () => call(...args)
    const timer = real.setTimeout(() => {
      pending.delete(timer)
      work()
    }, milliseconds)
    pending.set(timer, { work, at: performance.now() + milliseconds })
    return timer
  })
  vi.stubGlobal('clearTimeout', (timer?: NodeJS.Timeout) => {
    if (timer !== undefined) pending.delete(timer)
    real.clearTimeout(timer)
  })
  onTestFinished(() => void vi.unstubAllGlobals())
  return (milliseconds) => {
    const woken = performance.now() + milliseconds
    for (const [timer, { work, at }] of [...pending].toSorted(([, one], [, two]) => one.at - two.at)) {
      if (at > woken) continue
      pending.delete(timer)
      real.clearTimeout(timer)
      work()
    }
  }
}
