/** Why no model is asked any more today. Joined with the others in kernel/reasons.ts. */
export const USAGE_REASONS = Object.freeze(['model_budget_spent'] as const)
