/**
 * Checks the recurrence of a call that creates a series, such as a repeating event: a recurrence that the
 * calendar cannot hold is refused before anything is shown on a card, whatever made the plan. Reads the
 * arguments under their label and returns none of them. Called by authorize.ts.
 */
import { test } from '../flow/labeled.ts'
import { err, ok, type Result } from '../flow/verdict.ts'
import type { OwnerFacts } from '../powers/ports.ts'
import type { RegisteredAction } from '../tool/registry.ts'
import { seriesIn } from '../tool/series.ts'
import type { ResolvedCall } from './resolve.ts'

/** Refusal: series_unfit. */
export function checkSeries(
  { profile }: OwnerFacts,
  { series }: RegisteredAction,
  { whole }: ResolvedCall,
): Result<true> {
  if (series !== true) return ok(true)
  const { timezone } = profile()
  return test(whole, (args) => seriesIn(args, timezone).ok) ? ok(true) : err('series_unfit')
}
