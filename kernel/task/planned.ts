/**
 * Reads the plan in a model's answer (C-11, B-37): bounded, complete, and of the
 * schema of plans. Must not judge what it does. Called by plan.ts.
 */
import { err, ok, type Result } from '../flow/verdict.ts'
import { PLAN_BOUNDS, type Plan } from './plan.ts'
import { parsePlan, readPlanAnswer } from './plan-schema.ts'

/** Maximum UTF-16 units of plan text that is parsed: bounds the work on a flood of output. */
const MAX_PLAN_TEXT = 20_000

/**
 * A truncated plan is invalid, even if the rest parses (B-37). `healed`: corrects misspelt names in the plan before it is parsed.
 */
export function planIn(
  { text, cut }: { readonly text: string; readonly cut: boolean },
  ran: number,
  correctNames: (plan: unknown) => unknown = (plan) => plan,
): Result<{ readonly plan: Plan; readonly leftOut?: string }> {
  if (cut) return err('plan_truncated')
  if (text.length > MAX_PLAN_TEXT) return err('plan_too_long', { max: MAX_PLAN_TEXT })
  try {
    const { plan, leftOut } = readPlanAnswer(text)
    const parsed = parsePlan(correctNames(plan), ran)
    if (!parsed.ok) return parsed
    return ok({
      plan: parsed.value,
      ...(leftOut !== null && { leftOut: leftOut.slice(0, PLAN_BOUNDS.instruction) }),
    })
  } catch {
    return err('plan_malformed')
  }
}
