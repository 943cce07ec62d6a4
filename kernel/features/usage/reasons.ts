/** Reason code for a spent model budget. Joined with the others in kernel/reasons.ts. */
export const USAGE_REASONS = Object.freeze(['model_budget_spent'] as const)
