/**
 * What the whole edge has used of its plan: the sum over the objects of all principals, the tunnel and the registry. Holds
 * numbers only. Called by KernelObject.
 */
import { type Counted, type PlanReport, planReport, sumOf } from '../../kernel/features/usage/plan.ts'
import type { UsageStore } from '../../kernel/features/usage/port.ts'
import { FREE_PLAN } from '../free-plan.ts'
import { DAY, type KeptMeter, METERED_DAYS } from '../meter.ts'
import { TUNNEL_NAME } from '../names.ts'
import type { EdgeEnv } from '../platform/env.ts'

/**
 * Maximum number of principals' objects that are asked, because each wakes for it: those that registered first, the owner's among
 * them.
 */
const MOST_ASKED = 50

/** Usage of one principal's object, today and in the last days. */
export interface ObjectSpent {
  readonly today: Counted
  readonly lately: Counted
}

/** What a principal's object counted, read from its audit lines. */
export function spentOf(store: Pick<UsageStore, 'countedSince'>, now: number = Date.now()): ObjectSpent {
  const midnight = now - (now % DAY)
  return {
    today: store.countedSince(midnight),
    lately: store.countedSince(midnight - (METERED_DAYS - 1) * DAY),
  }
}

/** An object that cannot be reached counts as zero. */
export async function spentOnPlan(
  env: Pick<EdgeEnv, 'PRINCIPALS' | 'TUNNEL'>,
  names: readonly string[],
  own: ReturnType<KeptMeter['spent']>,
): Promise<PlanReport> {
  const asked = names.slice(0, MOST_ASKED).map((name) => env.PRINCIPALS.getByName(name).spent())
  const found = await Promise.allSettled(asked)
  const objects = found.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const tunnel = await env.TUNNEL.getByName(TUNNEL_NAME)
    .spent()
    .catch(() => null)
  const total = (of: keyof ObjectSpent): Counted => ({
    ...sumOf([own, ...(tunnel === null ? [] : [tunnel]), ...objects].map((one) => one[of])),
    messages: objects.reduce((sum, one) => sum + one[of].messages, 0),
  })
  return planReport(FREE_PLAN, total('today'), total('lately'))
}
