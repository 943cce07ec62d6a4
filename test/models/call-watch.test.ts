/** How long a provider may be silent: to the millisecond from the last piece of its answer, whatever the clock does. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { watchCall } from '../../integrations/models/call-watch.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const SILENT = { code: 'model_timeout', facts: { rule: 'silence' } }

describe('silence', () => {
  it('is counted from the last piece', () => {
    const watch = watchCall(60_000, undefined)
    watch.silence(1_000)
    for (const pause of [900, 900, 400]) {
      vi.advanceTimersByTime(pause)
      watch.silence(1_000)
    }
    vi.advanceTimersByTime(999)
    expect([watch.reason(), watch.signal.aborted]).toEqual([null, false])
    vi.advanceTimersByTime(1)
    expect([watch.reason(), watch.signal.aborted]).toEqual([SILENT, true])
  })

  it('may become shorter', () => {
    const watch = watchCall(60_000, undefined)
    watch.silence(5_000)
    vi.advanceTimersByTime(100)
    watch.silence(1_000)
    vi.advanceTimersByTime(1_000)
    expect(watch.reason()).toEqual(SILENT)
  })

  it('never becomes longer because the clock was set back', () => {
    const watch = watchCall(60_000, undefined)
    watch.silence(1_000)
    vi.advanceTimersByTime(500)
    watch.silence(1_000)
    vi.setSystemTime(Date.now() - 3_600_000)
    vi.advanceTimersByTime(1_000)
    expect(watch.reason()).toEqual(SILENT)
  })

  it('ends with the call', () => {
    const watch = watchCall(60_000, undefined)
    watch.silence(1_000)
    watch.close()
    vi.advanceTimersByTime(120_000)
    expect([watch.reason(), vi.getTimerCount()]).toEqual([null, 0])
  })
})
