/**
 * Node's timers by the test clock: a jump ahead brings forward what was set before it. A jump back leaves them, as the system
 * does. Called by preload.ts. Timers inside Node itself (sockets, its own fetch) keep the real time.
 */
import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers'
import promises from 'node:timers/promises'
import { promisify } from 'node:util'

/** Milliseconds between two looks at the clock, in real time. */
const LOOK_EVERY = 10

/** What a timer is made of in Node; `refresh` enters it anew with these. */
interface Insides {
  _idleStart: number
  _idleTimeout: number
  readonly _destroyed: boolean
}
type Timer = NodeJS.Timeout & Insides

const real = { setTimeout: timers.setTimeout, setInterval: timers.setInterval }

export function shiftTimers(offset: () => number): void {
  const pending = new Set<Timer>()
  const kept = (timer: NodeJS.Timeout): NodeJS.Timeout => {
    pending.add(timer as Timer)
    return timer
  }
  const setTimeout = (...args: Parameters<typeof real.setTimeout>) => kept(real.setTimeout(...args))
  const setInterval = (...args: Parameters<typeof real.setInterval>) => kept(real.setInterval(...args))
  const pause = pauseWith(setTimeout)
  Object.assign(setTimeout, { [promisify.custom]: pause })
  Object.assign(globalThis, { setTimeout, setInterval })
  Object.assign(timers, { setTimeout, setInterval })
  Object.assign(promises, { setTimeout: pause })
  AbortSignal.timeout = (milliseconds) => {
    const late = new AbortController()
    const reason = new DOMException('The operation was aborted due to timeout', 'TimeoutError')
    setTimeout(() => late.abort(reason), milliseconds).unref()
    return late.signal
  }
  syncBuiltinESMExports()

  let seen = offset()
  real
    .setInterval(() => {
      for (const timer of pending) if (timer._destroyed) pending.delete(timer)
      const ahead = offset() - seen
      seen += ahead
      if (ahead > 0) bringForward(pending, ahead)
    }, LOOK_EVERY)
    .unref()
}

/** In the order in which they are due. */
function bringForward(pending: ReadonlySet<Timer>, ahead: number): void {
  const now = (real.setTimeout(() => undefined, 1).unref() as Timer)._idleStart
  const left = [...pending]
    .map((timer) => ({ timer, rest: timer._idleStart + timer._idleTimeout - now - ahead }))
    .sort((a, b) => a.rest - b.rest)
  for (const { timer, rest } of left) {
    timer._idleTimeout = Math.max(1, Math.round(rest))
    timer.refresh()
  }
}

/** `timers/promises` makes timers that nobody else sees. */
function pauseWith(setTimeout: (...args: Parameters<typeof real.setTimeout>) => NodeJS.Timeout) {
  return <T>(
    milliseconds?: number,
    value?: T,
    { signal, ref = true }: { readonly signal?: AbortSignal; readonly ref?: boolean } = {},
  ): Promise<T | undefined> =>
    new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer)
        reject(Object.assign(new Error('The operation was aborted', { cause: signal?.reason }), STOPPED))
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop)
        resolve(value)
      }, milliseconds)
      if (!ref) timer.unref()
      if (signal?.aborted) stop()
      else signal?.addEventListener('abort', stop, { once: true })
    })
}

const STOPPED = { name: 'AbortError', code: 'ABORT_ERR' }
