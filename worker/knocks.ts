/**
 * Tells KernelObject of those who knock at the tunnel without a good signature, and of updates that no messenger sends, up to a rate;
 * the object writes a line of each kind an hour. Must not decide who is refused. Called by the Worker's routes.
 */
import type { DenialSource } from '../durable-objects/denials.ts'
import { KERNEL_NAME } from '../durable-objects/names.ts'
import { countOne, type RateWindow } from '../durable-objects/rate-window.ts'
import type { ReasonCode } from '../kernel/reasons.ts'
import type { KernelCalls } from './env.ts'

/** Of each source, a minute, of which one isolate tells: a stranger must not be able to keep the object awake. */
export const MAX_KNOCKS = 10

interface Knock {
  readonly of: DenialSource
  readonly code: ReasonCode
}

const UNSIGNED: Knock = { of: 'knock', code: 'signature_invalid' }

/** Each source has its own: who sends odd updates hides nobody who knocks. */
const windows = new Map<DenialSource, RateWindow>()

/**
 * Notes what was refused, or counts it: the first knock after the minute says how many were left out. Never throws:
 * the refusal stands without its line. `now` in epoch milliseconds.
 */
export async function noteKnock(
  env: { readonly KERNEL: KernelCalls<'denied'> },
  now: number,
  what: Knock = UNSIGNED,
): Promise<void> {
  const { window, within, leftOut } = countOne(windows.get(what.of) ?? null, now, MAX_KNOCKS)
  windows.set(what.of, window)
  if (!within) return
  const more = leftOut > 0 ? { left_out: leftOut } : {}
  const noted = env.KERNEL.getByName(KERNEL_NAME).denied(what.of, { code: what.code, ...more })
  await noted.catch(() => undefined)
}
