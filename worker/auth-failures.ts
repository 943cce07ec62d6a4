/**
 * Reports requests without a valid signature, and malformed channel updates, to KernelObject, rate-limited; the object audits one
 * line of each kind an hour. Must not decide who is refused. Called by the Worker's routes.
 */

import { KERNEL_NAME } from '../durable-objects/names.ts'
import type { KernelCalls } from '../durable-objects/platform/env.ts'
import { countOne, type RateWindow } from '../durable-objects/rate-window.ts'
import type { DenialSource } from '../durable-objects/registry/audit.ts'
import type { ReasonCode } from '../kernel/reasons.ts'

/** Reports a minute and source from one isolate: a stranger must not be able to keep the object awake. */
export const MAX_AUTH_FAILURES = 10

interface AuthFailure {
  readonly of: DenialSource
  readonly code: ReasonCode
}

const UNSIGNED: AuthFailure = { of: 'knock', code: 'signature_invalid' }

/** Counted per source, so that malformed updates cannot hide unsigned requests. */
const windows = new Map<DenialSource, RateWindow>()

/**
 * Reports a refusal, or counts it: the first report after a minute says how many were left out. Never throws: the refusal holds
 * without its audit line. `now` in epoch milliseconds.
 */
export async function noteAuthFailure(
  env: { readonly KERNEL: KernelCalls<'denied'> },
  now: number,
  what: AuthFailure = UNSIGNED,
): Promise<void> {
  const { window, within, leftOut } = countOne(windows.get(what.of) ?? null, now, MAX_AUTH_FAILURES)
  windows.set(what.of, window)
  if (!within) return
  const more = leftOut > 0 ? { left_out: leftOut } : {}
  const noted = env.KERNEL.getByName(KERNEL_NAME).denied(what.of, { code: what.code, ...more })
  await noted.catch(() => undefined)
}
