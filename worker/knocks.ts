/**
 * Tells KernelObject of those who knock at the tunnel without a good signature: a line of the audit each, up to a rate.
 * Must not decide who is refused. Called by worker/app.ts.
 */
import { KERNEL_NAME } from '../durable-objects/names.ts'
import { countOne, type RateWindow } from '../durable-objects/rate-window.ts'
import type { EdgeEnv } from './env.ts'

/** Knocks a minute of which one isolate tells: a stranger must not be able to keep the object awake. */
export const MAX_KNOCKS = 10

let knocks: RateWindow | null = null

/**
 * Notes a refused signature, or counts it: the first knock after the minute says how many were left out. Never throws:
 * the refusal stands without its line. `now` in epoch milliseconds.
 */
export async function noteKnock(env: EdgeEnv, now: number): Promise<void> {
  const { window, within, leftOut } = countOne(knocks, now, MAX_KNOCKS)
  knocks = window
  if (!within) return
  const more = leftOut > 0 ? { left_out: leftOut } : {}
  const noted = env.KERNEL.getByName(KERNEL_NAME).denied('knock', { code: 'signature_invalid', ...more })
  await noted.catch(() => undefined)
}
