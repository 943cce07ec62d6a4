/**
 * The method of the private line by which `pfar health import` hands over the parsed days of an export, month
 * by month. Values cross the 0600 socket once, inwards; none is returned. Must not read a file. Called by
 * doors.ts.
 */
import * as z from 'zod/mini'
import type { HealthMonth } from '../../integrations/tools/health/health-port.ts'
import { ok } from '../../kernel/flow/verdict.ts'
import { type Methods, method } from '../line/method.ts'
import { type HealthStore, monthSchema } from './health-store.ts'

/** Maximum months of one call, in addition to its limit in bytes. */
export const MOST_MONTHS = 24

const params = z.strictObject({
  // Data of services is imported by their tools.
  source: z.literal('apple'),
  months: z.array(monthSchema).check(z.maxLength(MOST_MONTHS)),
})

export function createHealthMethods({ keep }: Pick<HealthStore, 'keep'>): Methods {
  return {
    health_keep: method(params, async ({ source, months }) => {
      const kept = await keep(source, months as readonly HealthMonth[])
      return kept.ok ? ok({ months: months.length }) : kept
    }),
  }
}
